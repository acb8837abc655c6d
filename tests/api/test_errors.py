"""One shape for every refusal, and none for who may not ask."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from rest_framework.test import APIClient

from selection.actions.api_tokens import Scope, TokenState, make_token, token_shown
from selection.models import ApiToken
from tests.api.conftest import client_with, post, token_of

pytestmark = pytest.mark.django_db


def refused(answer: Any) -> tuple[int, str]:
    error = answer.json()["error"]
    assert set(error) == {"code", "message", "details"}
    assert error["message"][0].islower() or error["message"][0] == "`"
    assert not error["message"].endswith(".")
    assert "no-store" in answer["Cache-Control"]
    return answer.status_code, error["code"]


def test_the_status_is_public() -> None:
    answer = client_with(None).get("/api/v1/status")
    assert answer.json()["status"] == "ok"


@pytest.mark.parametrize(
    ("who", "status", "code"),
    [
        ("nobody", 401, "missing_credentials"),
        ("expired", 401, "token_expired"),
        ("revoked", 401, "invalid_token"),
        ("unknown", 401, "invalid_token"),
    ],
)
def test_who_shows_no_good_token_is_told_so(clients: dict[str, APIClient], who: str, status: int, code: str) -> None:
    answer = post(clients[who], "selections", b"{}")
    assert refused(answer) == (status, code)
    assert answer["WWW-Authenticate"] == 'Bearer realm="smista"'


@pytest.mark.parametrize("header", ["Basic YTpi", "Bearer", "Bearer a b", "bearer\tx y z", "Bearer \xff\xfe"])
def test_a_header_that_is_no_bearer_token_is_refused(db: None, header: str) -> None:
    del db
    client = client_with(None)
    client.credentials(HTTP_AUTHORIZATION=header)
    assert refused(post(client, "selections", b"{}")) == (401, "invalid_token")


@pytest.mark.parametrize("name", ["token", "access_token", "api_key", "API-Key", "Authorization", "key", "password"])
def test_credentials_in_an_address_are_refused(api: APIClient, name: str) -> None:
    answer = post(api, f"selections?{name}=smi_secret", b"{}")
    assert refused(answer) == (400, "credentials_in_query")
    assert "smi_secret" not in answer.content.decode()
    assert refused(client_with(None).get(f"/api/v1/status?{name}=x")) == (400, "credentials_in_query")


def test_an_unknown_address_a_wrong_method_and_a_wrong_type_have_the_same_shape(api: APIClient) -> None:
    assert refused(api.get("/api/v1/nowhere")) == (404, "not_found")
    assert refused(api.delete("/api/v1/nowhere/at/all")) == (404, "not_found")
    assert refused(api.get("/api/v1/selections")) == (405, "method_not_allowed")
    assert refused(api.post("/api/v1/selections", b"<a/>", content_type="text/xml")) == (415, "unsupported_media_type")
    assert refused(api.post("/api/v1/selections", b"{}", content_type="application/json", HTTP_ACCEPT="text/html")) == (
        406,
        "not_acceptable",
    )


def test_too_many_requests_are_put_off(ada: User, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    del settings
    monkeypatch.setattr("selection.api.authentication.TokenThrottle.rate", "2/min", raising=False)
    client = client_with(token_of(ada))
    answers = [post(client, "policies/validate", b'{"text": ""}') for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert refused(answers[2]) == (429, "throttled")
    assert int(answers[2]["Retry-After"]) > 0


def test_addresses_without_a_token_are_bounded_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("selection.api.authentication.AddressThrottle.rate", "1/min", raising=False)
    client = client_with(None)
    assert client.get("/api/v1/status").status_code == 200
    assert refused(client.get("/api/v1/status")) == (429, "throttled")


def test_a_token_is_kept_as_a_digest_and_its_use_is_told(ada: User) -> None:
    token, text = make_token(ada, "mine", (Scope.READ,), None)
    row = ApiToken.objects.values().get()
    assert text not in str(row)
    assert row["start"] == text[:8]
    assert token_shown(text).state is TokenState.VALID
    token.refresh_from_db()
    assert token.last_used_at is not None
    ada.is_active = False
    ada.save()
    assert token_shown(text).state is TokenState.UNKNOWN


def test_tokens_are_made_shown_once_and_revoked_on_a_page(as_ada: Client, as_eve: Client) -> None:
    made = as_ada.post("/tokens/", {"name": "ci", "scope": "read", "days": "30"})
    text = made.context["page"].fresh
    assert text in made.content.decode()
    assert "no-store" in made["Cache-Control"]
    listed = as_ada.get("/tokens/").content.decode()
    assert text not in listed
    assert f"{text[:8]}…" in listed
    client = client_with(text)
    assert post(client, "policies/validate", b'{"text": ""}').status_code == 200
    token = ApiToken.objects.get()
    assert token.scopes == ["read"]
    assert as_eve.post(f"/tokens/{token.pk}/revoke/").status_code == 404
    assert post(client, "policies/validate", b'{"text": ""}').status_code == 200
    assert as_ada.post(f"/tokens/{token.pk}/revoke/").status_code == 302
    assert refused(post(client, "policies/validate", b'{"text": ""}')) == (401, "invalid_token")
    assert as_ada.post("/tokens/", {"name": "", "scope": "all", "days": "1"}).status_code == 422
