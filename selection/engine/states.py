"""The one state of every candidate, and what moved between two selections of the same turn ("conserved ledger", "movement")."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from selection.engine.codes import Reason, State
from selection.engine.outcome import Outcome

INCLUDED: Final = frozenset({State.REQUIRED, State.FITS})
WORDS: Final = {
    State.REQUIRED: "required",
    State.FITS: "in by rank",
    State.OVER_BUDGET: "over budget",
    State.TOO_LARGE: "too large",
    State.RESTRICTED_REMOTE: "withheld",
    State.DUPLICATE: "duplicate",
    None: "undecided",
}


_STATES: Final[dict[Reason | None, State | None]] = {None: None} | {code: State(code.value) for code in Reason}


def states_of(outcome: Outcome) -> tuple[State | None, ...]:
    """Give the state of every candidate, by position."""
    states: list[State | None] = [_STATES[code] for code in outcome.reasons]
    candidates, budget = outcome.candidates, outcome.budget
    if candidates is not None and budget is not None:
        most = budget.effective - budget.required
        for position in outcome.excluded:
            if states[position] is State.OVER_BUDGET and candidates.tokens[position] > most:
                states[position] = State.TOO_LARGE
    return tuple(states)


@dataclass(frozen=True)
class Movement:
    """The states of a turn as recorded and as asked; candidates keep their positions, since no knob adds or removes one."""

    before: Sequence[State | None]
    now: Sequence[State | None]

    @cached_property
    def changed(self) -> dict[int, str]:
        """Tell how each candidate moved whose state changed: `in`, `out`, or `changed` where only the reason did."""
        return {
            position: move(before, now)
            for position, (before, now) in enumerate(zip(self.before, self.now, strict=False))
            if before is not now
        }

    @cached_property
    def counts(self) -> Counter[str]:
        """Count the moves."""
        return Counter(self.changed.values())


def move(before: State | None, now: State | None) -> str:
    """Tell how a candidate moved: `in`, `out`, `changed` where only its reason did, nothing where not even that."""
    if before is now:
        return ""
    was_in, is_in = before in INCLUDED, now in INCLUDED
    if was_in == is_in:
        return "changed"
    return "in" if is_in else "out"
