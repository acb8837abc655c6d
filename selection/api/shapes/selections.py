"""The shapes of selections: what `POST selections` and its like answer."""

from typing import Literal, TypedDict

from selection.actions.flips import Change as FlipChange
from selection.engine.codes import (
    ClassificationSource,
    Confidence,
    Intent,
    Kind,
    Reason,
    RouteSource,
    SelectionError,
    Severity,
    State,
    Status,
    Verdict,
)
from selection.engine.compare import Change


class ErrorBody(TypedDict):
    """What was refused: a code that stays, and in words why. `details` are places and messages, or the attempts of a turn that no model serves."""

    code: str
    message: str
    details: list[dict[str, str]]


class Error(TypedDict):
    """Every refusal."""

    error: ErrorBody


class ServiceStatus(TypedDict):
    """That the service is there."""

    status: Literal["ok"]
    engine_version: str
    api_version: str


class Classified(TypedDict):
    """The intent of a turn."""

    intent: Intent
    source: ClassificationSource
    matched_rule: int | None
    confidence: Confidence | None


class Routed(TypedDict):
    """The route of a turn."""

    source: RouteSource
    rule: str | None


class Attempted(TypedDict):
    """One model of the chain and what became of it."""

    model: str
    verdict: Verdict


class BudgetSums(TypedDict):
    """Sizes in tokens."""

    window: int
    reply_reserve: int
    effective: int
    required: int
    used: int


class CandidateSums(TypedDict):
    """One candidate that stands."""

    key: str
    kind: Kind
    tokens: int
    required: bool
    restricted: bool
    score: int
    paths: list[str]


class OutcomeShape(TypedDict):
    """One selection, as the conformance vectors write it."""

    classification: Classified
    route: Routed | None
    local_required: bool | None
    attempts: list[Attempted]
    model: str | None
    fallback_used: bool
    error: SelectionError | None
    status: Status
    budget: BudgetSums | None
    candidates: list[CandidateSums] | None
    duplicates: list[list[str]] | None
    ranking: list[str] | None
    included: list[str] | None
    excluded: list[str] | None
    reasons: dict[str, Reason] | None
    to_decrypt: list[str]


class AttemptTold(TypedDict):
    """One attempt with its numbers and in words."""

    model: str
    verdict: Verdict
    needed: int | None
    available: int | None
    sentence: str


class Restricted(TypedDict):
    """The pattern that restricts a candidate, and where it stands."""

    place: str
    pattern: str


class LedgerRow(TypedDict):
    """One candidate with its one state and its reason; `duplicate_of` is the position of the copy that stands for it."""

    position: int
    key: str
    kind: Kind
    paths: list[str]
    tokens: int
    score: int
    rank: int | None
    state: State | None
    included: bool
    required: bool
    restricted_by: Restricted | None
    sealed: bool
    reason_code: Reason | None
    reason: str
    duplicate_of: int | None


class FindingTold(TypedDict):
    """What an inspector adds."""

    code: str
    severity: Severity
    sentence: str
    advice: str
    positions: list[int]
    places: list[str]
    details: list[str]


class SelectionShape(TypedDict):
    """A selection in full."""

    outcome: OutcomeShape
    decision: str
    attempts: list[AttemptTold]
    ledger: list[LedgerRow]
    findings: list[FindingTold]


class SweptPoint(TypedDict):
    """What one effective budget holds."""

    budget: int
    tokens: int
    candidates: int


class SweepShape(TypedDict):
    """A sweep of the model that serves; without one there are no points."""

    model: str | None
    effective: int | None
    points: list[SweptPoint]


class Named(TypedDict):
    """A candidate by position and in words."""

    position: int
    label: str


class FlipTold(TypedDict):
    """One change and what it does; `knobs` is the what-if that was run."""

    change: FlipChange
    title: str
    knobs: dict[str, str]
    now: str
    effective: int | None
    entering: list[Named]
    leaving: list[Named]


class FlipsShape(TypedDict):
    """What would flip a candidate, and what would not."""

    position: int
    brings_in: bool
    claims: list[FlipTold]
    others: list[FlipTold]
    hopeless: str


class ComparedEntry(TypedDict):
    """One candidate of one side."""

    identity: str
    position: int
    label: str
    included: bool
    state: State | None
    rank: int | None
    tokens: int


class ComparedPair(TypedDict):
    """One candidate on both sides, or on one."""

    left: ComparedEntry | None
    right: ComparedEntry | None
    changes: list[Change]


class DivergenceTold(TypedDict):
    """The first place at which what is in differs."""

    place: int
    left: str
    right: str


class ComparisonShape(TypedDict):
    """What differs between two turns."""

    counts: dict[str, int]
    divergence: DivergenceTold | None
    pairs: list[ComparedPair]
    unchanged: int


class PolicyFault(TypedDict):
    """One fault or doubt, at its line and column."""

    line: int
    column: int
    place: str
    message: str
    warning: bool


class PolicyChecked(TypedDict):
    """Whether a text is a policy, and what is wrong with it."""

    valid: bool
    faults: list[PolicyFault]
    ignored: list[str]


class PathMatch(TypedDict):
    """One pattern that matches a path, and the line of the policy's text that it stands on."""

    pattern: str
    place: str
    line: int | None
    decides: bool
    restricts: bool
    negated: bool


class PathMiss(TypedDict):
    """A pattern that nearly matches, and how it would."""

    pattern: str
    place: str
    would: str


class PathTested(TypedDict):
    """What a policy says of one path; `path` is its one spelling, null where it is no path."""

    given: str
    path: str | None
    restricted: bool
    matches: list[PathMatch]
    near: list[PathMiss]


class PathsTested(TypedDict):
    """What a policy says of each path, in the order in which they were given."""

    paths: list[PathTested]
