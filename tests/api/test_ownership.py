"""Every endpoint and method, asked by everybody who might: the owner alone gets an answer."""

import json
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.urls import URLPattern
from rest_framework.test import APIClient

from selection.api.urls import urlpatterns
from selection.models import Session

pytestmark = pytest.mark.django_db
METHODS = ("get", "post", "put", "patch", "delete")
REFUSALS = {
    "nobody": (401, "missing_credentials"),
    "expired": (401, "token_expired"),
    "revoked": (401, "invalid_token"),
    "unknown": (401, "invalid_token"),
}


def operations() -> list[tuple[str, str]]:
    """Give every address with every method that it has."""
    found = []
    for pattern in urlpatterns:
        assert isinstance(pattern, URLPattern)
        view = getattr(pattern.callback, "view_class", None)
        if pattern.name in {"unknown", "status"} or view is None:
            continue
        found += [(str(pattern.pattern), method) for method in METHODS if hasattr(view, method)]
    return found


OPERATIONS = operations()
READING = {
    "selections",
    "selections/sweep",
    "selections/flips",
    "selections/compare",
    "policies/validate",
    "policies/paths",
}


def ask(client: APIClient, path: str, method: str, session: object) -> Any:
    address = path.replace("<uuid:session_id>", str(session))
    query = f"?session={session}" if path == "llm/models" else ""
    return getattr(client, method)(
        f"/api/v1/{address}{query}", "{}" if method != "get" else None, content_type="application/json"
    )


def test_the_matrix_is_of_all_operations() -> None:
    assert len(OPERATIONS) >= 20


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_who_has_no_good_token_gets_nothing(
    clients: dict[str, APIClient], session: Session, path: str, method: str
) -> None:
    for who, (status, code) in REFUSALS.items():
        answer = ask(clients[who], path, method, session.pk)
        assert (answer.status_code, answer.json()["error"]["code"]) == (status, code), who
    assert Session.objects.filter(pk=session.pk).exists()


@pytest.mark.parametrize(
    ("path", "method"), [each for each in OPERATIONS if "session_id" in each[0] or each[0] == "llm/models"]
)
def test_to_another_person_a_session_does_not_exist(
    clients: dict[str, APIClient], session: Session, path: str, method: str
) -> None:
    foreign = ask(clients["other"], path, method, session.pk)
    absent = ask(clients["other"], path, method, uuid4())
    assert foreign.status_code == absent.status_code == 404
    assert foreign.json() == absent.json()
    assert Session.objects.filter(pk=session.pk).exists()


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_a_token_that_reads_stores_nothing(
    clients: dict[str, APIClient], session: Session, path: str, method: str
) -> None:
    answer = ask(clients["reader"], path, method, session.pk)
    if method == "get" or path in READING or path.endswith("preview"):
        assert answer.status_code in {200, 422}
    else:
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "insufficient_scope")
    assert Session.objects.filter(pk=session.pk).exists()


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_the_owner_gets_an_answer(clients: dict[str, APIClient], session: Session, path: str, method: str) -> None:
    answer = ask(clients["owner"], path, method, session.pk)
    assert answer.status_code in {200, 201, 204, 422}
    if answer.status_code == 422:
        assert json.loads(answer.content)["error"]["code"] == "invalid_request"
    assert isinstance(session.pk, UUID)
