"""`decrypt_pause`: a turn that waits for sealed rows to be opened by the client ("Sealed history" in domain.md)."""

from django.db import models

from selection.models.session import SessionScoped
from selection.models.session_run_input import SessionRunInput


class DecryptPause(SessionScoped):
    """That rows were asked for, how many, and whether they were answered; never what they hold.

    `asked_digest` names the turn and the rows as they were when they were asked for, `result_digest` the selection that the answer gave: sizes, states and
    names, no content. Both are hex SHA-256.
    """

    run_input = models.ForeignKey(SessionRunInput, on_delete=models.CASCADE, related_name="pauses")
    asked_digest = models.CharField(max_length=64)
    rows = models.PositiveIntegerField()
    answered_at = models.DateTimeField(null=True)
    result_digest = models.CharField(max_length=64, null=True)

    class Meta:
        db_table = "decrypt_pause"
        ordering = ["-created_at", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["run_input", "asked_digest"], name="decrypt_pause_once"),
            models.CheckConstraint(
                condition=models.Q(answered_at__isnull=True, result_digest__isnull=True)
                | models.Q(answered_at__isnull=False, result_digest__isnull=False),
                name="decrypt_pause_answered",
            ),
        ]
