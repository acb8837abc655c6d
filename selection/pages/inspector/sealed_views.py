"""The pause of a sealed turn over HTTP: what the client is asked for, and how an answer that has no effect is told ("Sealed history" in domain.md).

The key stays with the client. What it opened comes in the body of a request and leaves in that request's response; it is never stored, kept or logged.
"""

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.views import View

from selection.actions.decrypt_pause import AnswerRefused, begin_pause
from selection.documents.errors import InvalidDocument
from selection.documents.plain import to_plain
from selection.engine.reasons import label_of
from selection.pages.inspector.look import Look, look_at, turn_or_404

BAD_REQUEST, CONFLICT = 400, 409


class TakesAnswers(View):
    """A view to which a client may send what it opened: an answer that cannot be taken is refused in one shape, and without effect."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer, or say why not."""
        try:
            return super().dispatch(request, *args, **kwargs)
        except InvalidDocument as error:
            places = [{"place": fault.place, "message": fault.message} for fault in error.faults]
            return refusal("invalid_answer", str(error), BAD_REQUEST, places)
        except AnswerRefused as error:
            return refusal(error.code, str(error), CONFLICT, [{"place": error.record_id, "message": error.why}])


def refusal(code: str, message: str, status: int, details: list[dict[str, str]]) -> HttpResponse:
    """Give a refusal as JSON: `{"error": {"code", "message", "details"}}`."""
    answer = JsonResponse({"error": {"code": code, "message": message, "details": details}}, status=status)
    answer["Cache-Control"] = "no-store"
    return answer


class PauseView(View):
    """What the client is asked to open: exactly the sealed rows that were selected."""

    def post(self, request: HttpRequest, turn_id: UUID) -> HttpResponse:
        """Give the sealed records; that they were asked for is stored, but for a what-if."""
        look = look_at(request, turn_or_404(request, turn_id))
        pause = begin_pause(request.user, look.opened.row, look.paused, keep=look.is_kept)
        if pause is None:
            return refusal("not_waiting", "this turn waits for no rows", CONFLICT, [])
        labels = _labels(look)
        records = [
            {
                "record_id": record.record_id,
                "label": labels.get(place, "the prompt"),
                "envelope": to_plain(record.envelope),
            }
            for place, record in enumerate(pause.records)
        ]
        answer = JsonResponse({"asked": pause.asked, "key_id": pause.key_id, "records": records})
        answer["Cache-Control"] = "no-store"
        return answer


def _labels(look: Look) -> dict[int, str]:
    """Name each record as the page does, by its place: the candidates in order, and the prompt last."""
    candidates = look.paused.candidates
    asked = look.paused.to_decrypt if candidates is not None else ()
    return {} if candidates is None else {place: label_of(candidates, position) for place, position in enumerate(asked)}
