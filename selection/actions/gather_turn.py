"""Gather a turn from its rows: everything that one selection reads ("Inputs of one turn" in domain.md)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final
from uuid import UUID

import msgspec
from django.db.models import F, QuerySet, TextField, Value
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast

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
from selection.models import (
    ContextMemory,
    ModelDescriptor,
    RecalledUserMemory,
    SessionMessage,
    SessionRunInput,
    SessionRunInputContent,
)

_ROLES: Final = {role.value: role for role in Role}
_envelope: Final = msgspec.json.Decoder(Envelope).decode
_input: Final = msgspec.json.Decoder(UserInput).decode
_attachments: Final = msgspec.json.Decoder(Attachments).decode
_diff: Final[Callable[[str], Content | None]] = msgspec.json.Decoder(str | Envelope | None).decode


@dataclass(frozen=True, slots=True)
class Shared:
    """What turns of a session share: what is recalled for the last of them, of whose history the others have a part, and the catalog."""

    recalled: Recalled
    models: tuple[Descriptor, ...]


@dataclass(frozen=True, slots=True)
class Brought:
    """What a turn itself brought, beside its row."""

    input: UserInput
    attachments: Attachments
    git_diff: Content | None


def gather_turn(run_input: SessionRunInput) -> TurnInput:
    """Give the turn as the engine reads it, in a number of queries that does not grow with its size."""
    return turn_from(run_input, gather_shared(run_input), brought_by([run_input])[run_input.pk])


def gather_shared(run_input: SessionRunInput) -> Shared:
    """Give what this turn shares with those before it."""
    return Shared(recalled_of(run_input), models_of(run_input.session_id))


def brought_by(rows: Sequence[SessionRunInput]) -> dict[UUID, Brought]:
    """Give what turns brought, by their keys, in one query; a turn without its content is left out.

    It comes as text and is read straight into values, which costs half of what it costs to read it as JSON first.
    """
    held = SessionRunInputContent.objects.filter(run_input__in=[row.pk for row in rows])
    texts = held.annotate(
        input_text=Cast("input", TextField()),
        attachments_text=Cast("attachments", TextField()),
        diff_text=Cast("git_diff", TextField()),
    )
    return {
        key: Brought(_input(said), _attachments(attached), _diff(diff or "null"))
        for key, said, attached, diff in texts.values_list(
            "run_input_id", "input_text", "attachments_text", "diff_text"
        )
    }


def turn_from(run_input: SessionRunInput, shared: Shared, brought: Brought, policy: Policy | None = None) -> TurnInput:
    """Give a turn from its row, what it brought, and what was gathered for it or for a later one of its session; `policy` is what its row says."""
    return TurnInput(
        input=brought.input,
        workspace=replace(from_plain(Workspace, run_input.workspace), git_diff=brought.git_diff),
        attachments=brought.attachments,
        recalled=_up_to(run_input, shared.recalled),
        policy=policy or from_plain(Policy, run_input.policy),
        local_preferences=from_plain(LocalPreferences, run_input.local_preferences),
        models=shared.models,
        credentials=tuple(run_input.credentials),
    )


def _up_to(run_input: SessionRunInput, recalled: Recalled) -> Recalled:
    """Cut the history where the turn begins: messages are numbered from 0 without a gap, which whoever shares a longer history has seen to."""
    count = 0 if run_input.after_message is None else run_input.after_message.position + 1
    return recalled if count == len(recalled.messages) else replace(recalled, messages=recalled.messages[:count])


def recalled_of(run_input: SessionRunInput) -> Recalled:
    """Give what storage recalls for a turn: the history up to its place, and what is remembered. The row itself need not be stored."""
    return Recalled(
        messages=_messages(run_input),
        user_memory=_user_memory(run_input),
        context_memory=_context_memory(run_input),
    )


def _messages(run_input: SessionRunInput) -> tuple[Message, ...]:
    if run_input.after_message is None:
        return ()
    history = SessionMessage.objects.filter(
        session_id=run_input.session_id, position__lte=run_input.after_message.position
    )
    rows = list(_stored(history, run_input, F("recorded_id"), "role", "provider", "model", "path", "recorded_at"))
    if not rows:
        return ()
    names, texts, envelopes, roles, providers, models, paths, times = zip(*rows, strict=True)
    columns = {
        "id": _named(history, names),
        "role": map(_ROLES.__getitem__, roles),
        "content": _contents(texts, envelopes),
        "provider": providers,
        "model": models,
        "path": paths,
        "created_at": times,
    }
    return from_columns(Message, len(rows), columns)


def _context_memory(run_input: SessionRunInput) -> tuple[Memory, ...]:
    held = ContextMemory.objects.filter(session_id=run_input.session_id)
    rows = list(_stored(held, run_input, KeyTextTransform("id", "recorded"), "key"))
    if not rows:
        return ()
    names, texts, envelopes, keys = zip(*rows, strict=True)
    columns = {"id": _named(held, names), "content": _contents(texts, envelopes), "key": keys}
    return from_columns(Memory, len(rows), columns)


def _stored(held: QuerySet[Any], run_input: SessionRunInput, own_id: Any, *columns: str) -> Any:
    """Give rows in order: the id that the recording gave them, text, envelope as JSON, and further columns. A plain session is not asked for envelopes."""
    sealed = run_input.session.encrypted
    envelope = Cast("content__envelope", TextField()) if sealed else Value(None, output_field=TextField())
    named = held.annotate(own_id=own_id, sealed_text=envelope).order_by("position")
    return named.values_list("own_id", "content__plaintext", "sealed_text", *columns)


def _named(held: QuerySet[Any], names: Sequence[str | None]) -> Sequence[str]:
    """Give every row an id: where the recording gave none, the row's own. Keys cost a conversion a row, so they are asked for only where one is missing."""
    if all(names):
        return [name or "" for name in names]
    keys = held.order_by("position").values_list("pk", flat=True)
    return [name or str(key) for name, key in zip(names, keys, strict=True)]


def _contents(texts: Sequence[str | None], envelopes: Sequence[str | None]) -> Iterator[Content]:
    for text, envelope in zip(texts, envelopes, strict=True):
        yield text if text is not None else _envelope(envelope or "")


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
