"""The closed vocabularies of context selection; their values are the wire format (domain.md, every section)."""

from enum import StrEnum


class Intent(StrEnum):
    """What the user wants of a turn ("Classify")."""

    CHAT = "chat"
    PLAN = "plan"
    EDIT = "edit"
    REVIEW = "review"
    SUMMARIZE = "summarize"
    PROMPT = "prompt"
    SKILL = "skill"


class ContextKind(StrEnum):
    """A kind of context whose presence a classification rule can ask for ("Classify")."""

    GIT_DIFF = "git_diff"
    GIT_BRANCH = "git_branch"
    ACTIVE_FILE = "active_file"
    REFERENCED_PATHS = "referenced_paths"


class ClassificationSource(StrEnum):
    """Where the intent came from."""

    EXPLICIT = "explicit"
    INFERRED = "inferred"


class Confidence(StrEnum):
    """How sure an inferred intent is."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class RouteSource(StrEnum):
    """Which step of "Route" named the model."""

    OVERRIDE = "override"
    RULE = "rule"
    DEFAULT = "default"


class Role(StrEnum):
    """Who wrote a message of the history."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class Kind(StrEnum):
    """What a candidate is ("Candidates")."""

    MESSAGE = "message"
    FILE = "file"
    INSTRUCTION = "instruction"
    SKILL = "skill"
    MEMORY = "memory"
    DIFF = "diff"


class Part(StrEnum):
    """The part of a turn that a candidate comes from, in the order of "Candidates", which is also the order of ties."""

    MESSAGES = "messages"
    USER_MEMORY = "user_memory"
    CONTEXT_MEMORY = "context_memory"
    FILES = "files"
    INSTRUCTIONS = "instructions"
    INVOKED_SKILLS = "invoked_skills"
    AVAILABLE_SKILLS = "available_skills"
    DIFF = "diff"


class Cause(StrEnum):
    """Why a candidate is required ("Candidates: Required")."""

    FLAGGED = "flagged"
    REFERENCED = "referenced"
    ROUTE_GLOB = "route_glob"
    INSTRUCTION = "instruction"
    INVOKED_SKILL = "invoked_skill"


class Reason(StrEnum):
    """Why a candidate is in or out ("Fit")."""

    REQUIRED = "required"
    FITS = "fits"
    RESTRICTED_REMOTE = "restricted_remote"
    OVER_BUDGET = "over_budget"
    DUPLICATE = "duplicate"


class State(StrEnum):
    """The one state of a candidate on a page: `Reason`, with what no budget of this model could take set apart."""

    REQUIRED = "required"
    FITS = "fits"
    OVER_BUDGET = "over_budget"
    TOO_LARGE = "too_large"
    RESTRICTED_REMOTE = "restricted_remote"
    DUPLICATE = "duplicate"


class Verdict(StrEnum):
    """What became of one model of the chain ("Select a model")."""

    UNKNOWN_MODEL = "unknown_model"
    MISSING_PROVIDER_CREDENTIALS = "missing_provider_credentials"
    REMOTE_FORBIDDEN = "remote_forbidden"
    MISSING_CAPABILITY = "missing_capability"
    CONTEXT_WINDOW_EXCEEDED = "context_window_exceeded"
    SELECTED = "selected"


class SelectionError(StrEnum):
    """Why no model serves a turn ("Route", "Select a model")."""

    NO_ROUTE = "no_route"
    OVERRIDE_NOT_ALLOWED = "override_not_allowed"
    NO_LOCAL_MODEL = "no_local_model"
    CONTEXT_WINDOW_EXCEEDED = "context_window_exceeded"
    FALLBACK_EXHAUSTED = "fallback_exhausted"
    UNKNOWN_MODEL = "unknown_model"
    MISSING_PROVIDER_CREDENTIALS = "missing_provider_credentials"
    MISSING_CAPABILITY = "missing_capability"
    REMOTE_FORBIDDEN = "remote_forbidden"


class Status(StrEnum):
    """Where a turn stands after selection ("Sealed history", "Disclosure")."""

    SELECTED = "selected"
    AWAITING_DECRYPT = "awaiting_decrypt"
    AWAITING_APPROVAL = "awaiting_approval"
    ERROR = "error"


class Mode(StrEnum):
    """What the policy says of sending anything to a kind of model ("Disclosure")."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"


class Dialect(StrEnum):
    """The rules that the patterns of a policy follow: git's ("Globs"), or those of the router's `globset` library."""

    GITIGNORE = "gitignore"
    GLOBSET = "globset"


class Auth(StrEnum):
    """What a model needs in order to be called ("Inputs of one turn")."""

    NONE = "none"
    API_KEY = "api_key"
    OPTIONAL_API_KEY = "optional_api_key"


class Capability(StrEnum):
    """What a model can do ("Inputs of one turn")."""

    STREAMING = "streaming"
    TOOLS = "tools"
    JSON_OUTPUT = "json_output"
    SYSTEM_PROMPT = "system_prompt"
    IMAGES = "images"
    REASONING = "reasoning"
    MEMORY = "memory"


class PatternSource(StrEnum):
    """The policy list that a pattern stands in ("Restricted for remote", "Route")."""

    RESTRICTED_PATHS = "privacy.restricted_paths"
    BLOCKED_PATHS = "privacy.remote.blocked_paths"
    LOCAL_ONLY_RULE = "routing.rules[].paths"


class LocalCause(StrEnum):
    """Why only a local model may serve a turn ("Select a model")."""

    REQUIRED_RESTRICTED = "required_restricted"
    RULE_LOCAL_ONLY = "rule_local_only"
    PREFERENCE_LOCAL_ONLY = "preference_local_only"
    PREFERENCE_NO_NETWORK = "preference_no_network"
    REMOTE_MODE_DENY = "remote_mode_deny"


class EffectCode(StrEnum):
    """What a change of policy does to a turn, in the order in which it is told: disclosed first."""

    DISCLOSED = "newly_disclosed"
    FAILS = "now_fails"
    MOVED_REMOTE = "moved_remote"
    WITHHELD = "newly_withheld"
    MOVED_LOCAL = "moved_local"
    MODEL = "model_changed"
    ASKS = "asks_now"
    SILENT = "asks_no_more"
    WORKS = "now_works"
    LOST = "context_lost"
    GAINED = "context_gained"


class Fate(StrEnum):
    """What becomes of a candidate that has a path."""

    REMOTE = "remote"
    LOCAL = "local"
    WITHHELD = "withheld"
    OUT = "out"


class Severity(StrEnum):
    """How much a finding matters, most first."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
