"""Fit: all required candidates, then the discardables in ranked order, each taken when it still fits ("Fit" in domain.md)."""

from selection.engine.candidates import CandidateSet
from selection.engine.choose import effective_budget, reply_reserve
from selection.engine.outcome import Budget, Fitted
from selection.engine.values import ModelDescriptor


def required_tokens_of(candidates: CandidateSet) -> int:
    """Tell how many tokens the required candidates need."""
    tokens = candidates.tokens
    return sum(tokens[position] for position in candidates.required)


def fit_to_budget(candidates: CandidateSet, effective: int, *, remote: bool) -> Fitted:
    """Fill `effective` tokens: one that does not fit is skipped and the walk goes on; for a remote model the restricted are dropped first."""
    required_tokens = required_tokens_of(candidates)
    withheld = withheld_among(candidates) if remote else frozenset()
    ranking = candidates.ranking
    walked = [position for position in ranking if position not in withheld] if withheld else ranking
    taken, skipped, lefts = _walk(candidates.tokens, walked, effective - required_tokens)
    excluded = _in_ranked_order(candidates, skipped, withheld)
    used = required_tokens + sum(map(candidates.tokens.__getitem__, taken))
    return Fitted(
        included=(*candidates.required, *taken),
        excluded=excluded,
        left_before=tuple(_spread(ranking, withheld, lefts)),
        withheld=withheld,
        required_tokens=required_tokens,
        used=used,
    )


def _walk(tokens: list[int], walked: list[int], left: int) -> tuple[list[int], list[int], list[int]]:
    taken: list[int] = []
    skipped: list[int] = []
    lefts: list[int] = []
    for position in walked:
        lefts.append(left)
        size = tokens[position]
        if size <= left:
            left -= size
            taken.append(position)
        else:
            skipped.append(position)
    return taken, skipped, lefts


def withheld_among(candidates: CandidateSet) -> frozenset[int]:
    """Give the restricted discardables: what is dropped first when the model is remote."""
    causes = candidates.causes
    return frozenset(position for position in candidates.restrictions if position not in causes)


def _in_ranked_order(candidates: CandidateSet, skipped: list[int], withheld: frozenset[int]) -> tuple[int, ...]:
    if not withheld:
        return tuple(skipped)
    out = withheld.union(skipped)
    return tuple(position for position in candidates.ranking if position in out)


def _spread(ranking: list[int], withheld: frozenset[int], lefts: list[int]) -> list[int]:
    """Lay what was left beside the whole ranking, -1 at those that the walk passed by."""
    if not withheld:
        return lefts
    walked = iter(lefts)
    return [-1 if position in withheld else next(walked) for position in ranking]


def budget_of(model: ModelDescriptor, fitted: Fitted) -> Budget:
    """Tell the window of `model` and what `fitted` takes of it."""
    return Budget(
        window=model.max_context_tokens,
        reply_reserve=reply_reserve(model),
        effective=effective_budget(model),
        required=fitted.required_tokens,
        used=fitted.used,
    )
