"""What a session holds already, walked beside a longer recording of it."""

from collections.abc import Iterator
from typing import Any, Final

from selection.documents.bundle import BundleMessage, BundleTurn
from selection.documents.plain import to_plain
from selection.models import Session, SessionMessage, SessionRunInput

_AT_ONCE: Final = 200


class Diverged(Exception):
    """A recording does not go on where a stored session ends: its history is another."""


class Held:
    """The rows of a session in their order, or none; `messages` and `turns` count those that were there."""

    def __init__(self, session: Session | None) -> None:
        self.messages = self.turns = 0
        self._messages: Iterator[tuple[Any, ...]] | None = None
        self._turns: Iterator[tuple[Any, ...]] | None = None
        if session is not None:
            content = ("content__plaintext", "content__envelope")
            self._messages = _rows(SessionMessage, session, "recorded_id", "role", "path", *content)
            self._turns = _rows(SessionRunInput, session, "content__input")

    def _next_message(self) -> tuple[Any, ...] | None:
        row = next(self._messages, None) if self._messages else None
        self._messages = None if row is None else self._messages
        return row

    def _next_turn(self) -> tuple[Any, ...] | None:
        row = next(self._turns, None) if self._turns else None
        self._turns = None if row is None else self._turns
        return row

    def message(self, message: BundleMessage) -> str | None:
        """Give the key of the row that is this message, None past the end. Raises `Diverged` where the row is another."""
        row = self._next_message()
        if row is None:
            return None
        self.messages += 1
        key, *columns = row
        if columns != [message.id, message.role.value, message.path, message.content, None]:
            raise Diverged
        return str(key.hex)

    def turn(self, turn: BundleTurn) -> bool:
        """Tell whether this turn is there; False past the end. Raises `Diverged` where another is."""
        row = self._next_turn()
        if row is None:
            return False
        self.turns += 1
        if row[1] != to_plain(turn.input):
            raise Diverged
        return True

    def require_end(self) -> None:
        """Raise `Diverged` where the session holds more than the recording tells."""
        if self._next_message() is not None or self._next_turn() is not None:
            raise Diverged


def _rows(model: Any, session: Session, *columns: str) -> Iterator[tuple[Any, ...]]:
    """Give the rows, some at a time: no cursor stays open where the walk ends early."""
    rows = model.objects.filter(session=session).order_by("position").values_list("position", "pk", *columns)
    last = -1
    while some := list(rows.filter(position__gt=last)[:_AT_ONCE]):
        yield from (row[1:] for row in some)
        last = some[-1][0]
