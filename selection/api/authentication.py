"""Who asks: a bearer token in the `Authorization` header, never in an address."""

from typing import Any, Final

from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from selection.actions.api_tokens import Scope, TokenState, token_shown
from selection.api.errors import ApiError

_IN_ADDRESSES: Final = frozenset(
    {"token", "access_token", "api_key", "apikey", "authorization", "bearer", "key", "password"}
)
_PARTS: Final = 2


class BearerAuthentication(BaseAuthentication):
    """Reads the token that a request shows."""

    def authenticate(self, request: Request) -> tuple[Any, Any] | None:
        """Give the user and the token; None where no token is shown. Raises `ApiError` for one that is not good."""
        parts = get_authorization_header(request).split()
        if not parts:
            return None
        if len(parts) != _PARTS or parts[0].lower() != b"bearer":
            raise ApiError("invalid_token", 401, "the header is not `Authorization: Bearer <token>`")
        shown = token_shown(parts[1].decode("latin-1"))
        if shown.state is TokenState.EXPIRED:
            raise ApiError("token_expired", 401, "the token has expired")
        if shown.token is None:
            raise ApiError("invalid_token", 401, "the token is not known, or was revoked")
        return shown.token.user, shown.token

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002 - the same for all
        """Say how to authenticate."""
        return 'Bearer realm="smista"'


def refuse_credentials_in_query(request: Request) -> None:
    """Refuse an address that carries credentials: it is written to logs and histories all along the way."""
    if any(name.lower().replace("-", "_") in _IN_ADDRESSES for name in request.query_params):
        raise ApiError(
            "credentials_in_query", 400, "credentials do not belong in an address; use `Authorization: Bearer <token>`"
        )


class HasScope(BasePermission):
    """Lets a token do what its scopes say: reading asks for `read`, all else for `write`, unless the view says otherwise."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Tell whether the token may; raises where none was shown."""
        token: Any = request.auth
        if token is None:
            return False
        wanted = getattr(view, "scope", Scope.READ if request.method in {"GET", "HEAD", "OPTIONS"} else Scope.WRITE)
        if wanted.value not in token.scopes:
            raise PermissionDenied
        return True


class TokenThrottle(SimpleRateThrottle):
    """Bounds what one token may ask in a minute."""

    scope = "token"

    def get_cache_key(self, request: Request, view: Any) -> str | None:  # noqa: ARG002 - of the base
        """Count by token."""
        return f"throttle:token:{request.auth.pk}" if request.auth is not None else None


class AddressThrottle(SimpleRateThrottle):
    """Bounds what one address may ask in a minute without a token, or with one that is not good."""

    scope = "address"

    def get_cache_key(self, request: Request, view: Any) -> str | None:  # noqa: ARG002 - of the base
        """Count by address."""
        return f"throttle:address:{self.get_ident(request)}" if request.auth is None else None
