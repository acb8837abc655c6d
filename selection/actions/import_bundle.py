"""Store a session bundle: all of it or nothing ("Storage entities" in domain.md)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any

from django.db import models, transaction
from django.utils import timezone

from selection.actions.times import read_time
from selection.documents.bundle import BundleMemory, BundleMessage, BundleTurn, SessionBundle
from selection.documents.plain import to_plain
from selection.engine.values import Content, Envelope
from selection.engine.values import ModelDescriptor as Descriptor
from selection.models import (
    ContextMemory,
    ContextMemoryContent,
    ModelDescriptor,
    Owner,
    RecalledUserMemory,
    RecalledUserMemoryContent,
    Session,
    SessionMessage,
    SessionMessageContent,
    SessionRunInput,
    SessionRunInputContent,
    UserMemory,
    UserMemoryContent,
    key_of,
)

# Rows written at once: content may be megabytes a row.
_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class OwnedColumns:
    """The columns that every row of one session shares."""

    session: Session
    user: Owner
    now: datetime

    def columns(self, recorded_at: str | None) -> dict[str, Any]:
        """Give them for a row that was recorded at a time, or now."""
        created_at = read_time(recorded_at) or self.now
        return {"session": self.session, "user_id": key_of(self.user), "created_at": created_at}


@transaction.atomic
def import_bundle(user: Owner, bundle: SessionBundle) -> Session:
    """Store `bundle` as a new session of `user`.

    What the bundle remembers of the user joins the user's memory where that knows nothing under the key, and is never overwritten: the session keeps
    what it recalled beside it.
    """
    owner = OwnedColumns(_store_session(user, bundle), user, timezone.now())
    messages = _store_messages(owner, bundle.messages)
    _store_context_memory(owner, bundle.context_memory)
    store_recalled(owner, bundle.user_memory)
    _remember(user, bundle.user_memory)
    store_models(owner, bundle.models)
    _store_turns(owner, bundle.turns, messages)
    return owner.session


def _store_session(user: Owner, bundle: SessionBundle) -> Session:
    info = bundle.session
    session = Session(
        user_id=key_of(user),
        title=info.title,
        encrypted=info.key_id is not None,
        key_id=info.key_id,
        created_at=read_time(info.created_at) or timezone.now(),
        archived_at=read_time(info.archived_at),
        recorded={"created_at": info.created_at, "updated_at": info.updated_at, "archived_at": info.archived_at},
    )
    session.save(force_insert=True)
    return session


def _store_messages(owner: OwnedColumns, messages: Sequence[BundleMessage]) -> dict[str, SessionMessage]:
    """Store the history; give the rows by the ids that the bundle calls them."""
    by_id: dict[str, SessionMessage] = {}

    def rows() -> Iterator[tuple[SessionMessage, SessionMessageContent]]:
        for position, message in enumerate(messages):
            row = message_row(owner, position, message)
            if message.id is not None:
                by_id[message.id] = row
            yield row, SessionMessageContent(message=row, **content_columns(message.content))

    store_pairs(rows(), SessionMessage, SessionMessageContent)
    return by_id


def message_row(owner: OwnedColumns, position: int, message: BundleMessage) -> SessionMessage:
    """Give a message as a row."""
    return SessionMessage(
        **owner.columns(message.created_at),
        position=position,
        recorded_id=message.id,
        recorded_at=message.created_at,
        role=message.role.value,
        provider=message.provider,
        model=message.model,
        path=message.path,
    )


def _store_context_memory(owner: OwnedColumns, memories: Sequence[BundleMemory]) -> None:
    def rows() -> Iterator[tuple[ContextMemory, ContextMemoryContent]]:
        for position, memory in enumerate(memories):
            row = ContextMemory(**_memory_columns(owner, position, memory))
            yield row, ContextMemoryContent(memory=row, **content_columns(memory.content))

    store_pairs(rows(), ContextMemory, ContextMemoryContent)


def store_recalled(owner: OwnedColumns, memories: Sequence[BundleMemory]) -> None:
    """Store what is remembered of the user, as the session recalls it."""

    def rows() -> Iterator[tuple[RecalledUserMemory, RecalledUserMemoryContent]]:
        for position, memory in enumerate(memories):
            row = RecalledUserMemory(**_memory_columns(owner, position, memory))
            yield row, RecalledUserMemoryContent(memory=row, plaintext=_plain(memory))

    store_pairs(rows(), RecalledUserMemory, RecalledUserMemoryContent)


def _memory_columns(owner: OwnedColumns, position: int, memory: BundleMemory) -> dict[str, Any]:
    recorded = {"id": memory.id, "created_at": memory.created_at, "updated_at": memory.updated_at}
    return {**owner.columns(memory.created_at), "position": position, "key": memory.key, "recorded": recorded}


def _remember(user: Owner, memories: Sequence[BundleMemory]) -> None:
    """Add to the user's memory what it does not hold yet."""
    known = UserMemory.objects.owned_by(user)
    keys = set(known.filter(key__isnull=False).values_list("key", flat=True))
    texts = set(known.filter(key__isnull=True).values_list("content__plaintext", flat=True))

    def rows() -> Iterator[tuple[UserMemory, UserMemoryContent]]:
        for memory in memories:
            if (memory.key in keys) if memory.key is not None else (memory.content in texts):
                continue
            row = UserMemory(
                user_id=key_of(user), key=memory.key, created_at=read_time(memory.created_at) or timezone.now()
            )
            yield row, UserMemoryContent(memory=row, plaintext=_plain(memory))

    store_pairs(rows(), UserMemory, UserMemoryContent)


