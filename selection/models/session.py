"""`session`: one conversation of a user with a router."""

from django.conf import settings
from django.db import models

from selection.models.base import Owned


class Session(Owned):
    """A session. Encrypted or not is fixed at creation, and a key id is present exactly when it is.

    Times are kept as recorded beside the times of the row, so that an export says what the import said.
    """

    title = models.CharField(max_length=500, null=True)
    encrypted = models.BooleanField(default=False, editable=False)
    key_id = models.CharField(max_length=200, null=True, editable=False)
    updated_at = models.DateTimeField(auto_now=True)
    archived_at = models.DateTimeField(null=True, blank=True)
    recorded = models.JSONField(default=dict, editable=False)
    # What the import had to say; empty where a program made the session.
    import_report = models.JSONField(default=dict, editable=False)
    # SHA-256 of the file that it was imported from, by which the same file is known again.
    source_digest = models.CharField(max_length=64, null=True, editable=False)
    # The recording's own name for the session, by which a later recording of it is known.
    source_id = models.CharField(max_length=300, null=True, editable=False)
    # The recorded name of the first message, which a copy of the session shares; and the session that this one goes on from, with how many messages it shares.
    begins_with = models.CharField(max_length=300, null=True, editable=False)
    continues = models.ForeignKey("self", null=True, editable=False, on_delete=models.SET_NULL, related_name="+")
    shared_messages = models.PositiveIntegerField(default=0, editable=False)

    class Meta:
        db_table = "session"
        ordering = ["-created_at", "-id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(encrypted=True, key_id__isnull=False)
                | models.Q(encrypted=False, key_id__isnull=True),
                name="session_key_exactly_when_encrypted",
            ),
            models.UniqueConstraint(fields=["user", "source_digest"], name="session_of_one_file"),
        ]
        indexes = [
            models.Index(fields=["user", "-created_at"], name="session_of_user"),
            models.Index(fields=["user", "source_id"], name="session_of_source"),
            models.Index(fields=["user", "begins_with"], name="session_of_beginning"),
        ]

    def __str__(self) -> str:
        """Not the title, which many tools make of the first prompt."""
        return str(self.pk)


class SessionScoped(Owned):
    """A row of a session; it goes when the session goes. `recorded` holds ids and times as the import gave them."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="%(class)ss")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")

    class Meta:
        abstract = True
