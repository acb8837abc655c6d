"""The outcome as a document, in the shape of the conformance vectors ("Inputs of one turn" and on, in domain.md)."""

from collections.abc import Iterable
from itertools import chain, compress, repeat
from typing import Any

import msgspec

from selection.engine.candidates import KIND_OF, CandidateSet
from selection.engine.codes import Reason
from selection.engine.outcome import Outcome

Document = dict[str, Any]


class _Row(msgspec.Struct, gc=False):
    """A surviving candidate, which costs half of what a dict of it does."""

    key: str
    kind: str
    tokens: int
    required: bool
    restricted: bool
    score: int
    paths: list[str]


def outcome_document(outcome: Outcome) -> Document:
    """Give an outcome in the vectors' shape; parts that do not exist on an error are None."""
    document: Document = msgspec.to_builtins(outcome_to_write(outcome))
    return document


def outcome_to_write(outcome: Outcome) -> Document:
    """Give what msgspec writes as the JSON of `outcome_document`, byte for byte."""
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


def _candidates(candidates: CandidateSet) -> list[_Row]:
    """Give the survivors in candidate order, from the columns: an object for each would cost more than the selection."""
    columns, copies = candidates.columns, candidates.copies
    alive = [position == survivor for position, survivor in enumerate(candidates.survivors)]
    positions = list(compress(range(len(alive)), alive))
    kinds = chain.from_iterable(repeat(KIND_OF[part], len(span)) for part, span in columns.spans)
    paths = zip(positions, compress(columns.paths, alive), strict=True)
    return list(
        map(
            _Row,
            compress(candidates.keys, alive),
            compress(kinds, alive),
            compress(columns.tokens, alive),
            map(candidates.causes.__contains__, positions),
            map(candidates.restrictions.__contains__, positions),
            compress(columns.scores, alive),
            [
                list(candidates.paths_of(position)) if position in copies else [] if path is None else [path]
                for position, path in paths
            ],
        )
    )


def _duplicates(candidates: CandidateSet) -> list[list[str]]:
    keys, survivors = candidates.keys, candidates.survivors
    return [[keys[position], keys[survivors[position]]] for position in candidates.duplicates]


def _keys(candidates: CandidateSet, positions: Iterable[int]) -> list[str]:
    return list(map(candidates.keys.__getitem__, positions))


def _reasons(candidates: CandidateSet, outcome: Outcome) -> dict[str, str]:
    coded = zip(candidates.keys, outcome.reasons, strict=True)
    return {key: code for key, code in coded if code is not None and code is not Reason.DUPLICATE}
