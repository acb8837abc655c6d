"""One candidate as a row of the ledger."""

from dataclasses import dataclass
from typing import Final

from selection.engine import Outcome, explain
from selection.engine.candidates import Candidate, CandidateSet, Score
from selection.engine.codes import Cause, Kind, State
from selection.engine.reasons import Evidence, label_of
from selection.engine.states import INCLUDED, WORDS

_EXCERPT: Final = 110


@dataclass(frozen=True, slots=True, kw_only=True)
class Badge:
    """The pattern that decided something about a row: its list with its index, and its text."""

    place: str
    pattern: str
    restricts: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One candidate. `divider` names what stands above it: the shelf, the ranking, the cut; `survivor` what a copy merged into.

    `silhouette` is all that is known of a sealed one: when, by which model, and how much.
    """

    position: int
    kind: str
    role: str
    path: str | None
    more_paths: int
    label: str
    excerpt: str
    sealed: bool
    opened: bool
    silhouette: str
    tokens: int
    score: Score
    rank: int | None
    state: str
    words: str
    included: bool
    required: bool
    reason: str
    badge: Badge | None
    copies: int
    survivor: int | None
    survivor_label: str
    moved: str
    divider: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a row stands: its state, how it moved against the baseline, what stands above it, and whether its content stays closed."""

    state: State | None
    moved: str = ""
    divider: str = ""
    closed: bool = False


def row_of(outcome: Outcome, position: int, place: Place) -> Row:
    """Give one candidate as a row."""
    candidate = outcome.candidate(position)
    explanation = explain(outcome, position)
    return Row(
        position=position,
        kind=candidate.kind.value,
        role=candidate.role.value if candidate.role else "",
        path=candidate.path,
        more_paths=max(0, len(candidate.paths) - 1),
        label="working tree" if candidate.kind is Kind.DIFF else candidate.name,
        excerpt="" if place.closed else _excerpt(outcome, position),
        sealed=candidate.sealed,
        opened=outcome.candidates is not None and outcome.candidates.was_opened(position),
        silhouette=_silhouette(outcome, candidate) if candidate.sealed else "",
        tokens=candidate.tokens,
        score=candidate.score,
        rank=candidate.rank,
        state=place.state.value if place.state else "undecided",
        words=WORDS[place.state],
        included=place.state in INCLUDED,
        required=candidate.required,
        reason=explanation.sentence,
        badge=_badge(outcome, candidate, explanation.evidence),
        copies=len(candidate.copies),
        survivor=candidate.survivor,
        survivor_label=_survivor(outcome.candidates, candidate),
        moved=place.moved,
        divider=place.divider,
    )


def _badge(outcome: Outcome, candidate: Candidate, evidence: Evidence) -> Badge | None:
    restriction = candidate.restriction
    if restriction is not None:
        return Badge(place=restriction.place, pattern=restriction.pattern, restricts=True)
    route = outcome.route
    if candidate.cause is not Cause.ROUTE_GLOB or evidence.cause_pattern is None or route is None:
        return None
    index = route.driving_globs.index(evidence.cause_pattern)
    return Badge(place=f"routing.rules[{route.index}].paths[{index}]", pattern=evidence.cause_pattern, restricts=False)


def _survivor(candidates: CandidateSet | None, candidate: Candidate) -> str:
    return "" if candidates is None or candidate.survivor is None else label_of(candidates, candidate.survivor)


def _silhouette(outcome: Outcome, candidate: Candidate) -> str:
    served_by = "/".join(part for part in (candidate.provider, candidate.model) if part)
    opened = "would be opened" if candidate.position in outcome.to_decrypt else "stays sealed"
    return " · ".join(part for part in (candidate.created_at or "", served_by, opened) if part)


def _excerpt(outcome: Outcome, position: int) -> str:
    """Give the start of a content; none of what is sealed."""
    content = None if outcome.candidates is None else outcome.candidates.content_of(position)
    if not isinstance(content, str):
        return ""
    return content if len(content) <= _EXCERPT else f"{content[:_EXCERPT]}…"
