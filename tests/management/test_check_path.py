"""`manage.py check_path` and `manage.py verify_export`: verdicts in lines, and exit codes."""

import io
import json
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from selection.actions.exports import stream_export

POLICY = '[privacy]\nrestricted_paths = [\n  ".env",\n  "secrets/**",\n]\n'


def run(tmp_path: Path, *arguments: str) -> tuple[list[str], int]:
    file, out = tmp_path / "config.toml", StringIO()
    file.write_text(POLICY)
    try:
        call_command("check_path", *arguments, "--policy", str(file), stdout=out, no_color=True)
    except SystemExit as end:
        return out.getvalue().splitlines(), int(end.code or 0)
    return out.getvalue().splitlines(), 0


def test_a_path_is_told_with_pattern_place_and_line(tmp_path: Path) -> None:
    told, code = run(tmp_path, "config/.env", "src/a.py", "app/secrets/k")
    assert told == [
        "config/.env: restricted by `.env`, privacy.restricted_paths[0], line 3",
        "src/a.py: free",
        "app/secrets/k: free",
        "  nearly `secrets/**`: It would match as `**/secrets/**`: as it stands it is anchored at the workspace root.",
    ]
    assert code == 1


def test_paths_come_from_a_pipe_and_go_out_as_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("/w/a.py\n\n/w/b.py\n"))
    told, code = run(tmp_path, "--root", "/w", "--json")
    assert [json.loads(line)["path"] for line in told] == ["a.py", "b.py"]
    assert code == 0


def test_a_policy_that_does_not_read_is_told_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "broken.toml"
    file.write_text("[privacy]\nrestricted_paths = 1\n")
    with pytest.raises(CommandError, match=r"broken\.toml:2:1"):
        call_command("check_path", "a", "--policy", str(file))


def test_exports_are_verified_all_of_them_and_one_that_is_broken_fails(tmp_path: Path) -> None:
    good, bad, out = tmp_path / "good.zip", tmp_path / "bad.zip", StringIO()
    good.write_bytes(b"".join(stream_export("rows", "ndjson", [1, 2], {"n": lambda row: row}, {"filter": {"a": "b"}})))
    bad.write_bytes(good.read_bytes()[:-9])
    call_command("verify_export", str(good), stdout=out, no_color=True)
    assert "verified, 2 rows" in out.getvalue()
    with pytest.raises(CommandError, match="1 of 3 exports"):
        call_command("verify_export", str(bad), str(good), str(good), stdout=out)
    assert out.getvalue().count(": verified, ") == 3
