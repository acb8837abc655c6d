"""`api_token`: what a program shows in place of a person; kept as a digest, so that the database gives none away."""

from django.conf import settings
from django.db import models

from selection.models.base import Owned


class ApiToken(Owned):
    """A token of a user. `digest` is the hex SHA-256 of its 256 random bits, `start` the first characters, by which its owner knows it again."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=100)
    start = models.CharField(max_length=12, editable=False)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    scopes = models.JSONField()
    expires_at = models.DateTimeField(null=True)
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "api_token"
        ordering = ["-created_at", "-id"]

    def __str__(self) -> str:
        return self.name
