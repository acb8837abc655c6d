"""Tokens of the API: made once and shown once, known by their digest, refused once they are revoked or have expired."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import sha256
from typing import Final

from django.utils import timezone

from selection.models import ApiToken, Owner
from selection.models.base import key_of

_MARK: Final = "smi_"
_SHOWN: Final = 8
# A last use is told to the minute: a write for every request would cost more than it tells.
_USE_TOLD: Final = timedelta(minutes=1)


class Scope(StrEnum):
    """What a token may do: `read` asks and previews, `write` stores and deletes as well."""

    READ = "read"
    WRITE = "write"


class TokenState(StrEnum):
    """What is to be said of a text that was shown as a token."""

    VALID = "valid"
    UNKNOWN = "unknown"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class Shown:
    """What a shown text is; `token` where it is a valid one."""

    state: TokenState
    token: ApiToken | None = None


def make_token(user: Owner, name: str, scopes: tuple[Scope, ...], expires_at: datetime | None) -> tuple[ApiToken, str]:
    """Make a token; its text is given here and nowhere again."""
    text = f"{_MARK}{secrets.token_urlsafe(32)}"
    token = ApiToken.objects.create(
        user_id=key_of(user),
        name=name,
        start=text[:_SHOWN],
        digest=_digest(text),
        scopes=[scope.value for scope in scopes],
        expires_at=expires_at,
    )
    return token, text


def token_shown(text: str) -> Shown:
    """Tell what a text is; a revoked token is as unknown as one that never was."""
    token = ApiToken.objects.select_related("user").filter(digest=_digest(text)).first()
    if token is None or token.revoked_at is not None or not token.user.is_active:
        return Shown(TokenState.UNKNOWN)
    now = timezone.now()
    if token.expires_at is not None and token.expires_at <= now:
        return Shown(TokenState.EXPIRED)
    if token.last_used_at is None or now - token.last_used_at > _USE_TOLD:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
    return Shown(TokenState.VALID, token)


def revoke_token(token: ApiToken) -> None:
    """Make a token good for nothing, from now on; twice is once."""
    ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now())


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
