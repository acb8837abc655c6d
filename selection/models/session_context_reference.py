"""`session_context_reference`: one row for each candidate of a recorded selection: references and metadata, never content."""

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models.functions import Left

from selection.engine.codes import Kind, Reason
from selection.models.base import one_of
from selection.models.selection_run import Destination, SelectionRun
from selection.models.session import Session, SessionScoped

# So much of a path is indexed: a database refuses to index a text of several thousand bytes.
INDEXED_PATH: Final = 256


class SessionContextReference(SessionScoped):
    """One candidate, in or out, and why. The path of a restricted one is withheld unless the policy allows its recording.

    `model` and `destination` are those of the run, here so that a question needs no other table; `destination` is there exactly where the material was in
    a prompt that went somewhere, under its own name or, of a duplicate, under its survivor's. On PostgreSQL the table is partitioned by the month of
    `created_at`, which is the run's.
    """

    # There are very many of these: the database checks the tie to the run, and the chain the rest; each index answers a question.
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False
    )
    session = models.ForeignKey(
        Session, on_delete=models.CASCADE, related_name="%(class)ss", db_constraint=False, db_index=False
    )
    run = models.ForeignKey(SelectionRun, on_delete=models.CASCADE, related_name="references", db_index=False)
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
    duplicate_of = models.ForeignKey(
        "self", null=True, on_delete=models.CASCADE, related_name="+", db_constraint=False, db_index=False
    )
    model = models.TextField(null=True)
    destination = models.CharField(max_length=8, null=True, choices=[(each.value, each.value) for each in Destination])

    class Meta:
        db_table = "session_context_reference"
        ordering = ["run", "position"]
        default_permissions = ("view",)
        constraints = [
            models.UniqueConstraint(fields=["run", "position", "created_at"], name="context_reference_once"),
            one_of(Kind, "context_reference_kind", field="kind"),
            one_of(Reason, "context_reference_reason", field="reason_code", optional=True),
            one_of(Destination, "context_reference_destination", field="destination", optional=True),
        ]
        indexes = [
            models.Index(fields=["created_at", "id"], name="context_reference_newest"),
            models.Index(fields=["user", "created_at", "id"], name="context_reference_of_user"),
            models.Index(fields=["session", "created_at", "id"], name="context_reference_of_session"),
            models.Index(
                fields=["model", "created_at", "id"],
                condition=models.Q(destination__isnull=False),
                name="context_reference_of_model",
            ),
            models.Index(
                Left("path", INDEXED_PATH),
                "created_at",
                "id",
                condition=models.Q(path__isnull=False),
                name="context_reference_of_path",
            ),
            models.Index(
                Left("path", INDEXED_PATH),
                "created_at",
                "id",
                condition=models.Q(path__isnull=False, destination=Destination.REMOTE.value),
                name="context_reference_path_remote",
            ),
            models.Index(
                fields=["created_at", "id"],
                condition=models.Q(restricted=True),
                name="context_reference_restricted",
            ),
        ]
