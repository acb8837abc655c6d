"""Every vector of the independent oracle, as its own test; and all of them to the same bytes whatever seeds the hashes."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from selection.documents.conformance import check_case

ROOT = Path(__file__).resolve().parents[2]
VECTORS = sorted((ROOT / "tests" / "conformance").glob("*.json"))
CASES = [
    pytest.param(case, id=f"{path.stem}: {case['name']}") for path in VECTORS for case in json.loads(path.read_bytes())
]
OUTCOMES = """
import json, sys
from pathlib import Path
from selection.documents.outcome import outcome_document
from selection.documents.turn import read_turn
from selection.engine import resume, select
from selection.engine.values import PlainRecord

for path in sys.argv[1:]:
    for case in json.loads(Path(path).read_bytes()):
        outcome = select(read_turn(json.dumps(case["turn"])))
        print(json.dumps(outcome_document(outcome)))
        if "opened" in case:
            answer = [PlainRecord(record_id=key, plaintext=text) for key, text in case["opened"].items()]
            print(json.dumps(outcome_document(resume(outcome, answer))))
"""


@pytest.mark.parametrize("case", CASES)
def test_the_engine_selects_as_the_oracle_does(case: dict[str, Any]) -> None:
    assert check_case(case) == []


def test_no_vector_is_lost() -> None:
    assert [path.name for path in VECTORS] == ["named.json", "random.json"]
    assert len(CASES) == 208


def test_the_check_sees_a_field_that_differs() -> None:
    case = json.loads(VECTORS[0].read_bytes())[0]
    case["expected"] = {**case["expected"], "model": "ollama/another"}
    assert [(found.stage, found.field, found.got) for found in check_case(case)] == [("expected", "model", "ollama/m")]


def test_the_seed_of_hashes_changes_no_byte() -> None:
    first, second = _outcomes("0"), _outcomes("1")
    assert first.count(b"\n") >= len(CASES)
    assert first == second


def _outcomes(seed: str) -> bytes:
    """Give the outcomes of all vectors, as another process writes them."""
    command = [sys.executable, "-c", OUTCOMES, *map(str, VECTORS)]
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=True).stdout
