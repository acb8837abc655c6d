"""Export what a list shows: everything that matches its filter, with the columns of the screen, streamed; cells that a spreadsheet would run are text."""

from typing import Final

from django.contrib.admin.options import IncorrectLookupParameters
from django.http import Http404, HttpRequest, HttpResponseBadRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path

from selection.actions.audit.exported import exported
from selection.actions.exports import FORMATS, Columns, write_rows
from selection.admin.read_only import ReadOnlyAdmin

_AT_ONCE: Final = 2_000


class ExportableAdmin(ReadOnlyAdmin):
    """An audit page whose list can be exported; `export_columns` give the columns of the screen as plain values."""

    export_columns: Columns = {}
    change_list_template = "admin/selection/exportable_change_list.html"

    def get_urls(self) -> list[URLPattern]:
        """Add the addresses of the exports."""
        name = f"{self.opts.app_label}_{self.opts.model_name}_export"
        return [path("export/<str:form>/", self.admin_site.admin_view(self.export), name=name), *super().get_urls()]

    def export(self, request: HttpRequest, form: str) -> HttpResponseBase:
        """Send all rows that the same address would list, page by page."""
        if form not in FORMATS or not self.has_view_permission(request):
            raise Http404
        try:
            rows = self.get_changelist_instance(request).get_queryset(request)
        except IncorrectLookupParameters:
            return HttpResponseBadRequest("a filter of this address cannot be read", content_type="text/plain")
        exported(request.user, str(self.opts.model_name), form, {"filter": sorted(request.GET)})
        lines = write_rows(rows.iterator(chunk_size=_AT_ONCE), self.export_columns, form)
        response = StreamingHttpResponse(lines, content_type=FORMATS[form])
        response["Content-Disposition"] = f'attachment; filename="{self.opts.model_name}.{form}"'
        response["Cache-Control"] = "private, no-store"
        return response
