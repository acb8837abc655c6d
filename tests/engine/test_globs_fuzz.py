"""Random lists and paths: git itself is asked."""

from pathlib import Path

from tools.fuzz_globs import GitOracle, differences


def test_git_and_random_lists_agree(tmp_path: Path) -> None:
    oracle = GitOracle(tmp_path)
    assert list(differences(6_000, seed=4, oracle=oracle)) == []


def test_the_oracle_tells_matched_paths_from_free_ones(tmp_path: Path) -> None:
    oracle = GitOracle(tmp_path)
    assert oracle.ignored(["vault/", "*.key", "!b.key"], ["vault/b.key", "b.key", "a.key", "x"]) == [
        True,
        False,
        True,
        False,
    ]
