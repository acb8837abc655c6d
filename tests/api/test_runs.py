"""A turn as a router runs it: it pauses where it must, ends once, and keeps nothing that was opened."""

import json
import logging
from dataclasses import replace
from typing import Any

import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from selection.actions.audit.verify import verify_audit
from selection.demo.policy import MODELS, POLICY
from selection.documents.writing import to_document
from selection.engine.codes import Intent, Mode
from selection.engine.values import Envelope, RemotePrivacy, SealedRecord, UserInput
from selection.keyholder import SessionKey, open_records, seal_text
from selection.models import RunInFlight, SelectionRun, SessionContextReference, SessionRunInput, TraceEventContent
from smista_site.discreet import DiscreetFormatter
from tests.api.conftest import post
from tests.leaks import found_at_rest, spellings_of_text
from tests.pages.test_sealed import Heard

pytestmark = pytest.mark.django_db
CATALOG = to_document(MODELS)
KEY = SessionKey.fresh()
SHOWN = {"HTTP_X_SMISTA_PROVIDER_ANTHROPIC_API_KEY": "sk-planted-provider-key"}
ASKING: dict[str, Any] = {
    "input": {"text": "Fix how it reads: planted prompt."},
    "policy": to_document(POLICY),
    "attachments": {"files": [{"path": "src/auth/tokens.py", "content": "planted content = 1"}]},
}
ALLOWING = {
    **ASKING,
    "policy": to_document(replace(POLICY, privacy=replace(POLICY.privacy, remote=RemotePrivacy(mode=Mode.ALLOW)))),
}


@pytest.fixture
def session_id(api: APIClient) -> str:
    identity: str = post(api, "sessions", json.dumps({"models": CATALOG})).json()["id"]
    return identity


def step(api: APIClient, path: str, body: Any, status: int = 200, **headers: Any) -> Any:
    answer = post(api, path, json.dumps(body), **{**SHOWN, **headers})
    assert answer.status_code == status, answer.content
    return answer.json()


def go_on(api: APIClient, session: str, kind: str, status: int = 200, **data: Any) -> Any:
    return step(api, f"sessions/{session}/continue", {"type": kind, "data": data}, status)


def went() -> set[tuple[str | None, bool]]:
    """Give where what was recorded went, of the run and of what was in it."""
    assert verify_audit().whole
    (destination,) = SelectionRun.objects.values_list("destination", flat=True)
    rows = SessionContextReference.objects.values_list("destination", "included")
    return {(destination, True), *((where, was_in) for where, was_in in rows if was_in)}


def test_a_turn_that_asks_for_nothing_is_completed_at_once(api: APIClient, session_id: str) -> None:
    done = step(api, f"sessions/{session_id}/execute", ALLOWING)
    assert (done["status"], done["allowed_continuations"]) == ("completed", [])
    data = done["data"]
    assert data["prompt"]["messages"][-1]["content"] == ASKING["input"]["text"]
    assert data["routing"]["model"] == "claude-sonnet"
    run = SelectionRun.objects.get(pk=data["trace_id"])
    assert (str(run.run_input_id), run.status) == (data["turn"], "selected")
    assert RunInFlight.objects.count() == 0


def test_a_disclosure_is_asked_for_and_allowed(api: APIClient, session_id: str) -> None:
    waits = step(api, f"sessions/{session_id}/execute", ASKING)
    assert (waits["status"], waits["allowed_continuations"]) == ("awaiting_approval", ["approval_decisions", "break"])
    assert waits["data"]["remote_disclosure"]["provider"] == "anthropic"
    assert SelectionRun.objects.count() == 0
    assert go_on(api, session_id, "approval_decisions", 409)["error"]["code"] == "decision_missing"
    assert go_on(api, session_id, "decrypted", 409)["error"]["code"] == "not_awaited"
    done = go_on(api, session_id, "approval_decisions", decision="allow")
    assert done["status"] == "completed"
    assert TraceEventContent.objects.filter(payload={"decision": "allow"}).count() == 1
    assert went() == {("remote", True)}
    assert go_on(api, session_id, "break", 409)["error"]["code"] == "no_run_in_flight"


def test_a_disclosure_is_denied(api: APIClient, session_id: str) -> None:
    step(api, f"sessions/{session_id}/execute", ASKING)
    ended = go_on(api, session_id, "approval_decisions", decision="deny")
    assert (ended["status"], ended["data"]["error"]["code"]) == ("error", "disclosure_denied")
    assert SelectionRun.objects.count() == 1
    assert went() == {(None, True)}


def test_a_second_run_is_refused_until_the_first_ends(api: APIClient, session_id: str) -> None:
    step(api, f"sessions/{session_id}/execute", ASKING)
    second = step(api, f"sessions/{session_id}/execute", ASKING, 409)
    assert second["error"]["code"] == "run_in_flight"
    assert SessionRunInput.objects.count() == 1
    broken = go_on(api, session_id, "break")
    assert broken["data"]["error"]["code"] == "stopped"
    assert went() == {(None, True)}
    assert step(api, f"sessions/{session_id}/execute", ALLOWING)["status"] == "completed"


