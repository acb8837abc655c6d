"""The other recorded entities: sessions, turns, runs, routing decisions, traces, memories and catalogs, without their content."""

from typing import Any

from django.contrib import admin
from django_tasks_db.models import DBTaskResult

from selection.admin.read_only import ReadOnlyAdmin
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


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin):
    """The chain: an entry for each recorded run, and for each thing that people did with what was recorded."""

    list_display = ("sequence", "created_at", "kind", "actor", "run", "session", "rows", "digest")
    list_filter = ("kind", "created_at")
    search_fields = ("=sequence", "=run", "=session", "=digest")
    search_help_text = "a number, the id of a run or a session, or a digest"
    exclude = ("leaves",)


@admin.register(Session)
class SessionAdmin(ReadOnlyAdmin):
    """Sessions, without their titles: many tools make them of the first prompt."""

    exclude = ("title", "import_report")
    list_display = ("id", "user", "encrypted", "key_id", "created_at", "archived_at")
    list_filter = ("encrypted", ("user", admin.RelatedOnlyFieldListFilter), "created_at")
    list_select_related = ("user",)
    search_fields = ("=id",)
    date_hierarchy = "created_at"


@admin.register(SessionMessage)
class SessionMessageAdmin(ReadOnlyAdmin):
    """Messages, by reference."""

    list_display = ("position", "role", "path", "provider", "model", "session", "user", "created_at")
    list_filter = ("role", "created_at")
    list_select_related = ("session", "user")
    search_fields = ("path", "=session__id")


@admin.register(UserMemory)
class UserMemoryAdmin(ReadOnlyAdmin):
    """What is remembered of users, by key."""

    list_display = ("key", "user", "created_at", "updated_at")
    list_select_related = ("user",)
    search_fields = ("key",)


@admin.register(ContextMemory, RecalledUserMemory)
class SessionMemoryAdmin(ReadOnlyAdmin):
    """What sessions remember and recalled, by key."""

    list_display = ("key", "position", "session", "user", "created_at")
    list_select_related = ("session", "user")
    search_fields = ("key", "=session__id")


@admin.register(ModelDescriptor)
class ModelDescriptorAdmin(ReadOnlyAdmin):
    """Catalogs."""

    list_display = ("provider", "model", "local", "auth", "max_context_tokens", "max_output_tokens", "session", "user")
    list_filter = ("local", "auth")
    list_select_related = ("session", "user")
    search_fields = ("provider", "model", "=session__id")


@admin.register(SessionRunInput)
class SessionRunInputAdmin(ReadOnlyAdmin):
    """Turns: policy, preferences, paths."""

    list_display = ("position", "session", "user", "created_at")
    list_select_related = ("session", "user")
    search_fields = ("=session__id",)


@admin.register(DecryptPause)
class DecryptPauseAdmin(ReadOnlyAdmin):
    """Pauses: that sealed rows were asked for, and answered."""

    list_display = ("created_at", "rows", "answered_at", "session", "user")
    list_filter = (("user", admin.RelatedOnlyFieldListFilter), "created_at")
    list_select_related = ("session", "user")
    search_fields = ("=session__id",)
    date_hierarchy = "created_at"


@admin.register(SelectionRun)
class SelectionRunAdmin(ReadOnlyAdmin):
    """Recorded selections."""

    list_display = (
        "created_at",
        "status",
        "opened",
        "error",
        "model",
        "destination",
        "used_tokens",
        "effective_budget",
        "policy_version",
        "session",
        "user",
    )
    list_filter = ("status", "error", ("user", admin.RelatedOnlyFieldListFilter), "created_at")
    list_select_related = ("session", "user", "policy_version__policy")
    search_fields = ("model", "=session__id", "=id")
    date_hierarchy = "created_at"


@admin.register(SessionRoutingDecision)
class SessionRoutingDecisionAdmin(ReadOnlyAdmin):
    """Routing decisions."""

    list_display = (
        "created_at",
        "task_type",
        "provider",
        "model",
        "matched_rule",
        "fallback_used",
        "override_used",
        "user",
    )
    list_filter = ("task_type", "fallback_used", "override_used", "created_at")
    list_select_related = ("user",)
    search_fields = ("model", "matched_rule", "=session__id")


@admin.register(TraceEvent)
class TraceEventAdmin(ReadOnlyAdmin):
    """Trace events; a payload holds numbers, codes and sentences, never content."""

    list_display = ("created_at", "event_type", "task_type", "provider", "model", "matched_rule", "session", "user")
    list_filter = ("event_type", "task_type", "created_at")
    list_select_related = ("session", "user")
    search_fields = ("=session__id", "=run__id")
    readonly_fields = ("payload",)

    @admin.display(description="payload")
    def payload(self, row: TraceEvent) -> Any:
        """Show the payload."""
        return row.content.payload
