"""A sealed turn pauses for exactly the rows that it selected, and goes on with exactly them, or not at all."""

import json
from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import replace
from threading import Barrier, Thread
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection, connections

from selection.actions.decrypt_pause import AnswerRefused, Pause, answer_pause, begin_pause
from selection.actions.import_bundle import import_bundle
from selection.actions.open_turn import cache, open_turn
from selection.actions.record_run import record_run
from selection.actions.reproduce_run import Verdict, reproduce_run
from selection.demo import story
from selection.documents.answer import Answer
from selection.documents.bundle import BundleMessage, BundleTurn, SessionBundle, SessionInfo
from selection.documents.outcome import outcome_document
from selection.engine import Outcome
from selection.engine.codes import Role, Status
from selection.engine.values import (
    DefaultRoute,
    Envelope,
    ModelDescriptor,
    PlainRecord,
    Policy,
    RoutingPolicy,
    UserInput,
)
from selection.keyholder import SessionKey, open_records, seal_bundle, seal_text
from selection.models import DecryptPause, SelectionRun, SessionMessageContent, SessionRunInput
from selection.models.base import new_id
from tests.sealed import RESUMED_VECTORS, SEALED_VECTORS, rows_of, stored

pytestmark = pytest.mark.django_db
KEY = SessionKey.fresh()
TURN = 2


@pytest.fixture
def row(ada: User) -> SessionRunInput:
    return rows_of(import_bundle(ada, seal_bundle(story(), KEY)))[TURN]


def paused(user: User, row: SessionRunInput) -> tuple[Outcome, Pause]:
    outcome = open_turn(row).outcome
    pause = begin_pause(user, row, outcome, keep=True)
    assert pause is not None
    return outcome, pause


def opened(pause: Pause, key: SessionKey = KEY) -> Answer:
    return Answer(asked=pause.asked, records=open_records(pause.records, pause.key_id, key))


@pytest.mark.parametrize("case", SEALED_VECTORS, ids=lambda case: case["name"])
def test_only_selected_rows_are_asked_for(ada: User, case: dict[str, Any]) -> None:
    row = stored(ada, case["turn"])
    pause = begin_pause(ada, row, open_turn(row).outcome, keep=True)
    asked = [record.record_id for record in pause.records] if pause else []
    wanted = case["expected"]["to_decrypt"]
    assert len(asked) == len(wanted) + asked.count("prompt")
    assert [name.split("#")[0] for name in asked if name != "prompt"] == wanted
    assert set(wanted) <= set(case["expected"]["included"] or [])
    held = DecryptPause.objects.filter(run_input=row)
    assert [each.rows for each in held] == ([len(asked)] if asked else [])


@pytest.mark.parametrize("case", RESUMED_VECTORS, ids=lambda case: case["name"])
def test_the_oracles_answers_go_through_the_action_of_the_pages(ada: User, case: dict[str, Any]) -> None:
    row = stored(ada, case["turn"])
    outcome, pause = paused(ada, row)
    records = tuple(PlainRecord(record_id=name, plaintext=text) for name, text in case["opened"].items())
    resumed = answer_pause(ada, row, outcome, Answer(asked=pause.asked, records=records), keep=True)
    found = json.loads(json.dumps(outcome_document(resumed)))
    for name, wanted in case["after"].items():
        assert (sorted(found[name]) == sorted(wanted)) if name == "duplicates" else (found[name] == wanted), name


def without_effect(user: User, row: SessionRunInput, answer: Answer, code: str) -> AnswerRefused:
    """Give an answer, see it refused, and see that nothing has changed and the true answer is still taken."""
    before = list(DecryptPause.objects.values())
    with pytest.raises(AnswerRefused) as refused:
        answer_pause(user, row, open_turn(row).outcome, answer, keep=True)
    assert refused.value.code == code
    assert list(DecryptPause.objects.values()) == before
    assert SelectionRun.objects.count() == 0
    return refused.value


EXTRA = PlainRecord(record_id="message:m3", plaintext="nobody asked")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda rows: (*rows, replace(EXTRA, record_id="message:nowhere")), "was not asked for"),
        (lambda rows: rows[1:], "is missing"),
        (lambda _: (), "is missing"),
        (lambda rows: (*rows, rows[0]), "answered twice"),
        (lambda rows: (replace(rows[0], record_id=rows[1].record_id), *rows[1:]), "answered twice"),
    ],
    ids=["not asked for", "missing", "nothing", "twice", "under another's name"],
)
def test_records_that_are_not_the_asked_ones_are_refused(
    ada: User, row: SessionRunInput, change: Callable[[Any], Any], why: str
) -> None:
    outcome, pause = paused(ada, row)
    true = opened(pause)
    refused = without_effect(ada, row, replace(true, records=change(true.records)), "wrong_records")
    assert why in refused.why
    assert refused.record_id
    assert answer_pause(ada, row, outcome, true, keep=True).resumed


