"""Tokens of two people, and clients that show them."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.utils import timezone
from rest_framework.test import APIClient

from selection.actions.api_tokens import Scope, make_token, revoke_token

BOTH = (Scope.READ, Scope.WRITE)


@pytest.fixture(autouse=True)
def _unthrottled() -> None:
    """No test is throttled by what another one asked."""
    cache.clear()


def client_with(text: str | None) -> APIClient:
    client = APIClient(HTTP_HOST="127.0.0.1")
    client.raise_request_exception = True
    if text is not None:
        client.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
    return client


def token_of(user: User, *scopes: Scope, days: int = 1) -> str:
    return make_token(user, "test", scopes or BOTH, timezone.now() + timedelta(days=days))[1]


@pytest.fixture
def api(ada: User) -> APIClient:
    return client_with(token_of(ada))


@pytest.fixture
def clients(ada: User, eve: User) -> dict[str, APIClient]:
    """Everybody who might ask."""
    revoked, text = make_token(ada, "revoked", BOTH, None)
    revoke_token(revoked)
    return {
        "owner": client_with(token_of(ada)),
        "other": client_with(token_of(eve)),
        "nobody": client_with(None),
        "expired": client_with(token_of(ada, days=-1)),
        "revoked": client_with(text),
        "unknown": client_with("smi_" + "x" * 43),
        "reader": client_with(token_of(ada, Scope.READ)),
    }


def post(client: APIClient, path: str, body: Any, **headers: Any) -> Any:
    return client.post(f"/api/v1/{path}", body, content_type="application/json", **headers)
