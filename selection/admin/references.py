"""`session_context_reference`: what every prompt contained, by reference."""

from typing import Any, Final

from django.contrib import admin
from django.http import HttpRequest, HttpResponse

from selection.actions.audit.exported import read_restricted
from selection.actions.exports import Columns
from selection.admin.export import ExportableAdmin
from selection.models import SelectionRun, SessionContextReference

# The columns of the screen.
_COLUMNS: Final[Columns] = {
    "created_at": lambda row: row.created_at.isoformat(),
    "run": lambda row: str(row.run_id),
    "position": lambda row: row.position,
    "kind": lambda row: row.kind,
    "path": lambda row: row.path,
    "included": lambda row: row.included,
    "reason_code": lambda row: row.reason_code,
    "estimated_tokens": lambda row: row.estimated_tokens,
    "required": lambda row: row.required,
    "restricted": lambda row: row.restricted,
    "model": lambda row: row.run.model,
    "session": lambda row: str(row.session_id),
    "user": lambda row: row.user.get_username(),
}


class ModelFilter(admin.SimpleListFilter):
    """The model that served the run."""

    title = "model"
    parameter_name = "model"

    def lookups(self, _request: Any, _model_admin: Any) -> list[tuple[str, str]]:
        """Offer the models that runs name."""
        names = SelectionRun.objects.filter(model__isnull=False).order_by("model").values_list("model", flat=True)
        return [(name, name) for name in names.distinct()[:100] if name]

    def queryset(self, _request: Any, queryset: Any) -> Any:
        """Keep the references of that model's runs."""
        return queryset.filter(run__model=self.value()) if self.value() else queryset


@admin.register(SessionContextReference)
class SessionContextReferenceAdmin(ExportableAdmin):
    """The references, newest first."""

    export_columns = _COLUMNS
    list_display = (
        "created_at",
        "position",
        "kind",
        "path",
        "included",
        "reason_code",
        "estimated_tokens",
        "required",
        "restricted",
        "served_by",
        "destination",
        "session_id",
        "user",
    )
    list_display_links = ("created_at", "position")
    list_filter = (
        "included",
        "kind",
        "reason_code",
        "required",
        "restricted",
        ModelFilter,
        ("user", admin.RelatedOnlyFieldListFilter),
        "created_at",
    )
    list_select_related = ("run", "session", "user")
    search_fields = ("path", "=session__id")
    search_help_text = "a path, or the id of a session"
    date_hierarchy = "created_at"
    ordering = ("-created_at", "run", "position")
    sortable_by = ("created_at", "estimated_tokens")

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

    @admin.display(description="model", ordering="run__model")
    def served_by(self, row: SessionContextReference) -> str:
        """Name the model that served."""
        return row.run.model or ""
