"""The outcome as a document, in the shape of the conformance vectors ("Inputs of one turn" and on, in domain.md)."""

from collections.abc import Iterable
from typing import Any

from selection.engine.candidates import KIND_OF, CandidateSet
from selection.engine.codes import Reason
from selection.engine.outcome import Outcome

Document = dict[str, Any]


def outcome_document(outcome: Outcome) -> Document:
    """Give an outcome in the vectors' shape; parts that do not exist on an error are None."""
    candidates, fitted = outcome.candidates, outcome.fitted
    served = candidates if fitted is not None else None
    return {
        "classification": _classification(outcome),
        "route": None if outcome.route is None else {"source": outcome.route.source, "rule": outcome.route.rule},
        "local_required": None if outcome.local is None else outcome.local.required,
        "attempts": [{"model": attempt.model, "verdict": attempt.verdict} for attempt in outcome.attempts],
        "model": None if outcome.model is None else outcome.model.name,
        "fallback_used": outcome.fallback_used,
        "error": outcome.error,
        "status": outcome.status,
        "budget": _budget(outcome),
        "candidates": None if candidates is None else _candidates(candidates),
        "duplicates": None if candidates is None else _duplicates(candidates),
        "ranking": None if served is None else _keys(served, served.ranking),
        "included": None if served is None else _keys(served, outcome.included),
        "excluded": None if served is None else _keys(served, outcome.excluded),
        "reasons": None if served is None else _reasons(served, outcome),
        "to_decrypt": _keys(candidates, outcome.to_decrypt) if candidates is not None else [],
    }


def _classification(outcome: Outcome) -> Document:
    known = outcome.classification
    return {
        "intent": known.intent,
        "source": known.source,
        "matched_rule": known.matched_rule,
        "confidence": known.confidence,
    }


def _budget(outcome: Outcome) -> Document | None:
    budget = outcome.budget
    if budget is None:
        return None
    return {
        "window": budget.window,
        "reply_reserve": budget.reply_reserve,
        "effective": budget.effective,
        "required": budget.required,
        "used": budget.used,
    }


def _candidates(candidates: CandidateSet) -> list[Document]:
    """Give the survivors in candidate order, from the columns: an object for each would cost more than the selection."""
    columns, copies, causes, restrictions = (
        candidates.columns,
        candidates.copies,
        candidates.causes,
        candidates.restrictions,
    )
    kinds = [kind for part, span in columns.spans for kind in [KIND_OF[part]] * len(span)]
    rows = zip(candidates.survivors, candidates.keys, kinds, columns.tokens, columns.scores, columns.paths, strict=True)
    return [
        {
            "key": key,
            "kind": kind,
            "tokens": tokens,
            "required": position in causes,
            "restricted": position in restrictions,
            "score": score,
            "paths": list(candidates.paths_of(position)) if position in copies else _own(path),
        }
        for position, (survivor, key, kind, tokens, score, path) in enumerate(rows)
        if position == survivor
    ]


def _own(path: str | None) -> list[str]:
    return [] if path is None else [path]


def _duplicates(candidates: CandidateSet) -> list[list[str]]:
    keys, survivors = candidates.keys, candidates.survivors
    return [[keys[position], keys[survivors[position]]] for position in candidates.duplicates]


def _keys(candidates: CandidateSet, positions: Iterable[int]) -> list[str]:
    return list(map(candidates.keys.__getitem__, positions))


def _reasons(candidates: CandidateSet, outcome: Outcome) -> dict[str, str]:
    coded = zip(candidates.keys, outcome.reasons, strict=True)
    return {key: code for key, code in coded if code is not None and code is not Reason.DUPLICATE}
