"""A sealed turn over HTTP: what is asked for, what is taken, what is refused, and that nothing of it stays."""

import json
import logging
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from selection.actions.import_bundle import import_bundle
from selection.demo import story
from selection.engine.values import Envelope, SealedRecord
from selection.keyholder import SessionKey, open_records, seal_bundle
from selection.models import AuditEntry, DecryptPause, SelectionRun, SessionRunInput
from tests.conftest import client_of
from tests.leaks import found_at_rest, spellings_of_key, spellings_of_text
from tests.sealed import RESUMED_VECTORS, rows_of, stored

pytestmark = pytest.mark.django_db
KEY = SessionKey.fresh()
HTMX = {"HX-Request": "true", "HX-Target": "answer"}
FORCED_LOCAL = 4


@pytest.fixture
def rows(ada: User) -> list[SessionRunInput]:
    return rows_of(import_bundle(ada, seal_bundle(story(), KEY)))


@pytest.fixture
def turn(rows: list[SessionRunInput]) -> str:
    return reverse("pages:turn", args=[rows[2].pk])


def asked_of(client: Client, turn: str, query: str = "") -> dict[str, Any]:
    response = client.post(f"{turn}pause/{query}")
    assert response.status_code == 200
    assert response["Cache-Control"] == "no-store"
    asked: dict[str, Any] = response.json()
    return asked


def answer_to(asked: dict[str, Any]) -> dict[str, Any]:
    records = [
        SealedRecord(record_id=each["record_id"], envelope=Envelope(**each["envelope"])) for each in asked["records"]
    ]
    opened = open_records(records, asked["key_id"], KEY)
    return {
        "asked": asked["asked"],
        "records": [{"record_id": each.record_id, "plaintext": each.plaintext} for each in opened],
    }


def send(client: Client, url: str, answer: object, **fields: str) -> Any:
    text = answer if isinstance(answer, str) else json.dumps(answer)
    return client.post(url, {"answer": text, **fields}, headers=HTMX)


def test_a_turn_is_shown_with_its_rows_opened(as_ada: Client, turn: str) -> None:
    closed = as_ada.get(turn).content.decode()
    assert "would be opened: 18 of 20 sealed" in closed
    assert "belongs to no session and is never sealed" in closed
    answer = answer_to(asked_of(as_ada, turn))
    response = send(as_ada, turn, answer)
    page = response.content.decode()
    assert "Ask before a migration" not in closed
    assert "Keep functions small" in page
    assert "18 of 20 sealed rows and the prompt opened" in page
    assert "no-store" in response["Cache-Control"]
    assert as_ada.get(turn).content.decode().count("would be opened") > 10


def test_only_selected_rows_leave_the_server(as_ada: Client, turn: str) -> None:
    asked = asked_of(as_ada, turn, "?window=4200")
    names = {each["record_id"] for each in asked["records"]}
    everything = {each["record_id"] for each in asked_of(as_ada, turn)["records"]}
    assert names < everything
    assert all("plaintext" not in each for each in asked["records"])


def test_a_what_if_pauses_without_being_saved(as_ada: Client, turn: str) -> None:
    asked = asked_of(as_ada, turn, "?window=4200")
    assert DecryptPause.objects.count() == 0
    response = send(as_ada, f"{turn}?window=4200", answer_to(asked))
    assert response.status_code == 200
    assert DecryptPause.objects.count() == 0
    assert send(as_ada, turn, answer_to(asked)).status_code == 409


@pytest.mark.parametrize("case", RESUMED_VECTORS, ids=lambda case: case["name"])
def test_the_oracles_answers_go_through_the_page(as_ada: Client, ada: User, case: dict[str, Any]) -> None:
    turn = reverse("pages:turn", args=[stored(ada, case["turn"]).pk])
    asked = asked_of(as_ada, turn)
    assert {each["record_id"] for each in asked["records"]} == set(case["opened"])
    records = [{"record_id": name, "plaintext": text} for name, text in case["opened"].items()]
    page = send(as_ada, turn, {"asked": asked["asked"], "records": records})
    assert page.status_code == 200
    answer = page.context["page"].answer
    assert answer.status == case["after"]["status"]
    assert answer.ledger.ledger.tallies.count_in == len(case["after"]["included"] or [])


