"""`session_context_reference`: what every prompt contained, by reference."""

from typing import Any, Final

from django.contrib import admin
from django.db.models import Q
from django.http import HttpRequest, HttpResponse

from selection.actions.audit.exported import read_restricted
from selection.actions.audit.search import path_is
from selection.actions.exports import Columns
from selection.admin.entities import proof_of
from selection.admin.export import ExportableAdmin
from selection.models import SessionContextReference

# The columns of the screen.
_COLUMNS: Final[Columns] = {
    "created_at": lambda row: row.created_at.isoformat(),
    "position": lambda row: row.position,
    "kind": lambda row: row.kind,
    "path": lambda row: row.path,
    "included": lambda row: row.included,
    "reason_code": lambda row: row.reason_code,
    "estimated_tokens": lambda row: row.estimated_tokens,
    "required": lambda row: row.required,
    "restricted": lambda row: row.restricted,
    "model": lambda row: row.model,
    "destination": lambda row: row.destination,
    "run": lambda row: str(row.run_id),
    "session": lambda row: str(row.session_id),
    "user": lambda row: row.user.get_username(),
}


@admin.register(SessionContextReference)
class SessionContextReferenceAdmin(ExportableAdmin):
    """The references, newest first."""

    export_columns = _COLUMNS
    export_related = ("user",)
    list_display = (
        "created_at", "position", "kind", "path", "included", "reason_code", "estimated_tokens", "required", "restricted",
        "model", "destination", "of_run", "in_session", "whose",
    )  # fmt: skip
    list_display_links = ("created_at", "position")
    list_filter = ("included", "kind", "reason_code", "required", "restricted", "destination", "created_at")
    search_help_text = "a path, or the id of a run or a session; parts of paths are for the search of the audit"
    keys = ("run_id", "session_id")
    by_time = True

    def named_by(self, term: str) -> Q:
        """Find them by path as well."""
        return super().named_by(term) | path_is(term)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """List them; that restricted names were read leaves an entry."""
        response = super().changelist_view(request, extra_context)
        listed = getattr(response, "context_data", None) or {}
        if "cl" in listed:
            read_restricted(request.user, listed["cl"].result_list)
        return response

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """Give one; as above."""
        found = super().get_object(request, object_id, from_field)
        read_restricted(request.user, [] if found is None else [found])
        return found

    @admin.display(description="run")
    def of_run(self, row: SessionContextReference) -> Any:
        """Lead to the run."""
        return proof_of(row.run_id)
