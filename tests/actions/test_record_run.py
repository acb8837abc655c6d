"""What is recorded: one row a candidate, never content, once for each key."""

from dataclasses import replace
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.core import serializers

from selection.actions.import_bundle import import_bundle
from selection.actions.open_turn import open_turn
from selection.actions.record_run import record_run
from selection.demo import story
from selection.documents.bundle import BundleTurn, SessionBundle
from selection.documents.continuations import Decision
from selection.documents.plain import to_plain
from selection.engine import Outcome, select
from selection.engine.codes import Mode, Reason
from selection.engine.values import AttachedFile, Attachments, Policy, PrivacyPolicy, RemotePrivacy, UserInput
from selection.models import (
    SelectionRun,
    SessionContextReference,
    SessionRoutingDecision,
    SessionRunInput,
    TraceEvent,
    TraceEventContent,
)

pytestmark = pytest.mark.django_db

SECRET = "not-a-real-password"  # noqa: S105
WITHHELD, FORCED_LOCAL, COPIES, OVERRIDE_REFUSED = 3, 4, 5, 10


def recorded(user: User, row: SessionRunInput) -> tuple[SelectionRun, Outcome]:
    outcome = open_turn(row).outcome
    return record_run(user, row, outcome, uuid4()), outcome


def test_every_candidate_has_one_row_with_its_reason(ada: User, turns: list[SessionRunInput]) -> None:
    for row in turns:
        run, outcome = recorded(ada, row)
        rows = list(run.references.order_by("position"))
        assert [reference.position for reference in rows] == list(range(len(outcome.reasons)))
        assert [reference.reason_code for reference in rows] == [code and code.value for code in outcome.reasons]
        assert sum(r.estimated_tokens for r in rows if r.included) == (outcome.budget.used if outcome.budget else 0)


def test_what_went_where_is_told_and_a_duplicate_went_with_its_survivor(
    ada: User, turns: list[SessionRunInput]
) -> None:
    waits, _ = recorded(ada, turns[0])
    assert (waits.status, waits.destination) == ("awaiting_approval", None)
    assert not waits.references.filter(destination__isnull=False).exists()
    run, _ = recorded(ada, turns[FORCED_LOCAL])
    assert run.destination == "local"
    rows = list(run.references.select_related("duplicate_of"))
    assert {row.destination for row in rows if row.included} == {"local"}
    assert {row.model for row in rows} == {run.model}
    for row in rows:
        went = row.included or (row.duplicate_of is not None and row.duplicate_of.included)
        assert (row.destination is not None) == went
    run = record_run(ada, turns[COPIES], open_turn(turns[COPIES]).outcome, uuid4(), Decision.ALLOW)
    copies = run.references.filter(reason_code="duplicate")
    assert copies.filter(destination="remote", included=False).exists()


def test_a_restricted_path_is_withheld_and_its_pattern_named(ada: User, turns: list[SessionRunInput]) -> None:
    run, _ = recorded(ada, turns[WITHHELD])
    restricted = run.references.filter(restricted=True)
    assert restricted.count() >= 3
    for reference in restricted:
        assert reference.path is None
        assert reference.reason_code == Reason.RESTRICTED_REMOTE.value
        assert "payment.pem" not in reference.reason
    assert any("`.env`" in reference.reason for reference in restricted)


def test_no_recorded_text_names_a_restricted_path(ada: User) -> None:
    """The path is long and tells something; the pattern that matches it is short and does not."""
    path = "vault/project-nightingale.txt"
    files = (AttachedFile(path=path, content="x", required=True), AttachedFile(path="copy.txt", content="x"))
    bundle = SessionBundle(
        models=story().models,
        turns=(
            BundleTurn(
                input=UserInput(text="hello"),
                attachments=Attachments(files=files),
                policy=Policy(
                    routing=story().turns[0].policy.routing, privacy=PrivacyPolicy(restricted_paths=("vault/",))
                ),
            ),
        ),
    )
    session = import_bundle(ada, bundle)
    recorded(ada, SessionRunInput.objects.get(session=session))
    assert "nightingale" not in everything_recorded()
    assert "vault/" in everything_recorded()


