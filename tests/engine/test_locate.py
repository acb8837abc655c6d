"""Why is it not there? What the box answers for a path or a text."""

from dataclasses import replace
from typing import Any

import pytest

from selection.engine import select
from selection.engine.globs import compile_privacy, literal_pattern
from selection.engine.locate import Located, locate
from selection.engine.near_misses import near_misses
from selection.engine.values import (
    AttachedFile,
    Attachments,
    Policy,
    PrivacyPolicy,
    RoutingPolicy,
    RoutingRule,
    Workspace,
)
from tests.engine.turns import turn_of


def ask(text: str, **workspace: Any) -> Located:
    turn = turn_of([5, 6])
    files = (AttachedFile(path="src/a.py", content="the same"), AttachedFile(path="src/b.py", content="the same"))
    privacy = PrivacyPolicy(restricted_paths=("config/*.toml", "*.pem"))
    return locate(
        select(
            replace(
                turn,
                attachments=Attachments(files=files),
                workspace=replace(Workspace(root="/srv"), **workspace),
                policy=replace(turn.policy, privacy=privacy),
            )
        ),
        text,
    )


@pytest.mark.parametrize("spelling", ["src/a.py", "./src/a.py", "/srv/src/x/../a.py", "src\\a.py"])
def test_a_path_is_found_in_any_spelling(spelling: str) -> None:
    assert (ask(spelling).rows, ask(spelling).missing) == ((2,), ())


def test_a_copy_is_found_itself() -> None:
    assert ask("src/b.py").rows == (3,)


def test_words_are_found_in_open_content() -> None:
    assert ask("the same").mentions == (2, 3)
    assert ask("nothing holds this").mentions == ()


@pytest.mark.parametrize(
    ("workspace", "said"),
    [
        ({"referenced_paths": ("docs/x.md",)}, "a reference brings no content"),
        ({"active_file": "docs/x.md"}, "alone brings nothing"),
        ({"git_diff": "--- a/docs/x.md\n+++ b/docs/x.md\n@@ -1 +1 @@\n-a\n+b\n"}, "what changed of it is in the diff"),
        ({}, "The client attached no file of this path"),
    ],
)
def test_a_path_that_never_was_a_candidate_is_told_its_source(workspace: dict[str, Any], said: str) -> None:
    located = ask("docs/x.md", **workspace)
    assert located.rows == ()
    assert any(said in sentence for sentence in located.missing)


def test_what_resembles_it_is_offered() -> None:
    assert ask("src/a.p").close[0] == "src/a.py"


def test_what_would_restrict_it_is_told_even_where_it_is_no_candidate() -> None:
    assert [held.pattern for held in ask("keys/x.pem").restrictions] == ["*.pem"]


@pytest.mark.parametrize(
    ("pattern", "path", "said"),
    [
        ("config/*.toml", "app/config/x.toml", "anchored at the workspace root"),
        ("/.env", "app/.env", "anchored at the workspace root"),
        ("secrets/", "app/x/secrets", "matches folders only"),
        ("logs/*.txt", "logs.txt", ""),
        ("config\\x.toml", "config/x.toml", "backslashes"),
        ("!keys/a", "keys/a", "negation"),
        ("*.pem", "a/b.pen", ""),
        ("secrest/**", "docs/readme.md", ""),
        ("id_rsaa", "home/id_rsa", "differs from `id_rsa` in 1 character."),
    ],
)
def test_a_near_miss_says_what_is_missing(pattern: str, path: str, said: str) -> None:
    found = near_misses(Policy(privacy=PrivacyPolicy(restricted_paths=(pattern,))), path)
    assert [said in miss.sentence for miss in found] == ([True] if said else [])


def test_letter_case_is_a_near_miss_in_routing_alone() -> None:
    policy = Policy(
        routing=RoutingPolicy(rules=(RoutingRule(name="r", model="far/a", paths=("SRC/**",)),)),
        privacy=PrivacyPolicy(restricted_paths=("SRC/**",)),
    )
    assert [(miss.place, miss.pattern) for miss in near_misses(policy, "src/a.py")] == [
        ("routing.rules[0].paths[0]", "SRC/**")
    ]


@pytest.mark.parametrize("path", ["a b ", "we[ird]*?.py", "!x", "#y", "dir/a\\b", "ü/é.md", "../up", "/abs/x"])
def test_a_literal_pattern_matches_its_path_alone(path: str) -> None:
    compiled = compile_privacy((literal_pattern(path),))
    assert compiled.invalid == ()
    if not path.startswith(("/", "../")):
        assert compiled.deciding(path) == 0
        assert compiled.deciding(f"x{path}") == compiled.deciding(f"{path}x") == compiled.deciding(f"x/{path}") == -1
