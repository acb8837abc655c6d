"""The other recorded entities: sessions, turns, runs, routing decisions, traces, memories and catalogs, without their content."""

from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django_tasks_db.models import DBTaskResult

from selection.admin.read_only import ReadOnlyAdmin, listed
from selection.engine.codes import Intent
from selection.models import (
    AuditEntry,
    ContextMemory,
    DecryptPause,
    ModelDescriptor,
    RecalledUserMemory,
    SelectionRun,
    Session,
    SessionMessage,
    SessionRoutingDecision,
    SessionRunInput,
    TraceEvent,
    UserMemory,
)

# A failed task keeps the text of its exception, and that may quote what it worked on.
admin.site.unregister(DBTaskResult)


class TaskFilter(admin.SimpleListFilter):
    """What a turn was for; the choices are the engine's, so that nobody looks for them among the rows."""

    title = "task"
    parameter_name = "task_type"

    def lookups(self, _request: HttpRequest, _model_admin: Any) -> Iterator[tuple[str, str]]:
        """Offer the intents."""
        return ((intent.value, intent.value) for intent in Intent)

    def queryset(self, _request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Keep those of one."""
        return queryset.filter(task_type=self.value()) if self.value() else queryset


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin):
    """The chain: an entry for each recorded run, and for each thing that people did with what was recorded."""

    list_display = ("sequence", "created_at", "kind", "actor", "of_run", "session", "rows", "digest")
    list_filter = ("kind",)
    search_help_text = "the number of an entry, or the id of a run or a session"
    keys = ("run", "session")
    exclude = ("leaves",)

    def named_by(self, term: str) -> Q:
        """Find an entry by its number as well."""
        number = Q(sequence=int(term)) if term.isascii() and term.isdigit() and len(term) < 19 else Q(pk__in=())  # noqa: PLR2004 - what a key can hold
        return super().named_by(term) | number

    @admin.display(description="run")
    def of_run(self, row: AuditEntry) -> Any:
        """Lead to the proof of the run."""
        return "" if row.run is None else proof_of(row.run)


def proof_of(run: object) -> Any:
    """Give a link to the page that holds a run against its entry."""
    return format_html('<a href="{}">{}</a>', reverse("pages:audit_run", args=[run]), str(run)[-12:])


@admin.register(Session)
class SessionAdmin(ReadOnlyAdmin):
    """Sessions, without their titles: many tools make them of the first prompt."""

    exclude = ("title", "import_report")
    list_display = ("id", "whose", "encrypted", "key_id", "created_at", "archived_at", "runs")
    list_filter = ("encrypted",)
    search_help_text = "the id of a session"
    keys = ("id",)

    @admin.display(description="recorded")
    def runs(self, row: Session) -> Any:
        """Lead to the runs."""
        return listed("selectionrun", {"session__id__exact": row.pk}, "runs")


@admin.register(SessionMessage)
class SessionMessageAdmin(ReadOnlyAdmin):
    """Messages, by reference."""

    list_display = ("position", "role", "path", "provider", "model", "in_session", "whose", "created_at")
    list_filter = ("role",)


@admin.register(UserMemory)
class UserMemoryAdmin(ReadOnlyAdmin):
    """What is remembered of users, by key."""

    list_display = ("key", "whose", "created_at", "updated_at")
    search_help_text = "the id of a memory"
    keys = ("id",)


@admin.register(ContextMemory, RecalledUserMemory)
class SessionMemoryAdmin(ReadOnlyAdmin):
    """What sessions remember and recalled, by key."""

    list_display = ("key", "position", "in_session", "whose", "created_at")


@admin.register(ModelDescriptor)
class ModelDescriptorAdmin(ReadOnlyAdmin):
    """Catalogs."""

    list_display = (
        "provider", "model", "local", "auth", "max_context_tokens", "max_output_tokens", "in_session", "whose",
    )  # fmt: skip
    list_filter = ("local", "auth")


@admin.register(SessionRunInput)
class SessionRunInputAdmin(ReadOnlyAdmin):
    """Turns: policy, preferences, paths."""

    list_display = ("position", "in_session", "whose", "created_at")


@admin.register(DecryptPause)
class DecryptPauseAdmin(ReadOnlyAdmin):
    """Pauses: that sealed rows were asked for, and answered."""

    list_display = ("created_at", "rows", "answered_at", "in_session", "whose")


@admin.register(SelectionRun)
class SelectionRunAdmin(ReadOnlyAdmin):
    """Recorded selections."""

    list_display = (
        "created_at", "status", "opened", "error", "model", "destination", "used_tokens", "effective_budget",
        "policy_version", "in_session", "whose", "more",
    )  # fmt: skip
    list_filter = ("status", "error", "destination", "created_at")
    prefetched = ("policy_version__policy",)
    by_time = True

    @admin.display(description="recorded")
    def more(self, row: SelectionRun) -> Any:
        """Lead to the proof, the references, the decision and the events."""
        asked = {"run__id__exact": row.pk}
        links = (
            format_html('<a href="{}">proof</a>', reverse("pages:audit_run", args=[row.pk])),
            listed("sessioncontextreference", asked, "references"),
            listed("sessionroutingdecision", asked, "decision"),
            listed("traceevent", asked, "events"),
        )
        return format_html("{} {} {} {}", *links)


@admin.register(SessionRoutingDecision)
class SessionRoutingDecisionAdmin(ReadOnlyAdmin):
    """Routing decisions."""

    list_display = (
        "created_at", "task_type", "provider", "model", "matched_rule", "fallback_used", "override_used", "of_run", "whose",
    )  # fmt: skip
    list_filter = (TaskFilter, "fallback_used", "override_used")
    search_help_text = "the id of a decision, or of its run or session"
    keys = ("id", "run_id", "session_id")

    @admin.display(description="run")
    def of_run(self, row: SessionRoutingDecision) -> Any:
        """Lead to the run."""
        return proof_of(row.run_id)


@admin.register(TraceEvent)
class TraceEventAdmin(ReadOnlyAdmin):
    """Trace events; a payload holds numbers, codes and sentences, never content."""

    list_display = (
        "created_at", "event_type", "task_type", "provider", "model", "matched_rule", "of_run", "in_session", "whose",
    )  # fmt: skip
    list_filter = ("event_type", TaskFilter)
    search_help_text = "the id of an event, or of its run or session"
    keys = ("id", "run_id", "session_id")
    readonly_fields = ("payload",)

    @admin.display(description="payload")
    def payload(self, row: TraceEvent) -> Any:
        """Show the payload."""
        return row.content.payload

    @admin.display(description="run")
    def of_run(self, row: TraceEvent) -> Any:
        """Lead to the run."""
        return proof_of(row.run_id)
