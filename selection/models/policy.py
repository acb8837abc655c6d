"""`policy`, its versions and their stages: a policy as an object that people work on together. Nothing here is ever changed, only added to."""

from enum import StrEnum
from typing import Any

from django.db import models

from selection.models.base import Owned, one_of


class Stage(StrEnum):
    """Where a version stands. One that was never proposed is a draft."""

    PROPOSED = "proposed"
    CURRENT = "current"


class Added(Owned):
    """A row that is added once, and never changed."""

    class Meta:
        abstract = True

    def save(self, *args: Any, **options: Any) -> None:
        """Add the row; one that is there already is refused."""
        if not self._state.adding:
            raise TypeError(f"a row of {self._meta.db_table} is never changed")
        super().save(*args, **options)


class NamedPolicy(Added):
    """A policy by its name; what it says is in its versions."""

    name = models.CharField(max_length=200)

    class Meta:
        db_table = "policy"
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["user", "name"], name="policy_name")]

    def __str__(self) -> str:
        return self.name


class PolicyVersion(Added):
    """One version: the text as the router's configuration, numbered from 1.

    `digest` is that of the policy it reads as, by which recorded runs name it; `text_digest` that of the text. Both are hex SHA-256.
    """

    policy = models.ForeignKey(NamedPolicy, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    text = models.TextField()
    digest = models.CharField(max_length=64)
    text_digest = models.CharField(max_length=64)
    author = models.CharField(max_length=150)
    note = models.CharField(max_length=500, blank=True)

    class Meta:
        db_table = "policy_version"
        ordering = ["policy", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["policy", "number"], name="policy_version_number"),
            models.UniqueConstraint(fields=["policy", "text_digest"], name="policy_version_text"),
        ]
        indexes = [models.Index(fields=["user", "digest"], name="policy_version_digest")]

    def __str__(self) -> str:
        return f"{self.policy.name}, version {self.number}"


class PolicyStage(Added):
    """That somebody proposed a version, or made it the current one. The last such row of each stage is the one in force."""

    policy = models.ForeignKey(NamedPolicy, on_delete=models.CASCADE, related_name="stages")
    version = models.ForeignKey(PolicyVersion, on_delete=models.CASCADE, related_name="stages")
    stage = models.CharField(max_length=20, choices=[(stage.value, stage.value) for stage in Stage])
    author = models.CharField(max_length=150)

    class Meta:
        db_table = "policy_stage"
        ordering = ["-created_at", "-id"]
        constraints = [one_of(Stage, "policy_stage_stage", field="stage")]
        indexes = [models.Index(fields=["policy", "-created_at"], name="policy_stage_of_policy")]
