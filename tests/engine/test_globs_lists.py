"""What routing and privacy lists say: letter case, invalid patterns, evidence, bounds."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pathspec import PathSpec

from selection.engine.globs import (
    GlobPattern,
    PatternMatch,
    fault_of,
    pattern_warnings,
)
from selection.engine.globs.index import GlobIndex
from selection.engine.globs.lists import compile_privacy, compile_routing
from selection.engine.globs.rule import rules_of

INVALID = [
    ("[abc", "never closed"),
    ("a[", "never closed"),
    ("[]", "never closed"),
    ("[!]", "never closed"),
    ("[[:digit:]", "never closed"),
    ("[[:", "never closed"),
    ("[a\\", "never closed"),
    ("[[:nonsense:]]", "`[:nonsense:]` is no class"),
    ("[z-a]", "`z-a` runs backwards"),
    ("x/[z-a]/**", "`z-a` runs backwards"),
    ("a\\", "single backslash"),
    ("a\\/", "single backslash"),
    ("a\\\\\\", "single backslash"),
    ("!", "lone `!`"),
    ("!  ", "lone `!`"),
    ("![abc", "never closed"),
]
VALID = ["", "#[", "a]", "\\[", "[]]", "[a-]", "[--0]", "a\\ ", "a\\\\", "!/", "!!", "**", "[[:a]", "[a-a]", "#\\"]


@pytest.mark.parametrize(("pattern", "why"), INVALID)
def test_a_pattern_that_cannot_be_read_is_invalid(pattern: str, why: str) -> None:
    assert why in str(fault_of(pattern))


@pytest.mark.parametrize("pattern", VALID)
def test_a_pattern_that_can_be_read_is_valid(pattern: str) -> None:
    assert fault_of(pattern) is None


def test_a_routing_list_with_an_invalid_pattern_matches_nothing() -> None:
    held = compile_routing(["*.py", "[abc"])
    assert not held.matches("a.py")
    assert held.deciding("a.py") == -1
    assert [(fault.index, fault.pattern) for fault in held.invalid] == [(1, "[abc")]


def test_a_privacy_list_with_an_invalid_pattern_restricts_every_path() -> None:
    held = compile_privacy(["*.py", "", "[abc", "!"])
    assert held.deciding("anything/else") == 2
    assert held.deciding("a.py") == 2
    assert [fault.index for fault in held.invalid] == [2, 3]
    assert not held.only_by_case("anything/else")


def test_lines_that_do_nothing_keep_their_index() -> None:
    assert compile_routing(["", "# names", "b", "*.py"]).deciding("a.py") == 3


def test_a_list_tells_lines_that_do_nothing_from_patterns() -> None:
    held = compile_privacy(["", "# names", "b", "[", "!c"])
    assert [held.is_pattern(index) for index in range(5)] == [False, False, True, True, True]


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("secrets/**", "SECRETS/k"),
        ("*.PEM", "a.pem"),
        ("Config/*.yml", "conFIG/a.YML"),
        ("key[a-z]", "KEYB"),
        ("key[[:upper:]]", "keyb"),
        ("stra\u00dfe", "STRASSE"),
        ("\u0390", "\u03aa\u0301"),
        ("*Token*", "x/my_token.txt"),
    ],
)
def test_privacy_ignores_letter_case(pattern: str, path: str) -> None:
    held = compile_privacy([pattern])
    assert held.deciding(path) == 0
    assert held.only_by_case(path)
    assert not compile_routing([pattern]).matches(path)


@pytest.mark.parametrize(
    ("patterns", "path"),
    [
        (["?"], "\u00df"),
        (["[!a]"], "A"),
        (["*.KEY", "!a.key"], "a.KEY"),
        (["[Z-a]"], "_"),
        (["*\u030c"], "J\u030c"),
    ],
    ids=[
        "a letter that folds to two",
        "a negated class",
        "a negation of another case",
        "a range over both cases",
        "an accent that joins",
    ],
)
def test_folding_letter_case_never_frees_a_path(patterns: list[str], path: str) -> None:
    assert compile_routing(patterns).matches(path)
    assert compile_privacy(patterns).deciding(path) >= 0
    assert not compile_privacy(patterns).only_by_case(path)


def test_a_negation_of_another_letter_case_does_not_lift_what_is_written() -> None:
    held = compile_privacy(["*.key", "!PUB.key"])
    assert held.deciding("pub.key") == 0
    assert held.deciding("PUB.key") == -1


def test_the_pattern_that_matches_as_written_is_the_evidence() -> None:
    held = compile_privacy(["*.PEM", "a.pem", "A.PEM"])
    assert held.deciding("a.pem") == 1
    assert not held.only_by_case("a.pem")


def test_every_match_is_told_with_the_part_that_it_matched() -> None:
    held = compile_privacy(["vault/", "*.key", "!vault/a", "VAULT/**", "[", "nothing"])
    assert held.all_matches("vault/a/b.key") == (
        PatternMatch(index=0, negated=False, part="vault"),
        PatternMatch(index=1, negated=False, part="vault/a/b.key"),
        PatternMatch(index=2, negated=True, part="vault/a"),
        PatternMatch(index=3, negated=False, part="vault/a"),
    )
    assert held.matching("vault/a/b.key") == [0, 1, 2, 3]
    assert compile_routing(["VAULT/**", "*.key"]).all_matches("vault/b.key") == (
        PatternMatch(index=1, negated=False, part="vault/b.key"),
    )


def test_whatever_takes_a_pathspec_takes_a_list() -> None:
    held = compile_routing(["vault/", "!vault/open"])
    assert isinstance(held, PathSpec)
    assert held.match_file("vault/open")
    assert list(held.match_files(["vault/a", "b"])) == ["vault/a"]
    assert held.check_file("vault/open").index == 0
    assert held.check_file("b").include is None
    assert list((held + compile_routing(["b"])).match_files(["vault/a", "b", "c"])) == ["vault/a", "b"]
    assert compile_privacy(["["]).match_file("anything")


def test_a_pattern_alone_works_in_a_plain_pathspec() -> None:
    plain = PathSpec([GlobPattern("x/**"), GlobPattern("!*.md"), GlobPattern("["), GlobPattern("")], backend="simple")
    assert plain.match_file("x/y/z.py")
    assert not plain.match_file("x/y/z.md")
    assert GlobPattern("[").fault is not None
    assert GlobPattern("[").include is None


HOSTILE_PATTERNS = [
    "/".join(["**/a"] * 40),
    "/".join(["**/a"] * 40) + "/b",
    "!" + "/".join(["**/a"] * 40) + "/b",
    "a*" * 40 + "b",
    "*?" * 20 + "b",
    "**\\/a/" * 20 + "b",
    "x/" + "**/*a*/" * 20 + "b",
    "[!b]*" * 20 + "b",
]
HOSTILE_PATHS = [
    "a" * 4000,
    "a/" * 2000 + "a",
    "b/" * 2000 + "b",
    "ab/" * 1333 + "b",
    "x/" + "a/" * 1998 + "c",
    "a/" + "b/" * 1999 + "b",
]


@pytest.mark.parametrize("pattern", HOSTILE_PATTERNS, ids=lambda pattern: pattern[:12])
def test_hostile_patterns_take_their_time_but_not_more(pattern: str) -> None:
    held = compile_privacy([pattern, f"{pattern}.other"])
    started = time.perf_counter()
    for path in HOSTILE_PATHS:
        held.deciding(path)
    assert time.perf_counter() - started < 2.0


def test_a_path_of_many_folders_is_judged_as_a_short_one() -> None:
    deep = "d/" * 2000
    held = compile_routing(["d/**/*.key", "!open.key", "**/x/last", "deep/**/n", "**/v/**"])
    assert held.deciding(f"{deep}a.key") == 0
    assert held.deciding(f"{deep}open.key") == -1
    assert held.deciding(f"{deep}x/last") == 2
    assert held.deciding(f"{deep}v/a.txt") == 4
    assert held.deciding(f"{deep}v/{deep}a.txt") == 4
    assert held.deciding(f"{deep}a.txt") == -1
    assert held.deciding(f"{deep}1.key/{deep}a.txt") == 0
    assert held.deciding(f"{deep}x/last/{deep}a.txt") == 2
    assert held.deciding(f"{deep}a.key") == 0


def test_what_is_remembered_of_folders_is_bounded_and_changes_nothing() -> None:
    held = GlobIndex(rules_of(["f1*/x", "!f12/x"]))
    first = [held.deciding(f"f{number}/x") for number in range(50)]
    for number in range(21_000):
        held.deciding(f"g{number}/x")
    assert [held.deciding(f"f{number}/x") for number in range(50)] == first
    assert len(held._folders) <= 20_001


TEXTS = st.text(alphabet=st.sampled_from("aAbBß/*?[]!-\\.é\n#\ud800 ^:"), max_size=12)


@given(patterns=st.lists(TEXTS, max_size=4), path=TEXTS)
def test_privacy_is_never_looser_than_the_letter(patterns: list[str], path: str) -> None:
    routing, privacy = compile_routing(patterns), compile_privacy(patterns)
    if routing.matches(path):
        assert privacy.deciding(path) == routing.deciding(path)
    if privacy.invalid:
        assert privacy.deciding(path) == privacy.invalid[0].index
    if routing.deciding(path) >= 0:
        assert routing.deciding(path) in [match.index for match in routing.all_matches(path)]
    if privacy.deciding(path) >= 0 and not privacy.invalid:
        assert privacy.deciding(path) in privacy.matching(path)
    assert privacy.matching(path) == [match.index for match in privacy.all_matches(path)]


@pytest.mark.parametrize(
    ("pattern", "code"),
    [
        ("a ", "trailing_spaces"),
        (" a", "leading_space"),
        ("a\t", "trailing_white_space"),
        ("./a", "dot_segment"),
        ("a/../b", "dot_segment"),
        ("a//b", "empty_segment"),
        ("a\\b", "backslash_separator"),
        ("C:\\a", "drive"),
        ("/home/me/a", "absolute"),
        ("~/a", "home_folder"),
        ("*.{js,ts}", "braces"),
        ("a # secret", "inline_comment"),
    ],
)
def test_a_pattern_that_looks_mistaken_is_doubted(pattern: str, code: str) -> None:
    assert [(warning.index, warning.code) for warning in pattern_warnings(["b", pattern])] == [(1, code)]


@pytest.mark.parametrize(
    "pattern", ["", "# a ", "a", "*.py", "/a", "a/", "!a", "\\#a", "a\\ ", "[", "**/x", "a b", "[a-b]"]
)
def test_a_plain_pattern_is_not_doubted(pattern: str) -> None:
    assert pattern_warnings([pattern]) == ()
