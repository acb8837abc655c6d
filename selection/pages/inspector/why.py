"""The why panel of one candidate: the sentence, the score part by part, every pattern that matches, and the copies that merged.

It reads what was decided of this candidate alone, so that opening it costs the same in a turn of any size.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from typing import Final

from selection.engine import Outcome
from selection.engine.candidates import Candidate, CandidateSet
from selection.engine.codes import Cause, Part
from selection.engine.matching import ListedMatch, matches_in
from selection.engine.reasons import label_of
from selection.engine.states import WORDS, move
from selection.pages.inspector.rows import Place, Row, row_of

_MOST_LISTED: Final = 50
_CAUSES: Final = {
    Cause.FLAGGED: "the client marked it as required",
    Cause.REFERENCED: "its path was referenced",
    Cause.ROUTE_GLOB: "a glob that drove the route matches its path",
    Cause.INSTRUCTION: "it is an instruction document",
    Cause.INVOKED_SKILL: "the user invoked this skill",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """Another candidate, by its place and name."""

    position: int
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """Everything that decided one candidate. `before` is its state in the baseline, in words, where that differs; long lists are cut to fifty."""

    row: Row
    paths: tuple[str, ...]
    path_count: int
    ranked: int
    recency: str
    tie: str
    cause: str
    left: int | None
    matches: tuple[ListedMatch, ...]
    match_count: int
    copies: tuple[Named, ...]
    provider: str
    created_at: str
    before: str
    closed: bool


def why_of(outcome: Outcome, baseline: Outcome, position: int | None, *, closed: Callable[[int], bool]) -> Why | None:
    """Explain one candidate; None where there is none at `position`. `closed` tells whose content stays closed until it is revealed."""
    candidates = outcome.candidates
    if candidates is None or position is None or not 0 <= position < len(candidates):
        return None
    candidate = candidates[position]
    now = outcome.state_of(position)
    before = baseline.state_of(position) if baseline.candidates is not None else None
    matches = [match for path in candidate.paths[:_MOST_LISTED] for match in matches_in(outcome.turn.policy, path)]
    return Why(
        row=row_of(outcome, position, Place(state=now, moved=move(before, now), closed=closed(position))),
        paths=candidate.paths[:_MOST_LISTED],
        path_count=len(candidate.paths),
        ranked=len(candidates.ranking),
        recency=_recency(candidates, candidate),
        tie=_tie(candidates, candidate),
        cause=_CAUSES[candidate.cause] if candidate.cause else "",
        left=outcome.left_before(position),
        matches=tuple(matches[:_MOST_LISTED]),
        match_count=len(matches),
        copies=tuple(
            Named(position=copy, label=label_of(candidates, copy)) for copy in islice(candidate.copies, _MOST_LISTED)
        ),
        provider="/".join(part for part in (candidate.provider, candidate.model) if part),
        created_at=candidate.created_at or "",
        before=WORDS[before] if before is not now else "",
        closed=closed(position),
    )


def _recency(candidates: CandidateSet, candidate: Candidate) -> str:
    if candidate.part is not Part.MESSAGES:
        return "only messages have it"
    return f"message {candidate.position + 1:,} of {len(candidates.columns.span(Part.MESSAGES)):,}, oldest first"


def _tie(candidates: CandidateSet, candidate: Candidate) -> str:
    """Say how the rank came about where the neighbours in the ranking have the same score."""
    rank = candidate.rank
    if rank is None:
        return ""
    scores, ranking = candidates.columns.scores, candidates.ranking
    neighbours = ranking[max(0, rank - 2) : rank - 1] + ranking[rank : rank + 1]
    if not any(scores[other] == scores[candidate.position] for other in neighbours):
        return "No neighbour in the ranking has the same score."
    rule = "equal messages go newer first" if candidate.part is Part.MESSAGES else "other ties keep candidate order"
    return f"Tied with its neighbour in the ranking: {rule}."
