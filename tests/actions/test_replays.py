"""A policy over turns that happened: what changes is told, once for each turn, whoever does it and whenever they die."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from selection.actions.import_bundle import import_bundle
from selection.actions.open_turn import open_turn
from selection.actions.record_run import record_run
from selection.actions.replays import Chosen, cancel_replay, make_replay, replay_slice, turns_chosen, work_on
from selection.demo import story
from selection.documents.plain import from_plain
from selection.documents.policy import read_policy_toml, write_policy_toml
from selection.documents.turn import read_turn
from selection.engine import decide, prepare, select
from selection.engine.changes import changes_of
from selection.engine.codes import EffectCode, Fate
from selection.engine.pipeline import prepare_again
from selection.engine.values import Policy
from selection.models import (
    ModelDescriptor,
    Replay,
    ReplayChange,
    ReplayPath,
    ReplaySlice,
    ReplayState,
    ReplayTurn,
    ReplayVerdict,
    SessionRunInput,
    SliceState,
)

pytestmark = pytest.mark.django_db

VECTORS = Path(__file__).resolve().parents[1] / "conformance"


@pytest.fixture
def policy(turns: list[SessionRunInput]) -> Policy:
    return from_plain(Policy, turns[0].policy)


def replayed(user: User, policy: Policy, chosen: Chosen | None = None) -> Replay:
    replay = make_replay(user, "test", write_policy_toml(policy), chosen or Chosen())
    list(work_on(replay))
    replay.refresh_from_db()
    return replay


def restricting(policy: Policy, *patterns: str) -> Policy:
    return replace(policy, privacy=replace(policy.privacy, restricted_paths=patterns))


def test_a_policy_on_its_own_turns_changes_nothing(ada: User, turns: list[SessionRunInput]) -> None:
    own = {write_policy_toml(policy): policy for row in turns if (policy := from_plain(Policy, row.policy))}
    for policy in own.values():
        replay = replayed(ada, policy)
        assert replay.state == ReplayState.DONE
        mine = [row.pk for row in turns if from_plain(Policy, row.policy) == policy]
        verdicts = dict(ReplayTurn.objects.filter(replay=replay).values_list("run_input", "verdict"))
        assert len(verdicts) == replay.turns == len(turns)
        assert {verdicts[key] for key in mine} == {ReplayVerdict.UNCHANGED.value}


def test_a_turn_under_its_own_policy_never_changes_whatever_the_turn() -> None:
    for path in sorted(VECTORS.glob("*.json")):
        for vector in json.loads(path.read_bytes()):
            turn = read_turn(vector["turn"])
            prepared = prepare(turn)
            again = decide(prepare_again(prepared, replace(turn, policy=read_turn(vector["turn"]).policy)))
            assert list(changes_of(decide(prepared), again)) == []


def test_what_changes_is_what_the_engine_says_turn_by_turn(
    ada: User, turns: list[SessionRunInput], policy: Policy
) -> None:
    for changed in (
        restricting(policy, *policy.privacy.restricted_paths, "config/**"),
        restricting(policy),
        restricting(policy, "**"),
    ):
        Replay.objects.all().delete()
        replay = replayed(ada, changed)
        expected = {}
        for row in turns:
            turn = open_turn(row).prepared.turn
            found = [change.code.value for change in changes_of(select(turn), select(replace(turn, policy=changed)))]
            if found:
                expected[row.pk] = found
        told: dict[object, list[str]] = {}
        for key, code in ReplayChange.objects.order_by("gravity", "id").values_list("run_input", "change"):
            told.setdefault(key, []).append(code)
        assert told == expected
        assert expected
        verdicts = dict(ReplayTurn.objects.filter(replay=replay).values_list("run_input", "verdict"))
        assert {key for key, verdict in verdicts.items() if verdict == ReplayVerdict.CHANGED} == set(expected)


def test_lifting_a_restriction_tells_disclosure_first_with_the_pattern_that_held_it(
    ada: User, turns: list[SessionRunInput], policy: Policy
) -> None:
    assert ".env" in policy.privacy.restricted_paths
    replayed(ada, restricting(policy, *(p for p in policy.privacy.restricted_paths if p != ".env")))
    first = ReplayChange.objects.order_by("gravity", "id").first()
    assert first is not None
    assert (first.change, first.path, first.pattern) == (EffectCode.DISCLOSED, ".env", ".env")
    assert first.place.startswith("privacy.restricted_paths[")
    assert {row.pk for row in turns} >= {first.run_input_id}


def test_what_leaves_stays_and_is_withheld_adds_up_with_the_engine(
    ada: User, turns: list[SessionRunInput], policy: Policy
) -> None:
    replayed(ada, policy)
    for row in ReplayTurn.objects.select_related("run_input"):
        outcome = open_turn(next(turn for turn in turns if turn.pk == row.run_input_id)).outcome
        used = outcome.budget.used if outcome.budget else 0
        assert row.remote_tokens + row.local_tokens == used
        assert bool(row.remote_tokens) <= bool(outcome.model and not outcome.model.local)
    fates = set(ReplayPath.objects.values_list("fate", flat=True))
    assert {Fate.REMOTE, Fate.LOCAL, Fate.WITHHELD} <= fates


def test_marks_made_anew_are_those_of_a_whole_selection(turns: list[SessionRunInput], policy: Policy) -> None:
    changed = restricting(policy, "src/**", "*.md")
    for row in turns:
        turn = open_turn(row).prepared.turn
        again = decide(prepare_again(prepare(turn), replace(turn, policy=changed)))
        whole = select(replace(turn, policy=changed))
        assert (again.included, again.reasons, again.model, again.error) == (
            whole.included,
            whole.reasons,
            whole.model,
            whole.error,
        )


def test_a_catalog_that_changed_since_it_was_recorded_is_told_and_nothing_claimed(
    ada: User, turns: list[SessionRunInput], policy: Policy
) -> None:
    record_run(ada, turns[0], open_turn(turns[0]).outcome, uuid4())
    ModelDescriptor.objects.filter(position=0).update(max_context_tokens=77)
    replayed(ada, restricting(policy, "**"))
    row = ReplayTurn.objects.get(run_input=turns[0])
    assert (row.verdict, row.why, row.changes) == (ReplayVerdict.UNKNOWN, "catalog changed", 0)


def test_a_turn_without_its_content_is_told_as_such(ada: User, turns: list[SessionRunInput], policy: Policy) -> None:
    turns[1].content.delete()
    replayed(ada, policy)
    row = ReplayTurn.objects.get(run_input=turns[1])
    assert (row.verdict, row.why) == (ReplayVerdict.UNKNOWN, "input missing")


def test_turns_are_chosen_by_their_number_day_model_session_and_sample(
    ada: User, eve: User, turns: list[SessionRunInput]
) -> None:
    keys = [row.pk for row in turns]
    assert turns_chosen(ada, Chosen()) == keys
    assert turns_chosen(eve, Chosen()) == []
    assert len(turns_chosen(ada, Chosen(last=3))) == 3
    drawn = turns_chosen(ada, Chosen(sample=4))
    assert len(drawn) == 4
    assert drawn == turns_chosen(ada, Chosen(sample=4))
    assert turns_chosen(ada, Chosen(sessions=(uuid4(),))) == []
    assert turns_chosen(ada, Chosen(sessions=(turns[0].session_id,))) == keys
    day = turns[0].created_at.date()
    assert turns_chosen(ada, Chosen(since=day, until=day)) == [r.pk for r in turns if r.created_at.date() == day]
    run = record_run(ada, turns[2], open_turn(turns[2]).outcome, uuid4())
    assert turns_chosen(ada, Chosen(model=run.model)) == [turns[2].pk]
    assert turns_chosen(ada, Chosen(model="nobody/none")) == []


@pytest.fixture
def small_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("selection.actions.replays._TURNS_A_SLICE", 2)


@pytest.mark.usefixtures("small_slices")
def test_a_slice_whose_worker_died_is_done_by_another_and_counted_once(
    ada: User, turns: list[SessionRunInput], policy: Policy
) -> None:
    replay = make_replay(ada, "test", write_policy_toml(policy), Chosen())
    dead = replay.slices.order_by("number").first()
    assert dead is not None
    held = timezone.now() + timedelta(minutes=1)
    ReplaySlice.objects.filter(pk=dead.pk).update(state=SliceState.TAKEN.value, taken_by=uuid4(), taken_until=held)
    assert sum(work_on(replay)) == len(turns) - 2
    assert Replay.objects.get().state == ReplayState.RUNNING
    ReplaySlice.objects.filter(pk=dead.pk).update(taken_until=timezone.now() - timedelta(seconds=1))
    assert sum(work_on(replay)) == 2
    assert Replay.objects.get().state == ReplayState.DONE
    assert sorted(ReplayTurn.objects.values_list("run_input", flat=True)) == sorted(row.pk for row in turns)


@pytest.mark.usefixtures("small_slices")
def test_a_worker_that_was_taken_for_dead_stores_nothing(
    ada: User, turns: list[SessionRunInput], policy: Policy, monkeypatch: pytest.MonkeyPatch
) -> None:
    replay = make_replay(ada, "test", write_policy_toml(policy), Chosen())

    def slow(slice_: ReplaySlice, read: Policy) -> object:
        ReplaySlice.objects.filter(pk=slice_.pk).update(taken_by=uuid4())
        return replay_slice(slice_, read)

    monkeypatch.setattr("selection.actions.replays.replay_slice", slow)
    assert list(work_on(replay)) == []
    assert not ReplayTurn.objects.exists()
    assert len(turns) > 2


@pytest.mark.usefixtures("small_slices")
def test_a_replay_that_is_called_off_stops_and_keeps_what_it_found(
    ada: User, turns: list[SessionRunInput], policy: Policy
) -> None:
    replay = make_replay(ada, "test", write_policy_toml(policy), Chosen())
    work: Iterator[int] = work_on(replay)
    next(work)
    cancel_replay(replay)
    assert list(work) == []
    assert ReplayTurn.objects.count() == 2 < len(turns)
    assert Replay.objects.get().state == ReplayState.CANCELLED


def test_the_number_of_queries_does_not_grow_with_the_turns(
    ada: User, turns: list[SessionRunInput], policy: Policy, django_assert_max_num_queries: object
) -> None:
    replay = make_replay(ada, "test", write_policy_toml(policy), Chosen())
    slice_ = replay.slices.get()
    with django_assert_max_num_queries(8):  # type: ignore[operator]
        assert len(replay_slice(slice_, read_policy_toml(replay.text).policy)) == len(turns)


def test_nothing_of_another_user_is_replayed(eve: User, turns: list[SessionRunInput], policy: Policy) -> None:
    import_bundle(eve, story())
    replay = replayed(eve, policy)
    assert replay.turns == len(turns)
    assert not set(ReplayTurn.objects.values_list("run_input", flat=True)) & {row.pk for row in turns}


def test_with_a_session_goes_what_was_found_of_it(ada: User, turns: list[SessionRunInput], policy: Policy) -> None:
    replay = replayed(ada, restricting(policy))
    assert ReplayChange.objects.exists()
    turns[0].session.delete()
    for model in (ReplayTurn, ReplayChange):
        assert not model.objects.filter(replay=replay).exists()
    replay.delete()
    assert not ReplayPath.objects.exists()
