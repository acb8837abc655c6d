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
    taken, excluded, lefts, left = _walk(candidates, withheld, effective - required_tokens)
    return Fitted(
        included=(*candidates.required, *taken),
        excluded=tuple(excluded),
        left_before=tuple(lefts),
        withheld=withheld,
        required_tokens=required_tokens,
        used=effective - left,
    )


def _walk(candidates: CandidateSet, withheld: frozenset[int], left: int) -> tuple[list[int], list[int], list[int], int]:
    """Walk the ranking once: what is taken, what stays out, what was left at each one's turn (-1: passed by), and in the end."""
    tokens = candidates.tokens
    taken: list[int] = []
    excluded: list[int] = []
    lefts: list[int] = []
    for position in candidates.ranking:
        if position in withheld:
            lefts.append(-1)
            excluded.append(position)
            continue
        lefts.append(left)
        size = tokens[position]
        if size <= left:
            left -= size
            taken.append(position)
        else:
            excluded.append(position)
    return taken, excluded, lefts, left


def withheld_among(candidates: CandidateSet) -> frozenset[int]:
    """Give the restricted discardables: what is dropped first when the model is remote."""
    causes = candidates.causes
    return frozenset(position for position in candidates.restrictions if position not in causes)


def budget_of(model: ModelDescriptor, fitted: Fitted) -> Budget:
    """Tell the window of `model` and what `fitted` takes of it."""
    return Budget(
        window=model.max_context_tokens,
        reply_reserve=reply_reserve(model),
        effective=effective_budget(model),
        required=fitted.required_tokens,
        used=fitted.used,
    )