def changed(**parts: Any) -> Callable[[dict[str, Any]], object]:
    return lambda answer: {**answer, **parts}


def first(change: Callable[[dict[str, Any]], object]) -> Callable[[dict[str, Any]], object]:
    return lambda answer: {**answer, "records": [change(answer["records"][0]), *answer["records"][1:]]}


@pytest.mark.parametrize(
    ("change", "status", "told"),
    [
        (lambda _: "{", 400, "not JSON"),
        (lambda _: "[]", 400, "is not an object"),
        (lambda _: "\ufeff", 400, "not JSON"),
        (changed(records={}), 400, "records: is not a list"),
        (changed(asked=7), 400, "asked: is not text"),
        (changed(key="AAAA"), 400, "key: is not known here"),
        (first(lambda row: {**row, "plaintext": 5}), 400, "records[0].plaintext: is not text"),
        (first(lambda row: {**row, "plaintext": None}), 400, "records[0].plaintext: is not text"),
        (first(lambda row: {**row, "plaintext": "a\0b"}), 400, "records[0].plaintext: holds a NUL"),
        (first(lambda row: {**row, "plaintext": "\ud800"}), 400, "records[0].plaintext: holds a lone surrogate"),
        (first(lambda row: {**row, "plaintext": "x" * (8 * 1024 * 1024 + 1)}), 400, "is longer than 8,388,608"),
        (first(lambda row: {**row, "record_id": "message:m9999"}), 409, "was not asked for"),
        (changed(records=[]), 409, "is missing"),
        (changed(asked="0" * 64), 409, "ask again"),
        (changed(asked=""), 409, "ask again"),
    ],
    ids=[
        "cut short", "a list", "a mark", "no list", "no text", "a key", "a number", "null", "NUL", "surrogate", "too large", "not asked for",
        "nothing", "unknown pause", "no pause",
    ],
)  # fmt: skip
def test_an_answer_that_cannot_be_taken_is_refused_with_its_place(
    as_ada: Client, turn: str, change: Callable[[dict[str, Any]], object], status: int, told: str
) -> None:
    true = answer_to(asked_of(as_ada, turn))
    before = list(DecryptPause.objects.values())
    for url in (turn, f"{turn}candidates/0/why/", f"{turn}candidates/0/", f"{turn}prompt/", f"{turn}record/"):
        response = send(as_ada, url, change(true))
        assert response.status_code == status, url
        assert told in response.json()["error"]["message"]
        assert "Keep functions" not in response.content.decode()
    assert list(DecryptPause.objects.values()) == before
    assert SelectionRun.objects.count() == 0
    assert send(as_ada, turn, true).status_code == 200


def test_a_request_larger_than_the_limit_is_refused(as_ada: Client, turn: str) -> None:
    true = answer_to(asked_of(as_ada, turn))
    logging.getLogger("django.request").setLevel(logging.CRITICAL)
    response = send(as_ada, turn, {**true, "asked": "x" * 21 * 1024 * 1024})
    logging.getLogger("django.request").setLevel(logging.NOTSET)
    assert response.status_code == 400
    assert send(as_ada, turn, true).status_code == 200


def test_to_everybody_else_the_turn_does_not_exist(as_ada: Client, as_eve: Client, turn: str) -> None:
    true = answer_to(asked_of(as_ada, turn))
    assert as_eve.post(f"{turn}pause/").status_code == 404
    for url in (turn, f"{turn}candidates/0/why/", f"{turn}candidates/0/", f"{turn}prompt/", f"{turn}record/"):
        assert send(as_eve, url, true).status_code == 404


def test_a_turn_that_waits_for_nothing_has_no_pause(as_ada: Client, turns: list[SessionRunInput]) -> None:
    response = as_ada.post(reverse("pages:pause", args=[turns[2].pk]))
    assert (response.status_code, response.json()["error"]["code"]) == (409, "not_waiting")


