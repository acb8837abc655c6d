"""Gather a turn from its rows: everything that one selection reads ("Inputs of one turn" in domain.md)."""

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from django.db.models import F, Q, QuerySet
from django.db.models.fields.json import KeyTextTransform

from selection.documents.plain import from_columns, from_plain
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

_PLAIN = ("position", "own_id", "content__plaintext")
_CONTENT = ("content__plaintext", "content__envelope")
_ROLES: Final = {role.value: role for role in Role}


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
    history = SessionMessage.objects.filter(
        session_id=run_input.session_id, position__lte=run_input.after_message.position
    ).annotate(own_id=F("recorded_id"))
    rows = list(history.order_by("position").values_list(*_PLAIN, "role", "provider", "model", "path", "recorded_at"))
    special = _special(history, rows)
    positions, ids, texts, roles, providers, models, paths, times = zip(*rows, strict=True) if rows else ((),) * 8
    names: Sequence[str] = ids
    contents: Sequence[Content] = texts
    if special:
        names = [own_id or special[position][0] for position, own_id in zip(positions, ids, strict=True)]
        contents = [_opened(special, position, text) for position, text in zip(positions, texts, strict=True)]
    columns = {
        "id": names,
        "role": map(_ROLES.__getitem__, roles),
        "content": contents,
        "provider": providers,
        "model": models,
        "path": paths,
        "created_at": times,
    }
    return from_columns(Message, len(rows), columns)


def _opened(special: dict[int, tuple[str, Any]], position: int, text: str | None) -> Content:
    held = special[position][1] if text is None else text
    return held if isinstance(held, str) else from_plain(Envelope, held)


def _context_memory(run_input: SessionRunInput) -> tuple[Memory, ...]:
    held = ContextMemory.objects.filter(session_id=run_input.session_id)
    remembered = held.annotate(own_id=KeyTextTransform("id", "recorded"))
    rows = list(remembered.order_by("position").values_list(*_PLAIN, "key"))
    special = _special(remembered, rows)
    return from_plain(
        tuple[Memory, ...],
        [
            {
                "id": own_id or special[position][0],
                "key": key,
                "content": special[position][1] if plaintext is None else plaintext,
            }
            for position, own_id, plaintext, key in rows
        ],
    )


def _special(held: QuerySet[Any], rows: Sequence[tuple[Any, ...]]) -> dict[int, tuple[str, Any]]:
    """Give the key and the content of the rows that have no id of their own, or are sealed, by position.

    Keys and envelopes cost a conversion a row, so they are asked for only where there are such rows.
    """
    if all(own_id and plaintext is not None for _, own_id, plaintext, *_ in rows):
        return {}
    found = held.filter(Q(own_id__isnull=True) | Q(own_id="") | Q(content__plaintext__isnull=True))
    return {
        position: (str(key), envelope or plaintext or "")
        for position, key, plaintext, envelope in found.values_list("position", "id", *_CONTENT)
    }


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
