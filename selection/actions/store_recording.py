"""Store a recording while it is read: in bounded memory, and all of it or nothing ("Storage entities" in domain.md)."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from django.db import connection, transaction
from django.utils import timezone

from selection.actions.bulk import Pipe, Table
from selection.actions.import_bundle import OwnedColumns, store_models
from selection.actions.times import read_time
from selection.documents.bundle import BundleMessage, BundleTurn
from selection.documents.plain import plain_json, to_plain
from selection.importers.parts import Ending, Part, TurnBegins
from selection.models import (
    Owner,
    Session,
    SessionMessage,
    SessionMessageContent,
    SessionRunInput,
    SessionRunInputContent,
    key_of,
)
from selection.models.base import new_id

# What is written at once: so many rows, or so many characters of content.
_MOST_ROWS: Final = 1_000
_MOST_TEXT: Final = 8_000_000

_OWNED: Final = ("id", "session", "user", "created_at", "position", "recorded_at")
_MESSAGE: Final = (*_OWNED, "recorded_id", "role", "provider", "model", "path")
_TURN: Final = (*_OWNED, "after_message", "policy", "local_preferences", "workspace", "credentials")
_TURN_CONTENT: Final = ("run_input", "input", "attachments", "git_diff")


@transaction.atomic
def store_recording(user: Owner, parts: Iterable[Part]) -> Session:
    """Store what `parts` tell as a new session of `user`. What they raise is raised, and then nothing is stored."""
    session = Session(user_id=key_of(user))
    session.save(force_insert=True)
    with connection.cursor() as cursor, Pipe() as pipe:
        writer = _Writer(session, cursor, pipe)
        for part in parts:
            writer.take(part)
        writer.flush()
    _end(OwnedColumns(session, user, timezone.now()), writer.ending)
    return session


def _end(owner: OwnedColumns, ending: Ending | None) -> None:
    if ending is None:
        raise ValueError("the recording has no ending")
    info, session = ending.session, owner.session
    session.title, session.created_at = info.title, read_time(info.created_at) or owner.now
    session.recorded = {"created_at": info.created_at, "updated_at": info.updated_at, "archived_at": info.archived_at}
    session.save(update_fields=["title", "created_at", "recorded", "updated_at"])
    store_models(owner, ending.models)
    late = ending.unanswered
    if late.count:
        turns = SessionRunInput.objects.filter(session=session, position__lt=late.count)
        turns.update(policy=to_plain(late.policy), credentials=list(late.credentials))


@dataclass(slots=True)
class _Batch:
    """Rows of the four tables that are written next."""

    messages: list[tuple[Any, ...]] = field(default_factory=list)
    message_contents: list[tuple[Any, ...]] = field(default_factory=list)
    turns: list[tuple[Any, ...]] = field(default_factory=list)
    turn_contents: list[tuple[Any, ...]] = field(default_factory=list)
    text: int = 0

    @property
    def is_full(self) -> bool:
        return len(self.messages) >= _MOST_ROWS or self.text >= _MOST_TEXT


class _Writer:
    """Turns parts into rows, and hands them on a batch at a time."""

    def __init__(self, session: Session, cursor: Any, pipe: Pipe) -> None:
        self.ending: Ending | None = None
        self._session, self._user, self._pipe = session.pk.hex, session.user_id, pipe
        self._now, self._moments = _in_utc(timezone.now()), ("", "")
        self._messages = self._turns = 0
        self._last: str | None = None
        self._after: str | None = None
        self._batch = _Batch()
        self._tables = (
            Table(SessionMessage, *_MESSAGE).writer(cursor),
            Table(SessionMessageContent, "message", "plaintext").writer(cursor),
            Table(SessionRunInput, *_TURN).writer(cursor),
            Table(SessionRunInputContent, *_TURN_CONTENT).writer(cursor),
        )

    def take(self, part: Part) -> None:
        """Take the next part."""
        match part:
            case BundleMessage():
                self._message(part)
            case TurnBegins():
                self._after = self._last
            case BundleTurn():
                self._turn(part)
            case Ending():
                self.ending = part
        if self._batch.is_full:
            self.flush()

    def flush(self) -> None:
        """Write what is there while the next parts are read."""
        batch, self._batch = self._batch, _Batch()
        rows = (batch.messages, batch.message_contents, batch.turns, batch.turn_contents)

        def write() -> None:
            for table, held in zip(self._tables, rows, strict=True):
                if held:
                    table(held)

        self._pipe.run(write)

    def _owned(self, key: str, position: int, recorded_at: str | None) -> tuple[Any, ...]:
        return key, self._session, self._user, self._moment(recorded_at), position, recorded_at

    def _moment(self, recorded_at: str | None) -> str:
        """Give a recorded time as the database takes it; neighbours often share theirs."""
        if recorded_at is None:
            return self._now
        if self._moments[0] != recorded_at:
            moment = read_time(recorded_at)
            self._moments = recorded_at, self._now if moment is None else _in_utc(moment)
        return self._moments[1]

    def _message(self, message: BundleMessage) -> None:
        key = self._last = new_id().hex
        batch, content = self._batch, str(message.content)
        batch.messages.append(
            (
                *self._owned(key, self._messages, message.created_at),
                message.id,
                message.role.value,
                message.provider,
                message.model,
                message.path,
            )
        )
        batch.message_contents.append((key, content))
        batch.text += len(content)
        self._messages += 1

    def _turn(self, turn: BundleTurn) -> None:
        key = new_id().hex
        workspace = to_plain(turn.workspace)
        diff = workspace.pop("git_diff", None)
        attachments = plain_json(turn.attachments)
        self._batch.turns.append(
            (
                *self._owned(key, self._turns, turn.created_at),
                self._after,
                *map(plain_json, (turn.policy, turn.local_preferences, workspace, turn.credentials)),
            )
        )
        self._batch.turn_contents.append(
            (key, plain_json(turn.input), attachments, None if diff is None else plain_json(diff))
        )
        self._batch.text += len(attachments)
        self._turns += 1


def _in_utc(moment: datetime) -> str:
    """Give a time as both databases take it; a zone would be part of the text on SQLite."""
    zone = "+00" if connection.vendor == "postgresql" else ""
    return f"{moment.astimezone(UTC).replace(tzinfo=None)}{zone}"
