"""Measure the import of a transcript, and the memory that a large one takes.

Reading is held against `json.loads` over the same lines; reading and storing against the same with each line put into a plain table besides,
in one transaction, since whoever stores what was read has to write it.
"""

import json
import resource
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import django

from benchmarks.goals import Goal, report
from benchmarks.timing import alternate
from benchmarks.transcripts import write_transcript
from selection.importers import Recording, open_session

_SMALL, _LARGE = 50, 500
_MEGABYTE = 1_000_000


def _parse(path: Path) -> None:
    with path.open("rb") as file:
        for line in file:
            json.loads(line)


def _parse_and_keep(path: Path) -> None:
    with tempfile.TemporaryDirectory() as folder, path.open("rb") as file:
        kept = sqlite3.connect(Path(folder) / "plain.sqlite3")
        kept.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; CREATE TABLE line (said TEXT);")
        with kept:
            kept.executemany("INSERT INTO line VALUES (?)", map(_parsed, file))
        kept.close()


def _parsed(line: bytes) -> tuple[str]:
    json.loads(line)
    return (line.decode(),)


def _read(path: Path) -> None:
    with path.open("rb") as file:
        opened = open_session(path.name, file)
        if isinstance(opened, Recording):
            for _ in opened.parts:
                pass


def _importer() -> Callable[[Path], None]:
    """Set up a database in a file, and give what imports into it."""
    django.setup()
    from django.contrib.auth import get_user_model  # noqa: PLC0415 - once Django is set up
    from django.core.management import call_command  # noqa: PLC0415 - once Django is set up

    from selection.actions.import_session import import_session  # noqa: PLC0415 - once Django is set up

    call_command("migrate", verbosity=0)
    user = get_user_model().objects.create_user("ann")

    def run(path: Path) -> None:
        with path.open("rb") as file:
            assert not import_session(user, path.name, file).again

    return run


def _forget() -> None:
    """Delete what was imported, unmeasured."""
    from selection.models import Session  # noqa: PLC0415 - once Django is set up

    Session.objects.all().delete()


def main(rounds: int = 5) -> int:
    """Print the ratios and the memory; the exit code says whether the goals hold."""
    store = _importer()
    with tempfile.TemporaryDirectory() as folder:
        small, large = Path(folder) / "small.jsonl", Path(folder) / "large.jsonl"
        write_transcript(large, _LARGE)
        store(large)
        # Linux tells kilobytes.
        held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / _MEGABYTE
        write_transcript(small, _SMALL)
        subjects = {
            "parse": partial(_parse, small),
            "keep": partial(_parse_and_keep, small),
            "read": partial(_read, small),
            "store": partial(store, small),
        }
        timings = alternate(subjects, rounds, before=_forget)
    return report(
        (
            Goal(f"peak memory of importing {_LARGE} MB, in MB", held, 500),
            Goal("reading a transcript / json.loads of its lines", timings.ratio("read", "parse"), 3),
            Goal(
                "reading and storing it / json.loads and a plain insert of its lines", timings.ratio("store", "keep"), 3
            ),
            Goal("reading and storing it / json.loads of its lines", timings.ratio("store", "parse")),
            Goal("json.loads, MB a second", _SMALL / timings.median("parse")),
        )
    )


if __name__ == "__main__":
    sys.exit(main())
