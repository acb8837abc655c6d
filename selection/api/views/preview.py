"""`POST sessions/{id}/preview`: what a turn would be, in the router's own fields, and the selection in full beside them."""

import re
from typing import Any, Final
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from selection.actions.api_tokens import Scope
from selection.actions.gather_turn import models_of
from selection.actions.preview import context_lines, cost_of, preview_turn
from selection.api import shapes
from selection.api.base import ApiView
from selection.api.described import Described, described
from selection.api.errors import ApiError
from selection.api.views.sessions import session_or_404
from selection.documents.pushes import ExecuteRequest, RouterRequest, read_execute
from selection.documents.selection import selection_document
from selection.engine import Outcome, decision_sentence
from selection.engine.codes import SelectionError
from selection.models import Session

_HEADER: Final = re.compile(r"HTTP_X_SMISTA_PROVIDER_([A-Z0-9_]+)_API_KEY")
_STATUS: Final = {
    SelectionError.NO_ROUTE: 422,
    SelectionError.OVERRIDE_NOT_ALLOWED: 403,
    SelectionError.NO_LOCAL_MODEL: 422,
    SelectionError.CONTEXT_WINDOW_EXCEEDED: 422,
    SelectionError.FALLBACK_EXHAUSTED: 503,
    SelectionError.UNKNOWN_MODEL: 422,
    SelectionError.MISSING_PROVIDER_CREDENTIALS: 401,
    SelectionError.MISSING_CAPABILITY: 422,
    SelectionError.REMOTE_FORBIDDEN: 403,
}


class PreviewView(ApiView):
    """Select a turn without storing it."""

    scope = Scope.READ

    @described(
        Described(
            summary="Preview a turn without storing it",
            request=ExecuteRequest,
            answers={200: shapes.PreviewShape},
            refusals=(404, 503),
        )
    )
    def post(self, request: Request, session_id: UUID) -> Response:
        """Preview the turn."""
        session = session_or_404(request, session_id)
        asked = read_execute(self.body(request))
        outcome = preview_turn(session, asked.request, providers_in(request, session))
        if outcome.error is not None:
            raise refusal_of(outcome)
        return self.answer({**_fields(outcome, asked), "selection": selection_document(outcome)})


def providers_in(request: Request, session: Session) -> list[str]:
    """Name the providers of the catalog for which the request carries a key: that it is there counts, what it says is not read."""
    shown = {found[1] for name in request.META if (found := _HEADER.fullmatch(name)) and request.META[name]}
    known = dict.fromkeys(model.provider for model in models_of(session.pk))
    return [provider for provider in known if re.sub(r"[^A-Z0-9]", "_", provider.upper()) in shown]


def refusal_of(outcome: Outcome) -> ApiError:
    """Give the refusal that a selection without a model is, with what was tried."""
    error = outcome.error or SelectionError.NO_ROUTE
    attempts = tuple({"model": each.model, "verdict": each.verdict} for each in outcome.attempts)
    sentence = decision_sentence(outcome).rstrip(".")
    return ApiError(error.value, _STATUS[error], sentence[:1].lower() + sentence[1:], attempts)


def _fields(outcome: Outcome, asked: RouterRequest) -> dict[str, Any]:
    known, model, route, cost = outcome.classification, outcome.model, outcome.route, cost_of(outcome)
    index = route.index if route is not None else None
    return {
        "status": outcome.status,
        "task_type": known.intent,
        "classification": {
            "intent": known.intent,
            "source": known.source,
            "matched_rule": known.matched_rule,
            "confidence": known.confidence,
        },
        "provider": model.provider if model else None,
        "model": model.model if model else None,
        "matched_rule": route.rule if route else None,
        "included_context": context_lines(outcome, outcome.included),
        "excluded_context": context_lines(outcome, outcome.excluded),
        "estimated_cost": None if cost is None else {"min": cost.least, "max": cost.most, "currency": cost.currency},
        "required_permissions": list(asked.permissions[index]) if index is not None else [],
    }
