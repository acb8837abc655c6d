"""The budget sweep: what is in at each of many budgets, in one pass over the ranking ("Fit" in domain.md).

Budgets that have taken everything so far walk as one; a budget that cannot take an item falls behind, and from then on is touched only by the items that it
takes: those behind are kept in the order of what is left to them.
"""

from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from selection.engine.candidates import CandidateSet
from selection.engine.fit import required_tokens_of, withheld_among

_STEPS: Final = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepPoint:
    """What one effective budget holds, in tokens; both are 0 where the required candidates alone need more, as then no model serves."""

    budget: int
    tokens: int
    candidates: int


def sweep(candidates: CandidateSet, budgets: Iterable[int], *, remote: bool) -> tuple[SweepPoint, ...]:
    """Tell what is in at each of `budgets`, each once and in ascending order: exactly what the engine would select."""
    required = required_tokens_of(candidates)
    asked = sorted(set(budgets))
    first = bisect_left(asked, required)
    held = _held(_sizes(candidates, remote=remote), [budget - required for budget in asked[first:]])
    nothing = tuple(SweepPoint(budget=budget, tokens=0, candidates=0) for budget in asked[:first])
    count = len(candidates.required)
    return nothing + tuple(
        SweepPoint(budget=budget, tokens=required + tokens, candidates=count + taken)
        for budget, (tokens, taken) in zip(asked[first:], held, strict=True)
    )


def everything(candidates: CandidateSet, *, remote: bool) -> int:
    """Tell the effective budget from which on all is in that may be."""
    return required_tokens_of(candidates) + sum(_sizes(candidates, remote=remote))


def plotted(candidates: CandidateSet, *, remote: bool) -> frozenset[int]:
    """Give the effective budgets that show the shape of a sweep: from nothing to everything, a bounded number of them."""
    least, most = required_tokens_of(candidates), everything(candidates, remote=remote)
    step = max(1, (most - least) // _STEPS)
    return frozenset({0, max(0, least - 1), least, most, *range(least, most, step)})


def _sizes(candidates: CandidateSet, *, remote: bool) -> list[int]:
    withheld = withheld_among(candidates) if remote else frozenset()
    return [candidates.tokens[position] for position in candidates.ranking if position not in withheld]


def _held(sizes: Sequence[int], budgets: Sequence[int]) -> list[tuple[int, int]]:
    """Walk once; for each of the ascending `budgets` give the tokens and the number of items that it takes."""
    behind: list[tuple[int, int]] = []
    taken = [0] * len(budgets)
    lefts = list(budgets)
    ahead, total = 0, 0
    for number, size in enumerate(sizes):
        reached = bisect_left(behind, (size, -1))
        moved, behind[reached:] = behind[reached:], []
        for left, index in moved:
            insort(behind, (left - size, index))
            taken[index] += 1
        while ahead < len(budgets) and budgets[ahead] < total + size:
            lefts[ahead], taken[ahead] = budgets[ahead] - total, number
            insort(behind, (lefts[ahead], ahead))
            ahead += 1
        total += size
    for left, index in behind:
        lefts[index] = left
    for index in range(ahead, len(budgets)):
        lefts[index], taken[index] = budgets[index] - total, len(sizes)
    return [(budget - left, count) for budget, left, count in zip(budgets, lefts, taken, strict=True)]
