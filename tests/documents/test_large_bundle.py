"""A large bundle is read within bounds: not text, tree and values at once."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

MEGABYTE: Final = 1024 * 1024
SIZE: Final = 50 * MEGABYTE
MOST_MEMORY: Final = 380 * MEGABYTE
ROOT: Final = Path(__file__).resolve().parents[2]
# The limit is on what the process allocates; its peak would be its parent's where that is larger.
READ: Final = """
import resource, sys
resource.setrlimit(resource.RLIMIT_DATA, (int(sys.argv[2]),) * 2)
from selection.documents.bundles import read_bundle
with open(sys.argv[1], "rb") as file:
    print(len(read_bundle(file).messages))
"""


@pytest.mark.parametrize(
    # One emoji makes a text take four bytes a character: the dearest that 50 MB can be.
    "text",
    ["x" * 1000, "x" * 996 + "🦀"],
    ids=["ascii", "emoji"],
)
def test_a_bundle_of_50_megabytes_is_read_in_380(tmp_path: Path, text: str) -> None:
    place = tmp_path / "large.json"
    count = _write(place, text)
    assert place.stat().st_size >= SIZE
    done = _read(place, MOST_MEMORY)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) == count


def test_the_limit_of_this_test_is_real(tmp_path: Path) -> None:
    place = tmp_path / "large.json"
    _write(place, "x" * 1000)
    assert "MemoryError" in _read(place, 80 * MEGABYTE).stderr


def _read(place: Path, most: int) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", READ, str(place), str(most)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def _write(place: Path, text: str) -> int:
    """Write a bundle of `SIZE`; give the number of its messages."""
    message = json.dumps({"role": "user", "content": {"plaintext": text}}, ensure_ascii=False)
    count = SIZE // len(message.encode())
    place.write_text(f'{{"format": "smista.session/1", "messages": [{",".join([message] * (count + 1))}]}}')
    return count + 1
