"""`manage.py replay`: what changes, in lines, and exit codes that a pipeline can use."""

from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from selection.documents.plain import from_plain
from selection.documents.policy import write_policy_toml
from selection.engine.values import Policy
from selection.models import Replay, SessionRunInput

pytestmark = pytest.mark.django_db


@pytest.fixture
def policy(turns: list[SessionRunInput]) -> Policy:
    return from_plain(Policy, turns[0].policy)


def run(tmp_path: Path, policy: Policy, *options: str) -> tuple[str, int]:
    file, out = tmp_path / "config.toml", StringIO()
    file.write_text(write_policy_toml(policy))
    try:
        call_command("replay", str(file), "--user", "ada", *options, stdout=out, no_color=True)
    except SystemExit as end:
        return out.getvalue(), int(end.code or 0)
    return out.getvalue(), 0


def restricting(policy: Policy, *patterns: str) -> Policy:
    return replace(policy, privacy=replace(policy.privacy, restricted_paths=patterns))


def test_what_is_newly_disclosed_stands_first_and_fails_where_that_is_asked(
    tmp_path: Path, policy: Policy, turns: list[SessionRunInput]
) -> None:
    kept = [pattern for pattern in policy.privacy.restricted_paths if pattern != ".env"]
    told, code = run(tmp_path, restricting(policy, *kept), "--fail-on", "disclosed,fails")
    lines = told.splitlines()
    assert lines[0].startswith(f"{len(turns)} turns examined, from ")
    assert lines[1].startswith("  newly_disclosed .env by `.env`: ")
    assert lines[-1] == "failed: newly_disclosed"
    assert code == 1
    assert Replay.objects.get().label == "config.toml"


def test_nothing_that_matters_is_no_failure(tmp_path: Path, policy: Policy, turns: list[SessionRunInput]) -> None:
    told, code = run(
        tmp_path, restricting(policy, *policy.privacy.restricted_paths, "none/**"), "--last", "2", "--fail-on", "works"
    )
    assert "2 turns examined" in told
    assert code == 0
    assert turns


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--sessions", "x"), "not an id of a session"),
        (("--last", "0"), "is not a number of turns"),
        (("--fail-on", "shouting"), "`shouting` is none of"),
        (("--since", "tomorrow"), "invalid"),
    ],
)
def test_a_filter_that_cannot_be_read_is_named(
    tmp_path: Path, policy: Policy, options: tuple[str, ...], said: str
) -> None:
    with pytest.raises(CommandError, match=said):
        run(tmp_path, policy, *options)
    assert not Replay.objects.exists()
