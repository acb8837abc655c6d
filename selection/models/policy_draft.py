"""`policy_draft`: a policy that somebody is working on, under a name of its own."""

from django.db import models

from selection.models.base import Owned


class PolicyDraft(Owned):
    """A named text in the form of the router's configuration; it need not be valid yet.

    One that is not `kept` was only applied, and is too long for an address: it is named by its digest, and never changes.
    """

    name = models.CharField(max_length=200)
    text = models.TextField()
    kept = models.BooleanField(default=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        db_table = "policy_draft"
        ordering = ["-updated_at", "-id"]
        constraints = [models.UniqueConstraint(fields=["user", "name"], name="policy_draft_name")]

    def __str__(self) -> str:
        return self.name
