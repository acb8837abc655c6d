"""Export what a list shows: everything that matches its filter, with the columns of the screen, streamed; cells that a spreadsheet would run are text."""

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from django.contrib.admin.options import IncorrectLookupParameters
from django.http import Http404, HttpRequest, HttpResponseBadRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path

from selection.admin.read_only import ReadOnlyAdmin

_AT_ONCE: Final = 2_000
# What a spreadsheet takes for a formula, at the beginning of a cell.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")

Columns = Mapping[str, Callable[[Any], Any]]


class _Echo:
    """A file that gives back what is written to it."""

    def write(self, text: str) -> str:
        """Give it back."""
        return text


def cell(value: object) -> object:
    """Give a value as a cell of a spreadsheet shows it: text that would be a formula begins with an apostrophe."""
    if value is None:
        return ""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def _csv(rows: Iterable[Any], columns: Columns) -> Iterator[str]:
    writer = csv.writer(_Echo())
    yield writer.writerow(columns)
    for row in rows:
        yield writer.writerow([cell(value(row)) for value in columns.values()])


def _ndjson(rows: Iterable[Any], columns: Columns) -> Iterator[str]:
    for row in rows:
        yield json.dumps({name: value(row) for name, value in columns.items()}) + "\n"


_FORMATS: Final[dict[str, tuple[str, Callable[[Iterable[Any], Columns], Iterator[str]]]]] = {
    "csv": ("text/csv; charset=utf-8", _csv),
    "ndjson": ("application/x-ndjson", _ndjson),
}


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
        if form not in _FORMATS or not self.has_view_permission(request):
            raise Http404
        try:
            rows = self.get_changelist_instance(request).get_queryset(request)
        except IncorrectLookupParameters:
            return HttpResponseBadRequest("a filter of this address cannot be read", content_type="text/plain")
        kind, write = _FORMATS[form]
        response = StreamingHttpResponse(
            write(rows.iterator(chunk_size=_AT_ONCE), self.export_columns), content_type=kind
        )
        response["Content-Disposition"] = f'attachment; filename="{self.opts.model_name}.{form}"'
        response["Cache-Control"] = "private, no-store"
        return response
