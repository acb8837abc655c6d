"""A selection in full: the outcome as the vectors write it, and what an inspector adds to it: the ledger and the findings."""

from typing import Any

from selection.documents.outcome import outcome_document
from selection.engine import Outcome, attempt_sentence, decision_sentence, explain
from selection.engine.findings import Finding, find
from selection.engine.reasons import label_of

Document = dict[str, Any]


def selection_document(outcome: Outcome) -> Document:
    """Give an outcome with its decision in words, the ledger in the order of candidates, what was tried, and the findings."""
    return {
        "outcome": outcome_document(outcome),
        "decision": decision_sentence(outcome),
        "attempts": [
            {
                "model": attempt.model,
                "verdict": attempt.verdict,
                "needed": attempt.needed,
                "available": attempt.available,
                "sentence": attempt_sentence(attempt),
            }
            for attempt in outcome.attempts
        ],
        "ledger": ledger_document(outcome),
        "findings": [finding_document(finding) for finding in find(outcome)],
    }


def ledger_document(outcome: Outcome) -> list[Document]:
    """Give every candidate with its one state and its reason."""
    candidates = outcome.candidates
    if candidates is None:
        return []
    included = frozenset(outcome.included)
    return [_row(outcome, position, included) for position in range(len(candidates))]


def _row(outcome: Outcome, position: int, included: frozenset[int]) -> Document:
    candidate, explained, state = outcome.candidate(position), explain(outcome, position), outcome.state_of(position)
    restriction = candidate.restriction
    return {
        "position": position,
        "key": candidate.key,
        "kind": candidate.kind,
        "paths": list(candidate.paths),
        "tokens": candidate.tokens,
        "score": candidate.score.total,
        "rank": candidate.rank,
        "state": state,
        "included": position in included,
        "required": candidate.required,
        "restricted_by": None if restriction is None else {"place": restriction.place, "pattern": restriction.pattern},
        "sealed": candidate.sealed,
        "reason_code": explained.code,
        "reason": explained.sentence,
        "duplicate_of": candidate.survivor,
    }


def finding_document(finding: Finding) -> Document:
    """Give a finding."""
    return {
        "code": finding.code,
        "severity": finding.severity,
        "sentence": finding.sentence,
        "advice": finding.advice,
        "positions": list(finding.positions),
        "places": list(finding.places),
        "details": list(finding.details),
    }


def labels_of(outcome: Outcome, positions: tuple[int, ...]) -> list[Document]:
    """Name candidates by position and in words."""
    candidates = outcome.candidates
    if candidates is None:
        return []
    return [{"position": position, "label": label_of(candidates, position)} for position in positions]
