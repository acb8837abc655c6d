"""What a router pushes as it happens: a session, its messages, its turns, and the request of a turn that is not stored."""

from dataclasses import dataclass, field
from typing import Any, Final

from selection.documents.bundle import BundleMessage, BundleTurn
from selection.documents.parsing import read_json
from selection.documents.reading import validate
from selection.engine.values import Attachments, LocalPreferences, ModelDescriptor, Policy, UserInput, Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSession:
    """A session that begins. It is encrypted, for good, when it names its key."""

    title: str | None = None
    key_id: str | None = None
    models: tuple[ModelDescriptor, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionChange:
    """What of a session can be changed; a part that is not given stays as it is."""

    title: str | None = None
    archived: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMessages:
    """Messages in the order in which they happened."""

    messages: tuple[BundleMessage, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalog:
    """The models that a session may use."""

    models: tuple[ModelDescriptor, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecuteRequest:
    """The router's request of a turn: history and memory come from storage."""

    input: UserInput
    policy: Policy
    workspace: Workspace = field(default_factory=Workspace)
    local_preferences: LocalPreferences = field(default_factory=LocalPreferences)
    attachments: Attachments = field(default_factory=Attachments)


@dataclass(frozen=True, slots=True, kw_only=True)
class RouterRequest:
    """A request with what the router says in it beside the rules of selection: the permissions that each rule asks for."""

    request: ExecuteRequest
    permissions: tuple[tuple[str, ...], ...]


# Parts of a routing rule that the router knows and selection does not ask.
_BESIDE: Final = ("effort", "required_permissions", "cost_limit")


def read_execute(data: bytes | str) -> RouterRequest:
    """Read the router's execute request. Raises `InvalidDocument` with every fault and its place."""
    parsed = read_json(data)
    permissions = tuple(_taken(rule) for rule in _rules(parsed))
    return RouterRequest(request=validate(ExecuteRequest, parsed), permissions=permissions)


def read_turn_push(data: bytes | str) -> BundleTurn:
    """Read a turn that a router pushes. Raises `InvalidDocument` with every fault and its place."""
    parsed = read_json(data)
    for rule in _rules(parsed):
        _taken(rule)
    return validate(BundleTurn, parsed)


def _rules(parsed: Any) -> list[dict[str, Any]]:
    """Give the routing rules of a request, as far as it has any."""
    held = parsed
    for name in ("policy", "routing", "rules"):
        held = held.get(name) if isinstance(held, dict) else None
    return [rule for rule in held if isinstance(rule, dict)] if isinstance(held, list) else []


def _taken(rule: dict[str, Any]) -> tuple[str, ...]:
    """Take out of a rule what selection does not ask, and give the permissions that it names."""
    beside = {name: rule.pop(name) for name in _BESIDE if name in rule}
    named = beside.get("required_permissions")
    return tuple(each for each in named if isinstance(each, str)) if isinstance(named, list) else ()
