"""The session bundle: a whole session in one JSON document, as frozen values ("Storage entities" in domain.md).

A bundle is what is imported and exported, and what every importer of a recorded format produces. Its parts are the engine's own values wherever the engine
knows them; only what storage adds (times of rows, where in the history a turn stands) has values of its own here. Times are ISO 8601 text as written.
"""

from dataclasses import dataclass, field
from typing import Final

from selection.engine.codes import Role
from selection.engine.values import (
    Attachments,
    Content,
    LocalPreferences,
    ModelDescriptor,
    Policy,
    UserInput,
    Workspace,
)

BUNDLE_FORMAT: Final = "smista.session/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionInfo:
    """The session itself; it is encrypted exactly when `key_id` is present."""

    title: str | None = None
    key_id: str | None = None
    created_at: str | None = None
    updated_at: str | None = None
    archived_at: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleMessage:
    """A message of the history; the order of the list is the order of the history, whatever the clock says."""

    role: Role
    content: Content
    id: str | None = None
    provider: str | None = None
    model: str | None = None
    path: str | None = None
    created_at: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleMemory:
    """A remembered fact of the user or of the session."""

    content: Content
    id: str | None = None
    key: str | None = None
    created_at: str | None = None
    updated_at: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleTurn:
    """One turn. Its history is the messages up to and including `after_message`; without one, none."""

    input: UserInput
    after_message: str | None = None
    workspace: Workspace = field(default_factory=Workspace)
    attachments: Attachments = field(default_factory=Attachments)
    policy: Policy = field(default_factory=Policy)
    local_preferences: LocalPreferences = field(default_factory=LocalPreferences)
    credentials: tuple[str, ...] = ()
    created_at: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionBundle:
    """A whole session."""

    format: str = BUNDLE_FORMAT
    session: SessionInfo = field(default_factory=SessionInfo)
    messages: tuple[BundleMessage, ...] = ()
    user_memory: tuple[BundleMemory, ...] = ()
    context_memory: tuple[BundleMemory, ...] = ()
    models: tuple[ModelDescriptor, ...] = ()
    turns: tuple[BundleTurn, ...] = ()
