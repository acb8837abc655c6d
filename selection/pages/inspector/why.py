"""The why panel of one candidate: the sentence, the score part by part, every list that restricts it, and the copies that merged."""

from dataclasses import dataclass

from selection.engine import Outcome
from selection.engine.codes import Cause
from selection.engine.privacy import Restriction
from selection.engine.reasons import label_of
from selection.engine.states import WORDS, Movement
from selection.pages.inspector.ledger import Row, row_of

_CAUSES = {
    Cause.FLAGGED: "the client marked it as required",
    Cause.REFERENCED: "its path was referenced",
    Cause.ROUTE_GLOB: "a glob that drove the route matches its path",
    Cause.INSTRUCTION: "it is an instruction document",
    Cause.INVOKED_SKILL: "the user invoked this skill",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Why:
    """Everything that decided one candidate. `before` is its state as recorded, in words, where that differs."""

    row: Row
    paths: tuple[str, ...]
    ranked: int
    cause: str
    left: int | None
    restrictions: tuple[Restriction, ...]
    copies: tuple[str, ...]
    survivor: str
    survivor_position: int | None
    provider: str
    created_at: str
    before: str
    readable: bool


def why_of(outcome: Outcome, movement: Movement, position: int | None) -> Why | None:
    """Explain one candidate; None where there is none at `position`."""
    candidates = outcome.candidates
    if candidates is None or position is None or not 0 <= position < len(candidates):
        return None
    candidate = candidates[position]
    marks = [mark for path in candidate.paths for mark in candidates.privacy.marks(path)]
    return Why(
        row=row_of(outcome, movement, position),
        paths=candidate.paths,
        ranked=len(candidates.ranking),
        cause=_CAUSES[candidate.cause] if candidate.cause else "",
        left=outcome.left_before(position),
        restrictions=tuple(candidates.privacy.restriction(mark) for mark in marks),
        copies=tuple(label_of(candidates, copy) for copy in candidate.copies),
        survivor="" if candidate.survivor is None else label_of(candidates, candidate.survivor),
        survivor_position=candidate.survivor,
        provider="/".join(part for part in (candidate.provider, candidate.model) if part),
        created_at=candidate.created_at or "",
        before=WORDS[movement.before[position]] if position in movement.changed else "",
        readable=not candidate.sealed and not candidate.restricted,
    )
