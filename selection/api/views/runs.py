"""`POST sessions/{id}/execute` and `/continue`: a turn as a router runs it, up to the call of the model, which is never made."""

from typing import Any
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from selection.actions.execute import RunRefused, Step, execute, go_on
from selection.actions.preview import context_lines
from selection.api import shapes
from selection.api.base import ApiView
from selection.api.described import Described, described
from selection.api.errors import ApiError
from selection.api.views.preview import providers_in, refusal_of
from selection.api.views.sessions import session_or_404
from selection.documents.continuations import Continuation, ContinuationType, read_continuation
from selection.documents.plain import to_plain
from selection.documents.pushes import ExecuteRequest, read_execute
from selection.engine import Outcome, build_prompt, chat_completions
from selection.engine.codes import RouteSource, Status
from selection.engine.tokens import estimate_tokens

_BREAK = ContinuationType.BREAK.value


class ExecuteView(ApiView):
    """Begin a run: the turn is stored."""

    @described(
        Described(
            summary="Execute a turn, up to the call of the model",
            request=ExecuteRequest,
            answers={200: shapes.RunEnvelope},
            refusals=(404, 409, 503),
        )
    )
    def post(self, request: Request, session_id: UUID) -> Response:
        """Execute the router's request."""
        session = session_or_404(request, session_id)
        asked = read_execute(self.body(request)).request
        try:
            step = execute(request.user, session, asked, providers_in(request, session))
        except RunRefused as error:
            raise ApiError(error.code, 409, str(error)) from None
        return self.answer(envelope(step))


class ContinueView(ApiView):
    """Go on with the run in flight."""

    @described(
        Described(
            summary="Go on with the run in flight",
            request=Continuation,
            answers={200: shapes.RunEnvelope},
            refusals=(404, 409, 503),
        )
    )
    def post(self, request: Request, session_id: UUID) -> Response:
        """Take the continuation."""
        session = session_or_404(request, session_id)
        asked = read_continuation(self.body(request))
        try:
            step = go_on(request.user, session, asked)
        except RunRefused as error:
            raise ApiError(error.code, 409, str(error)) from None
        return self.answer(envelope(step))


def envelope(step: Step) -> dict[str, Any]:
    """Give where a run stands: `{status, data, allowed_continuations}`. Raises the refusal of a turn that no model serves, which is recorded by then."""
    if step.broken:
        return _ended(step, "stopped", "the client broke the run off")
    if step.denied:
        return _ended(step, "disclosure_denied", "what would have been disclosed stays here")
    if step.outcome.error is not None:
        raise refusal_of(step.outcome)
    if step.pause is not None:
        return _waits(step, Status.AWAITING_DECRYPT, _sealed(step), ContinuationType.DECRYPTED)
    if step.run is None:
        return _waits(step, Status.AWAITING_APPROVAL, _disclosure(step.outcome), ContinuationType.APPROVAL_DECISIONS)
    return {"status": "completed", "data": _completed(step), "allowed_continuations": []}


def _ended(step: Step, code: str, message: str) -> dict[str, Any]:
    data = {"error": {"code": code, "message": message, "details": []}, **_place(step)}
    return {"status": "error", "data": data, "allowed_continuations": []}


def _waits(step: Step, status: Status, data: dict[str, Any], how: ContinuationType) -> dict[str, Any]:
    return {"status": status, "data": {**data, **_place(step)}, "allowed_continuations": [how, _BREAK]}


def _place(step: Step) -> dict[str, Any]:
    return {"turn": str(step.row.pk), "trace_id": None if step.run is None else str(step.run.pk)}


def _sealed(step: Step) -> dict[str, Any]:
    """Give the rows to open: as a list, and as the map that newer clients read."""
    pause = step.pause
    if pause is None:
        return {}
    records = [{"record_id": each.record_id, "envelope": to_plain(each.envelope)} for each in pause.records]
    return {
        "asked": pause.asked,
        "sealed_records": records,
        "to_decrypt": {each["record_id"]: each["envelope"] for each in records},
    }


def _disclosure(outcome: Outcome) -> dict[str, Any]:
    model, budget = outcome.model, outcome.budget
    return {
        "remote_disclosure": {
            "provider": model.provider if model else None,
            "model": model.model if model else None,
            "tokens": budget.used if budget else 0,
            "context": context_lines(outcome, outcome.included),
        }
    }


def _completed(step: Step) -> dict[str, Any]:
    outcome, model = step.outcome, step.outcome.model
    known, route, budget = outcome.classification, outcome.route, outcome.budget
    return {
        "prompt": chat_completions(build_prompt(outcome), model.name if model else ""),
        "classification": {"intent": known.intent, "source": known.source, "confidence": known.confidence},
        "routing": {
            "task_type": known.intent,
            "provider": model.provider if model else None,
            "model": model.model if model else None,
            "matched_rule": route.rule if route else None,
            "fallback_used": outcome.fallback_used,
            "override_used": route is not None and route.source is RouteSource.OVERRIDE,
        },
        "context": {
            "included": context_lines(outcome, outcome.included),
            "excluded": context_lines(outcome, outcome.excluded),
        },
        "usage": {
            "input_tokens": (budget.used if budget else 0) + estimate_tokens(outcome.text),
            "reply_reserve": budget.reply_reserve if budget else 0,
        },
        **_place(step),
    }
