"""Replays on PostgreSQL: what a turn costs beside the engine's own selection, what a second worker gains, and workers killed at random moments."""

import os
import random
import signal
import statistics
import subprocess
import sys
import time
from dataclasses import replace
from typing import Any, Final

from benchmarks.goals import Goal, report
from benchmarks.workload import turn
from tools.postgres import find_server, running_server

_TURNS, _OF_A_SESSION, _MEASURED = 10_000, 50, 200
_KILLS: Final = 20
_LEASE: Final = 1
_STARTING: Final = 4
_EVERY: Final = 10
_MESSAGES, _BEFORE = 165, 114


def main() -> int:
    """Print the ratios; the exit code says whether the goals hold. Without a PostgreSQL server there is nothing to measure."""
    programs = find_server()
    if programs is None:
        print("no PostgreSQL server is installed: replays were not measured")
        return 1
    with running_server(programs) as address:
        command = [sys.executable, "-m", "benchmarks.bench_replay"]
        environment = {**os.environ, "DATABASE_URL": address, "SMISTA_REPLAY_LEASE_SECONDS": str(_LEASE)}
        return subprocess.run(command, env=environment, check=False).returncode  # noqa: S603 - ourselves


def _measure() -> int:
    import django  # noqa: PLC0415 - once the database is named

    django.setup()
    from django.core.management import call_command  # noqa: PLC0415 - once Django is set up

    call_command("migrate", verbosity=0)
    user = _stored()
    inline, engine, sample = _beside_the_engine(user)
    alone, together = _worked(user, 1), _worked(user, 2)
    lost = _killed(user)
    turns = _TURNS
    return report(
        (
            Goal("a replayed turn / its selection by the engine", inline / turns / engine, 3),
            Goal("two workers / one, in time", together / alone, 1 / 1.8),
            Goal(f"turns lost or repeated after {_KILLS} kills", lost, 0),
            Goal("selection of a turn, milliseconds", engine * 1000),
            Goal("turns a second, one process", turns / inline),
            Goal("candidates of a turn", sample),
        )
    )


