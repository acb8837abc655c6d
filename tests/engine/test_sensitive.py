"""Suggestions: paths that look sensitive, that no list restricts, with the lines that would."""

from dataclasses import replace

from selection.engine import select
from selection.engine.sensitive import suggest
from selection.engine.values import AttachedFile, Attachments, PrivacyPolicy, Recalled, TurnInput
from tests.engine.turns import turn_of


def turn(*paths: str, restricted: tuple[str, ...] = ()) -> TurnInput:
    served = turn_of([1])
    files = tuple(AttachedFile(path=path, content=f"the content of {path}") for path in paths)
    return replace(
        served,
        recalled=Recalled(),
        attachments=Attachments(files=files),
        policy=replace(served.policy, privacy=PrivacyPolicy(restricted_paths=restricted)),
    )


def suggested(*paths: str, restricted: tuple[str, ...] = ()) -> dict[tuple[str, ...], tuple[str, ...]]:
    return {found.patterns: found.paths for found in suggest(select(turn(*paths, restricted=restricted)))}


def test_only_what_is_there_is_suggested_at_any_depth() -> None:
    assert suggested("src/a.py", "README.md") == {}
    assert suggested("api/.env", "certs/a.pem", "src/a.py") == {(".env",): ("api/.env",), ("*.pem",): ("certs/a.pem",)}


def test_examples_are_not_sensitive_and_stay_free_under_the_suggestion() -> None:
    found = suggested(".env.example", ".env.local", ".env")
    ((patterns, paths),) = found.items()
    assert paths == (".env.local", ".env")
    assert suggested(".env.example", ".env.local", ".env", restricted=patterns) == {}
    outcome = select(turn(".env.example", ".env.local", restricted=patterns))
    assert outcome.candidates is not None
    assert [candidate.restricted for candidate in outcome.candidates] == [False, True]


def test_what_a_list_restricts_already_is_not_suggested() -> None:
    assert suggested("secrets/x", ".aws/credentials", restricted=("secrets/", ".aws/")) == {}


def test_every_suggestion_restricts_every_path_that_it_names() -> None:
    paths = (
        "a/id_rsa",
        "b/key.pem",
        "terraform.tfstate",
        "prod.tfvars",
        ".ssh/config",
        "x.kdbx",
        "db/app.sqlite3",
        "kubeconfig",
    )
    suggestions = suggest(select(turn(*paths)))
    assert sorted(path for found in suggestions for path in found.paths) == sorted(paths)
    for found in suggestions:
        outcome = select(turn(*found.paths, restricted=found.patterns))
        assert outcome.candidates is not None
        assert all(candidate.restricted for candidate in outcome.candidates)
        assert [paths[position] for position in found.positions] == list(found.paths)
