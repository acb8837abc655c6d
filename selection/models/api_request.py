"""`api_request`: that a program asked for something to be stored, so that asking again stores it once."""

from django.db import models

from selection.models.base import Owned


class ApiRequest(Owned):
    """One request by its `Idempotency-Key`. `answer` holds ids and numbers; `digest` is that of the request, hex SHA-256."""

    operation = models.CharField(max_length=200)
    key = models.CharField(max_length=200)
    digest = models.CharField(max_length=64)
    answer = models.JSONField()

    class Meta:
        db_table = "api_request"
        ordering = ["-created_at", "-id"]
        constraints = [models.UniqueConstraint(fields=["user", "operation", "key"], name="api_request_once")]
