"""The people that commands work for."""

from typing import Final

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.core.management.base import CommandError

OWNER: Final = "owner"


def local_owner() -> User:
    """Give the owner of this installation, made at the first call: an administrator without a password, who signs in by a link."""
    owner, fresh = get_user_model().objects.get_or_create(
        username=OWNER, defaults={"is_staff": True, "is_superuser": True}
    )
    if fresh:
        owner.set_unusable_password()
        owner.save()
    return owner


def person(name: str | None) -> User:
    """Give the user called `name`; without a name the owner."""
    if name is None or name == OWNER:
        return local_owner()
    try:
        return get_user_model().objects.get(username=name)
    except get_user_model().DoesNotExist as error:
        raise CommandError(f"no user is called `{name}`") from error
