"""The one state of every candidate, and what moved between two selections of the same turn ("conserved ledger", "movement")."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from selection.engine.codes import State
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


def positions_by_state(outcome: Outcome) -> Mapping[State | None, Sequence[int]]:
    """Give the positions of each state that occurs; together they are all candidates, each once."""
    candidates, fitted, budget = outcome.candidates, outcome.fitted, outcome.budget
    if candidates is None:
        return {}
    if fitted is None or budget is None:
        # Where no model serves only the duplicates are decided: they merged before.
        return _occurring({State.DUPLICATE: candidates.duplicates, None: (*candidates.required, *candidates.ranking)})
    tokens, withheld, most = candidates.tokens, fitted.withheld, budget.effective - budget.required
    trimmed = [p for p in fitted.excluded if p not in withheld] if withheld else fitted.excluded
    return _occurring(
        {
            State.REQUIRED: candidates.required,
            State.FITS: fitted.included[len(candidates.required) :],
            State.OVER_BUDGET: [p for p in trimmed if tokens[p] <= most],
            State.TOO_LARGE: [p for p in trimmed if tokens[p] > most],
            State.RESTRICTED_REMOTE: [p for p in fitted.excluded if p in withheld] if withheld else (),
            State.DUPLICATE: candidates.duplicates,
        }
    )


def _occurring(positions: Mapping[State | None, Sequence[int]]) -> Mapping[State | None, Sequence[int]]:
    return {state: held for state, held in positions.items() if held}


def states_of(outcome: Outcome) -> tuple[State | None, ...]:
    """Give the state of every candidate, by position."""
    if outcome.candidates is None:
        return ()
    states: list[State | None] = [None] * len(outcome.candidates)
    for state, positions in positions_by_state(outcome).items():
        for position in positions:
            states[position] = state
    return tuple(states)


@dataclass(frozen=True)
class Movement:
    """The states of a turn as recorded and as asked; candidates keep their positions, since no knob adds or removes one."""

    before: Sequence[State | None]
    now: Sequence[State | None]

    @cached_property
    def changed(self) -> dict[int, str]:
        """Tell how each candidate moved whose state changed: `in`, `out`, or `changed` where only the reason did."""
        if self.before is self.now:
            return {}
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
