"""`selection_run`: one recorded selection of a turn ("What is recorded" in domain.md)."""

from enum import StrEnum

from django.db import models

from selection.engine.codes import SelectionError, Status
from selection.models.base import one_of
from selection.models.policy import PolicyVersion
from selection.models.session import SessionScoped
from selection.models.session_run_input import SessionRunInput


class Destination(StrEnum):
    """Where a prompt went: to a model on this machine, or away from it. Nowhere, while a run waits, was denied, or found no model."""

    LOCAL = "local"
    REMOTE = "remote"


class SelectionRun(SessionScoped):
    """A selection as it was recorded: sizes in tokens, digests as hex SHA-256 of the canonical JSON. Never changed afterwards."""

    run_input = models.ForeignKey(SessionRunInput, on_delete=models.CASCADE, related_name="runs")
    # Given by who records: the same key twice is the same recording.
    idempotency_key = models.UUIDField(editable=False)
    status = models.CharField(max_length=20, choices=[(status.value, status.value) for status in Status])
    # Whether sealed rows had been opened when it was decided: then no one without the key can select the same again.
    opened = models.BooleanField(default=False)
    error = models.CharField(max_length=40, null=True, choices=[(error.value, error.value) for error in SelectionError])
    model = models.TextField(null=True)
    destination = models.CharField(max_length=8, null=True, choices=[(each.value, each.value) for each in Destination])
    window = models.BigIntegerField(null=True)
    reply_reserve = models.BigIntegerField(null=True)
    effective_budget = models.BigIntegerField(null=True)
    required_tokens = models.BigIntegerField(null=True)
    used_tokens = models.BigIntegerField(null=True)
    attempts = models.JSONField(default=list)
    # The version of a named policy that decided; empty only in runs that were recorded before policies had versions.
    policy_version = models.ForeignKey(PolicyVersion, null=True, on_delete=models.SET_NULL, related_name="runs")
    policy_digest = models.CharField(max_length=64)
    input_digest = models.CharField(max_length=64)
    catalog_digest = models.CharField(max_length=64)
    engine_version = models.CharField(max_length=20)

    class Meta:
        db_table = "selection_run"
        ordering = ["-created_at", "-id"]
        default_permissions = ("view",)
        constraints = [
            models.UniqueConstraint(fields=["user", "idempotency_key"], name="selection_run_once"),
            one_of(Status, "selection_run_status", field="status"),
            one_of(SelectionError, "selection_run_error", field="error", optional=True),
            one_of(Destination, "selection_run_destination", field="destination", optional=True),
        ]
        indexes = [
            models.Index(fields=["run_input", "-created_at"], name="selection_run_of_turn"),
            models.Index(fields=["created_at", "id"], name="selection_run_newest"),
            models.Index(fields=["policy_version", "created_at", "id"], name="selection_run_of_version"),
            models.Index(fields=["model", "created_at", "id"], name="selection_run_of_model"),
        ]
