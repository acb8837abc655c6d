"""Recorders at work side by side, on PostgreSQL and on SQLite: no run is lost or doubled, and the chain is whole afterwards."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final
from uuid import uuid4

from benchmarks.goals import Goal, report
from tools.postgres import find_server, running_server

_SECONDS: Final = float(os.environ.get("SMISTA_BENCH_SECONDS", "60"))
# How many processes, and how many recorders in each.
_ON_POSTGRES: Final = (2, 25)
_ON_SQLITE: Final = (8, 1)
_MODULE: Final = "benchmarks.bench_audit"


def main() -> int:
    """Print what came of it; the exit code says whether the goals hold. Without a PostgreSQL server there is nothing to measure."""
    programs = find_server()
    if programs is None:
        print("no PostgreSQL server is installed: recorders were not measured")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        failed = _apart("SQLite", _ON_SQLITE, {"SMISTA_DATA_DIR": folder})
    with tempfile.TemporaryDirectory() as folder, running_server(programs) as address:
        return _apart("PostgreSQL", _ON_POSTGRES, {"DATABASE_URL": address, "SMISTA_DATA_DIR": folder}) or failed


def _apart(name: str, shape: tuple[int, int], environment: dict[str, str]) -> int:
    command = [sys.executable, "-m", _MODULE, "measure", name, *map(str, shape)]
    # The settings of the site, which name the database.
    held = {**os.environ, **environment, "DJANGO_SETTINGS_MODULE": "smista_site.settings", "SMISTA_HTTPS": "off"}
    return subprocess.run(command, env=held, check=False).returncode  # noqa: S603 - ourselves


def _measure(name: str, processes: int, threads: int) -> int:
    from django.contrib.auth import get_user_model  # noqa: PLC0415 - once Django is set up
    from django.core.management import call_command  # noqa: PLC0415 - once Django is set up

    from selection.actions.audit.verify import verify_audit  # noqa: PLC0415 - once Django is set up
    from selection.actions.import_bundle import import_bundle  # noqa: PLC0415 - once Django is set up
    from selection.demo import story  # noqa: PLC0415 - once Django is set up
    from selection.models import AuditEntry, SelectionRun  # noqa: PLC0415 - once Django is set up

    call_command("migrate", verbosity=0)
    for number in range(5):
        import_bundle(get_user_model().objects.create_user(f"user{number}"), story())
    command = [sys.executable, "-m", _MODULE, "record", name, str(threads), str(_SECONDS)]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(processes)]  # noqa: S603 - ourselves
    told = [worker.communicate()[0] for worker in started]
    keys = [line for text in told for line in text.split()]
    stored = {str(key) for key in SelectionRun.objects.values_list("idempotency_key", flat=True)}
    found = verify_audit()
    for each in found.breaks:
        print(each)
    chained = AuditEntry.objects.filter(kind="run").count()
    failed = sum(worker.returncode != 0 for worker in started)
    side = f"{name}, {processes * threads} recorders"
    return report(
        (
            Goal(f"{side}: runs lost or doubled", len(stored ^ set(keys)) + abs(len(keys) - chained), 0),
            Goal(f"{side}: breaks of the chain", len(found.breaks), 0),
            Goal(f"{side}: recorders that failed", failed, 0),
            Goal(f"{side}: runs a second", len(keys) / _SECONDS),
        )
    )


def _record(threads: int, seconds: float) -> int:
    with ThreadPoolExecutor(threads) as pool:
        jobs = [pool.submit(_recorder, number, seconds) for number in range(threads)]
        for job in jobs:
            print("\n".join(job.result()))
    return 0


def _recorder(number: int, seconds: float) -> list[str]:
    """Record for a while; give the keys of what was recorded."""
    from django.db import connection  # noqa: PLC0415 - once Django is set up

    from selection.actions.record_run import record_run  # noqa: PLC0415 - once Django is set up

    turns = list(_opened(number))
    keys: list[str] = []
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        row, outcome = turns[len(keys) % len(turns)]
        key = uuid4()
        record_run(row.user, row, outcome, key)
        keys.append(str(key))
    connection.close()
    return keys


def _opened(number: int) -> Iterator[tuple[Any, Any]]:
    from selection.actions.open_turn import open_turn  # noqa: PLC0415 - once Django is set up
    from selection.models import SessionRunInput  # noqa: PLC0415 - once Django is set up

    rows = SessionRunInput.objects.select_related("session", "after_message", "user")
    for row in rows.filter(user__username=f"user{number % 5}").order_by("position"):
        yield row, open_turn(row).outcome


if __name__ == "__main__":
    import django

    django.setup()
    match sys.argv[1:]:
        case ["measure", name, processes, threads]:
            sys.exit(_measure(name, int(processes), int(threads)))
        case ["record", _, threads, seconds]:
            sys.exit(_record(int(threads), float(seconds)))
