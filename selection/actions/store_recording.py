"""Store a recording while it is read: in bounded memory, and all of it or nothing ("Storage entities" in domain.md)."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from django.db import connection, transaction
from django.utils import timezone

from selection.actions.bulk import writer_of
from selection.actions.held import Held
from selection.actions.import_bundle import OwnedColumns, store_models
from selection.actions.times import read_time
from selection.documents.bundle import BundleMessage, BundleTurn
from selection.documents.plain import plain_json, to_plain
from selection.importers.parts import Ending, Part, TurnBegins
from selection.models import (
    ModelDescriptor,
    Owner,
    Session,
    SessionMessage,
    SessionMessageContent,
    SessionRunInput,
    SessionRunInputContent,
    key_of,
)
from selection.models.base import new_key

# What is written at once: so many rows, or so many characters of content.
_MOST_ROWS: Final = 250
_MOST_TEXT: Final = 1_000_000

_OWNED: Final = ("id", "session", "user", "created_at", "position", "recorded_at")
_MESSAGE: Final = (*_OWNED, "recorded_id", "role", "provider", "model", "path")
_TURN: Final = (*_OWNED, "after_message", "policy", "local_preferences", "workspace", "credentials")
_TURN_CONTENT: Final = ("run_input", "input", "attachments", "git_diff")


@dataclass(frozen=True, slots=True)
class Stored:
    """A session that was stored; `grown` when it was there, and then how many messages and turns were added."""

    session: Session
    grown: bool = False
    messages: int = 0
    turns: int = 0


@transaction.atomic
def store_recording(user: Owner, parts: Iterable[Part], earlier: Session | None = None) -> Stored:
    """Store what `parts` tell as a new session of `user`, or as more of an `earlier` one, whose rows stay as they are.

    What `parts` raise is raised, and then nothing is stored; so with `Diverged` where the earlier session is not how the recording begins.
    """
    session = earlier or Session(user_id=key_of(user))
    if earlier is None:
        session.save(force_insert=True)
    held = Held(earlier)
    with connection.cursor() as cursor:
        writer = _Writer(session, held, cursor)
        for part in parts:
            writer.take(part)
        writer.flush()
    held.require_end()
    _end(OwnedColumns(session, user, timezone.now()), writer.ending, held)
    return Stored(session, earlier is not None, writer.messages - held.messages, writer.turns - held.turns)


def _end(owner: OwnedColumns, ending: Ending | None, held: Held) -> None:
    if ending is None:
        raise ValueError("the recording has no ending")
    info, session = ending.session, owner.session
    session.title = info.title
    if not held.messages and not held.turns:
        session.created_at = read_time(info.created_at) or owner.now
        session.recorded = {"created_at": info.created_at, "updated_at": None, "archived_at": None}
    session.save(update_fields=["title", "created_at", "recorded", "updated_at"])
    known = list(ModelDescriptor.objects.filter(session=session).values_list("provider", "model"))
    fresh = [model for model in ending.models if (model.provider, model.model) not in known]
    store_models(owner, fresh, begin=len(known))
    late = ending.unanswered
    turns = SessionRunInput.objects.filter(session=session, position__gte=held.turns, position__lt=late.count)
    turns.update(policy=to_plain(late.policy), credentials=list(late.credentials))


@dataclass(slots=True)
class _Batch:
    """The values of rows of the four tables that are written next."""

    messages: list[Any] = field(default_factory=list)
    message_contents: list[Any] = field(default_factory=list)
    turns: list[Any] = field(default_factory=list)
    turn_contents: list[Any] = field(default_factory=list)
    text: int = 0

    @property
    def is_full(self) -> bool:
        return len(self.messages) >= _MOST_ROWS * len(_MESSAGE) or self.text >= _MOST_TEXT


class _Writer:
    """Turns parts into rows, and hands them on a batch at a time."""

    def __init__(self, session: Session, held: Held, cursor: Any) -> None:
        self.ending: Ending | None = None
        self.messages = self.turns = 0
        self._held = held
        self._session, self._user = session.pk.hex, session.user_id
        # A zone would be part of the text on SQLite, where all times are in UTC.
        self._zone = "+00" if connection.vendor == "postgresql" else ""
        self._now = _in_utc(timezone.now(), self._zone)
        self._last: str | None = None
        self._after: str | None = None
        self._batch = _Batch()
        self._tables = (
            writer_of(cursor, SessionMessage, *_MESSAGE),
            writer_of(cursor, SessionMessageContent, "message", "plaintext"),
            writer_of(cursor, SessionRunInput, *_TURN),
            writer_of(cursor, SessionRunInputContent, *_TURN_CONTENT),
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
        """Write what is there."""
        batch, self._batch = self._batch, _Batch()
        rows = (batch.messages, batch.message_contents, batch.turns, batch.turn_contents)
        for write, values in zip(self._tables, rows, strict=True):
            if values:
                write(values)

    def _owned(self, key: str, position: int, recorded_at: str | None) -> tuple[Any, ...]:
        return key, self._session, self._user, self._moment(recorded_at), position, recorded_at

    def _moment(self, recorded_at: str | None) -> str:
        """Give a recorded time as the database takes it. What a clock of the importers ends with `Z` is in UTC and well formed."""
        if recorded_at is None:
            return self._now
        if recorded_at.endswith("Z"):
            return f"{recorded_at[:10]} {recorded_at[11:-1]}{self._zone}"
        moment = read_time(recorded_at)
        return self._now if moment is None else _in_utc(moment, self._zone)

    def _message(self, message: BundleMessage) -> None:
        there = self._held.message(message)
        key = self._last = there or new_key()
        self.messages += 1
        if there:
            return
        batch, content = self._batch, str(message.content)
        batch.messages.extend(
            (
                *self._owned(key, self.messages - 1, message.created_at),
                message.id,
                message.role.value,
                message.provider,
                message.model,
                message.path,
            )
        )
        batch.message_contents.extend((key, content))
        batch.text += len(content)

    def _turn(self, turn: BundleTurn) -> None:
        self.turns += 1
        if self._held.turn(turn):
            return
        key = new_key()
        workspace = to_plain(turn.workspace)
        diff = workspace.pop("git_diff", None)
        attachments = plain_json(turn.attachments)
        self._batch.turns.extend(
            (
                *self._owned(key, self.turns - 1, turn.created_at),
                self._after,
                *map(plain_json, (turn.policy, turn.local_preferences, workspace, turn.credentials)),
            )
        )
        self._batch.turn_contents.extend(
            (key, plain_json(turn.input), attachments, None if diff is None else plain_json(diff))
        )
        self._batch.text += len(attachments)


def _in_utc(moment: datetime, zone: str) -> str:
    return f"{moment.astimezone(UTC).replace(tzinfo=None)}{zone}"
