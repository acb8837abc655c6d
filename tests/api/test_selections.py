"""Selections without storage: what the engine says, byte for byte."""

import json
from typing import Any

import msgspec
import pytest
from rest_framework.test import APIClient

from selection.demo import story
from selection.documents.outcome import outcome_document
from selection.documents.turn import read_turn
from selection.engine import select
from selection.models import SelectionRun, Session
from tests.api.conftest import post
from tests.sealed import VECTORS

pytestmark = pytest.mark.django_db
DEMO = next(case for case in VECTORS if len(case["expected"].get("candidates") or []) > 6 and case["expected"]["model"])


def test_all_vectors_give_the_engines_outcome_byte_for_byte(api: APIClient) -> None:
    assert len(VECTORS) == 208
    for case in VECTORS:
        body = json.dumps(case["turn"])
        answer = post(api, "selections", body)
        assert answer.status_code == 200, case["name"]
        assert answer.content == msgspec.json.encode(outcome_document(select(read_turn(body)))), case["name"]
    assert (Session.objects.count(), SelectionRun.objects.count()) == (0, 0)


def test_the_whole_of_a_selection_has_ledger_and_findings(api: APIClient) -> None:
    answer = post(api, "selections?full", json.dumps(DEMO["turn"])).json()
    assert answer["outcome"]["model"] == DEMO["expected"]["model"]
    assert [row["position"] for row in answer["ledger"]] == list(range(len(answer["ledger"])))
    assert all(row["reason"].endswith(".") for row in answer["ledger"])
    used = sum(row["tokens"] for row in answer["ledger"] if row["included"])
    assert used == answer["outcome"]["budget"]["used"]
    assert isinstance(answer["findings"], list)


def test_a_sweep_is_exact(api: APIClient) -> None:
    answer = post(api, "selections/sweep", json.dumps({"turn": DEMO["turn"]})).json()
    assert answer["model"] == DEMO["expected"]["model"]
    budgets = [point["budget"] for point in answer["points"]]
    assert budgets == sorted(budgets)
    own = post(api, "selections/sweep", json.dumps({"turn": DEMO["turn"], "budgets": [answer["effective"]]})).json()
    assert own["points"] == [
        {
            "budget": answer["effective"],
            "tokens": DEMO["expected"]["budget"]["used"],
            "candidates": len(DEMO["expected"]["included"]),
        }
    ]


def test_flips_are_claims_with_their_knobs(api: APIClient) -> None:
    answer = post(api, "selections/flips", json.dumps({"turn": DEMO["turn"], "position": 0})).json()
    assert set(answer) == {"position", "brings_in", "claims", "others", "hopeless"}
    assert all(claim["knobs"] for claim in answer["claims"])
    wrong = post(api, "selections/flips", json.dumps({"turn": DEMO["turn"], "position": 10_000}))
    assert (wrong.status_code, wrong.json()["error"]["details"][0]["place"]) == (422, "position")


def test_two_turns_are_compared(api: APIClient) -> None:
    left = DEMO["turn"]
    right = json.loads(json.dumps(left))
    right["recalled"]["messages"] = right["recalled"]["messages"][1:]
    answer = post(api, "selections/compare", json.dumps({"left": left, "right": right})).json()
    assert sum(answer["counts"].values()) >= len(answer["pairs"]) > 0
    same = post(api, "selections/compare", json.dumps({"left": left, "right": left})).json()
    assert (same["pairs"], same["divergence"]) == ([], None)


def test_a_policy_is_checked_with_every_fault(api: APIClient) -> None:
    text = "version = 1\n[privacy]\nrestricted_paths = ['a[']\n[privacy.remote]\nmode = 'perhaps'\n"
    answer = post(api, "policies/validate", json.dumps({"text": text})).json()
    assert not answer["valid"]
    assert any("mode" in fault["place"] and fault["line"] == 5 for fault in answer["faults"])


def test_paths_are_tested_against_a_policy_text(api: APIClient) -> None:
    text = '[privacy]\nrestricted_paths = [\n  ".env",\n  "*.pem",\n]\n'
    asked = {"text": text, "paths": ["/w/config/.env", "a.pen", ""], "root": "/w"}
    first, second, third = post(api, "policies/paths", json.dumps(asked)).json()["paths"]
    assert (first["path"], first["restricted"], first["matches"][0]["line"]) == ("config/.env", True, 3)
    assert (second["restricted"], second["matches"]) == (False, [])
    assert third["path"] is None
    many = post(api, "policies/paths", json.dumps({"text": text, "paths": ["a"] * 1_001}))
    assert many.status_code == 422
    assert "paths: 1,001 paths against 2 patterns are too many at once" in many.content.decode()
    assert post(api, "policies/paths", json.dumps({"text": "[", "paths": []})).status_code == 422


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"[]", "is not an object"),
        (b'{"input": {"text": "a", "text": "b"}}', "appears twice"),
        (b"\xff\xfe", "not UTF-8"),
        (b'{"input": {"text": "a\\u0000"}}', "input.text: holds a NUL"),
        (b'{"input": {"text": "a"}, "models": [{}]}', "models[0].provider: is missing"),
        (b"[" * 200 + b"]" * 200, "is not an object"),
        (b"[" * 100_000, "nested too deeply"),
        (b"NaN", "`NaN` is not a number of JSON"),
    ],
    ids=["empty", "cut", "list", "twice", "latin", "NUL", "missing", "200 deep", "endless", "NaN"],
)
def test_a_document_that_cannot_be_read_is_refused_with_the_place(api: APIClient, body: bytes, says: str) -> None:
    for path in ("selections", "selections/sweep", "selections/compare", "policies/validate"):
        answer = post(api, path, body)
        assert answer.status_code == 422
        error = answer.json()["error"]
        assert error["code"] == "invalid_request"
        assert error["details"]
        if path == "selections":
            assert says in error["message"]


def test_a_million_keys_do_not_hurt(api: APIClient) -> None:
    body = b'{"input": {"text": "a"}, ' + b", ".join(b'"k%d": 1' % number for number in range(1_000_000)) + b"}"
    answer = post(api, "selections", body)
    assert answer.status_code == 422
    assert len(answer.content) < 20_000


def test_a_body_over_the_limit_is_refused_at_once(api: APIClient, settings: Any) -> None:
    settings.MAX_API_BYTES = 1_000
    answer = post(api, "selections", b"x" * 1_001)
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "body_too_large")


def test_the_demo_goes_through(api: APIClient) -> None:
    turn = story().turns[2]
    body = json.dumps({"input": {"text": turn.input.text}})
    answer = post(api, "selections", body).json()
    assert (answer["error"], answer["status"]) == ("no_route", "error")
