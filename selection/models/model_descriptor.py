"""`model_descriptor`: the catalog of a session."""

from django.db import models

from selection.engine.codes import Auth
from selection.models.base import one_of
from selection.models.session import SessionScoped


class ModelDescriptor(SessionScoped):
    """One model as a session's router knew it; sizes in tokens, costs per million tokens as decimal text."""

    position = models.PositiveIntegerField()
    provider = models.TextField()
    model = models.TextField()
    display_name = models.TextField(null=True)
    local = models.BooleanField()
    auth = models.CharField(max_length=20, choices=[(auth.value, auth.value) for auth in Auth])
    capabilities = models.JSONField(default=dict)
    max_context_tokens = models.BigIntegerField()
    max_output_tokens = models.BigIntegerField(null=True)
    input_cost_per_million = models.TextField(null=True)
    output_cost_per_million = models.TextField(null=True)

    class Meta:
        db_table = "model_descriptor"
        ordering = ["session", "position"]
        constraints = [
            models.UniqueConstraint(fields=["session", "provider", "model"], name="model_descriptor_name"),
            models.UniqueConstraint(fields=["session", "position"], name="model_descriptor_place"),
            models.CheckConstraint(condition=models.Q(max_context_tokens__gte=0), name="model_descriptor_window"),
            one_of(Auth, "model_descriptor_auth", field="auth"),
        ]

    def __str__(self) -> str:
        return f"{self.provider}/{self.model}"
