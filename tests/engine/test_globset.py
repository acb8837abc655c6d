"""The dialect of `globset`: a table of what the library itself answers, and what a list and a policy make of it.

The library compares bytes, so that its `?` is half an `é`; here, as in git's dialect, `?` and classes match one character.
"""

import json
import time
from dataclasses import replace
from pathlib import Path

import pytest

from selection.engine import select
from selection.engine.codes import Cause, Dialect
from selection.engine.globs import compile_privacy, compile_routing, fault_of, literal_pattern, pattern_warnings
from selection.engine.values import (
    AttachedFile,
    Attachments,
    DefaultRoute,
    ModelDescriptor,
    Policy,
    PrivacyPolicy,
    RoutingPolicy,
    RoutingRule,
    TurnInput,
    UserInput,
)

TABLE = json.loads(Path(__file__).with_name("globset.json").read_text(encoding="utf-8"))
GLOBSET = Dialect.GLOBSET


def test_the_table_is_long_enough_to_mean_something() -> None:
    assert len(TABLE["rows"]) >= 100
    assert len({pattern for pattern, _, _ in TABLE["rows"]}) >= 60


@pytest.mark.parametrize(("pattern", "path", "matches"), TABLE["rows"])
def test_a_pattern_matches_as_globset_says(pattern: str, path: str, matches: bool) -> None:  # noqa: FBT001 - a column
    assert compile_routing((pattern,), GLOBSET).matches(path) is matches


@pytest.mark.parametrize("pattern", TABLE["invalid"])
def test_what_globset_refuses_is_invalid(pattern: str) -> None:
    assert fault_of(pattern, GLOBSET)
    assert compile_privacy(("x", pattern), GLOBSET).deciding("anything") == 1
    assert compile_routing(("x", pattern), GLOBSET).deciding("x") == -1


def test_privacy_ignores_letter_case_in_either_dialect() -> None:
    held = compile_privacy(("secrets/**", "{Keys,TOKENS}/[a-c]*"), GLOBSET)
    assert held.deciding("SECRETS/k") == 0
    assert held.only_by_case("SECRETS/k")
    assert held.deciding("keys/Bx") == 1
    assert held.matching("tokens/a") == [1]
    assert compile_routing(("secrets/**",), GLOBSET).deciding("SECRETS/k") == -1


def test_the_last_pattern_that_matches_decides_and_nothing_lifts_it() -> None:
    held = compile_privacy(("**/*.env", "a/**", "!a/b.env"), GLOBSET)
    assert held.deciding("a/b.env") == 1
    assert [match.index for match in held.all_matches("a/b.env")] == [0, 1]


@pytest.mark.parametrize("pattern", ["*a" * 40 + "*b", "{a,aa}" * 9 + "*" * 9 + "c", "**/a/" * 20 + "b", "{" * 3000])
def test_no_pattern_makes_matching_run_away(pattern: str) -> None:
    started = time.process_time()
    compile_privacy((pattern,), GLOBSET).deciding("a/" * 2_000 + "x")
    assert time.process_time() - started < 5


def test_more_ways_than_a_person_writes_are_invalid_and_so_fail_closed() -> None:
    pattern = "{a,b}" * 12
    assert fault_of(pattern, GLOBSET) == "its braces stand for more than 1,000 patterns"
    assert compile_privacy((pattern,), GLOBSET).deciding("anything") == 0


@pytest.mark.parametrize(
    ("pattern", "code"),
    [
        ("!a", "negation"),
        ("#a", "comment"),
        ("/a", "leading_slash"),
        ("a/", "trailing_slash"),
        (".env", "root_only"),
        ("", "blank"),
    ],
)
def test_habits_of_the_other_dialect_are_doubted(pattern: str, code: str) -> None:
    assert [doubt.code for doubt in pattern_warnings((pattern,), GLOBSET)] == [code]


@pytest.mark.parametrize("path", ["a", "a/b.py", "x*y", "[id]/page", "{a,b}", "back\\slash", "q?"])
def test_a_literal_pattern_matches_its_path_alone(path: str) -> None:
    held = compile_privacy((literal_pattern(path, GLOBSET),), GLOBSET)
    assert held.deciding(path) == 0
    assert held.deciding(f"x/{path}") == -1


def _turn(policy: Policy) -> TurnInput:
    files = tuple(AttachedFile(path=path, content=path) for path in (".env", "config/.env", "docs/a.md"))
    model = ModelDescriptor(provider="p", model="m", max_context_tokens=1_000)
    return TurnInput(input=UserInput(text="go"), attachments=Attachments(files=files), policy=policy, models=(model,))


def _restricted(policy: Policy) -> list[str | None]:
    candidates = select(_turn(policy)).candidates
    assert candidates is not None
    return [candidates.columns.paths[position] for position in candidates.restrictions]


def test_a_policy_is_read_in_its_dialect_wherever_patterns_stand() -> None:
    routing = RoutingPolicy(
        rules=(RoutingRule(name="docs", model="p/m", paths=("*.md",)),), default=DefaultRoute(model="p/m")
    )
    policy = Policy(routing=routing, privacy=PrivacyPolicy(restricted_paths=(".env",)))
    assert _restricted(policy) == [".env", "config/.env"]
    assert _restricted(replace(policy, dialect=GLOBSET)) == [".env"]
    outcome = select(_turn(replace(policy, dialect=GLOBSET)))
    assert outcome.candidates is not None
    assert outcome.candidates.causes == {2: Cause.ROUTE_GLOB}
