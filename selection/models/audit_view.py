"""`audit_view`: a search of the audit that somebody keeps under a name."""

from django.db import models

from selection.models.base import Owned


class AuditView(Owned):
    """A saved search: `query` is the address's own, without the place in the list."""

    name = models.CharField(max_length=120)
    query = models.CharField(max_length=4_000, blank=True)

    class Meta:
        db_table = "audit_view"
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["user", "name"], name="audit_view_name")]

    def __str__(self) -> str:
        return self.name
