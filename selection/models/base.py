"""What all rows share: a time-ordered key, an owner, and the query that asks for the owner ("Storage entities" in domain.md)."""

from typing import Any, Generic, Self, TypeVar
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.db import models
from django.utils import timezone
from uuid_utils import uuid7 as fresh_uuid
from uuid_utils.compat import uuid7

Owner = User | AnonymousUser


def key_of(user: Owner) -> int:
    """Give the key of a user; nobody owns nothing."""
    if user.pk is None:
        raise PermissionError("nobody is signed in")
    return user.pk


def new_id() -> UUID:
    """Give a fresh UUIDv7: later rows sort after earlier ones."""
    return uuid7()


def new_key() -> str:
    """Give a fresh UUIDv7 as hexadecimal text, for rows that are written without an object of their own."""
    return fresh_uuid().hex


Row = TypeVar("Row", bound=models.Model)


class OwnedQuerySet(models.QuerySet[Row], Generic[Row]):
    """Rows that belong to users."""

    def owned_by(self, user: Owner) -> Self:
        """Keep the rows of one user; to everybody else they do not exist."""
        return self.filter(user_id=user.pk)


OwnedManager = models.Manager.from_queryset(OwnedQuerySet)


class Owned(models.Model):
    """A row of a user."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)

    objects = OwnedManager()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return str(self.pk)


class Content(models.Model):
    """The content of a row, apart from it: in plain text, or sealed in an envelope; exactly one of the two."""

    plaintext = models.TextField(null=True)
    envelope = models.JSONField(null=True)

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                condition=models.Q(plaintext__isnull=False, envelope__isnull=True)
                | models.Q(plaintext__isnull=True, envelope__isnull=False),
                name="%(class)s_plain_or_sealed",
            )
        ]

    def __str__(self) -> str:
        return f"content of {self.pk}"


def one_of(codes: Any, name: str, *, field: str, optional: bool = False) -> models.CheckConstraint:
    """Say in the database that a field holds one of the wire values of `codes`."""
    condition = models.Q(**{f"{field}__in": sorted(code.value for code in codes)})
    if optional:
        condition |= models.Q(**{f"{field}__isnull": True})
    return models.CheckConstraint(condition=condition, name=name)
