"""`audit_entry`: the chain. An entry for each recorded run and for each thing that people did with what was recorded, with the digest of the one before."""

from enum import StrEnum

from django.conf import settings
from django.db import models

from selection.models.base import one_of


class AuditKind(StrEnum):
    """What an entry tells of."""

    RUN = "run"
    SIGN_IN = "sign_in"
    READ_RESTRICTED = "read_restricted"
    REVEAL = "reveal"
    POLICY_PREVIEW = "policy_preview"
    EXPORT = "export"
    EXPORT_ENDED = "export_ended"
    RETENTION = "retention"
    VERIFICATION = "verification"


class AuditEntry(models.Model):
    """One link of the chain, never changed and never removed, not even when the rows that it covers are.

    `rows_digest` is the SHA-256 over the digests of the rows of a run, in order, and `leaves` the first 8 bytes of each of these, by which a row that was
    touched is named. `digest` is that of the entry itself, with `previous`, the digest of the entry before. All digests are hex SHA-256, and no entry holds
    content.
    """

    sequence = models.BigIntegerField(primary_key=True)
    kind = models.CharField(max_length=20, choices=[(kind.value, kind.value) for kind in AuditKind])
    created_at = models.DateTimeField()
    # Who did it, by key and by the name that they had then; a person who goes leaves the entry as it is.
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False
    )
    actor = models.CharField(max_length=150, blank=True)
    # Keys alone: what they name may be removed by retention, and the entry stays.
    run = models.UUIDField(null=True, unique=True)
    session = models.UUIDField(null=True)
    rows = models.PositiveIntegerField(default=0)
    rows_digest = models.CharField(max_length=64, blank=True)
    leaves = models.BinaryField(default=bytes)
    payload = models.JSONField(default=dict)
    previous = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)

    class Meta:
        db_table = "audit_entry"
        ordering = ["-sequence"]
        default_permissions = ("view",)
        permissions = [
            ("audit", "Can audit: see what was recorded of all users, by reference"),
            ("retain", "Can apply retention to what was recorded"),
        ]
        verbose_name_plural = "audit entries"
        constraints = [
            one_of(AuditKind, "audit_entry_kind", field="kind"),
            models.CheckConstraint(
                condition=models.Q(kind=AuditKind.RUN.value, run__isnull=False)
                | (~models.Q(kind=AuditKind.RUN.value) & models.Q(run__isnull=True)),
                name="audit_entry_of_a_run",
            ),
        ]
        indexes = [
            models.Index(fields=["kind", "sequence"], name="audit_entry_of_kind"),
            models.Index(fields=["user", "sequence"], name="audit_entry_of_user"),
            models.Index(fields=["session", "sequence"], name="audit_entry_of_session"),
        ]

    def __str__(self) -> str:
        return f"entry {self.sequence}"
