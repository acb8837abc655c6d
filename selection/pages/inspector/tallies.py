"""The sums of the ledger: every candidate is in exactly one state, and counts and tokens visibly add up."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from selection.engine import Outcome
from selection.engine.candidates import KIND_OF, CandidateSet
from selection.engine.codes import Kind
from selection.engine.states import INCLUDED, WORDS, Movement, positions_by_state

MARKS = ("restricted", "sealed", "unclassified", "merged")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """How many candidates are in one state, and their tokens."""

    state: str
    words: str
    included: bool
    count: int
    tokens: int


@dataclass(frozen=True, kw_only=True)
class Tallies:
    """A tally for each state that occurs, and what the whole holds, counted apart: the check is that they agree."""

    states: tuple[Tally, ...]
    total: int
    tokens: int

    @property
    def sum_count(self) -> int:
        """The candidates of all states."""
        return sum(each.count for each in self.states)

    @property
    def sum_tokens(self) -> int:
        """The tokens of all states."""
        return sum(each.tokens for each in self.states)

    @property
    def agree(self) -> bool:
        """Whether the states add up to the whole, in candidates and in tokens."""
        return (self.sum_count, self.sum_tokens) == (self.total, self.tokens)

    @cached_property
    def left_out(self) -> tuple[Tally, ...]:
        """The states of what stays out, the largest first."""
        out = [each for each in self.states if not each.included]
        return tuple(sorted(out, key=lambda each: -each.count))

    @property
    def count_out(self) -> int:
        """How many candidates stay out."""
        return sum(each.count for each in self.left_out)

    @property
    def count_in(self) -> int:
        """How many candidates are in."""
        return self.total - self.count_out

    @property
    def tokens_in(self) -> int:
        """The tokens of what is in."""
        return sum(each.tokens for each in self.states if each.included)


NOTHING = Tallies(states=(), total=0, tokens=0)


def tallies_of(outcome: Outcome) -> Tallies:
    """Tally the states of all candidates."""
    candidates = outcome.candidates
    if candidates is None:
        return NOTHING
    held = positions_by_state(outcome)
    sizes = candidates.tokens
    return Tallies(
        states=tuple(
            Tally(
                state=state.value if state else "undecided",
                words=WORDS[state],
                included=state in INCLUDED,
                count=len(positions),
                tokens=sum(map(sizes.__getitem__, positions)),
            )
            for state, positions in held.items()
        ),
        total=len(candidates),
        tokens=sum(sizes),
    )


def filter_counts(movement: Movement, tallies: Tallies) -> dict[str, int]:
    """Tell how many candidates each filter by state would show."""
    return {
        "": tallies.total,
        "included": tallies.count_in,
        "excluded": tallies.count_out,
        "moved": len(movement.changed),
        **{each.state: each.count for each in tallies.states},
    }


def mark_counts(candidates: CandidateSet) -> dict[str, int]:
    """Tell how many candidates bear each mark."""
    columns, restrictions = candidates.columns, candidates.restrictions
    return {
        "restricted": sum(map(restrictions.__contains__, candidates.survivors)) if restrictions else 0,
        "sealed": candidates.sealed,
        "unclassified": columns.paths.count(None),
        "merged": len(candidates.copies),
    }


def has_mark(candidates: CandidateSet, mark: str, position: int) -> bool:
    """Tell whether a candidate bears a mark; a copy is restricted as its survivor is."""
    match mark:
        case "restricted":
            return candidates.survivors[position] in candidates.restrictions
        case "sealed":
            return candidates.columns.contents[position].__class__ is not str
        case "unclassified":
            return candidates.columns.paths[position] is None
        case _:
            return position in candidates.copies


def kind_counts(candidates: CandidateSet) -> dict[str, int]:
    """Tell how many candidates there are of each kind that occurs."""
    counts: Counter[Kind] = Counter()
    for part, span in candidates.columns.spans:
        counts[KIND_OF[part]] += len(span)
    return {kind.value: counts[kind] for kind in Kind if counts[kind]}
