"""`session_message` and its content: the history of a session."""

from django.db import models

from selection.engine.codes import Role
from selection.models.base import Content, one_of
from selection.models.session import SessionScoped


class SessionMessage(SessionScoped):
    """One message. `position` is its place in the history; the clock has no say in it."""

    position = models.PositiveIntegerField()
    recorded_id = models.TextField(null=True)
    recorded_at = models.TextField(null=True)
    role = models.CharField(max_length=16, choices=[(role.value, role.value) for role in Role])
    provider = models.TextField(null=True)
    model = models.TextField(null=True)
    path = models.TextField(null=True)

    class Meta:
        db_table = "session_message"
        ordering = ["session", "position"]
        constraints = [
            models.UniqueConstraint(fields=["session", "position"], name="session_message_place"),
            one_of(Role, "session_message_role", field="role"),
        ]


class SessionMessageContent(Content):
    """What a message says."""

    message = models.OneToOneField(SessionMessage, on_delete=models.CASCADE, primary_key=True, related_name="content")

    class Meta(Content.Meta):
        db_table = "session_message_content"
