"""What budget would bring a candidate in, and from which on it stays in ("Fit" in domain.md, read backwards).

The walk skips what does not fit and goes on, so a candidate may be in, out and in again as the budget grows. Take an item of size `t` of the ranking, and let
`after` be the set of tokens left behind it with which the candidate gets in. Before it that set is `(after below t) + (after moved up by t)`: it is skipped, or
taken. Hence the smallest of the new set is that of the old one where it lies below `t`, and `t` more where it does not; the smallest from any point on follows
likewise. One walk back over the ranking answers both, exactly, whatever the sizes.
"""

from dataclasses import dataclass

from selection.engine.candidates import CandidateSet
from selection.engine.fit import required_tokens_of, withheld_among


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """Effective budgets, in tokens, at which one candidate is in, all that a model needs to serve included.

    `smallest` is the first of all; `nearest` the first from the current budget on (the current one itself where the candidate is in); from `always` on it is
    in at every budget; `kept` tells how far the current budget may shrink without losing it, None where it is out.
    """

    smallest: int
    nearest: int
    always: int
    kept: int | None


def reach_of(candidates: CandidateSet, position: int, *, effective: int, remote: bool) -> Reach | None:
    """Tell at which budgets a candidate is in; None where no budget brings it in, as it merged into another or is withheld from a remote model."""
    required = required_tokens_of(candidates)
    if position in candidates.causes and candidates.survivors[position] == position:
        kept = required if effective >= required else None
        return Reach(smallest=required, nearest=max(required, effective), always=required, kept=kept)
    rank = candidates.rank_of(position)
    withheld = withheld_among(candidates) if remote else frozenset()
    if rank is None or position in withheld:
        return None
    tokens = candidates.tokens
    before = [tokens[other] for other in candidates.ranking[: rank - 1] if other not in withheld]
    return _moved(_reach(before, tokens[position], max(0, effective - required)), required, effective)


def _reach(before: list[int], size: int, budget: int) -> Reach:
    """Answer for a ranking whose items `before` come first, in tokens beside the required."""
    lefts, left = [], budget
    for other in before:
        lefts.append(left)
        if other <= left:
            left -= other
    smallest, nearest = size, max(size, left)
    for other, at in zip(reversed(before), reversed(lefts), strict=True):
        if other <= at:
            nearest += other
        elif nearest >= other:
            nearest = smallest + other
        if smallest >= other:
            smallest += other
    # Below `always` by one token everything before it is still taken, and one token is missing.
    if size == 0:
        return Reach(smallest=0, nearest=budget, always=0, kept=0)
    kept = budget - left + size if size <= left else None
    return Reach(smallest=smallest, nearest=nearest, always=sum(before) + size, kept=kept)


def _moved(reach: Reach, required: int, effective: int) -> Reach:
    serves = effective >= required
    return Reach(
        smallest=reach.smallest + required,
        nearest=reach.nearest + required,
        always=reach.always + required,
        kept=None if reach.kept is None or not serves else reach.kept + required,
    )