def test_the_order_of_the_records_says_nothing(ada: User, row: SessionRunInput) -> None:
    outcome, pause = paused(ada, row)
    true = opened(pause)
    first = answer_pause(ada, row, outcome, true, keep=True)
    again = answer_pause(ada, row, outcome, replace(true, records=true.records[::-1]), keep=True)
    assert outcome_document(first) == outcome_document(again)


def test_an_answer_to_another_turn_is_refused(ada: User, row: SessionRunInput) -> None:
    other = rows_of(row.session)[TURN + 1]
    _, pause = paused(ada, other)
    paused(ada, row)
    assert without_effect(ada, row, opened(pause), "other_turn").why == "this answers another turn"


def test_an_answer_to_anothers_turn_tells_nothing_of_it(ada: User, eve: User, row: SessionRunInput) -> None:
    theirs = rows_of(import_bundle(eve, seal_bundle(story(), KEY)))[TURN]
    _, pause = paused(eve, theirs)
    paused(ada, row)
    without_effect(ada, row, opened(pause), "stale")


def test_rows_that_nobody_asked_for_are_refused(ada: User, row: SessionRunInput) -> None:
    outcome = open_turn(row).outcome
    pause = begin_pause(ada, row, outcome, keep=False)
    assert pause is not None
    without_effect(ada, row, opened(pause), "never_asked")


def changed_policy(row: SessionRunInput) -> None:
    row.policy["privacy"]["restricted_paths"].append("docs/**")
    row.save(update_fields=["policy"])


def swapped_envelopes(row: SessionRunInput) -> None:
    first, second = SessionMessageContent.objects.filter(message__session=row.session).order_by("message__position")[:2]
    first.envelope, second.envelope = second.envelope, first.envelope
    first.save()
    second.save()


def shorter_history(row: SessionRunInput) -> None:
    assert row.after_message is not None
    row.after_message = row.session.sessionmessages.get(position=row.after_message.position - 1)
    row.save(update_fields=["after_message"])


@pytest.mark.parametrize("change", [changed_policy, swapped_envelopes, shorter_history])
def test_an_answer_is_stale_once_the_turn_has_changed(
    ada: User, row: SessionRunInput, change: Callable[[SessionRunInput], None]
) -> None:
    _, pause = paused(ada, row)
    true = opened(pause)
    change(row)
    cache.clear()
    [now] = [each for each in rows_of(row.session) if each.pk == row.pk]
    without_effect(ada, now, true, "stale")
    outcome, again = paused(ada, now)
    assert answer_pause(ada, now, outcome, opened(again), keep=True).resumed


def test_the_same_answer_twice_is_one_answer(ada: User, row: SessionRunInput) -> None:
    outcome, pause = paused(ada, row)
    first = answer_pause(ada, row, outcome, opened(pause), keep=True)
    held = DecryptPause.objects.get()
    again = answer_pause(ada, row, outcome, opened(pause), keep=True)
    assert outcome_document(first) == outcome_document(again)
    assert DecryptPause.objects.get().answered_at == held.answered_at is not None


def test_another_answer_to_an_answered_pause_is_refused(ada: User, row: SessionRunInput) -> None:
    outcome, pause = paused(ada, row)
    true = opened(pause)
    answer_pause(ada, row, outcome, true, keep=True)
    longer = replace(true.records[0], plaintext=true.records[0].plaintext + " and more, and more")
    without_effect(ada, row, replace(true, records=(longer, *true.records[1:])), "answered_otherwise")


def test_an_answered_turn_waits_for_nothing_more(ada: User, row: SessionRunInput) -> None:
    outcome, pause = paused(ada, row)
    resumed = answer_pause(ada, row, outcome, opened(pause), keep=True)
    assert begin_pause(ada, row, resumed, keep=True) is None
    with pytest.raises(AnswerRefused, match="waits for no rows"):
        answer_pause(ada, row, resumed, opened(pause), keep=True)


def test_a_pause_outlives_a_restart_and_holds_no_content(ada: User, row: SessionRunInput) -> None:
    _, pause = paused(ada, row)
    cache.clear()
    again, same = paused(ada, row)
    assert same == pause
    assert DecryptPause.objects.count() == 1
    answer_pause(ada, row, again, opened(pause), keep=True)
    fields = {field.name for field in DecryptPause._meta.get_fields()}
    assert fields == {
        "id", "user", "session", "run_input", "created_at", "asked_digest", "rows", "answered_at", "result_digest"
    }  # fmt: skip


