"""`trace_event` and its payload: what happened in a turn, stage by stage."""

from enum import StrEnum

from django.db import models

from selection.models.base import one_of
from selection.models.selection_run import SelectionRun
from selection.models.session import SessionScoped


class EventType(StrEnum):
    """What a trace event tells of."""

    MESSAGE = "message"
    CLASSIFICATION = "classification"
    ROUTING_DECISION = "routing_decision"
    CONTEXT_SELECTION = "context_selection"
    TOOL_CALL = "tool_call"
    APPROVAL = "approval"
    COST = "cost"


class TraceEvent(SessionScoped):
    """One event of a turn."""

    run = models.ForeignKey(SelectionRun, on_delete=models.CASCADE, related_name="trace_events")
    position = models.PositiveIntegerField()
    event_type = models.CharField(max_length=20, choices=[(event.value, event.value) for event in EventType])
    task_type = models.CharField(max_length=16, null=True)
    provider = models.TextField(null=True)
    model = models.TextField(null=True)
    matched_rule = models.TextField(null=True)

    class Meta:
        db_table = "trace_event"
        ordering = ["run", "position"]
        default_permissions = ("view",)
        constraints = [
            models.UniqueConstraint(fields=["run", "position"], name="trace_event_place"),
            one_of(EventType, "trace_event_type", field="event_type"),
        ]


class TraceEventContent(models.Model):
    """The payload of an event: numbers, codes and sentences, never content of a candidate."""

    event = models.OneToOneField(TraceEvent, on_delete=models.CASCADE, primary_key=True, related_name="content")
    payload = models.JSONField()

    class Meta:
        db_table = "trace_event_content"
        default_permissions = ("view",)

    def __str__(self) -> str:
        return f"payload of {self.pk}"
