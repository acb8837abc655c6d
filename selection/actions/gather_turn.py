"""Gather a turn from its rows: everything that one selection reads ("Inputs of one turn" in domain.md)."""

from typing import Any
from uuid import UUID

from selection.documents.plain import from_plain
from selection.engine.codes import Role
from selection.engine.values import (
    Attachments,
    Content,
    Envelope,
    LocalPreferences,
    Memory,
    Message,
    Policy,
    Recalled,
    TurnInput,
    UserInput,
    Workspace,
)
from selection.engine.values import ModelDescriptor as Descriptor
from selection.models import ContextMemory, ModelDescriptor, RecalledUserMemory, SessionMessage, SessionRunInput

_MESSAGE = ("id", "recorded_id", "role", "provider", "model", "path", "recorded_at")
_CONTENT = ("content__plaintext", "content__envelope")


def gather_turn(run_input: SessionRunInput) -> TurnInput:
    """Give the turn as the engine reads it, in a number of queries that does not grow with its size."""
    content = run_input.content
    workspace = {**run_input.workspace, "git_diff": content.git_diff}
    return TurnInput(
        input=from_plain(UserInput, content.input),
        workspace=from_plain(Workspace, workspace),
        attachments=from_plain(Attachments, content.attachments),
        recalled=Recalled(
            messages=_messages(run_input),
            user_memory=_user_memory(run_input),
            context_memory=_context_memory(run_input),
        ),
        policy=from_plain(Policy, run_input.policy),
        local_preferences=from_plain(LocalPreferences, run_input.local_preferences),
        models=models_of(run_input.session_id),
        credentials=tuple(run_input.credentials),
    )


def _messages(run_input: SessionRunInput) -> tuple[Message, ...]:
    if run_input.after_message is None:
        return ()
    rows = SessionMessage.objects.filter(
        session_id=run_input.session_id, position__lte=run_input.after_message.position
    ).order_by("position")
    return tuple(_message(*row) for row in rows.values_list(*_MESSAGE, *_CONTENT).iterator(chunk_size=2_000))


def _message(  # noqa: PLR0913, PLR0917 - one argument a column
    row_id: object,
    recorded_id: str | None,
    role: str,
    provider: str | None,
    model: str | None,
    path: str | None,
    recorded_at: str | None,
    plaintext: str | None,
    envelope: dict[str, Any] | None,
) -> Message:
    return Message(
        id=recorded_id or str(row_id),
        role=Role(role),
        provider=provider,
        model=model,
        path=path,
        created_at=recorded_at,
        content=content_of(plaintext, envelope),
    )


def _context_memory(run_input: SessionRunInput) -> tuple[Memory, ...]:
    rows = ContextMemory.objects.filter(session_id=run_input.session_id).order_by("position")
    return tuple(
        Memory(id=recorded.get("id") or str(row_id), key=key, content=content_of(plaintext, envelope))
        for row_id, recorded, key, plaintext, envelope in rows.values_list("id", "recorded", "key", *_CONTENT)
    )


def _user_memory(run_input: SessionRunInput) -> tuple[Memory, ...]:
    rows = RecalledUserMemory.objects.filter(session_id=run_input.session_id).order_by("position")
    return tuple(
        Memory(id=recorded.get("id") or str(row_id), key=key, content=plaintext)
        for row_id, recorded, key, plaintext in rows.values_list("id", "recorded", "key", "content__plaintext")
    )


def models_of(session_id: UUID) -> tuple[Descriptor, ...]:
    """Give the catalog of a session."""
    fields = tuple(Descriptor.__dataclass_fields__)
    rows = ModelDescriptor.objects.filter(session_id=session_id).order_by("position").values(*fields)
    return tuple(from_plain(Descriptor, row) for row in rows)


def content_of(plaintext: str | None, envelope: dict[str, Any] | None) -> Content:
    """Give the content that a content row holds."""
    return from_plain(Envelope, envelope) if envelope is not None else plaintext or ""