def _plain(memory: BundleMemory) -> str:
    if not isinstance(memory.content, str):
        raise TypeError("user memory is always plain")
    return memory.content


def store_models(owner: OwnedColumns, descriptors: Sequence[Descriptor], begin: int = 0) -> None:
    """Store the catalog of a session, or more of it from position `begin` on."""
    ModelDescriptor.objects.bulk_create(
        [
            ModelDescriptor(**owner.columns(None), position=position, **to_plain(descriptor))
            for position, descriptor in enumerate(descriptors, begin)
        ],
    )


def _store_turns(owner: OwnedColumns, turns: Sequence[BundleTurn], messages: dict[str, SessionMessage]) -> None:
    def rows() -> Iterator[tuple[SessionRunInput, SessionRunInputContent]]:
        for position, turn in enumerate(turns):
            yield turn_rows(owner, position, turn, messages)

    store_pairs(rows(), SessionRunInput, SessionRunInputContent)


def turn_rows(
    owner: OwnedColumns, position: int, turn: BundleTurn, messages: dict[str, SessionMessage]
) -> tuple[SessionRunInput, SessionRunInputContent]:
    """Give a turn as its row and its content; `messages` are the rows by the names that it may call them."""
    workspace = to_plain(turn.workspace)
    diff = workspace.pop("git_diff", None)
    row = SessionRunInput(
        **owner.columns(turn.created_at),
        position=position,
        recorded_at=turn.created_at,
        after_message=None if turn.after_message is None else messages[turn.after_message],
        policy=to_plain(turn.policy),
        local_preferences=to_plain(turn.local_preferences),
        workspace=workspace,
        credentials=list(turn.credentials),
    )
    content = SessionRunInputContent(
        run_input=row, input=to_plain(turn.input), attachments=to_plain(turn.attachments), git_diff=diff
    )
    return row, content


def content_columns(content: Content) -> dict[str, Any]:
    """Give the columns of a content row."""
    return {"envelope": to_plain(content)} if isinstance(content, Envelope) else {"plaintext": content}


def store_pairs(pairs: Iterator[tuple[models.Model, models.Model]], row: Any, content: Any) -> None:
    """Store rows with their contents, some at a time, so that a large session never stands in memory twice."""
    while batch := list(islice(pairs, _AT_ONCE)):
        rows, contents = zip(*batch, strict=True)
        row.objects.bulk_create(rows)
        content.objects.bulk_create(contents)
