"""Sessions: list, create, fetch, change, delete, import, export."""

import re
from hashlib import sha256
from io import BytesIO
from typing import Any, Final
from uuid import UUID

from django.http import Http404, HttpResponse
from rest_framework.request import Request
from rest_framework.response import Response

from selection import queries
from selection.actions.audit.exported import exported
from selection.actions.delete_session import delete_session
from selection.actions.export_bundle import export_bundle
from selection.actions.import_session import import_session
from selection.actions.push import KeyReused, change_session, create_session, once
from selection.api import shapes
from selection.api.base import ApiView
from selection.api.described import ONCE, PAGED, Described, described, header, query
from selection.api.errors import NO_STORE, ApiError
from selection.api.paging import invalid, page_of
from selection.documents.bundle import SessionBundle
from selection.documents.bundles import write_bundle
from selection.documents.pushes import NewSession, SessionChange
from selection.documents.requests import read_request
from selection.models import Session

_KEY: Final = re.compile(r"[\x21-\x7e]{1,200}")


def session_or_404(request: Request, session_id: UUID) -> Session:
    """Give a session of the token's user; to everybody else it does not exist."""
    session = queries.session_of(request.user, session_id)
    if session is None:
        raise Http404
    return session


def session_document(session: Session) -> dict[str, Any]:
    """Give a session without its content."""
    return {
        "id": str(session.pk),
        "title": session.title,
        "encrypted": session.encrypted,
        "key_id": session.key_id,
        "created_at": session.created_at.isoformat(),
        "updated_at": session.updated_at.isoformat(),
        "archived_at": None if session.archived_at is None else session.archived_at.isoformat(),
        "messages": getattr(session, "messages", None) or 0,
        "turns": getattr(session, "turns", None) or 0,
    }


def stored_once(request: Request, operation: str, body: bytes, store: Any) -> tuple[dict[str, Any], bool]:
    """Store something, once for each `Idempotency-Key` where the request has one."""
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return store(), False
    if not _KEY.fullmatch(key):
        raise invalid("Idempotency-Key", "is not 1 to 200 visible ASCII characters")
    try:
        return once(request.user, operation, key, body, store)
    except KeyReused:
        raise ApiError(
            "idempotency_key_reused", 409, "this `Idempotency-Key` came with another request before"
        ) from None


def created(document: dict[str, Any], *, replayed: bool) -> Response:
    """Answer that something was stored, now or by an earlier request."""
    headers = {"Idempotent-Replayed": "true"} if replayed else {}
    return ApiView.answer(document, status=201, headers=headers)


def tag_of(document: object) -> str:
    """Give the tag of a document: equal documents have equal tags."""
    return f'"{sha256(repr(document).encode()).hexdigest()[:32]}"'


class SessionsView(ApiView):
    """`GET` and `POST sessions`."""

    @described(
        Described(
            summary="List sessions",
            answers={200: shapes.SessionList},
            refusals=(422,),
            parameters=(*PAGED, query("search", "a part of a title")),
        )
    )
    def get(self, request: Request) -> Response:
        """List the sessions, the last imported first; `?search=` looks in titles."""
        search = request.query_params.get("search", "")[:200].replace("\0", "")
        rows = queries.sessions_of(request.user, search)
        return self.answer(page_of(request, rows, "pk", session_document, newest=True))

    @described(
        Described(
            summary="Begin a session",
            request=NewSession,
            answers={201: shapes.SessionShape},
            refusals=(409,),
            parameters=ONCE,
        )
    )
    def post(self, request: Request) -> Response:
        """Begin a session."""
        body = self.body(request)
        asked = read_request(NewSession, body)

        def store() -> dict[str, Any]:
            return session_document(create_session(request.user, asked))

        document, replayed = stored_once(request, "create_session", body, store)
        return created(document, replayed=replayed)


class SessionView(ApiView):
    """`GET`, `PATCH` and `DELETE sessions/{id}`."""

    @described(
        Described(
            summary="Fetch a session",
            answers={200: shapes.SessionShape, 304: None},
            refusals=(404,),
            parameters=(header("If-None-Match", "the tag of what the client has"),),
        )
    )
    def get(self, request: Request, session_id: UUID) -> Response | HttpResponse:
        """Give a session; 304 where the client has it as it is."""
        document = session_document(session_or_404(request, session_id))
        tag = tag_of(document)
        if request.headers.get("If-None-Match") == tag:
            return HttpResponse(status=304, headers={**NO_STORE, "ETag": tag})
        return self.answer(document, headers={"ETag": tag})

    @described(
        Described(
            summary="Change a session",
            request=SessionChange,
            answers={200: shapes.SessionShape},
            refusals=(404, 412),
            parameters=(header("If-Match", "the tag of what the client has"),),
        )
    )
    def patch(self, request: Request, session_id: UUID) -> Response:
        """Change its title, or put it into the archive or take it out."""
        session = session_or_404(request, session_id)
        self._require_match(request, session)
        change_session(session, read_request(SessionChange, self.body(request)))
        return self.answer(session_document(session_or_404(request, session_id)))

    @described(
        Described(
            summary="Delete a session",
            answers={204: None},
            refusals=(404, 412),
            parameters=(header("If-Match", "the tag of what the client has"),),
        )
    )
    def delete(self, request: Request, session_id: UUID) -> Response:
        """Delete it with all its rows."""
        session = session_or_404(request, session_id)
        self._require_match(request, session)
        delete_session(session)
        return self.answer(None, status=204)

    @staticmethod
    def _require_match(request: Request, session: Session) -> None:
        wanted = request.headers.get("If-Match")
        if wanted is not None and wanted != tag_of(session_document(session)):
            raise ApiError("precondition_failed", 412, "the session is not as it was when it was fetched")


class ImportView(ApiView):
    """`POST sessions/import`: a recorded session of any known format."""

    @described(
        Described(
            summary="Import a recorded session",
            request=SessionBundle,
            answers={201: shapes.Imported},
            refusals=(409,),
            parameters=ONCE,
        )
    )
    def post(self, request: Request) -> Response:
        """Import it, all or nothing."""
        body = self.body(request)

        def store() -> dict[str, Any]:
            imported = import_session(request.user, "request", BytesIO(body))
            session = session_or_404(request, imported.session.pk)
            return {
                "session": session_document(session),
                "report": list(imported.lines),
                "again": imported.again,
                "grown": imported.grown,
            }

        document, replayed = stored_once(request, "import_session", body, store)
        return created(document, replayed=replayed)


class ExportView(ApiView):
    """`GET sessions/{id}/export`: the session as a bundle."""

    @described(
        Described(
            summary="Export a session", answers={200: {"$ref": "#/components/schemas/SessionBundle"}}, refusals=(404,)
        )
    )
    def get(self, request: Request, session_id: UUID) -> HttpResponse:
        """Give the bundle."""
        file = BytesIO()
        session = session_or_404(request, session_id)
        exported(request.user, "session", "json", {"by": "api"}, session=session.pk)
        write_bundle(export_bundle(session), file)
        return HttpResponse(file.getvalue(), content_type="application/json", headers=NO_STORE)