def test_what_is_kept_of_a_look_holds_no_opened_row(ada: User, row: SessionRunInput) -> None:
    outcome, pause = paused(ada, row)
    answer_pause(ada, row, outcome, opened(pause), keep=True)
    kept = [made for made, _ in cache._kept.values()]
    assert kept
    assert all(made.candidates is None or made.candidates.sealed == 20 for made in kept)


def test_a_recorded_answer_holds_metadata_alone(ada: User, row: SessionRunInput) -> None:
    outcome, pause = paused(ada, row)
    true = opened(pause)
    resumed = answer_pause(ada, row, outcome, true, keep=True)
    run = record_run(ada, row, resumed, new_id())
    assert (run.opened, run.status) == (True, Status.AWAITING_APPROVAL)
    before = record_run(ada, row, outcome, new_id())
    # A digest of an opened prompt would let anybody test guesses of it.
    assert run.input_digest == before.input_digest
    told = reproduce_run(run)
    assert told.verdict is Verdict.IMPOSSIBLE
    assert "the key is with the client" in told.sentence
    assert reproduce_run(run, resumed).verdict is Verdict.IDENTICAL
    assert reproduce_run(before).verdict is Verdict.IDENTICAL


@pytest.mark.django_db(transaction=True)
def test_of_two_tabs_that_answer_at_once_one_stands(ada: User, row: SessionRunInput) -> None:
    """Really at once on PostgreSQL; SQLite lets one writer after the other, and its tests share one connection."""
    outcome, pause = paused(ada, row)
    true = opened(pause)
    longer = replace(true.records[0], plaintext=true.records[0].plaintext + " and more, and more")
    done: list[str] = []
    barrier = Barrier(2 if connection.vendor == "postgresql" else 1)

    def answer(given: Answer) -> None:
        barrier.wait(timeout=20)
        try:
            answer_pause(ada, row, outcome, given, keep=True)
            done.append("taken")
        except AnswerRefused as error:
            done.append(error.code)

    def in_a_tab(given: Answer) -> None:
        try:
            answer(given)
        finally:
            connections.close_all()

    answers = [true, replace(true, records=(longer, *true.records[1:]))]
    if connection.vendor == "postgresql":
        tabs = [Thread(target=in_a_tab, args=(given,)) for given in answers]
        for tab in tabs:
            tab.start()
        for tab in tabs:
            tab.join()
    else:
        for given in answers:
            answer(given)
    assert sorted(done) == ["answered_otherwise", "taken"]


def test_rows_without_ids_and_sealed_memory_are_gathered(ada: User) -> None:
    """Messages that a recording gave no id are named by their rows; each is asked for by its own name."""
    model = ModelDescriptor(provider="ollama", model="m", local=True, max_context_tokens=4_000)
    bundle = SessionBundle(
        session=SessionInfo(key_id=KEY.key_id),
        messages=tuple(BundleMessage(role=Role.USER, content=seal_text(f"text {n}", KEY)) for n in range(3)),
        models=(model,),
        turns=(
            BundleTurn(
                input=UserInput(text=seal_text("go", KEY)),
                policy=Policy(routing=RoutingPolicy(default=DefaultRoute(model=model.name))),
            ),
        ),
    )
    [row] = rows_of(import_bundle(ada, bundle))
    row.after_message = row.session.sessionmessages.order_by("position").last()
    row.save()
    outcome, pause = paused(ada, row)
    assert len({record.record_id for record in pause.records}) == 4
    texts = {record.plaintext for record in opened(pause).records}
    assert texts == {"text 0", "text 1", "text 2", "go"}
    assert answer_pause(ada, row, outcome, opened(pause), keep=True).status is Status.SELECTED


def test_a_row_that_was_changed_at_rest_does_not_open(ada: User, row: SessionRunInput) -> None:
    content = SessionMessageContent.objects.filter(message__session=row.session).order_by("message__position")[0]
    envelope = content.envelope or {}
    data = bytearray(b64decode(envelope["ciphertext"]))
    data[0] ^= 1
    envelope["ciphertext"] = b64encode(data).decode()
    content.save()
    _, pause = paused(ada, row)
    assert isinstance(pause.records[0].envelope, Envelope)
    with pytest.raises(Exception, match="`message:m1`: does not open"):
        opened(pause)
