"""Every sentence that a person reads about a selection, in one place ("What is recorded" in domain.md).

A reason is one sentence that a person can act on: what decided, and by how much. Names of the policy and of candidates stand in backticks. No sentence ever
holds content. `withhold_names` keeps the paths of restricted candidates out, as recorded rows must.
"""

from dataclasses import dataclass

from selection.engine.candidates import Candidate, CandidateSet
from selection.engine.codes import Cause, Part, Reason, State
from selection.engine.outcome import Outcome
from selection.engine.privacy import Restriction


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What a reason rests on, as data; parts that did not decide are None. `needed` and `left` are tokens."""

    restriction: Restriction | None = None
    cause: Cause | None = None
    cause_pattern: str | None = None
    rank: int | None = None
    ranked: int | None = None
    needed: int | None = None
    left: int | None = None
    survivor: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Why one candidate is in or out: the code, the sentence and its evidence. Without a code no model serves the turn."""

    code: Reason | None
    sentence: str
    evidence: Evidence


def explain(outcome: Outcome, position: int, *, withhold_names: bool = False) -> Explanation:
    """Explain one candidate of an outcome that has candidates."""
    candidate, candidates = outcome.candidate(position), outcome.candidates
    code = outcome.reasons[position]
    evidence = _evidence(outcome, candidate)
    if candidates is None or code is None:
        return Explanation(code=None, sentence=_undecided(outcome), evidence=evidence)
    match code:
        case Reason.REQUIRED:
            sentence = _required(candidate, evidence)
        case Reason.FITS:
            sentence = _fits(evidence)
        case Reason.OVER_BUDGET:
            sentence = _over_budget(outcome, position, evidence)
        case Reason.RESTRICTED_REMOTE:
            sentence = _withheld(outcome, candidate, evidence)
        case Reason.DUPLICATE:
            sentence = _duplicate(candidates, position, withhold_names=withhold_names)
    return Explanation(code=code, sentence=sentence, evidence=evidence)


def _evidence(outcome: Outcome, candidate: Candidate) -> Evidence:
    ranked = len(outcome.candidates.ranking) if outcome.candidates else 0
    return Evidence(
        restriction=candidate.restriction,
        cause=candidate.cause,
        cause_pattern=driving_pattern(outcome, candidate),
        rank=candidate.rank,
        ranked=ranked if candidate.rank is not None else None,
        needed=candidate.tokens,
        left=outcome.left_before(candidate.position),
        survivor=candidate.survivor,
    )


def driving_pattern(outcome: Outcome, candidate: Candidate) -> str | None:
    """Name the route-driving glob that requires a candidate, where one does."""
    if candidate.cause is not Cause.ROUTE_GLOB or candidate.path is None or outcome.route is None:
        return None
    globs = outcome.route.driving_globs
    return globs[outcome.route.compiled.deciding(candidate.path)]


def _undecided(outcome: Outcome) -> str:
    return f"Undecided: no model serves this turn (`{outcome.error}`)."


def _required(candidate: Candidate, evidence: Evidence) -> str:
    because = {
        Cause.FLAGGED: "the client marked this file as required",
        Cause.REFERENCED: "the user referenced its path",
        Cause.ROUTE_GLOB: f"its path matches `{evidence.cause_pattern}`, a glob that drove the route",
        Cause.INSTRUCTION: "an instruction document always goes in",
        Cause.INVOKED_SKILL: "the user invoked this skill",
    }[candidate.cause or Cause.FLAGGED]
    return f"Required: {because}.{_forecloses(candidate, evidence.restriction)}"


def _forecloses(candidate: Candidate, restriction: Restriction | None) -> str:
    if restriction is None:
        return ""
    return f" {_restricts(candidate, restriction)}, so that only a local model may serve the turn."


def _restricts(candidate: Candidate, restriction: Restriction) -> str:
    """Say which pattern restricts, naming the pattern and its place, never the path."""
    if restriction.invalid:
        return f"The invalid pattern `{restriction.pattern}` ({restriction.place}) restricts every path"
    through = "" if restriction.path == candidate.path else " through a copy that merged into it"
    by_case = " with letter case ignored" if restriction.by_case else ""
    return f"`{restriction.pattern}` ({restriction.place}) restricts it{through}{by_case}"


def _fits(evidence: Evidence) -> str:
    left = "" if evidence.left is None else f", {evidence.left:,} were left when its turn came"
    return f"Fits: needs {evidence.needed:,} tokens{left}{_rank(evidence)}."


def _rank(evidence: Evidence) -> str:
    return "" if evidence.rank is None else f" (rank {evidence.rank:,} of {evidence.ranked:,})"


def _over_budget(outcome: Outcome, position: int, evidence: Evidence) -> str:
    needed, left = evidence.needed or 0, evidence.left or 0
    if needed <= left:
        return f"Dropped: opened rows turned out larger than sealed; it was among the lowest-ranked{_rank(evidence)}."
    if outcome.state_of(position) is State.TOO_LARGE and outcome.budget is not None:
        most = outcome.budget.effective - outcome.budget.required
        return (
            f"Too large: needs {needed:,} tokens, and beside what is required the budget never has more than {most:,}."
        )
    return f"Over budget: needs {needed:,} tokens, {left:,} left when its turn came{_rank(evidence)}."


def _withheld(outcome: Outcome, candidate: Candidate, evidence: Evidence) -> str:
    model = outcome.model.name if outcome.model else ""
    if evidence.restriction is None:
        return f"Withheld: `{model}` is a remote model."
    return f"Withheld: {_restricts(candidate, evidence.restriction)}, and `{model}` is a remote model."


def _duplicate(candidates: CandidateSet, position: int, *, withhold_names: bool) -> str:
    survivor = candidates.survivors[position]
    name = label_of(candidates, survivor, withhold_names=withhold_names)
    if candidates.content_of(position) == candidates.content_of(survivor):
        return f"Duplicate: same content as {name}, which stands for both."
    if candidates.columns.paths[position] == candidates.columns.paths[survivor]:
        return f"Duplicate: same path as {name}, which stands for both."
    return f"Duplicate: same path as a copy of {name}, which stands for all."


def label_of(candidates: CandidateSet, position: int, *, withhold_names: bool = False) -> str:
    """Name a candidate in a sentence; with `withhold_names` a restricted one by its place in candidate order alone."""
    if withhold_names and candidates.restriction_of(position) is not None:
        return f"candidate {position + 1:,}, which is restricted"
    part = candidates.columns.part_of(position)
    if part is Part.MESSAGES:
        return f"message {position + 1:,} of {len(candidates.columns.span(part)):,}"
    return "the diff" if part is Part.DIFF else f"`{candidates.name_of(position)}`"
