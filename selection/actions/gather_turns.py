"""Gather many turns at once: those of a session share its history, which is read once ("Inputs of one turn" in domain.md)."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from selection.actions.gather_turn import Brought, Shared, brought_by, gather_shared, turn_from
from selection.documents.plain import from_plain
from selection.engine.values import Policy, TurnInput
from selection.models import SessionRunInput


def gather_turns(rows: Sequence[SessionRunInput]) -> Iterator[tuple[SessionRunInput, TurnInput | None]]:
    """Give each row with its turn, in order; None where what the turn brought is not there any more.

    Rows of a session stand beside each other, and come with their session and `after_message`.
    """
    known, brought = _Policies(), brought_by(rows)
    for _, group in groupby(rows, lambda row: row.session_id):
        held = list(group)
        shared = _shared(held)
        for row in held:
            held_content = brought.get(row.pk)
            yield row, None if held_content is None else _turn(row, shared, held_content, known)


class _Policies:
    """Gives rows that say the same of their policy the same policy, so that what is made of one serves them all."""

    def __init__(self) -> None:
        self._said: object = None
        self._policy = Policy()

    def of(self, row: SessionRunInput) -> Policy:
        if row.policy != self._said:
            self._said, self._policy = row.policy, from_plain(Policy, row.policy)
        return self._policy


def _turn(row: SessionRunInput, shared: Shared | None, brought: Brought, known: _Policies) -> TurnInput:
    return turn_from(row, gather_shared(row) if shared is None else shared, brought, known.of(row))


def _shared(rows: Sequence[SessionRunInput]) -> Shared | None:
    """The last of the turns has the longest history, of which the others have the beginning; None where a message of it is missing."""
    last = max(rows, key=_count)
    shared = gather_shared(last)
    return shared if len(shared.recalled.messages) == _count(last) else None


def _count(row: SessionRunInput) -> int:
    return 0 if row.after_message is None else row.after_message.position + 1
