"""Sessions in and out: import by file or paste, export as a bundle."""

from dataclasses import dataclass
from io import BytesIO
from typing import BinaryIO
from uuid import UUID

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views import View

from selection import queries
from selection.actions.export_bundle import export_bundle
from selection.actions.import_session import ImportedSession, import_session
from selection.documents.bundles import write_bundle
from selection.documents.errors import Fault, InvalidDocument
from selection.importers import FORMATS
from selection.models import SessionRunInput
from selection.pages.sessions import session_or_404

_MOST_PASTED = 10_000_000
_MEGABYTE = 1024 * 1024


class ImportForm(forms.Form):
    """A file, or pasted text: one of the two."""

    file = forms.FileField(required=False, allow_empty_file=True)
    text = forms.CharField(required=False, strip=False, widget=forms.Textarea, max_length=_MOST_PASTED)

    def clean_file(self) -> UploadedFile | None:
        """Bound the file."""
        file: UploadedFile | None = self.cleaned_data["file"]
        if file is not None and (file.size or 0) > settings.MAX_IMPORT_BYTES:
            most = settings.MAX_IMPORT_BYTES // _MEGABYTE
            raise forms.ValidationError(f"larger than {most:,} MB, the most that this server imports")
        return file

    def clean(self) -> dict[str, object]:
        """Ask for exactly one of the two."""
        given = self.cleaned_data
        if not self.errors and bool(given.get("file")) == bool(given.get("text", "").strip()):
            raise forms.ValidationError("choose a file or paste a session, one of the two")
        return given

    def source(self) -> tuple[str, BinaryIO]:
        """Give the name and the bytes of what was given."""
        file = self.cleaned_data["file"]
        if file is not None:
            return file.name, file.file
        return "pasted text", BytesIO(self.cleaned_data["text"].encode("utf-8", "surrogatepass"))


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportPage:
    """The import page: the form, or after an import what it made; `faults` say why nothing was stored."""

    form: ImportForm
    faults: tuple[Fault, ...] = ()
    imported: ImportedSession | None = None
    last_turn: SessionRunInput | None = None
    most_megabytes: int = 0
    formats: tuple[str, ...] = tuple(FORMATS.values())


class ImportView(View):
    """Import a session."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """Ask for a file or a text."""
        return _show(request, ImportForm())

    def post(self, request: HttpRequest) -> HttpResponse:
        """Import it, and show what it gave."""
        form = ImportForm(request.POST, request.FILES)
        if not form.is_valid():
            return _show(request, form, status=422)
        name, file = form.source()
        try:
            imported = import_session(request.user, name, file)
        except InvalidDocument as error:
            return _show(request, form, faults=error.faults, status=422)
        return _show(request, form, imported=imported)


def _show(
    request: HttpRequest,
    form: ImportForm,
    *,
    faults: tuple[Fault, ...] = (),
    imported: ImportedSession | None = None,
    status: int = 200,
) -> HttpResponse:
    most = settings.MAX_IMPORT_BYTES // _MEGABYTE
    last = None if imported is None else queries.last_turn_of(request.user, imported.session)
    page = ImportPage(form=form, faults=faults, imported=imported, last_turn=last, most_megabytes=most)
    return render(request, "selection/import/detail.html", {"page": page}, status=status)


class ExportView(View):
    """Export a session."""

    def get(self, request: HttpRequest, session_id: UUID) -> FileResponse:
        """Send the bundle as a file named by the session's id alone."""
        file = BytesIO()
        write_bundle(export_bundle(session_or_404(request, session_id)), file)
        file.seek(0)
        return FileResponse(
            file, as_attachment=True, filename=f"session-{session_id}.json", content_type="application/json"
        )