def _stored() -> Any:
    from django.contrib.auth import get_user_model  # noqa: PLC0415 - once Django is set up
    from django.db import connection  # noqa: PLC0415 - once Django is set up

    from selection.actions.import_bundle import import_bundle  # noqa: PLC0415 - once Django is set up

    user = get_user_model().objects.create_user("ann")
    for number in range(_TURNS // _OF_A_SESSION):
        import_bundle(user, _session(number))
    with connection.cursor() as cursor:
        # As a server does by itself after a while, and here while nothing is measured.
        cursor.execute("VACUUM ANALYZE")
    return user


def _session(number: int) -> Any:
    from selection.documents.bundle import BundleMemory, BundleMessage, BundleTurn, SessionBundle  # noqa: PLC0415

    made = turn(240, pattern_count=20, seed=number)
    messages = tuple(
        BundleMessage(id=m.id, role=m.role, content=m.content, path=m.path, provider=m.provider, model=m.model)
        for m in made.recalled.messages[:_MESSAGES]
    )
    files = replace(made.attachments, files=made.attachments.files[:44])
    turns = tuple(
        BundleTurn(
            after_message=messages[_BEFORE + place].id,
            input=made.input,
            workspace=made.workspace,
            attachments=files,
            policy=made.policy,
        )
        for place in range(_OF_A_SESSION)
    )
    memory = tuple(BundleMemory(id=m.id, content=m.content) for m in made.recalled.context_memory[:16])
    return SessionBundle(messages=messages, context_memory=memory, models=made.models, turns=turns)


def _engine(user: Any) -> tuple[float, float]:
    """Give the seconds of one selection and the number of its candidates, over turns that were just read."""
    from selection.actions.gather_turns import gather_turns  # noqa: PLC0415 - once Django is set up
    from selection.actions.replays import Chosen, turns_chosen  # noqa: PLC0415 - once Django is set up
    from selection.engine import select  # noqa: PLC0415 - once Django is set up
    from selection.models import SessionRunInput  # noqa: PLC0415 - once Django is set up

    keys = turns_chosen(user, Chosen())[:_MEASURED]
    rows = SessionRunInput.objects.filter(pk__in=keys).select_related("session", "after_message")
    gathered = [found for _, found in gather_turns(list(rows.order_by("session_id", "position"))) if found is not None]
    started = time.perf_counter()
    outcomes = [select(each) for each in gathered]
    seconds = (time.perf_counter() - started) / len(gathered)
    return seconds, sum(len(each.candidates or ()) for each in outcomes) / len(outcomes)


def _policy() -> str:
    from selection.documents.policy import write_policy_toml  # noqa: PLC0415 - once Django is set up

    made = turn(200, pattern_count=20).policy
    privacy = replace(made.privacy, restricted_paths=(*made.privacy.restricted_paths, "config/**", "src/token*/**"))
    return write_policy_toml(replace(made, privacy=privacy))


def _made(user: Any) -> Any:
    from selection.actions.replays import Chosen, make_replay  # noqa: PLC0415 - once Django is set up

    return make_replay(user, "bench", _policy(), Chosen())


def _beside_the_engine(user: Any) -> tuple[float, float, float]:
    """Replay in this process, and select some turns again and again meanwhile; give the seconds of the replay, of one selection, and its candidates."""
    from selection.actions.replays import work_on  # noqa: PLC0415 - once Django is set up

    replayed, selected, sample = 0.0, [], 0.0
    began = time.perf_counter()
    for number, _ in enumerate(work_on(_made(user))):
        if number % _EVERY == 0:
            replayed += time.perf_counter() - began
            seconds, sample = _engine(user)
            selected.append(seconds)
            began = time.perf_counter()
    replayed += time.perf_counter() - began
    return replayed, statistics.mean(selected), sample


def _worked(user: Any, workers: int) -> float:
    """Give the seconds that so many workers, which are up already, need for a replay."""
    from selection.models import Replay  # noqa: PLC0415 - once Django is set up
    from selection.tasks import enqueue_replay  # noqa: PLC0415 - once Django is set up

    replay = _made(user)
    started = [_worker() for _ in range(workers)]
    time.sleep(_STARTING)
    began = time.perf_counter()
    enqueue_replay(replay)
    while Replay.objects.get(pk=replay.pk).state == "running":
        time.sleep(0.1)
    seconds = time.perf_counter() - began
    for each in started:
        each.kill()
        each.wait()
    return seconds


def _worker() -> "subprocess.Popen[bytes]":
    command = [sys.executable, "manage.py", "db_worker", "--no-startup-delay", "--interval", "0.2", "--verbosity", "0"]
    return subprocess.Popen(command)  # noqa: S603 - ourselves


def _killed(user: Any) -> int:
    """Kill a worker at random moments; give how many turns were lost or counted twice in the end."""
    from selection.models import Replay, ReplayChange, ReplayTurn  # noqa: PLC0415 - once Django is set up
    from selection.tasks import enqueue_replay  # noqa: PLC0415 - once Django is set up

    replay, chance = _made(user), random.Random(5)
    enqueue_replay(replay)
    for _ in range(_KILLS):
        worker = _worker()
        time.sleep(chance.uniform(0.9, 2.5))
        worker.send_signal(signal.SIGKILL)
        worker.wait()
    last = _worker()
    while Replay.objects.get(pk=replay.pk).state == "running":
        time.sleep(0.2)
    last.kill()
    last.wait()
    rows = list(ReplayTurn.objects.filter(replay=replay).values_list("run_input", "changes"))
    changes = ReplayChange.objects.filter(replay=replay).count()
    repeated = len(rows) - len({key for key, _ in rows})
    return abs(_TURNS - len(rows)) + repeated + abs(changes - sum(count for _, count in rows))


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "smista_site.settings")
    sys.exit(_measure())
