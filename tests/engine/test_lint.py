"""What is doubtful about a policy over the paths of many turns."""

from dataclasses import replace

import pytest

from selection.engine.codes import Dialect
from selection.engine.lint import LintCode, LintItem, SeenPath, lint
from selection.engine.values import DefaultRoute, Policy, PrivacyPolicy, RoutingPolicy, RoutingRule

PATHS = (
    *(SeenPath(path=f"src/m{number}.py") for number in range(60)),
    SeenPath(path="config/.env"),
    SeenPath(path="config/app.toml", required=True),
    SeenPath(path="keys/a.pem"),
    SeenPath(path="docs/a.md"),
)


def of(code: LintCode, *patterns: str, policy: Policy | None = None) -> list[LintItem]:
    policy = policy or Policy(privacy=PrivacyPolicy(restricted_paths=patterns))
    return [item for item in lint(policy, PATHS) if item.code is code]


def test_a_pattern_that_matches_nothing_is_named_with_its_place() -> None:
    (item,) = of(LintCode.NOTHING, "*.pem", "secrets/**")
    assert (item.pattern, item.place) == ("secrets/**", "privacy.restricted_paths[1]")
    assert item.sentence == "`secrets/**` matches none of the 64 paths."


def test_a_shadowed_pattern_is_named_with_examples() -> None:
    (item,) = of(LintCode.SHADOWED, "keys/a.pem", "*.pem")
    assert (item.pattern, item.examples) == ("keys/a.pem", ("keys/a.pem",))


def test_a_negation_that_lifts_is_not_shadowed() -> None:
    assert [item.pattern for item in of(LintCode.SHADOWED, "keys/", "!keys/a.pem")] == ["!keys/a.pem"]
    assert [item.pattern for item in of(LintCode.SHADOWED, "*.pem", "!keys/a.pem")] == ["*.pem"]


def test_a_pattern_that_matches_far_more_than_its_neighbours_is_named() -> None:
    (item,) = of(LintCode.FAR_MORE, "*.pem", "*.md", "src/**")
    assert (item.pattern, item.count, len(item.examples)) == ("src/**", 60, 5)


def test_required_files_that_a_pattern_restricts_are_named() -> None:
    (item,) = of(LintCode.REQUIRED, "config/**")
    assert (item.count, item.examples) == (1, ("config/app.toml",))


def test_an_invalid_pattern_is_the_gravest_and_tells_its_effect() -> None:
    items = lint(Policy(privacy=PrivacyPolicy(restricted_paths=("[a", "*.pem"))), PATHS)
    assert items[0].code is LintCode.INVALID
    assert items[0].sentence.endswith("until it is mended, every path counts as restricted.")


def test_sensitive_paths_that_nothing_restricts_are_told_with_what_would() -> None:
    told = [item.sentence for item in of(LintCode.SENSITIVE, "*.pem")]
    assert told == ["1 path that no privacy list restricts: environment files, by the name; `.env` would."]
    globset = Policy(dialect=Dialect.GLOBSET, privacy=PrivacyPolicy(restricted_paths=("**/*.pem",)))
    assert [item.sentence.rpartition("; ")[2] for item in of(LintCode.SENSITIVE, policy=globset)] == [
        "`**/.env` would."
    ]


@pytest.mark.parametrize(
    ("pattern", "gitignore", "paths"),
    [
        (".env", True, ("config/.env",)),
        ("*.md", True, ()),
        ("{docs,keys}/*", False, ("docs/a.md", "keys/a.pem")),
        ("keys", True, ("keys/a.pem",)),
    ],
)
def test_paths_on_which_the_dialects_disagree_are_told(pattern: str, gitignore: bool, paths: tuple[str, ...]) -> None:  # noqa: FBT001 - a column
    policy = Policy(privacy=PrivacyPolicy(restricted_paths=(pattern,)))
    for dialect in Dialect:
        items = of(LintCode.DIALECTS, policy=replace(policy, dialect=dialect))
        assert [sorted(item.examples) for item in items] == ([sorted(paths)] if paths else [])
        here = (dialect is Dialect.GITIGNORE) == gitignore
        assert all((" matches " if here else " does not match ") in item.sentence for item in items)


def test_routing_rules_are_looked_at_too() -> None:
    rule = RoutingRule(name="docs", model="p/m", paths=("*.rst", "{a,b}"))
    policy = Policy(routing=RoutingPolicy(rules=(rule,), default=DefaultRoute(model="p/m")))
    assert [item.place for item in of(LintCode.NOTHING, policy=policy)] == [
        "routing.rules[0].paths[0]",
        "routing.rules[0].paths[1]",
    ]
    assert of(LintCode.DOUBT, policy=policy)
