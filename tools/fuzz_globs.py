"""Compare the globs with git's own answers on random lists and paths: `python -m tools.fuzz_globs --decisions 500000`.

Patterns and paths are made of few letters, so that they often meet; trees are deep, and a third of the patterns are negated. Every difference is
printed, and any makes the exit code 1. Text is ASCII: `?` and classes match one character here and one byte in git.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from selection.engine.globs import compile_privacy, compile_routing, fault_of

_LETTERS = "abA.-"
_NAMES = ("a", "b", "ab", "ba", "A", "a.b", ".a", "b.a", "aa", "-", "a\nb", "a b", "a\\b", "[a]", "!a", "#a", "a ", "*")
_PIECES = (
    *(
        "a",
        "b",
        "ab",
        "A",
        ".b",
        ".",
        "-",
        "*",
        "*",
        "?",
        "**",
        "***",
        "/",
        "/",
        "/",
        "**/",
        "/**/",
        "/**",
        "\\*",
        "\\a",
        "\\/",
        "\\ ",
    ),
    *(
        "[ab]",
        "[!a]",
        "[^b]",
        "[a-b]",
        "[]a]",
        "[[:alpha:]]",
        "[![:upper:]]",
        "[a/b]",
        "[\\]a]",
        "[*]",
        " ",
        "\t",
        "!",
        "#",
        "\\\\",
    ),
    *("[[:punct:]]", "[[:space:]]", "[.-a]", "[a-]", "[--a]", "[[:a]", "{a,b}", "$", "(", "|", "^"),
)
_ENVIRONMENT = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "HOME": os.devnull}


@dataclass(frozen=True, slots=True)
class Difference:
    """One path on which git and this project disagree, and what this project says."""

    patterns: tuple[str, ...]
    path: str
    matched: bool
    restricted: bool


class GitOracle:
    """Asks git, in an empty repository that is made for it."""

    def __init__(self, folder: Path) -> None:
        """Make the repository in `folder`."""
        self._folder = folder
        self._environment = {**os.environ, **_ENVIRONMENT}
        subprocess.run(["git", "init", "-q", str(folder)], check=True, env=self._environment)

    def ignored(self, patterns: Sequence[str], paths: Sequence[str]) -> list[bool | None]:
        """Tell for each path whether git ignores it; None where git crashes."""
        lines = "".join(f"{pattern}\n" for pattern in patterns)
        (self._folder / ".gitignore").write_bytes(lines.encode("utf-8", "surrogateescape"))
        return self._ask(paths)

    def _ask(self, paths: Sequence[str]) -> list[bool | None]:
        """Ask for many at once. Git 2.39 crashes on some deep paths: then it is asked for half as many, down to the one it cannot answer."""
        asked = "".join(f"{path}\0" for path in paths).encode("utf-8", "surrogateescape")
        command = ["git", "-C", str(self._folder), "check-ignore", "--no-index", "-v", "-n", "-z", "--stdin"]
        answer = subprocess.run(command, input=asked, capture_output=True, env=self._environment, check=False)
        fields = answer.stdout.split(b"\0")[:-1]
        verdicts: list[bool | None] = [
            fields[at] != b"" and not fields[at + 2].startswith(b"!") for at in range(0, len(fields), 4)
        ]
        if len(verdicts) == len(paths):
            return verdicts
        if len(paths) == 1:
            return [None]
        middle = len(paths) // 2
        return self._ask(paths[:middle]) + self._ask(paths[middle:])


def random_pattern(source: random.Random) -> str:
    """Make one valid pattern."""
    while True:
        pattern = "".join(source.choices(_PIECES, k=source.randint(1, 6)))
        pattern = source.choice(["", "", "!"]) + pattern + source.choice(["", "", "/"])
        if fault_of(pattern) is None:
            return pattern


def random_path(source: random.Random) -> str:
    """Make one path, at times a deep one."""
    depth = source.choices([1, 2, 3, 4, 6, 9, 150], weights=[20, 20, 10, 10, 10, 10, 1])[0]
    return "/".join(_random_name(source) for _ in range(depth))


def _random_name(source: random.Random) -> str:
    if source.random() < 0.6:  # noqa: PLR2004 - most names are of the short list
        return source.choice(_NAMES)
    name = "".join(source.choices(_LETTERS, k=source.randint(1, 4)))
    return "a" if name in {".", ".."} else name


def differences(decisions: int, seed: int, oracle: GitOracle, paths_per_list: int = 200) -> Iterator[Difference]:
    """Give every difference among so many decisions; privacy may be stricter than git, never looser."""
    source = random.Random(seed)
    for _ in range(0, decisions, paths_per_list):
        patterns = tuple(random_pattern(source) for _ in range(source.randint(1, 8)))
        paths = [random_path(source) for _ in range(paths_per_list)]
        routing, privacy = compile_routing(patterns), compile_privacy(patterns)
        for path, ignored in zip(paths, oracle.ignored(patterns, paths), strict=True):
            held = routing.matches(path), privacy.deciding(path) >= 0
            # After a deep path git 2.39 may answer wrongly, as it may crash: what differs is asked again alone.
            if _differs(held, ignored) and _differs(held, oracle.ignored(patterns, [path])[0]):
                yield Difference(patterns, path, matched=held[0], restricted=held[1])


def _differs(held: tuple[bool, bool], ignored: bool | None) -> bool:  # noqa: FBT001 - git's answer, or none
    matched, restricted = held
    return ignored is not None and (matched != ignored or (ignored and not restricted))


def main() -> int:
    """Fuzz, print every difference, and count them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decisions", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    found = 0
    with tempfile.TemporaryDirectory() as folder:
        for difference in differences(options.decisions, options.seed, GitOracle(Path(folder))):
            found += 1
            print(difference)
    print(f"{options.decisions:,} decisions, {found:,} differences")
    return int(found > 0)


if __name__ == "__main__":
    sys.exit(main())
