"""Replays on workers: the queue holds ids alone, a second look waits before the first begins, and small ones need no worker."""

import logging
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from selection.actions import replays
from selection.actions.replays import Chosen, make_replay
from selection.documents.plain import from_plain
from selection.documents.policy import write_policy_toml
from selection.engine.values import Policy
from selection.models import Replay, ReplayState, ReplayTurn, SessionRunInput
from selection.tasks import enqueue_replay, run_or_enqueue

pytestmark = pytest.mark.django_db


@pytest.fixture
def replay(ada: User, turns: list[SessionRunInput], monkeypatch: pytest.MonkeyPatch) -> Replay:
    monkeypatch.setattr(replays, "_TURNS_A_SLICE", 4)
    return make_replay(ada, "test", write_policy_toml(from_plain(Policy, turns[0].policy)), Chosen())


@pytest.fixture(autouse=True)
def _one_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker lets go of its connection between tasks; here it is the test's own, with the transaction that holds everything."""
    monkeypatch.setattr("django_tasks_db.management.commands.db_worker.close_old_connections", lambda: None)


def work() -> None:
    call_command("db_worker", batch=True, interval=0, startup_delay=False, verbosity=0, stdout=StringIO())


def test_a_small_replay_is_done_at_once(replay: Replay) -> None:
    run_or_enqueue(replay)
    assert Replay.objects.get().state == ReplayState.DONE
    assert not DBTaskResult.objects.exists()


def test_a_large_replay_is_done_by_a_worker(replay: Replay, settings: Any) -> None:
    settings.REPLAY_AT_ONCE_TURNS = 3
    run_or_enqueue(replay)
    assert DBTaskResult.objects.count() == replay.slices.count() > 1
    assert not ReplayTurn.objects.exists()
    work()
    assert Replay.objects.get().state == ReplayState.DONE
    assert ReplayTurn.objects.count() == replay.turns


def test_the_queue_holds_the_id_of_a_replay_and_nothing_else(replay: Replay) -> None:
    enqueue_replay(replay)
    work()
    assert {str(row.args_kwargs) for row in DBTaskResult.objects.all()} == {
        str({"args": [str(replay.pk)], "kwargs": {}})
    }


def test_another_look_waits_in_the_queue_while_a_replay_is_worked_on(replay: Replay) -> None:
    enqueue_replay(replay)
    call_command("db_worker", batch=True, interval=0, startup_delay=False, verbosity=0, max_tasks=1, stdout=StringIO())
    waiting = DBTaskResult.objects.filter(status="READY", run_after__gt=timezone.now(), run_after__year__lt=9000)
    assert waiting.count() == 1


def test_what_breaks_is_told_in_the_log_and_not_in_the_queue(
    replay: Replay, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(_: Replay) -> None:
        raise ValueError("secret-content")

    monkeypatch.setattr("selection.tasks.work_on", broken)
    enqueue_replay(replay)
    with caplog.at_level(logging.ERROR):
        work()
    failed = DBTaskResult.objects.filter(status="FAILED")
    assert failed.count() == replay.slices.count()
    assert not any("secret-content" in row.traceback for row in failed)
    assert "a replay broke" in caplog.text