def test_the_panel_the_content_and_the_prompt_take_what_was_opened(as_ada: Client, turn: str) -> None:
    answer = answer_to(asked_of(as_ada, turn))
    page = as_ada.get(turn)
    position = next(
        each.position for each in page.context["page"].answer.ledger.ledger.rows if each.label == "AGENTS.md"
    )
    assert "the server holds no key" in as_ada.get(f"{turn}candidates/{position}/", headers=HTMX).content.decode()
    assert "Keep functions small" in send(as_ada, f"{turn}candidates/{position}/", answer).content.decode()
    assert "Opened by the key" in send(as_ada, f"{turn}candidates/{position}/why/", answer).content.decode()
    prompt = send(as_ada, f"{turn}prompt/", answer).json()
    assert prompt["messages"][-1]["content"] == story().turns[2].input.text
    assert as_ada.get(f"{turn}prompt/").json()["messages"] == []


def test_restricted_rows_stay_closed_until_they_are_revealed(as_ada: Client, rows: list[SessionRunInput]) -> None:
    turn = reverse("pages:turn", args=[rows[FORCED_LOCAL].pk])
    answer = answer_to(asked_of(as_ada, turn))
    page = send(as_ada, f"{turn}?tab=prompt", answer).content.decode()
    assert "shown only after a reveal" in page
    assert "not-a-real-password" not in page
    count = AuditEntry.objects.filter(kind="reveal").count()
    restricted = as_ada.get(f"{turn}?mark=restricted").context["page"].answer.ledger.ledger.rows[0]
    revealed = send(as_ada, f"{turn}candidates/{restricted.position}/", answer).content.decode()
    assert "not-a-real-password" in revealed
    assert AuditEntry.objects.filter(kind="reveal").count() == count + 1


def test_a_recording_of_an_opened_turn_leaves_no_content_at_rest(
    as_ada: Client, turn: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    answer = answer_to(asked_of(as_ada, turn))
    said = send(as_ada, f"{turn}record/", answer).json()
    assert said == {"said": "Recorded: 22 references."}
    run = SelectionRun.objects.get()
    assert (run.opened, run.status) == (True, "awaiting_approval")
    reproduced = as_ada.get(reverse("pages:reproduce", args=[run.pk])).content.decode()
    assert "the key is with the client" in reproduced
    assert "identical, row for row" in send(as_ada, reverse("pages:reproduce", args=[run.pk]), answer).content.decode()
    assert "rows opened" in as_ada.get(f"{turn}?tab=recorded").content.decode()
    texts = [each["plaintext"] for each in answer["records"]]
    assert len(texts) == 19
    remembered = {each.content for each in story().user_memory}
    spelled = {way for text in texts if text not in remembered for way in spellings_of_text(text[:60])}
    assert found_at_rest(spelled) == []
    assert found_at_rest(spellings_of_key(KEY.data)) == []
    assert not [way for way in spelled | spellings_of_key(KEY.data) if way in caplog.text]


def test_the_search_at_rest_would_find_what_is_there(as_ada: Client, ada: User) -> None:
    import_bundle(ada, story())
    assert "session_message_content" in found_at_rest(spellings_of_text("What does this service do"))
    del as_ada


class Broken(Exception):
    """An error that quotes what it choked on."""


@pytest.mark.parametrize("debugging", [False, True], ids=["deployed", "debugging"])
def test_an_error_tells_its_place_and_never_what_was_opened(
    ada: User, turn: str, settings: Any, *, debugging: bool
) -> None:
    settings.DEBUG = debugging
    client = client_of(ada)
    client.raise_request_exception = False
    answer = answer_to(asked_of(client, turn))

    def breaks(*_: Any, **__: Any) -> None:
        local = answer["records"]
        raise Broken(f"again: {local}") from Broken(str(local))

    handler = next(each for each in logging.getLogger("django").handlers if each.get_name() == "console")
    with patch("selection.pages.inspector.views.page_of", breaks), patch.object(handler, "stream", Heard()) as heard:
        response = send(client, turn, answer)
    assert response.status_code == 500
    assert heard.text.count("tests.pages.test_sealed.Broken") == 2
    assert "in breaks" in heard.text
    told = heard.text + response.content.decode()
    assert not [each for each in answer["records"] if each["plaintext"][:30] in told]


class Heard:
    text = ""

    def write(self, text: str) -> None:
        self.text += text

    def flush(self) -> None:
        """Nothing waits."""
