"""`select` and `check_policy` as a terminal and a pipeline use them."""

import json
from dataclasses import replace
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from selection.actions.gather_turn import gather_turn
from selection.actions.import_bundle import import_bundle
from selection.demo import story
from selection.demo.policy import POLICY
from selection.documents.policy import write_policy_toml
from selection.documents.turn import write_turn
from selection.management.people import local_owner
from selection.models import SessionRunInput


def run(*arguments: str) -> tuple[int, str]:
    out = StringIO()
    try:
        call_command(*arguments, stdout=out)
    except SystemExit as ended:
        return int(str(ended.code)), out.getvalue()
    return 0, out.getvalue()


@pytest.fixture
def turn(turns: list[SessionRunInput], tmp_path: Path) -> str:
    path = tmp_path / "turn.json"
    path.write_text(json.dumps(write_turn(gather_turn(turns[3]))))
    return str(path)


def policy_file(tmp_path: Path, **privacy: Any) -> str:
    path = tmp_path / "config.toml"
    path.write_text(write_policy_toml(replace(POLICY, privacy=replace(POLICY.privacy, **privacy))))
    return str(path)


@pytest.mark.django_db
def test_a_budget_a_model_and_a_policy_are_what_ifs(turn: str, tmp_path: Path) -> None:
    code, told = run("select", turn, "--budget", "3000")
    assert (code, "effective budget 3,000" in told) == (0, True)
    code, told = run("select", turn, "--model", "ollama/llama3")
    assert told.startswith("`ollama/llama3` serves this turn")
    _, told = run("select", turn, "--policy", policy_file(tmp_path, restricted_paths=()), "--format", "ndjson")
    rows = [json.loads(line) for line in told.splitlines()]
    assert next(row for row in rows if row["key"] == "file:.env")["included"]


@pytest.mark.django_db
def test_why_answers_with_an_exit_code(turn: str) -> None:
    code, told = run("select", turn, "--why", ".env")
    assert code == 1
    assert told.startswith("out  file:.env: Withheld:")
    code, told = run("select", turn, "--why", "AGENTS.md")
    assert (code, told.split()[0]) == (0, "in")
    code, told = run("select", turn, "--why", "nowhere.py", "--format", "json")
    assert (code, json.loads(told)["rows"]) == (1, [])


@pytest.mark.django_db
def test_a_sweep_is_a_table_or_data(turn: str) -> None:
    _, table = run("select", turn, "--sweep")
    assert "now" in table
    _, data = run("select", turn, "--sweep", "--format", "json")
    points = json.loads(data)["points"]
    assert points == sorted(points, key=lambda point: point["budget"])
    _, lines = run("select", turn, "--sweep", "--format", "ndjson")
    assert [json.loads(line) for line in lines.splitlines()] == points


@pytest.mark.django_db
def test_a_turn_comes_from_standard_input_and_no_model_is_exit_code_one(
    turn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = json.loads(Path(turn).read_text())
    document["models"] = []
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(json.dumps(document).encode())))
    code, told = run("select", "-", "--format", "json")
    assert (code, json.loads(told)["error"]) == (1, "fallback_exhausted")


@pytest.mark.parametrize("what", ["turn", "policy", "neither"])
def test_what_cannot_be_read_is_exit_code_two(tmp_path: Path, what: str) -> None:
    turn, policy = tmp_path / "turn.json", tmp_path / "config.toml"
    turn.write_text('{"input": {"text": "x"}}' if what == "policy" else "{")
    policy.write_text("[privacy]\nrestricted_paths = 7\n" if what == "policy" else "")
    arguments = ["select", str(turn)] + (["--policy", str(policy)] if what == "policy" else [])
    if what == "neither":
        arguments = ["select", str(tmp_path / "nothing.json")]
    with pytest.raises(CommandError) as refused:
        run(*arguments)
    assert refused.value.returncode == 2
    if what == "policy":
        assert f"{policy}:2:" in str(refused.value)


@pytest.mark.django_db
def test_a_policy_is_checked_against_sessions(tmp_path: Path) -> None:
    session = import_bundle(local_owner(), story())
    code, told = run("check_policy", policy_file(tmp_path))
    assert (code, told) == (0, "ok\n")
    code, told = run("check_policy", policy_file(tmp_path, restricted_paths=()), "--against", str(session.pk))
    assert code == 1
    assert "newly_disclosed" in told
    assert told.endswith("turns disclose more, or fail\n")
    code, told = run(
        "check_policy",
        policy_file(tmp_path, restricted_paths=("tests/**", *POLICY.privacy.restricted_paths)),
        "--against",
        "all",
    )
    assert "newly_withheld" in told
    with pytest.raises(CommandError) as refused:
        run("check_policy", policy_file(tmp_path), "--against", "nothing")
    assert refused.value.returncode == 2


def test_a_policy_with_faults_tells_each_and_ends_with_two(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("version = 'x'\n[privacy]\nrestricted_paths = 7\n")
    out = StringIO()
    with pytest.raises(CommandError) as refused:
        call_command("check_policy", str(path), stdout=out)
    assert refused.value.returncode == 2
    assert [line.rsplit(":", 3)[1] for line in out.getvalue().splitlines()] == ["1", "3"]
