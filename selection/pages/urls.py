"""The addresses of the pages."""

from django.urls import path

from selection.pages import expectations, export, persistence, sessions, tokens
from selection.pages.audit import retention, saved_views
from selection.pages.audit import views as audit
from selection.pages.compare import views as compare
from selection.pages.imports import views as imports
from selection.pages.inspector import candidate_views as candidate
from selection.pages.inspector import policy_views as policy
from selection.pages.inspector import sealed_views as sealed
from selection.pages.inspector import views as inspector
from selection.pages.policies import compare_replays
from selection.pages.policies import paths_views as paths
from selection.pages.policies import replay_views as replay
from selection.pages.policies import views as policies

app_name = "pages"
urlpatterns = [
    path("", sessions.SessionsView.as_view(), name="sessions"),
    path("sessions/import/", imports.ImportView.as_view(), name="import"),
    path("sessions/import/<uuid:job_id>/", imports.ImportJobView.as_view(), name="import_job"),
    path("sessions/<uuid:session_id>/", sessions.SessionView.as_view(), name="session"),
    path("sessions/<uuid:session_id>/delete/", sessions.DeleteView.as_view(), name="delete"),
    path("sessions/<uuid:session_id>/export/", export.ExportView.as_view(), name="export"),
    path("turns/<uuid:turn_id>/", inspector.InspectorView.as_view(), name="turn"),
    path("turns/<uuid:turn_id>/summary/", inspector.SummaryView.as_view(), name="summary"),
    path("turns/<uuid:turn_id>/pause/", sealed.PauseView.as_view(), name="pause"),
    path("turns/<uuid:turn_id>/record/", inspector.RecordView.as_view(), name="record"),
    path("expectations/", expectations.ExpectationsView.as_view(), name="expectations"),
    path(
        "expectations/<uuid:expectation_id>/delete/",
        expectations.DeleteExpectationView.as_view(),
        name="delete_expectation",
    ),
    path("turns/<uuid:turn_id>/expectations/", expectations.PinView.as_view(), name="pin"),
    path("tokens/", tokens.TokensView.as_view(), name="tokens"),
    path("tokens/<uuid:token_id>/revoke/", tokens.RevokeView.as_view(), name="revoke_token"),
    path("paths/", paths.PathsView.as_view(), name="paths"),
    path("policies/", policies.PoliciesView.as_view(), name="policies"),
    path("policies/<uuid:policy_id>/", policies.PolicyView.as_view(), name="policy_object"),
    path("replays/<uuid:replay_id>/", replay.ReplayView.as_view(), name="replay"),
    path(
        "replays/<uuid:replay_id>/compare/<uuid:other_id>/",
        compare_replays.CompareReplaysView.as_view(),
        name="compare_replays",
    ),
    *(
        path(f"replays/<uuid:replay_id>/{what}/", replay.ReplayRowsView.as_view(what=what), name=f"replay_{what}")
        for what in ("decisions", "turns", "paths")
    ),
    path(
        "replays/<uuid:replay_id>/<str:what>/export/<str:form>/",
        replay.ReplayExportView.as_view(),
        name="replay_export",
    ),
    path("turns/<uuid:turn_id>/policy/", policy.PolicyView.as_view(), name="policy"),
    path("drafts/<uuid:draft_id>/delete/", policy.DeleteDraftView.as_view(), name="delete_draft"),
    path("runs/<uuid:run_id>/reproduce/", compare.ReproduceView.as_view(), name="reproduce"),
    path("compare/", compare.CompareView.as_view(), name="compare"),
    path("sessions/<uuid:session_id>/persistence/", persistence.PersistenceView.as_view(), name="persistence"),
    path("audit/", audit.OverviewView.as_view(), name="audit"),
    path("audit/references/", audit.ReferencesView.as_view(), name="audit_references"),
    path("audit/references/counts/", audit.CountsView.as_view(), name="audit_counts"),
    path("audit/references/export/", audit.ExportView.as_view(), name="audit_export"),
    path("audit/runs/", audit.RunsView.as_view(), name="audit_runs"),
    path("audit/runs/<uuid:run_id>/", audit.RunView.as_view(), name="audit_run"),
    path("audit/entries/", audit.EntriesView.as_view(), name="audit_entries"),
    path("audit/retention/", retention.RetentionView.as_view(), name="audit_retention"),
    path("audit/views/", saved_views.SaveView.as_view(), name="save_audit_view"),
    path("audit/views/<uuid:view_id>/", saved_views.SavedView.as_view(), name="audit_view"),
    path("audit/views/<uuid:view_id>/delete/", saved_views.DeleteSavedView.as_view(), name="delete_audit_view"),
    path("turns/<uuid:turn_id>/prompt/", candidate.PromptView.as_view(), name="prompt"),
    path("turns/<uuid:turn_id>/candidates/<int:position>/", candidate.ContentView.as_view(), name="content"),
    path("turns/<uuid:turn_id>/candidates/<int:position>/why/", candidate.WhyView.as_view(), name="why"),
    path("turns/<uuid:turn_id>/candidates/<int:position>/flips/", candidate.FlipsView.as_view(), name="flips"),
]
