"""`session_run_input` and its content: what a turn brought, beside the history."""

from django.db import models

from selection.models.session import SessionScoped
from selection.models.session_message import SessionMessage


class SessionRunInput(SessionScoped):
    """One turn. Its history is the messages up to and including `after_message`; without one, none."""

    position = models.PositiveIntegerField()
    recorded_at = models.TextField(null=True)
    after_message = models.ForeignKey(SessionMessage, null=True, on_delete=models.CASCADE, related_name="+")
    policy = models.JSONField()
    local_preferences = models.JSONField()
    workspace = models.JSONField()
    credentials = models.JSONField()

    class Meta:
        db_table = "session_run_input"
        ordering = ["session", "position"]
        constraints = [models.UniqueConstraint(fields=["session", "position"], name="session_run_input_place")]


class SessionRunInputContent(models.Model):
    """The turn's content as JSON, each text plain or in an envelope of its own: the prompt, the attachments, the diff."""

    run_input = models.OneToOneField(
        SessionRunInput, on_delete=models.CASCADE, primary_key=True, related_name="content"
    )
    input = models.JSONField()
    attachments = models.JSONField()
    git_diff = models.JSONField(null=True)

    class Meta:
        db_table = "session_run_input_content"

    def __str__(self) -> str:
        return f"content of {self.pk}"
