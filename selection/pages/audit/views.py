"""The addresses of the audit."""

from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

from selection.actions.audit.export_references import export_references
from selection.actions.audit.exported import read_restricted
from selection.actions.exports import FORMATS
from selection.pages.audit.access import AuditorView, private
from selection.pages.audit.addresses import asked_by
from selection.pages.audit.entries import entries_page
from selection.pages.audit.forms import QuestionForm
from selection.pages.audit.overview import overview_page
from selection.pages.audit.references import counts_page, references_page
from selection.pages.audit.runs import run_page, runs_page
from selection.pages.inspector.look import HtmxRequest


class OverviewView(AuditorView):
    """`/audit/`."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """Show the state of the chain, the month and the questions."""
        return private(request, "detail.html", {"page": overview_page(request)})


class ReferencesView(AuditorView):
    """`/audit/references/`."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """Answer what the address asks; that restricted names were read leaves an entry."""
        page, shown = references_page(request)
        read_restricted(request.user, shown)
        return private(request, "references.html", {"page": page}, 422 if page.form.errors else 200)


class CountsView(AuditorView):
    """`/audit/references/counts/`."""

    def get(self, request: HtmxRequest) -> HttpResponse:
        """Count what an answer is made of: as a fragment to htmx, and as a page to everybody else."""
        asked = asked_by(request.GET)
        form = QuestionForm(asked)
        if not form.is_valid():
            raise Http404
        template = "_counts.html" if request.htmx else "counts.html"
        response = private(request, template, {"page": counts_page(form, asked)})
        response["Vary"] = "HX-Request"
        return response


class ExportView(AuditorView):
    """`/audit/references/export/`."""

    def get(self, request: HttpRequest) -> HttpResponseBase:
        """Send everything that the address asks for, with a manifest."""
        form, shape = QuestionForm(asked_by(request.GET)), request.GET.get("form", "")
        if shape not in FORMATS or not form.is_valid():
            raise Http404
        pieces = export_references(request.user, form.question(), shape)
        response = StreamingHttpResponse(pieces, content_type="application/zip")
        response["Content-Disposition"] = f'attachment; filename="references-{shape}.zip"'
        response["Cache-Control"] = "private, no-store"
        return response


class RunsView(AuditorView):
    """`/audit/runs/`."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """List the runs that the address asks for."""
        page = runs_page(request)
        return private(request, "runs.html", {"page": page}, 422 if page.form.errors else 200)


class RunView(AuditorView):
    """`/audit/runs/<id>/`."""

    def get(self, request: HttpRequest, run_id: UUID) -> HttpResponse:
        """Show a run and whether it is as it was recorded; that restricted names were read leaves an entry."""
        found = run_page(request, run_id)
        if found is None:
            raise Http404
        page, shown = found
        read_restricted(request.user, shown)
        return private(request, "run.html", {"page": page})


class EntriesView(AuditorView):
    """`/audit/entries/`."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """List the chain."""
        context: dict[str, Any] = {"page": entries_page(request)}
        return private(request, "entries.html", context)
