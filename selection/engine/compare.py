"""Compare two selections: what entered, what left, what kept its side at another rank, price or for another reason, and where they first part.

Sides may come from different turns, so candidates are matched by what they are (`message:m1`, `file:src/a.py`), equal names in their order.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from selection.engine.outcome import Outcome
from selection.engine.reasons import label_of
from selection.engine.states import INCLUDED, states_of


class Change(StrEnum):
    """How a candidate differs between two sides. The first four say where it is; one that keeps its side may bear several of the others."""

    ENTERED = "entered"
    LEFT = "left"
    GONE = "gone"
    NEW = "new"
    REASON = "new_reason"
    RERANKED = "reranked"
    REPRICED = "repriced"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One candidate of one side, in ledger order; `state` is None where no model serves."""

    identity: str
    label: str
    position: int
    included: bool
    state: str | None
    rank: int | None
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One candidate on both sides, or on one of them, and how it differs; nothing where it does not."""

    left: Entry | None
    right: Entry | None
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Divergence:
    """The first place, from 1, at which what is in differs: required first, then as ranked. A side that has ended names nothing."""

    place: int
    left: str
    right: str
    identities: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Every candidate of both sides in exactly one pair, in the order of the right side, then what only the left has."""

    pairs: tuple[Pair, ...]
    divergence: Divergence | None

    def counts(self) -> Counter[Change]:
        """Count the pairs that bear each change."""
        return Counter(change for pair in self.pairs for change in pair.changes)


def entries_of(outcome: Outcome) -> tuple[Entry, ...]:
    """Give the candidates of an outcome in ledger order: required, ranked, then the copies."""
    candidates = outcome.candidates
    if candidates is None:
        return ()
    states = states_of(outcome)
    names = identities(candidates.key_of(position) for position in range(len(candidates)))
    order = (*candidates.required, *candidates.ranking, *candidates.duplicates)
    return tuple(
        Entry(
            identity=names[position],
            label=label_of(candidates, position),
            position=position,
            included=states[position] in INCLUDED,
            state=None if (state := states[position]) is None else state.value,
            rank=candidates.rank_of(position),
            tokens=candidates.tokens[position],
        )
        for position in order
    )


def identities(keys: Iterable[str]) -> list[str]:
    """Tell candidates of one name apart by their order."""
    seen: Counter[str] = Counter()
    names = []
    for key in keys:
        seen[key] += 1
        names.append(key if seen[key] == 1 else f"{key}#{seen[key]}")
    return names


def compare(left: Sequence[Entry], right: Sequence[Entry]) -> Comparison:
    """Compare two sides."""
    before = {entry.identity: entry for entry in left}
    after = {entry.identity for entry in right}
    pairs = [_pair(before.get(entry.identity), entry) for entry in right]
    pairs += [_pair(entry, None) for entry in left if entry.identity not in after]
    return Comparison(pairs=tuple(pairs), divergence=_divergence(left, right))


def _pair(left: Entry | None, right: Entry | None) -> Pair:
    return Pair(left=left, right=right, changes=tuple(_changes(left, right)))


def _changes(left: Entry | None, right: Entry | None) -> Iterator[Change]:
    was_in, is_in = left is not None and left.included, right is not None and right.included
    if was_in != is_in:
        yield Change.ENTERED if is_in else Change.LEFT
    elif left is None:
        yield Change.NEW
    elif right is None:
        yield Change.GONE
    if left is None or right is None:
        return
    if was_in == is_in and left.state != right.state:
        yield Change.REASON
    if left.rank != right.rank:
        yield Change.RERANKED
    if left.tokens != right.tokens:
        yield Change.REPRICED


def _divergence(left: Sequence[Entry], right: Sequence[Entry]) -> Divergence | None:
    mine, theirs = ([entry for entry in side if entry.included] for side in (left, right))
    for place in range(max(len(mine), len(theirs))):
        one = mine[place] if place < len(mine) else None
        other = theirs[place] if place < len(theirs) else None
        if (one and one.identity) != (other and other.identity):
            return Divergence(
                place=place + 1,
                left=one.label if one else "",
                right=other.label if other else "",
                identities=frozenset(entry.identity for entry in (one, other) if entry),
            )
    return None
