"""The shapes of what is stored, and of previews and runs."""

from typing import Any, Literal, TypedDict

from selection.api.shapes.selections import Classified, SelectionShape
from selection.engine.codes import Auth, Intent, Kind, Reason, Role, Status


class SessionShape(TypedDict):
    """A session without its content."""

    id: str
    title: str | None
    encrypted: bool
    key_id: str | None
    created_at: str
    updated_at: str
    archived_at: str | None
    messages: int
    turns: int


class SessionList(TypedDict):
    """A page of sessions; `next` is the cursor of the page after it."""

    items: list[SessionShape]
    next: str | None


class Imported(TypedDict):
    """What an import made, and what it has to say; `again` when the same bytes had made the session before, `grown` when it was there and goes on."""

    session: SessionShape
    report: list[str]
    again: bool
    grown: bool


class MessageReference(TypedDict):
    """A message without its content."""

    id: str
    position: int
    recorded_id: str | None
    role: Role
    provider: str | None
    model: str | None
    path: str | None
    created_at: str | None


class MessageList(TypedDict):
    """A page of messages."""

    items: list[MessageReference]
    next: str | None


class StoredMessage(TypedDict):
    """Where a message was stored."""

    id: str
    position: int


class StoredMessages(TypedDict):
    """The messages that were appended."""

    items: list[StoredMessage]


class TurnReference(TypedDict):
    """A turn without its content; `page` is the address of its page."""

    id: str
    position: int
    after_message: str | None
    created_at: str
    page: str


class TurnList(TypedDict):
    """A page of turns."""

    items: list[TurnReference]
    next: str | None


class ModelShape(TypedDict):
    """A model of the catalog."""

    provider: str
    model: str
    max_context_tokens: int
    local: bool
    auth: Auth
    display_name: str | None
    capabilities: dict[str, bool]
    max_output_tokens: int | None
    input_cost_per_million: str | None
    output_cost_per_million: str | None


class CatalogShape(TypedDict):
    """A catalog."""

    models: list[ModelShape]


class PayloadTold(TypedDict):
    """A payload: numbers, codes and sentences, never content."""

    plaintext: dict[str, Any]


class EventTold(TypedDict):
    """A recorded event; `run` is the recorded selection that it belongs to."""

    event_type: str
    task_type: str | None
    provider: str | None
    model: str | None
    matched_rule: str | None
    created_at: str
    run: str | None
    payload: PayloadTold


class TraceShape(TypedDict):
    """A part of a session's trace."""

    events: list[EventTold]
    total: int
    limit: int
    offset: int


class ReferenceTold(TypedDict):
    """What was, or was not, in a prompt, and why."""

    id: str
    run: str
    position: int
    rank: int | None
    path: str | None
    kind: Kind
    included: bool
    required: bool
    restricted: bool
    estimated_tokens: int
    score: int
    reason_code: Reason | None
    reason: str
    duplicate_of: str | None
    created_at: str


class ReferencesShape(TypedDict):
    """A part of a session's references."""

    references: list[ReferenceTold]
    total: int
    limit: int
    offset: int


class CostShape(TypedDict):
    """What the call would cost, as decimal text."""

    min: str
    max: str
    currency: str


class PreviewShape(TypedDict):
    """What a turn would be, in the router's own fields, and the selection in full."""

    status: Status
    task_type: Intent
    classification: Classified
    provider: str | None
    model: str | None
    matched_rule: str | None
    included_context: list[str]
    excluded_context: list[str]
    estimated_cost: CostShape | None
    required_permissions: list[str]
    selection: SelectionShape


class RunEnvelope(TypedDict):
    """Where a run stands; what `data` holds depends on `status`."""

    status: Literal["awaiting_decrypt", "awaiting_approval", "completed", "error"]
    data: dict[str, Any]
    allowed_continuations: list[Literal["decrypted", "approval_decisions", "sealed", "break"]]
