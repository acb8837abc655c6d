"""`user_memory` and `context_memory`, each with its content, and the user memory as a session recalled it."""

from django.db import models

from selection.models.base import Content, Owned
from selection.models.session import SessionScoped

_KEYED = models.Q(key__isnull=False)


class UserMemory(Owned):
    """A fact remembered of a user, in all sessions; it outlives every one of them."""

    key = models.TextField(null=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        db_table = "user_memory"
        ordering = ["id"]
        verbose_name_plural = "user memories"
        constraints = [models.UniqueConstraint(fields=["user", "key"], condition=_KEYED, name="user_memory_key")]


class UserMemoryContent(models.Model):
    """What is remembered: always plain, so that every session can read it."""

    memory = models.OneToOneField(UserMemory, on_delete=models.CASCADE, primary_key=True, related_name="content")
    plaintext = models.TextField()

    class Meta:
        db_table = "user_memory_content"

    def __str__(self) -> str:
        return f"content of {self.pk}"


class ContextMemory(SessionScoped):
    """A fact remembered of a session."""

    position = models.PositiveIntegerField()
    key = models.TextField(null=True)
    updated_at = models.DateTimeField(auto_now=True)
    recorded = models.JSONField(default=dict)

    class Meta:
        db_table = "context_memory"
        ordering = ["session", "position"]
        verbose_name_plural = "context memories"
        constraints = [
            models.UniqueConstraint(fields=["session", "key"], condition=_KEYED, name="context_memory_key"),
            models.UniqueConstraint(fields=["session", "position"], name="context_memory_place"),
        ]


class ContextMemoryContent(Content):
    """What is remembered."""

    memory = models.OneToOneField(ContextMemory, on_delete=models.CASCADE, primary_key=True, related_name="content")

    class Meta(Content.Meta):
        db_table = "context_memory_content"


class RecalledUserMemory(SessionScoped):
    """A user memory as a session recalled it.

    `user_memory` changes and goes with the user's wishes; what a recorded turn held does not, or no turn could be replayed.
    """

    position = models.PositiveIntegerField()
    key = models.TextField(null=True)
    recorded = models.JSONField(default=dict)

    class Meta:
        db_table = "recalled_user_memory"
        ordering = ["session", "position"]
        verbose_name_plural = "recalled user memories"
        constraints = [
            models.UniqueConstraint(fields=["session", "key"], condition=_KEYED, name="recalled_user_memory_key"),
            models.UniqueConstraint(fields=["session", "position"], name="recalled_user_memory_place"),
        ]


class RecalledUserMemoryContent(models.Model):
    """What was recalled: always plain."""

    memory = models.OneToOneField(
        RecalledUserMemory, on_delete=models.CASCADE, primary_key=True, related_name="content"
    )
    plaintext = models.TextField()

    class Meta:
        db_table = "recalled_user_memory_content"

    def __str__(self) -> str:
        return f"content of {self.pk}"
