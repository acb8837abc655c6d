"""The schema is true: it is the one that is committed, and whatever is asked along it is answered along it."""

import json
import os
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
import schemathesis
import schemathesis.checks
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from django.test import Client
from hypothesis import HealthCheck, settings
from schemathesis.core.failures import FailureGroup

from selection.actions.import_bundle import import_bundle
from selection.api.docs import schema_document, schema_text
from selection.api.examples import EXAMPLES
from selection.demo import story
from tests.api.conftest import client_with, post, token_of

pytestmark = pytest.mark.django_db
COMMITTED = Path(__file__).parents[2] / "docs" / "openapi.json"
# How many cases each operation is asked; `make fuzz` asks many more, edge cases of every field among them.
MOST_CASES = int(os.environ.get("SMISTA_API_CASES", "8"))


def nothing_unforeseen(_context: Any, response: Any, _case: Any) -> None:
    """Refuse any 5xx but the one that says that no model of a chain can serve."""
    if response.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
        assert (response.status_code, response.json()["error"]["code"]) == (503, "fallback_exhausted")


# Rules across fields cannot be written in a schema, so a request that follows it may be refused still; how it is answered is promised.
PROMISED = [
    nothing_unforeseen,
    schemathesis.checks.status_code_conformance,
    schemathesis.checks.content_type_conformance,
    schemathesis.checks.response_headers_conformance,
    schemathesis.checks.response_schema_conformance,
]


def test_the_committed_schema_is_the_one_that_is_served(client: Client) -> None:
    assert COMMITTED.read_text() == schema_text(), "run `make openapi`"
    served = client.get("/api/v1/openapi.json", headers={"host": "127.0.0.1"})
    assert served.content.decode() == schema_text()
    assert schema_document()["openapi"] == "3.1.0"


def test_the_page_of_the_schema_names_every_operation(as_ada: Client) -> None:
    page = as_ada.get("/api/docs/").content.decode()
    for path, operations in schema_document()["paths"].items():
        assert path in page
        assert all(told["operationId"] in page for told in operations.values())


def test_every_operation_has_a_name_of_its_own_and_a_summary() -> None:
    told = [each for operations in schema_document()["paths"].values() for each in operations.values()]
    names = [each["operationId"] for each in told]
    assert len(set(names)) == len(names) >= 25
    assert all(each["summary"] and each["description"] for each in told)


def test_every_example_does_what_it_shows(ada: User) -> None:
    client = client_with(token_of(ada))
    session = post(client, "sessions", json.dumps(EXAMPLES["NewSession"])).json()["id"]
    for path, operations in schema_document()["paths"].items():
        for method, told in operations.items():
            for media in told.get("requestBody", {}).get("content", {}).values():
                [example] = media["examples"].values()
                address = path.replace("{session_id}", session)
                answer = getattr(client, method)(address, json.dumps(example["value"]), content_type="application/json")
                wanted = {409} if path.endswith("/continue") else {200, 201}
                assert answer.status_code in wanted, (path, answer.content)


thorough = {"phases": {"coverage": {"enabled": "SMISTA_API_CASES" in os.environ}}}
schema = schemathesis.openapi.from_dict(schema_document(), config=schemathesis.Config.from_dict(thorough))
schema.app = get_wsgi_application()


@pytest.fixture
def asked_as(ada: User) -> Iterator[dict[str, Any]]:
    """A token, and a session that exists; as Django's own test client does, requests leave the test's connection open."""
    session = import_bundle(ada, story())
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield {"token": token_of(ada), "session": session.pk}
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@schema.parametrize()
@settings(
    max_examples=MOST_CASES,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
def test_whatever_is_asked_is_answered_as_the_schema_says(case: Any, asked_as: dict[str, Any]) -> None:
    cache.clear()
    if "session_id" in (case.path_parameters or {}):
        case.path_parameters["session_id"] = str(asked_as["session"])
    try:
        case.call_and_validate(
            headers={"Authorization": f"Bearer {asked_as['token']}", "Host": "127.0.0.1"}, checks=PROMISED
        )
    except FailureGroup as group:
        raise AssertionError("\n".join(str(each) for each in group.exceptions)) from None
