"""`session_routing_decision`: which model was chosen for a turn, and why."""

from django.db import models

from selection.models.selection_run import SelectionRun
from selection.models.session import SessionScoped


class SessionRoutingDecision(SessionScoped):
    """The routing decision of one recorded selection."""

    run = models.OneToOneField(SelectionRun, on_delete=models.CASCADE, related_name="routing_decision")
    task_type = models.CharField(max_length=16)
    provider = models.TextField(null=True)
    model = models.TextField(null=True)
    matched_rule = models.TextField(null=True)
    fallback_used = models.BooleanField()
    override_used = models.BooleanField()
    reason = models.TextField()

    class Meta:
        db_table = "session_routing_decision"
        ordering = ["-created_at", "-id"]
        default_permissions = ("view",)
