"""Gather many turns at once: those of a session share its history, which is read once ("Inputs of one turn" in domain.md)."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from selection.actions.gather_turn import Shared, gather_shared, gather_turn, turn_from
from selection.engine.values import TurnInput
from selection.models import SessionRunInput


def gather_turns(rows: Sequence[SessionRunInput]) -> Iterator[tuple[SessionRunInput, TurnInput | None]]:
    """Give each row with its turn, in order; None where what the turn brought is not there any more.

    Rows of a session stand beside each other, and come with their session, `after_message` and content.
    """
    for _, group in groupby(rows, lambda row: row.session_id):
        held = list(group)
        shared = _shared(held)
        for row in held:
            yield row, _turn(row, shared) if hasattr(row, "content") else None


def _turn(row: SessionRunInput, shared: Shared | None) -> TurnInput:
    return gather_turn(row) if shared is None else turn_from(row, shared)


def _shared(rows: Sequence[SessionRunInput]) -> Shared | None:
    """The last of the turns has the longest history, of which the others have the beginning; None where a message of it is missing."""
    last = max(rows, key=_count)
    shared = gather_shared(last)
    return shared if len(shared.recalled.messages) == _count(last) else None


def _count(row: SessionRunInput) -> int:
    return 0 if row.after_message is None else row.after_message.position + 1
