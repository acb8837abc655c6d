"""Selections without storage: a turn comes with the request, and goes with it."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from selection.actions.api_tokens import Scope
from selection.actions.ask_what_if import select_under
from selection.actions.collector import collector_paused
from selection.actions.flips import Flip, flips_of
from selection.actions.knobs import Knobs, budget_model, pairs_of
from selection.api import shapes
from selection.api.base import ApiView
from selection.api.described import Described, described, query
from selection.api.errors import ApiError
from selection.documents.outcome import outcome_to_write
from selection.documents.policy_text import check_policy_toml
from selection.documents.requests import CompareRequest, FlipsRequest, PolicyRequest, SweepRequest, read_request
from selection.documents.selection import labels_of, selection_document
from selection.documents.turn import read_turn
from selection.engine import Outcome, decide, prepare, select
from selection.engine.choose import effective_budget
from selection.engine.compare import Divergence, Entry, compare, entries_of
from selection.engine.sweep import plotted, sweep
from selection.engine.values import TurnInput

_MOST_BUDGETS = 10_000


class SelectionsView(ApiView):
    """`POST selections`: a turn document in, its outcome out, byte for byte as the engine gives it."""

    scope = Scope.READ

    @described(
        Described(
            summary="Select the context of a turn; nothing is stored",
            request=TurnInput,
            answers={200: (shapes.OutcomeShape, shapes.SelectionShape)},
            parameters=(query("full", "also give the decision in words, the ledger and the findings"),),
        )
    )
    def post(self, request: Request) -> Response:
        """Select. With `?full` the ledger, the decision in words and the findings come too."""
        full = "full" in request.query_params
        with collector_paused():
            outcome = select(read_turn(self.body(request)))
            return self.answer(selection_document(outcome) if full else outcome_to_write(outcome))


class SweepView(ApiView):
    """`POST selections/sweep`: what is in at each of many budgets."""

    scope = Scope.READ

    @described(Described(summary="Sweep the budget of a turn", request=SweepRequest, answers={200: shapes.SweepShape}))
    def post(self, request: Request) -> Response:
        """Sweep the budget of the model that serves, or of the first that is too small."""
        asked = read_request(SweepRequest, self.body(request))
        if len(asked.budgets) > _MOST_BUDGETS or any(budget < 0 for budget in asked.budgets):
            message = f"up to {_MOST_BUDGETS:,} budgets, none below 0"
            raise ApiError("invalid_request", 422, message, ({"place": "budgets", "message": message},))
        outcome = select(asked.turn)
        model, candidates = budget_model(outcome), outcome.candidates
        if model is None or candidates is None:
            return self.answer({"model": None, "effective": None, "points": []})
        remote = not model.local
        points = sweep(candidates, asked.budgets or plotted(candidates, remote=remote), remote=remote)
        return self.answer(
            {
                "model": model.name,
                "effective": effective_budget(model),
                "points": [
                    {"budget": point.budget, "tokens": point.tokens, "candidates": point.candidates} for point in points
                ],
            }
        )


class FlipsView(ApiView):
    """`POST selections/flips`: what would flip one candidate; every claim is a what-if that was run."""

    scope = Scope.READ

    @described(Described(summary="What would flip a candidate", request=FlipsRequest, answers={200: shapes.FlipsShape}))
    def post(self, request: Request) -> Response:
        """Run the what-ifs."""
        asked = read_request(FlipsRequest, self.body(request))
        prepared = prepare(asked.turn)
        outcome = decide(prepared)
        count = len(outcome.candidates) if outcome.candidates else 0
        if not 0 <= asked.position < count:
            message = f"is none of the {count:,} candidates"
            raise ApiError("invalid_request", 422, f"position: {message}", ({"place": "position", "message": message},))
        flips = flips_of(outcome, asked.position, Knobs(), lambda knobs: select_under(prepared, knobs))
        return self.answer(
            {
                "position": flips.position,
                "brings_in": flips.brings_in,
                "claims": [_flip(outcome, flip) for flip in flips.claims],
                "others": [_flip(outcome, flip) for flip in flips.others],
                "hopeless": flips.hopeless,
            }
        )


def _flip(outcome: Outcome, flip: Flip) -> dict[str, Any]:
    return {
        "change": flip.change,
        "title": flip.title,
        "knobs": dict(pairs_of(flip.knobs)),
        "now": flip.now,
        "effective": flip.effective,
        "entering": labels_of(outcome, flip.entering),
        "leaving": labels_of(outcome, flip.leaving),
    }


class CompareView(ApiView):
    """`POST selections/compare`: two turns beside each other."""

    scope = Scope.READ

    @described(Described(summary="Compare two turns", request=CompareRequest, answers={200: shapes.ComparisonShape}))
    def post(self, request: Request) -> Response:
        """Select both and compare."""
        asked = read_request(CompareRequest, self.body(request))
        left, right = entries_of(select(asked.left)), entries_of(select(asked.right))
        found = compare(left, right)
        return self.answer(
            {
                "counts": {str(change): count for change, count in sorted(found.counts().items())},
                "divergence": _divergence(found.divergence),
                "pairs": [
                    {"left": _entry(pair.left), "right": _entry(pair.right), "changes": list(pair.changes)}
                    for pair in found.pairs
                    if pair.changes
                ],
                "unchanged": sum(not pair.changes for pair in found.pairs),
            }
        )


def _entry(entry: Entry | None) -> dict[str, Any] | None:
    if entry is None:
        return None
    return {
        "identity": entry.identity,
        "position": entry.position,
        "label": entry.label,
        "included": entry.included,
        "state": entry.state,
        "rank": entry.rank,
        "tokens": entry.tokens,
    }


def _divergence(found: Divergence | None) -> dict[str, Any] | None:
    return None if found is None else {"place": found.place, "left": found.left, "right": found.right}


class PolicyView(ApiView):
    """`POST policies/validate`: the faults and doubts of a policy text, every one with its line and column."""

    scope = Scope.READ

    @described(Described(summary="Check a policy text", request=PolicyRequest, answers={200: shapes.PolicyChecked}))
    def post(self, request: Request) -> Response:
        """Check the text."""
        checked = check_policy_toml(read_request(PolicyRequest, self.body(request)).text)
        return self.answer(
            {
                "valid": checked.valid,
                "faults": [
                    {
                        "line": fault.line,
                        "column": fault.column,
                        "place": fault.place,
                        "message": fault.message,
                        "warning": fault.warning,
                    }
                    for fault in checked.faults
                ],
                "ignored": list(checked.ignored),
            }
        )
