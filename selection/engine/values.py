"""What a turn brings: frozen values, mirrored one to one from "Inputs of one turn" in domain.md.

Everything here is plain data without behaviour that could fail; documents and stored rows are validated before they become these values. Sequences are
tuples, so that a value can be shared and never changes under a running selection.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from selection.engine.codes import Auth, Capability, ContextKind, Dialect, Intent, Mode, Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """Sealed content: `nonce` and `ciphertext` are base64 in either alphabet, padded or not ("Sealed history")."""

    version: int
    algorithm: str
    key_id: str
    nonce: str
    ciphertext: str


# Stored content: the text itself, or the envelope that holds it sealed.
Content = str | Envelope


@dataclass(frozen=True, slots=True, kw_only=True)
class UserInput:
    """The user's words. `classified_intent` stands in for them where `text` is sealed and classification cannot read it."""

    text: Content
    command: Intent | None = None
    explicit_model: str | None = None
    classified_intent: Intent | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Workspace:
    """Where the user works. `diff_paths` stay in clear beside a sealed diff; otherwise the paths are read from `git_diff`."""

    root: str = ""
    git_branch: str | None = None
    git_diff: Content | None = None
    referenced_paths: tuple[str, ...] = ()
    active_file: str | None = None
    diff_paths: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AttachedFile:
    """A file that the client sent along; `required` is the client's flag."""

    path: str
    content: Content
    required: bool = False
    content_hash: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Instruction:
    """An instruction document, such as `AGENTS.md`; `source` names it and is not a path of the workspace."""

    source: str
    content: Content


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """A skill, invoked by the user or merely available."""

    name: str
    content: Content


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachments:
    """What the client attached to the turn."""

    files: tuple[AttachedFile, ...] = ()
    instructions: tuple[Instruction, ...] = ()
    invoked_skills: tuple[Skill, ...] = ()
    available_skills: tuple[Skill, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One row of the history. `created_at` is ISO 8601 text as recorded: order is the order of the sequence, never of the clock."""

    id: str
    role: Role
    content: Content
    provider: str | None = None
    model: str | None = None
    path: str | None = None
    created_at: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One remembered fact, of the user or of the session."""

    id: str
    content: Content
    key: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """What storage recalled; `messages` oldest first."""

    messages: tuple[Message, ...] = ()
    user_memory: tuple[Memory, ...] = ()
    context_memory: tuple[Memory, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassificationRule:
    """One rule of "Classify"; rules are tried in ascending `priority`."""

    intent: Intent
    priority: int = 1000
    keywords: tuple[str, ...] = ()
    requires_any_context: tuple[ContextKind, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassificationPolicy:
    """How a turn without a command gets its intent."""

    default_intent: Intent = Intent.CHAT
    rules: tuple[ClassificationRule, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DefaultRoute:
    """The route of a turn that no rule matches."""

    model: str
    fallbacks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutingRule:
    """One rule of "Route". Models are named `provider/model`."""

    name: str
    model: str
    priority: int = 1000
    intent: Intent | None = None
    paths: tuple[str, ...] = ()
    local_only: bool = False
    fallbacks: tuple[str, ...] = ()
    requires_capabilities: Mapping[Capability, bool] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutingPolicy:
    """Which model serves which turn."""

    rules: tuple[RoutingRule, ...] = ()
    default: DefaultRoute | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolsPolicy:
    """What a tool may do; recorded and shown, without a say in selection."""

    permissions: Mapping[str, Mode] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True, kw_only=True)
class RemotePrivacy:
    """What may go to a remote model. `mode` unset means `ask` ("Disclosure")."""

    mode: Mode | None = None
    blocked_paths: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalPrivacy:
    """What may go to a local model; recorded and shown, without a say in selection."""

    mode: Mode | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivacyPolicy:
    """Which paths never reach a remote model. `record_restricted` `allow` keeps their names in the recorded rows."""

    restricted_paths: tuple[str, ...] = ()
    remote: RemotePrivacy = field(default_factory=RemotePrivacy)
    local: LocalPrivacy = field(default_factory=LocalPrivacy)
    record_restricted: Mode | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The router's policy of one turn; `dialect` says how its patterns are read, wherever they stand."""

    version: int = 1
    source: str = "merged"
    dialect: Dialect = Dialect.GITIGNORE
    classification: ClassificationPolicy = field(default_factory=ClassificationPolicy)
    routing: RoutingPolicy = field(default_factory=RoutingPolicy)
    tools: ToolsPolicy = field(default_factory=ToolsPolicy)
    privacy: PrivacyPolicy = field(default_factory=PrivacyPolicy)


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalPreferences:
    """The user's own switches."""

    auto_apply: bool = False
    stream: bool = False
    local_only: bool = False
    no_network: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelDescriptor:
    """One model of the catalog; sizes in tokens, costs per million tokens as decimal strings."""

    provider: str
    model: str
    max_context_tokens: int
    local: bool = False
    auth: Auth = Auth.NONE
    display_name: str | None = None
    capabilities: Mapping[Capability, bool] = field(default_factory=lambda: MappingProxyType({}))
    max_output_tokens: int | None = None
    input_cost_per_million: str | None = None
    output_cost_per_million: str | None = None

    @property
    def name(self) -> str:
        """The name that routes use: `provider/model`."""
        return f"{self.provider}/{self.model}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnInput:
    """Everything that one selection reads; equal inputs give equal outcomes, to the byte."""

    input: UserInput
    workspace: Workspace = field(default_factory=Workspace)
    attachments: Attachments = field(default_factory=Attachments)
    recalled: Recalled = field(default_factory=Recalled)
    policy: Policy = field(default_factory=Policy)
    local_preferences: LocalPreferences = field(default_factory=LocalPreferences)
    models: tuple[ModelDescriptor, ...] = ()
    credentials: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedRecord:
    """A sealed row that the client is asked to open."""

    record_id: str
    envelope: Envelope


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainRecord:
    """The client's answer to a `SealedRecord`."""

    record_id: str
    plaintext: str