def test_leak_11_a_tighter_policy_changes_what_would_be_and_never_what_was_recorded(ada: User) -> None:
    """The bundle that is exported is the owner's own session, whole: it is no prompt, and no policy applies to it."""
    bundle = SessionBundle(
        models=story().models,
        turns=(
            BundleTurn(
                input=UserInput(text="hello"),
                attachments=Attachments(files=(AttachedFile(path="config/app.yml", content="x"),)),
                policy=story().turns[0].policy,
                credentials=("anthropic",),
            ),
        ),
    )
    row = SessionRunInput.objects.get(session=import_bundle(ada, bundle))
    run, before = recorded(ada, row)
    kept = serializers.serialize("python", [run, *run.references.order_by("position")])
    privacy = replace(before.turn.policy.privacy, restricted_paths=("config/**",))
    tighter = replace(before.turn, policy=replace(before.turn.policy, privacy=privacy))
    assert select(tighter).reasons[0] is Reason.RESTRICTED_REMOTE
    row.policy = to_plain(tighter.policy)
    row.save()
    run.refresh_from_db()
    assert serializers.serialize("python", [run, *run.references.order_by("position")]) == kept
    assert run.references.get().included


def test_a_policy_may_allow_restricted_paths_to_be_recorded(ada: User) -> None:
    turn = story().turns[FORCED_LOCAL]
    privacy = PrivacyPolicy(
        restricted_paths=(".env",), remote=RemotePrivacy(mode=Mode.ASK), record_restricted=Mode.ALLOW
    )
    turn = BundleTurn(
        input=turn.input,
        attachments=turn.attachments,
        policy=Policy(routing=turn.policy.routing, privacy=privacy),
    )
    session = import_bundle(ada, SessionBundle(models=story().models, turns=(turn,)))
    run, _ = recorded(ada, SessionRunInput.objects.get(session=session))
    assert run.references.get(restricted=True).path == ".env"


def test_what_is_recorded_never_holds_content(ada: User, turns: list[SessionRunInput]) -> None:
    for row in turns:
        recorded(ada, row)
    text = everything_recorded()
    assert SECRET not in text
    assert "Every endpoint asks for a scope" not in text
    for turn in story().turns:
        assert str(turn.input.text) not in text


def everything_recorded() -> str:
    tables = (SelectionRun, SessionContextReference, SessionRoutingDecision, TraceEvent, TraceEventContent)
    return "".join(serializers.serialize("json", table.objects.all()) for table in tables)


def test_a_duplicate_points_at_the_row_of_its_survivor(ada: User, turns: list[SessionRunInput]) -> None:
    run, outcome = recorded(ada, turns[COPIES])
    assert outcome.candidates is not None
    copies = run.references.filter(reason_code="duplicate")
    assert copies.count() == len(outcome.candidates.duplicates) >= 2
    for copy in copies:
        assert copy.duplicate_of is not None
        assert copy.duplicate_of.position == outcome.candidates.survivors[copy.position]


def test_the_same_key_records_once(ada: User, turns: list[SessionRunInput]) -> None:
    key, outcome = uuid4(), open_turn(turns[0]).outcome
    first, second = (record_run(ada, turns[0], outcome, key) for _ in range(2))
    assert first == second
    assert SelectionRun.objects.count() == SessionRoutingDecision.objects.count() == 1
    assert TraceEvent.objects.count() == len({event.position for event in TraceEvent.objects.all()})


def test_a_refusal_is_recorded_with_its_error(ada: User, turns: list[SessionRunInput]) -> None:
    run, _ = recorded(ada, turns[OVERRIDE_REFUSED])
    assert (run.status, run.error, run.model) == ("error", "override_not_allowed", None)
    assert not run.references.filter(included=True).exists()
    assert run.routing_decision.override_used


def test_the_trace_tells_the_stages_in_order(ada: User, turns: list[SessionRunInput]) -> None:
    run, _ = recorded(ada, turns[0])
    events = list(run.trace_events.order_by("position").values_list("event_type", flat=True))
    assert events == ["message", "classification", "routing_decision", "context_selection", "approval"]


def test_digests_are_equal_for_equal_turns_and_differ_for_others(ada: User, turns: list[SessionRunInput]) -> None:
    first, again, other = (recorded(ada, row)[0] for row in (turns[0], turns[0], turns[1]))
    assert first.input_digest == again.input_digest != other.input_digest
    assert first.policy_digest == other.policy_digest
    assert first.catalog_digest == other.catalog_digest
    assert len(first.input_digest) == 64
