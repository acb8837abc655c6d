"""Export and retention of very many rows on PostgreSQL: speed beside `COPY`, memory, and what is previewed beside what goes while others record."""

import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from benchmarks.goals import Goal, report
from tools.postgres import find_server, running_server

_MODULE: Final = "benchmarks.bench_audit_removal"
_ROWS: Final = int(os.environ.get("SMISTA_BENCH_REMOVED", "1000000"))
_MEMORY: Final = 200
# An export takes at most so many times as long as COPY alone.
_TIMES: Final = 2.0


def main() -> int:
    """Print what came of it; the exit code says whether the goals hold."""
    programs = find_server()
    if programs is None:
        print("no PostgreSQL server is installed: export and retention were not measured")
        return 1
    with tempfile.TemporaryDirectory() as folder, running_server(programs) as address:
        held = {
            **os.environ,
            "DATABASE_URL": address,
            "SMISTA_DATA_DIR": folder,
            "DJANGO_SETTINGS_MODULE": "smista_site.settings",
            "SMISTA_HTTPS": "off",
        }
        failed = 0
        for part in ("make", "export", "retain"):
            # Each in a process of its own, whose memory is that of the part alone.
            command = [sys.executable, "-m", _MODULE, part, str(_psql(programs)), folder]
            failed |= subprocess.run(command, env=held, check=False).returncode  # noqa: S603 - ourselves
    return failed


def _psql(programs: Path) -> Path:
    """Find the client beside the server, or beside where its programs really are."""
    folders = (programs, (programs / "initdb").resolve().parent, *Path("/usr/lib/postgresql").glob("*/bin"))
    return next(folder / "psql" for folder in folders if (folder / "psql").exists())


def _make() -> int:
    from django.contrib.auth import get_user_model  # noqa: PLC0415 - once Django is set up
    from django.core.management import call_command  # noqa: PLC0415 - once Django is set up

    from benchmarks.audit_rows import make_references  # noqa: PLC0415 - once Django is set up
    from selection.actions.import_bundle import import_bundle  # noqa: PLC0415 - once Django is set up
    from selection.demo import story  # noqa: PLC0415 - once Django is set up

    call_command("migrate", verbosity=0)
    make_references(_ROWS)
    import_bundle(get_user_model().objects.create_superuser("auditor"), story())
    return 0


def _export(psql: str, folder: Path) -> int:
    from selection.actions.exports import verify_export  # noqa: PLC0415 - once Django is set up

    goals: list[Goal] = []
    for form in ("csv", "ndjson"):
        took = min(_timed(lambda: _copied(psql, folder / "copied", form)) for _ in range(2))  # noqa: B023 - called at once
        file = folder / f"export-{form}.zip"
        ours = min(_timed(lambda: _exported(file, form)) for _ in range(2))  # noqa: B023 - called at once
        manifest, wrong = verify_export(file)
        goals += [
            Goal(f"{form}: time / COPY to the same file", ours / took, _TIMES),
            Goal(f"{form}: rows missing, or wrong", abs(_ROWS - manifest["count"]) + bool(wrong), 0),
            Goal(f"{form}: rows a second", _ROWS / ours),
        ]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_024
    return report([*goals, Goal("memory of the exporter, MB", memory, _MEMORY)])


def _copied(psql: str, file: Path, form: str) -> None:
    """Let `COPY` alone write the rows: as CSV of the plain columns, or, as the same file, in the lines of the export."""
    from selection.actions.audit.export_references import _COLUMNS, _line  # noqa: PLC0415 - to say it the same

    rows = "session_context_reference row LEFT JOIN auth_user ON auth_user.id = row.user_id ORDER BY row.created_at DESC, row.id DESC"
    said = ", ".join(f"row.{column}" for column in _COLUMNS.values()) if form == "csv" else _line()
    shape = "" if form == "csv" else ", DELIMITER E'\\x02', QUOTE E'\\x01'"
    statement = f"COPY (SELECT {said} FROM {rows}) TO STDOUT (FORMAT csv{shape})"  # noqa: S608 - names of our own
    with file.open("wb") as out:
        subprocess.run([psql, os.environ["DATABASE_URL"], "-qc", statement], stdout=out, check=True)  # noqa: S603 - found


def _exported(file: Path, form: str) -> None:
    from django.contrib.auth import get_user_model  # noqa: PLC0415 - once Django is set up

    from selection.actions.audit.export_references import export_references  # noqa: PLC0415 - once Django is set up
    from selection.actions.audit.question import Question  # noqa: PLC0415 - once Django is set up

    with file.open("wb") as out:
        for piece in export_references(get_user_model().objects.get(username="auditor"), Question(), form):
            out.write(piece)


def _timed(run: Any) -> float:
    started = time.perf_counter()
    run()
    return time.perf_counter() - started


def _retain() -> int:
    """Remove everything that was generated while somebody records turns without a pause."""
    from django.contrib.auth import get_user_model  # noqa: PLC0415 - once Django is set up
    from django.utils import timezone  # noqa: PLC0415 - once Django is set up

    from selection.actions.audit.retention import Scope, apply_retention, preview_retention  # noqa: PLC0415 - as above
    from selection.actions.audit.verify import verify_audit  # noqa: PLC0415 - as above
    from selection.models import SelectionRun  # noqa: PLC0415 - as above

    auditor = get_user_model().objects.get(username="auditor")
    scope = Scope(before=timezone.now() - timedelta(hours=1))
    previewed = preview_retention(scope)
    ended = threading.Event()
    kept: list[float] = []
    recorder = threading.Thread(target=lambda: kept.extend(_recorded(auditor, ended)))
    recorder.start()
    started = time.perf_counter()
    gone = apply_retention(auditor, scope, previewed.rows)
    took = time.perf_counter() - started
    ended.set()
    recorder.join()
    longest = max(kept, default=float("inf"))
    return report(
        (
            Goal("retention: previewed and not removed", abs(previewed.rows - gone.rows), 0),
            Goal("retention: references left of those", preview_retention(scope).references, 0),
            Goal("retention: breaks of the chain", len(verify_audit().breaks), 0),
            Goal("retention: runs recorded meanwhile and lost", len(kept) - SelectionRun.objects.count(), 0),
            Goal("retention: none recorded meanwhile", int(not kept), 0),
            Goal("retention: longest wait of a recorder, s", longest),
            Goal("retention: rows removed a second", gone.rows / took),
            Goal("retention: runs recorded a second meanwhile", len(kept) / took),
        )
    )


def _recorded(user: Any, ended: threading.Event) -> Iterator[float]:
    """Record until told to end; give how long each took, in seconds."""
    from django.db import connection  # noqa: PLC0415 - once Django is set up

    from selection.actions.open_turn import open_turn  # noqa: PLC0415 - as above
    from selection.actions.record_run import record_run  # noqa: PLC0415 - as above
    from selection.models import SessionRunInput  # noqa: PLC0415 - as above

    row = (
        SessionRunInput.objects.select_related("session", "after_message", "user").filter(user=user).latest("position")
    )
    outcome = open_turn(row).outcome
    while not ended.is_set():
        started = time.perf_counter()
        record_run(user, row, outcome, uuid4())
        yield time.perf_counter() - started
    connection.close()


if __name__ == "__main__":
    import django

    django.setup()
    match sys.argv[1:]:
        case ["make", *_]:
            sys.exit(_make())
        case ["export", psql, folder]:
            sys.exit(_export(psql, Path(folder)))
        case ["retain", *_]:
            sys.exit(_retain())
