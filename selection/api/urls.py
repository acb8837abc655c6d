"""The addresses of the API."""

from django.urls import path, re_path

from selection.api.views import history, paths, preview, runs, selections, sessions, status
from selection.api.views.unknown import UnknownView

app_name = "api"
urlpatterns = [
    path("status", status.StatusView.as_view(), name="status"),
    path("selections", selections.SelectionsView.as_view(), name="selections"),
    path("selections/sweep", selections.SweepView.as_view(), name="sweep"),
    path("selections/flips", selections.FlipsView.as_view(), name="flips"),
    path("selections/compare", selections.CompareView.as_view(), name="compare"),
    path("policies/validate", selections.PolicyView.as_view(), name="validate_policy"),
    path("policies/paths", paths.PathsView.as_view(), name="test_paths"),
    path("sessions", sessions.SessionsView.as_view(), name="sessions"),
    path("sessions/import", sessions.ImportView.as_view(), name="import"),
    path("sessions/<uuid:session_id>", sessions.SessionView.as_view(), name="session"),
    path("sessions/<uuid:session_id>/export", sessions.ExportView.as_view(), name="export"),
    path("sessions/<uuid:session_id>/messages", history.MessagesView.as_view(), name="messages"),
    path("sessions/<uuid:session_id>/turns", history.TurnsView.as_view(), name="turns"),
    path("sessions/<uuid:session_id>/models", history.CatalogView.as_view(), name="catalog"),
    path("sessions/<uuid:session_id>/traces", history.TracesView.as_view(), name="traces"),
    path("sessions/<uuid:session_id>/context-references", history.ReferencesView.as_view(), name="references"),
    path("sessions/<uuid:session_id>/preview", preview.PreviewView.as_view(), name="preview"),
    path("sessions/<uuid:session_id>/execute", runs.ExecuteView.as_view(), name="execute"),
    path("sessions/<uuid:session_id>/continue", runs.ContinueView.as_view(), name="continue"),
    path("llm/models", history.ModelsView.as_view(), name="models"),
    re_path(r"^.*$", UnknownView.as_view(), name="unknown"),
]