def test_a_turn_that_no_model_serves_is_recorded_and_refused(api: APIClient, session_id: str) -> None:
    refused = step(api, f"sessions/{session_id}/execute", {**ASKING, "policy": {}}, 422)
    assert refused["error"]["code"] == "no_route"
    assert SelectionRun.objects.get().error == "no_route"
    assert RunInFlight.objects.count() == 0


@pytest.fixture
def sealed_id(api: APIClient) -> str:
    identity: str = post(api, "sessions", json.dumps({"key_id": KEY.key_id, "models": CATALOG})).json()["id"]
    messages = [
        {"id": f"m{n}", "role": "user", "content": to_document(seal_text(f"planted row {n}", KEY))} for n in range(3)
    ]
    assert post(api, f"sessions/{identity}/messages", json.dumps({"messages": messages})).status_code == 201
    return identity


def sealed_request() -> dict[str, Any]:
    asked = UserInput(text=seal_text("planted prompt", KEY), classified_intent=Intent.EDIT)
    return {"input": to_document(asked), "policy": to_document(POLICY)}


def opened(waits: Any) -> list[dict[str, str]]:
    rows = [
        SealedRecord(record_id=each["record_id"], envelope=Envelope(**each["envelope"]))
        for each in waits["data"]["sealed_records"]
    ]
    return [{"record_id": each.record_id, "plaintext": each.plaintext} for each in open_records(rows, KEY.key_id, KEY)]


def test_a_sealed_turn_is_opened_then_approved_with_the_rows_in_hand(api: APIClient, sealed_id: str) -> None:
    waits = step(api, f"sessions/{sealed_id}/execute", sealed_request())
    assert (waits["status"], waits["allowed_continuations"]) == ("awaiting_decrypt", ["decrypted", "break"])
    assert set(waits["data"]["to_decrypt"]) == {"message:m0", "message:m1", "message:m2", "prompt"}
    records = opened(waits)
    assert go_on(api, sealed_id, "decrypted", 409, plain_records=records[1:])["error"]["code"] == "wrong_records"
    assert go_on(api, sealed_id, "sealed", 409)["error"]["code"] == "not_awaited"
    asks = go_on(api, sealed_id, "decrypted", plain_records=records)
    assert asks["status"] == "awaiting_approval"
    needs = go_on(api, sealed_id, "approval_decisions", 409, decision="allow")
    assert needs["error"]["code"] == "plaintext_needed"
    mapped = {each["record_id"]: each["plaintext"] for each in records}
    done = go_on(api, sealed_id, "approval_decisions", decision="allow", plaintext=mapped)
    assert done["data"]["prompt"]["messages"][-1]["content"] == "planted prompt"
    assert SelectionRun.objects.get().opened


def test_plain_text_in_an_encrypted_session_is_refused_with_its_place(api: APIClient, sealed_id: str) -> None:
    refused = step(api, f"sessions/{sealed_id}/execute", ASKING, 422)
    assert refused["error"]["details"][0]["place"] == "input.text"
    assert "planted" not in json.dumps(refused)
    assert (SessionRunInput.objects.count(), RunInFlight.objects.count()) == (0, 0)


def test_keys_tokens_and_opened_rows_are_nowhere(api: APIClient, ada: User, sealed_id: str) -> None:
    heard = Heard()
    handler = logging.StreamHandler(heard)
    handler.setFormatter(DiscreetFormatter("%(name)s %(message)s"))
    root = logging.getLogger("django")
    root.addHandler(handler)
    try:
        waits = step(api, f"sessions/{sealed_id}/execute", sealed_request())
        records = opened(waits)
        errors = [go_on(api, sealed_id, "decrypted", 409, plain_records=records[1:])]
        broken = [{**records[0], "plaintext": "planted\x00row"}, *records[1:]]
        errors.append(go_on(api, sealed_id, "decrypted", 422, plain_records=broken))
        go_on(api, sealed_id, "decrypted", plain_records=records)
        go_on(api, sealed_id, "approval_decisions", decision="allow", plain_records=records)
        errors.append(step(api, f"sessions/{sealed_id}/preview", {**ASKING, "policy": {"routing": 1}}, 422))
    finally:
        root.removeHandler(handler)
    token = str(vars(api)["_credentials"]["HTTP_AUTHORIZATION"]).removeprefix("Bearer ")
    planted = {
        "planted row 0",
        "planted row 2",
        "planted prompt",
        SHOWN["HTTP_X_SMISTA_PROVIDER_ANTHROPIC_API_KEY"],
        token,
    }
    spelled = {way for text in planted for way in spellings_of_text(text)}
    assert found_at_rest(spelled) == []
    assert "Conflict" in heard.text
    told = heard.text + json.dumps(errors)
    assert [way for way in spelled | {"planted"} if way in told] == []
    assert ada.pk
