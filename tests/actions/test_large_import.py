"""A large bundle is imported within bounds."""

import json
import os
import subprocess
import sys
from pathlib import Path

from benchmarks.transcripts import write_transcript

MEGABYTE = 1024 * 1024
SIZE, MOST_MEMORY = 50 * MEGABYTE, 600 * MEGABYTE
_ROOT = Path(__file__).resolve().parent.parent.parent
_IMPORT = """
import sys
from pathlib import Path
import django
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
call_command("import_session", sys.argv[1])
print(next(line.split()[1] for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")))
"""


def write_large(place: Path) -> None:
    words = "the token is read once and kept for the request; " * 40
    with place.open("w") as out:
        out.write(
            '{"format": "smista.session/1", "session": {"title": "large"}, "turns": [{"input": {"text": "hello"}}], "messages": ['
        )
        number = 0
        while out.tell() < SIZE:
            message = {
                "id": f"m{number}",
                "role": "tool",
                "path": f"src/{number}.py",
                "content": {"plaintext": f"{number} {words}"},
            }
            out.write(("," if number else "") + json.dumps(message))
            number += 1
        out.write("]}")


def memory_of_importing(place: Path) -> int:
    """Import a file into a database of its own, in a process of its own; give the most that it held, in bytes."""
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    environment |= {
        "SMISTA_HTTPS": "off",
        "SMISTA_DATA_DIR": str(place.parent),
        "DJANGO_SETTINGS_MODULE": "smista_site.settings",
    }
    done = subprocess.run(
        [sys.executable, "-c", _IMPORT, str(place)],
        cwd=_ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "messages" in done.stdout
    # The system tells the most that this process held itself, in kilobytes.
    return int(done.stdout.split()[-1]) * 1024


def test_a_bundle_of_50_megabytes_is_imported_in_less_than_600(tmp_path: Path) -> None:
    place = tmp_path / "large.json"
    write_large(place)
    assert place.stat().st_size >= SIZE
    assert memory_of_importing(place) < MOST_MEMORY


def test_a_transcript_takes_little_memory_however_long_it_is(tmp_path: Path) -> None:
    place = tmp_path / "large.jsonl"
    write_transcript(place, 70)
    assert memory_of_importing(place) < 180 * MEGABYTE
