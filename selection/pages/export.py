"""Sessions out: export as a bundle."""

from io import BytesIO
from uuid import UUID

from django.http import FileResponse, HttpRequest
from django.views import View

from selection.actions.audit.exported import exported
from selection.actions.export_bundle import export_bundle
from selection.documents.bundles import write_bundle
from selection.pages.sessions import session_or_404


class ExportView(View):
    """Export a session."""

    def get(self, request: HttpRequest, session_id: UUID) -> FileResponse:
        """Send the bundle as a file named by the session's id alone."""
        file, session = BytesIO(), session_or_404(request, session_id)
        exported(request.user, "session", "json", {}, session=session.pk)
        write_bundle(export_bundle(session), file)
        file.seek(0)
        return FileResponse(
            file, as_attachment=True, filename=f"session-{session_id}.json", content_type="application/json"
        )
