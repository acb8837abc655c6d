"""What a session holds: messages, turns, its catalog, and what was recorded of it."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from rest_framework.request import Request
from rest_framework.response import Response

from selection.actions.gather_turn import models_of
from selection.actions.push import append_messages, append_turn, replace_catalog
from selection.api import shapes
from selection.api.base import ApiView
from selection.api.described import ONCE, PAGED, Described, described, query
from selection.api.paging import invalid, number_in, page_of
from selection.api.views.sessions import created, session_or_404, stored_once
from selection.documents.bundle import BundleTurn
from selection.documents.pushes import Catalog, NewMessages, read_turn_push
from selection.documents.requests import read_request
from selection.documents.writing import to_document
from selection.models import SessionContextReference, SessionMessage, SessionRunInput, TraceEvent

_MOST_OFFSET = 10_000_000


class MessagesView(ApiView):
    """`GET` and `POST sessions/{id}/messages`."""

    @described(
        Described(
            summary="List messages",
            answers={200: shapes.MessageList},
            refusals=(404, 422),
            parameters=PAGED,
        )
    )
    def get(self, request: Request, session_id: UUID) -> Response:
        """List the history by reference, oldest first."""
        rows = SessionMessage.objects.owned_by(request.user).filter(session=session_or_404(request, session_id))
        return self.answer(page_of(request, rows, "position", _message))

    @described(
        Described(
            summary="Append messages",
            request=NewMessages,
            answers={201: shapes.StoredMessages},
            refusals=(404, 409),
            parameters=ONCE,
        )
    )
    def post(self, request: Request, session_id: UUID) -> Response:
        """Append messages in their order."""
        session, body = session_or_404(request, session_id), self.body(request)
        asked = read_request(NewMessages, body)

        def store() -> dict[str, Any]:
            rows = append_messages(request.user, session, asked.messages)
            return {"items": [{"id": str(row.pk), "position": row.position} for row in rows]}

        document, replayed = stored_once(request, f"append_messages:{session.pk}", body, store)
        return created(document, replayed=replayed)


def _message(row: SessionMessage) -> dict[str, Any]:
    return {
        "id": str(row.pk),
        "position": row.position,
        "recorded_id": row.recorded_id,
        "role": row.role,
        "provider": row.provider,
        "model": row.model,
        "path": row.path,
        "created_at": row.recorded_at,
    }


class TurnsView(ApiView):
    """`GET` and `POST sessions/{id}/turns`."""

    @described(
        Described(
            summary="List turns",
            answers={200: shapes.TurnList},
            refusals=(404, 422),
            parameters=PAGED,
        )
    )
    def get(self, request: Request, session_id: UUID) -> Response:
        """List the turns in order."""
        rows = SessionRunInput.objects.owned_by(request.user).filter(session=session_or_404(request, session_id))
        return self.answer(page_of(request, rows, "position", _turn))

    @described(
        Described(
            summary="Append a turn",
            request=BundleTurn,
            answers={201: shapes.TurnReference},
            refusals=(404, 409),
            parameters=ONCE,
        )
    )
    def post(self, request: Request, session_id: UUID) -> Response:
        """Append a turn, after the last message unless it names another."""
        session, body = session_or_404(request, session_id), self.body(request)
        turn = read_turn_push(body)
        document, replayed = stored_once(
            request, f"append_turn:{session.pk}", body, lambda: _turn(append_turn(request.user, session, turn))
        )
        return created(document, replayed=replayed)


def _turn(row: SessionRunInput) -> dict[str, Any]:
    return {
        "id": str(row.pk),
        "position": row.position,
        "after_message": None if row.after_message_id is None else str(row.after_message_id),
        "created_at": row.created_at.isoformat(),
        "page": f"/turns/{row.pk}/",
    }


class CatalogView(ApiView):
    """`GET` and `PUT sessions/{id}/models`."""

    @described(Described(summary="Give the catalog of a session", answers={200: shapes.CatalogShape}, refusals=(404,)))
    def get(self, request: Request, session_id: UUID) -> Response:
        """Give the catalog of a session."""
        return self.answer({"models": to_document(models_of(session_or_404(request, session_id).pk))})

    @described(
        Described(
            summary="Replace the catalog of a session",
            request=Catalog,
            answers={200: shapes.CatalogShape},
            refusals=(404,),
        )
    )
    def put(self, request: Request, session_id: UUID) -> Response:
        """Give the session another catalog."""
        session = session_or_404(request, session_id)
        replace_catalog(request.user, session, read_request(Catalog, self.body(request)).models)
        return self.get(request, session_id)


class ModelsView(ApiView):
    """`GET llm/models?session=`: the catalog, as the router calls it."""

    @described(
        Described(
            summary="Give the catalog, as the router calls it",
            answers={200: shapes.CatalogShape},
            refusals=(404, 422),
            parameters=(query("session", "the id of a session"),),
        )
    )
    def get(self, request: Request) -> Response:
        """Give the catalog of the session that the address names."""
        try:
            session_id = UUID(request.query_params.get("session", ""))
        except ValueError:
            raise invalid("session", "is no id of a session") from None
        return self.answer({"models": to_document(models_of(session_or_404(request, session_id).pk))})


class TracesView(ApiView):
    """`GET sessions/{id}/traces?limit&offset`: the recorded events, oldest first."""

    @described(
        Described(
            summary="Read the trace of a session",
            answers={200: shapes.TraceShape},
            refusals=(404, 422),
            parameters=(query("limit", "how many, up to 200", int), query("offset", "how many to leave out", int)),
        )
    )
    def get(self, request: Request, session_id: UUID) -> Response:
        """Give a part of them."""
        session = session_or_404(request, session_id)
        rows = TraceEvent.objects.owned_by(request.user).filter(session=session).select_related("content")
        return self.answer(_part(request, rows.order_by("created_at", "run_id", "position", "pk"), "events", _event))


def _event(row: TraceEvent) -> dict[str, Any]:
    return {
        "event_type": row.event_type,
        "task_type": row.task_type,
        "provider": row.provider,
        "model": row.model,
        "matched_rule": row.matched_rule,
        "created_at": row.created_at.isoformat(),
        "run": None if row.run_id is None else str(row.run_id),
        "payload": {"plaintext": {"type": row.event_type, **row.content.payload}},
    }


class ReferencesView(ApiView):
    """`GET sessions/{id}/context-references?limit&offset&run`: what was, and was not, in the prompt; never content."""

    @described(
        Described(
            summary="Read what was, and was not, in prompts",
            answers={200: shapes.ReferencesShape},
            refusals=(404, 422),
            parameters=(
                query("limit", "how many, up to 200", int),
                query("offset", "how many to leave out", int),
                query("run", "of this recorded selection alone"),
            ),
        )
    )
    def get(self, request: Request, session_id: UUID) -> Response:
        """Give a part of them."""
        session = session_or_404(request, session_id)
        rows = SessionContextReference.objects.owned_by(request.user).filter(session=session)
        run = request.query_params.get("run")
        if run is not None:
            try:
                rows = rows.filter(run_id=UUID(run))
            except ValueError:
                raise invalid("run", "is no id of a run") from None
        return self.answer(_part(request, rows.order_by("created_at", "run_id", "position"), "references", _reference))


def _reference(row: SessionContextReference) -> dict[str, Any]:
    return {
        "id": str(row.pk),
        "run": str(row.run_id),
        "position": row.position,
        "rank": row.rank,
        "path": row.path,
        "kind": row.kind,
        "included": row.included,
        "required": row.required,
        "restricted": row.restricted,
        "estimated_tokens": row.estimated_tokens,
        "score": row.score,
        "reason_code": row.reason_code,
        "reason": row.reason,
        "duplicate_of": None if row.duplicate_of_id is None else str(row.duplicate_of_id),
        "created_at": row.created_at.isoformat(),
    }


def _part(request: Request, rows: QuerySet[Any], name: str, document: Any) -> dict[str, Any]:
    """Give the part of a list that `?limit&offset` asks for, and how many there are in all."""
    limit = number_in(request, "limit", 50, least=1, most=200)
    offset = number_in(request, "offset", 0, least=0, most=_MOST_OFFSET)
    held = rows[offset : offset + limit]
    return {name: [document(row) for row in held], "total": rows.count(), "limit": limit, "offset": offset}
