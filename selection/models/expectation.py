"""`expectation`: what somebody expects a turn to select under a what-if, so that a policy can be tested."""

from django.db import models

from selection.models.session import SessionScoped
from selection.models.session_run_input import SessionRunInput


class Expectation(SessionScoped):
    """A named expectation: the knobs that are changed, who serves, and one row for each candidate; references and metadata, never content."""

    run_input = models.ForeignKey(SessionRunInput, on_delete=models.CASCADE, related_name="expectations")
    name = models.CharField(max_length=200)
    knobs = models.JSONField(default=dict)
    model = models.TextField(null=True)
    error = models.CharField(max_length=40, null=True)
    expected = models.JSONField(default=list)

    class Meta:
        db_table = "expectation"
        ordering = ["name", "id"]
        constraints = [models.UniqueConstraint(fields=["user", "name"], name="expectation_name")]

    def __str__(self) -> str:
        return self.name
