"""`session_context_reference`: one row for each candidate of a recorded selection: references and metadata, never content."""

from django.db import models

from selection.engine.codes import Kind, Reason
from selection.models.base import one_of
from selection.models.selection_run import SelectionRun
from selection.models.session import SessionScoped


class SessionContextReference(SessionScoped):
    """One candidate, in or out, and why. The path of a restricted one is withheld unless the policy allows its recording."""

    run = models.ForeignKey(SelectionRun, on_delete=models.CASCADE, related_name="references")
    position = models.PositiveIntegerField()
    rank = models.PositiveIntegerField(null=True)
    path = models.TextField(null=True)
    kind = models.CharField(max_length=16, choices=[(kind.value, kind.value) for kind in Kind])
    included = models.BooleanField()
    required = models.BooleanField()
    restricted = models.BooleanField()
    estimated_tokens = models.BigIntegerField()
    score = models.IntegerField()
    reason_code = models.CharField(
        max_length=20, null=True, choices=[(reason.value, reason.value) for reason in Reason]
    )
    reason = models.TextField()
    duplicate_of = models.ForeignKey("self", null=True, on_delete=models.CASCADE, related_name="+")

    class Meta:
        db_table = "session_context_reference"
        ordering = ["run", "position"]
        constraints = [
            models.UniqueConstraint(fields=["run", "position"], name="context_reference_place"),
            one_of(Kind, "context_reference_kind", field="kind"),
            one_of(Reason, "context_reference_reason", field="reason_code", optional=True),
        ]
        indexes = [
            models.Index(fields=["-created_at"], name="context_reference_by_time"),
        ]
