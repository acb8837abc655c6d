"""What the audit counts as it is recorded, so that nobody counts rows: references by day and by what a facet shows, and the paths that were ever named."""

from django.db import models

from selection.models.selection_run import Destination


class AuditTally(models.Model):
    """How many references of a day share these properties, their tokens, and how many of them name a path.

    `user_id` is 0 in the tally of all users. Text is empty where a reference has none. Invariant: `id` is that of the properties, so that one set has one row.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    day = models.DateField()
    user_id = models.BigIntegerField()
    model = models.TextField(blank=True)
    destination = models.CharField(max_length=8, blank=True)
    kind = models.CharField(max_length=16)
    included = models.BooleanField()
    reason_code = models.CharField(max_length=20, blank=True)
    restricted = models.BooleanField()
    references = models.BigIntegerField()
    tokens = models.BigIntegerField()
    paths = models.BigIntegerField()

    class Meta:
        db_table = "audit_tally"
        default_permissions = ()
        ordering = ["day"]
        indexes = [
            models.Index(fields=["user_id", "day"], name="audit_tally_of_day"),
            # What should hardly ever be: whoever asks about it is answered at once.
            models.Index(
                fields=["user_id", "day"],
                condition=models.Q(restricted=True, destination=Destination.REMOTE.value),
                name="audit_tally_restricted_left",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.day}: {self.references}"


class RecordedPath(models.Model):
    """A path that some reference names. `id` is made of its SHA-256, since a path may be longer than a database indexes."""

    id = models.UUIDField(primary_key=True, editable=False)
    path = models.TextField()

    class Meta:
        db_table = "recorded_path"
        default_permissions = ()
        ordering = ["path"]

    def __str__(self) -> str:
        return str(self.pk)


EVERYBODY = 0
