"""A router pushes a session as it happens, and reads what was decided."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from selection.actions.open_turn import open_turn
from selection.actions.record_run import record_run
from selection.demo import story
from selection.demo.policy import MODELS, POLICY
from selection.documents.outcome import outcome_document
from selection.documents.writing import to_document
from selection.keyholder import SessionKey, seal_text
from selection.models import ApiRequest, Session, SessionMessage, SessionRunInput
from tests.api.conftest import post
from tests.sealed import rows_of

pytestmark = pytest.mark.django_db
CATALOG = to_document(MODELS)
TURN: dict[str, Any] = {
    "input": {"text": "Fix how src/auth/tokens.py reads."},
    "policy": to_document(POLICY),
    "credentials": ["anthropic"],
    "attachments": {
        "files": [{"path": "src/auth/tokens.py", "content": "x = 1"}, {"path": ".env", "content": "KEY=1"}]
    },
}


@pytest.fixture
def pushed(api: APIClient) -> str:
    answer = post(api, "sessions", json.dumps({"title": "pushed", "models": CATALOG}))
    assert answer.status_code == 201
    identity: str = answer.json()["id"]
    messages = [{"id": f"m{n}", "role": "user", "content": f"message {n}"} for n in range(4)]
    assert post(api, f"sessions/{identity}/messages", json.dumps({"messages": messages})).status_code == 201
    return identity


def test_a_session_is_pushed_and_its_turn_opened(api: APIClient, pushed: str) -> None:
    answer = post(api, f"sessions/{pushed}/turns", json.dumps(TURN))
    assert answer.status_code == 201
    row = SessionRunInput.objects.select_related("session", "after_message").get(pk=answer.json()["id"])
    outcome = open_turn(row).outcome
    assert outcome.candidates is not None
    assert len(outcome.candidates) == 6
    more = post(
        api, f"sessions/{pushed}/messages", json.dumps({"messages": [{"role": "assistant", "content": "done"}]})
    )
    assert more.json()["items"][0]["position"] == 4
    row.session.refresh_from_db()
    assert len(open_turn(row).outcome.candidates or ()) == 6
    named = post(api, f"sessions/{pushed}/turns", json.dumps({**TURN, "after_message": "m1"})).json()
    assert named["position"] == 1
    assert named["after_message"] == str(SessionMessage.objects.get(recorded_id="m1").pk)


def test_the_same_push_twice_is_stored_once(api: APIClient, pushed: str) -> None:
    body, headers = json.dumps(TURN), {"HTTP_IDEMPOTENCY_KEY": "turn-1"}
    first = post(api, f"sessions/{pushed}/turns", body, **headers)
    again = post(api, f"sessions/{pushed}/turns", body, **headers)
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()
    assert again["Idempotent-Replayed"] == "true"
    assert SessionRunInput.objects.count() == 1
    other = post(api, f"sessions/{pushed}/turns", json.dumps({**TURN, "credentials": []}), **headers)
    assert (other.status_code, other.json()["error"]["code"]) == (409, "idempotency_key_reused")
    assert "Fix how" not in str(ApiRequest.objects.values())
    bad = post(api, f"sessions/{pushed}/turns", body, HTTP_IDEMPOTENCY_KEY="ü" * 3)
    assert bad.json()["error"]["details"][0]["place"] == "Idempotency-Key"


def test_lists_go_page_by_page(api: APIClient, pushed: str) -> None:
    first = api.get(f"/api/v1/sessions/{pushed}/messages?limit=3").json()
    rest = api.get(f"/api/v1/sessions/{pushed}/messages?limit=3&after={first['next']}").json()
    assert [row["recorded_id"] for row in first["items"] + rest["items"]] == ["m0", "m1", "m2", "m3"]
    assert rest["next"] is None
    assert "message 0" not in json.dumps(first)
    post(api, "sessions", json.dumps({"title": "second"}))
    newest = api.get("/api/v1/sessions?limit=1").json()
    older = api.get(f"/api/v1/sessions?limit=1&after={newest['next']}").json()
    assert [newest["items"][0]["title"], older["items"][0]["title"]] == ["second", "pushed"]
    for query in ("limit=0", "limit=x", "limit=201", "after=nonsense"):
        assert api.get(f"/api/v1/sessions?{query}").status_code == 422


def test_a_session_is_fetched_changed_and_deleted(api: APIClient, pushed: str) -> None:
    fetched = api.get(f"/api/v1/sessions/{pushed}")
    tag = fetched["ETag"]
    assert (fetched.json()["messages"], fetched.json()["turns"]) == (4, 0)
    assert api.get(f"/api/v1/sessions/{pushed}", HTTP_IF_NONE_MATCH=tag).status_code == 304
    change = json.dumps({"title": "renamed", "archived": True})
    changed = api.patch(f"/api/v1/sessions/{pushed}", change, content_type="application/json", HTTP_IF_MATCH=tag)
    assert changed.json()["title"] == "renamed"
    assert changed.json()["archived_at"] is not None
    stale = api.delete(f"/api/v1/sessions/{pushed}", HTTP_IF_MATCH=tag)
    assert (stale.status_code, stale.json()["error"]["code"]) == (412, "precondition_failed")
    assert api.delete(f"/api/v1/sessions/{pushed}").status_code == 204
    assert Session.objects.count() == 0


def test_a_session_goes_out_and_comes_back(api: APIClient, pushed: str) -> None:
    post(api, f"sessions/{pushed}/turns", json.dumps(TURN))
    bundle = api.get(f"/api/v1/sessions/{pushed}/export").content
    back = post(api, "sessions/import", bundle)
    assert back.status_code == 201
    assert back.json()["session"]["messages"] == 4
    assert back.json()["report"]
    broken = post(api, "sessions/import", bundle[:-20])
    assert broken.status_code == 422
    assert Session.objects.count() == 2


@pytest.mark.parametrize(
    ("path", "change", "place"),
    [
        ("turns", {"after_message": "nowhere"}, "after_message"),
        ("turns", {"policy": {"routing": {"rules": [{"name": "x"}]}}}, "policy.routing.rules[0].model"),
        ("messages", {"messages": [{"id": "m1", "role": "user", "content": "x"}]}, "messages[0].id"),
        ("messages", {"messages": [{"role": "nobody", "content": "x"}]}, "messages[0].role"),
    ],
)
def test_a_push_that_cannot_be_stored_is_refused_with_its_place(
    api: APIClient, pushed: str, path: str, change: dict[str, Any], place: str
) -> None:
    body = {**TURN, **change} if path == "turns" else change
    answer = post(api, f"sessions/{pushed}/{path}", json.dumps(body))
    assert answer.status_code == 422
    assert answer.json()["error"]["details"][0]["place"] == place
    assert (SessionMessage.objects.count(), SessionRunInput.objects.count()) == (4, 0)


def test_an_encrypted_session_takes_what_is_sealed_with_its_key_alone(api: APIClient) -> None:
    key = SessionKey.fresh()
    identity = post(api, "sessions", json.dumps({"key_id": key.key_id, "models": CATALOG})).json()["id"]
    plain = post(
        api, f"sessions/{identity}/messages", json.dumps({"messages": [{"role": "user", "content": "in clear"}]})
    )
    assert plain.json()["error"]["details"][0]["place"] == "messages[0].content"
    assert "in clear" not in plain.content.decode()
    sealed = {"role": "user", "content": to_document(seal_text("closed", key))}
    assert post(api, f"sessions/{identity}/messages", json.dumps({"messages": [sealed]})).status_code == 201
    other = {"role": "user", "content": to_document(seal_text("closed", SessionKey.fresh()))}
    answer = post(api, f"sessions/{identity}/messages", json.dumps({"messages": [other]}))
    assert answer.json()["error"]["details"][0]["place"] == "messages[0].content.encrypted.key_id"
    turn = post(api, f"sessions/{identity}/turns", json.dumps(TURN))
    assert turn.json()["error"]["details"][0]["place"] == "input.text"


def test_the_catalog_is_given_and_replaced(api: APIClient, pushed: str) -> None:
    assert api.get(f"/api/v1/llm/models?session={pushed}").json()["models"] == CATALOG
    fewer = json.dumps({"models": CATALOG[:1]})
    replaced = api.put(f"/api/v1/sessions/{pushed}/models", fewer, content_type="application/json")
    assert replaced.json()["models"] == CATALOG[:1]
    twice = json.dumps({"models": [CATALOG[0], CATALOG[0]]})
    refused = api.put(f"/api/v1/sessions/{pushed}/models", twice, content_type="application/json")
    assert refused.status_code == 422
    assert api.get("/api/v1/llm/models").json()["error"]["details"][0]["place"] == "session"


def test_references_and_traces_are_read_by_parts(api: APIClient, ada: User, turns: list[SessionRunInput]) -> None:
    row = SessionRunInput.objects.select_related("session", "after_message").get(pk=turns[3].pk)
    run = record_run(ada, row, open_turn(row).outcome, uuid4())
    path = f"/api/v1/sessions/{row.session_id}"
    whole = api.get(f"{path}/context-references?limit=200&run={run.pk}").json()
    assert whole["total"] == run.references.count() == len(whole["references"])
    part = api.get(f"{path}/context-references?limit=2&offset=1").json()
    assert part["references"] == whole["references"][1:3]
    assert "not-a-real-password" not in json.dumps(whole)
    events = api.get(f"{path}/traces").json()
    assert [event["event_type"] for event in events["events"]][:2] == ["message", "classification"]
    assert events["events"][0]["payload"]["plaintext"]["type"] == "message"
    assert api.get(f"{path}/context-references?run=x").status_code == 422


REQUEST: dict[str, Any] = {name: TURN[name] for name in ("input", "policy", "attachments")}


def test_a_preview_says_what_the_stored_turn_would(api: APIClient, pushed: str) -> None:
    shown = {"HTTP_X_SMISTA_PROVIDER_ANTHROPIC_API_KEY": "sk-planted-key"}
    answer = post(api, f"sessions/{pushed}/preview", json.dumps(REQUEST), **shown)
    assert answer.status_code == 200
    preview = answer.json()
    assert (preview["task_type"], preview["provider"], preview["model"]) == ("edit", "anthropic", "claude-sonnet")
    assert preview["estimated_cost"]["currency"] == "USD"
    assert float(preview["estimated_cost"]["min"]) < float(preview["estimated_cost"]["max"])
    assert any(line.startswith("file:.env: Withheld:") for line in preview["excluded_context"])
    assert "sk-planted-key" not in answer.content.decode()
    assert SessionRunInput.objects.count() == 0
    post(api, f"sessions/{pushed}/turns", json.dumps(TURN))
    [row] = rows_of(Session.objects.get(pk=pushed))
    assert preview["selection"]["outcome"] == json.loads(json.dumps(outcome_document(open_turn(row).outcome)))


def test_the_routers_own_fields_are_taken_and_its_permissions_given_back(api: APIClient, pushed: str) -> None:
    request = deepcopy(REQUEST)
    for rule in request["policy"]["routing"]["rules"]:
        rule |= {"effort": "high", "cost_limit": {"max": "1.00"}, "required_permissions": ["shell"]}
    shown = {"HTTP_X_SMISTA_PROVIDER_ANTHROPIC_API_KEY": "k"}
    assert post(api, f"sessions/{pushed}/preview", json.dumps(request), **shown).json()["required_permissions"] == [
        "shell"
    ]


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"policy": {}}, 422, "no_route"),
        ({"input": {"text": "x", "explicit_model": "nowhere/none"}}, 422, "unknown_model"),
        ({"input": {"text": "x", "explicit_model": "anthropic/claude-opus"}}, 401, "missing_provider_credentials"),
        (
            {"input": {"text": "x", "explicit_model": "anthropic/claude-opus"}, "local_preferences": {"local_only": True}},
            403,
            "override_not_allowed",
        ),
        ({"attachments": {"files": [{"path": "a", "content": "x" * 900_000, "required": True}]}}, 422, "context_window_exceeded"),
    ],
)  # fmt: skip
def test_a_turn_that_no_model_serves_is_refused_by_its_own_code(
    api: APIClient, pushed: str, change: dict[str, Any], status: int, code: str
) -> None:
    answer = post(api, f"sessions/{pushed}/preview", json.dumps({**REQUEST, **change}))
    if code == "context_window_exceeded":
        shown = {"HTTP_X_SMISTA_PROVIDER_ANTHROPIC_API_KEY": "k"}
        answer = post(api, f"sessions/{pushed}/preview", json.dumps({**REQUEST, **change}), **shown)
        assert answer.json()["error"]["code"] in {code, "fallback_exhausted"}
        return
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


def test_the_recorded_request_of_the_router_is_previewed_unchanged(api: APIClient, pushed: str) -> None:
    sample = Path(__file__).parents[3] / "shared" / "data" / "sessions" / "handmade" / "smista_00_execute_request.json"
    body = sample.read_bytes() if sample.exists() else json.dumps(REQUEST).encode()
    answer = post(api, f"sessions/{pushed}/preview", body)
    assert answer.status_code in {200, 422, 503}
    assert "error" not in answer.json() or answer.json()["error"]["code"] != "invalid_request"


def test_memory_of_the_user_is_recalled_by_a_pushed_session(api: APIClient, ada: User, session: Session) -> None:
    del ada, session
    identity = post(api, "sessions", json.dumps({"models": CATALOG})).json()["id"]
    shown = {"HTTP_X_SMISTA_PROVIDER_ANTHROPIC_API_KEY": "k"}
    ledger = post(api, f"sessions/{identity}/preview", json.dumps(REQUEST), **shown).json()["selection"]["ledger"]
    assert sum(row["kind"] == "memory" for row in ledger) == len(story().user_memory)
