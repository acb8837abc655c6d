"""Export what a list shows: all that matches its filter, with the columns of the screen and a manifest, streamed; what a spreadsheet would run is text."""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from django.contrib.admin.options import IncorrectLookupParameters
from django.http import Http404, HttpRequest, HttpResponseBadRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path
from django.utils import timezone

from selection.actions.audit.exported import ended, exported
from selection.actions.exports import FORMATS, Columns, stream_export
from selection.admin.read_only import ReadOnlyAdmin

_AT_ONCE: Final = 2_000


class ExportableAdmin(ReadOnlyAdmin):
    """An audit page whose list can be exported; `export_columns` give the columns of the screen as plain values, `export_related` what they need beside."""

    export_columns: Columns = {}
    export_related: tuple[str, ...] = ()
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
        what = str(self.opts.model_name)
        head = exported(request.user, what, form, {"filter": sorted(request.GET)})
        about = {"of": what, "filter": _filter(request), "made_at": timezone.now().isoformat(), "chain_head": head}
        found = rows.select_related(*self.export_related).iterator(chunk_size=_AT_ONCE)
        end = partial(ended, request.user, began=head["sequence"])
        pieces = stream_export(what, form, found, self.export_columns, about, end)
        response = StreamingHttpResponse(pieces, content_type="application/zip")
        response["Content-Disposition"] = f'attachment; filename="{what}-{form}.zip"'
        response["Cache-Control"] = "private, no-store"
        return response


def _filter(request: HttpRequest) -> Mapping[str, Any]:
    return {name: str(value) for name, value in request.GET.items() if name != "place"}
