"""Measure the globs against `pathspec`'s own gitignore lists, as ratios within one run, and hostile patterns in milliseconds."""

import random
import sys
import time
from collections.abc import Callable, Sequence

from pathspec import GitIgnoreSpec

from benchmarks.timing import Timings, alternate
from selection.engine.globs import PrivacyList, RoutingList
from selection.engine.globs.lists import compile_privacy, compile_routing

_FOLDERS = (
    "src",
    "lib",
    "tests",
    "docs",
    "api",
    "core",
    "models",
    "pages",
    "static",
    "tools",
    "vendor",
    "auth",
    "config",
)
_STEMS = (
    "index",
    "main",
    "util",
    "view",
    "model",
    "form",
    "test_user",
    "README",
    "setup",
    "client",
    "server",
    "schema",
)
_ENDINGS = (".py", ".ts", ".md", ".json", ".html", ".css", ".test.ts", ".toml", "")
_MANY_PATHS = 10_000
_LONG_PATH = 4_000
_DEEP_PATH = 2_000


def paths_of(count: int) -> list[str]:
    """Make paths as a project has them: some ten files to a folder."""
    source = random.Random(1)
    folders = ["/".join(source.choices(_FOLDERS, k=source.randint(0, 5))) for _ in range(count // 10)]
    names = [f"{source.choice(_STEMS)}{source.randint(0, 99)}{source.choice(_ENDINGS)}" for _ in range(count)]
    return [f"{source.choice(folders)}/{name}".removeprefix("/") for name in names]


def patterns_of(count: int) -> tuple[str, ...]:
    """Make patterns as lists of secrets have them: names, extensions, anchored folders, stars. Few match any path."""
    makers: tuple[Callable[[int], str], ...] = (
        lambda number: f".env.{number}",
        lambda number: f"*.key{number}",
        lambda number: f"secrets{number}/",
        lambda number: f"/config/prod{number}/*.json",
        lambda number: f"**/private{number}/**",
        lambda number: f"id_rsa{number}*",
        lambda number: f"*_secret{number}",
        lambda number: f"**/vault{number}/*.yml",
        lambda number: f"docs/internal{number}.md",
        lambda number: f"*token{number}*.txt",
    )
    return tuple(makers[number % len(makers)](number) for number in range(count))


def asked(list_of_globs: RoutingList | PrivacyList, paths: Sequence[str]) -> list[int]:
    """Ask a list for every path."""
    deciding = list_of_globs.deciding
    return [deciding(path) for path in paths]


def _measure(count: int, paths: Sequence[str], rounds: int) -> tuple[Timings, float]:
    patterns = patterns_of(count)
    theirs = GitIgnoreSpec.from_lines(patterns, backend="simple")
    routing, privacy = compile_routing(patterns), compile_privacy(patterns)
    timings = alternate(
        {
            "pathspec": lambda: [theirs.match_file(path) for path in paths],
            "routing": lambda: asked(routing, paths),
            "privacy": lambda: asked(privacy, paths),
        },
        rounds,
    )
    return timings, timings.median("routing") / len(paths) * 1e6


def hostile() -> dict[str, tuple[str, ...]]:
    """Name lists that an unwise translation would be hung by."""
    return {
        "`**/a` 40 times": ("/".join(["**/a"] * 40),),
        "`**/a` 40 times, then b": ("/".join(["**/a"] * 40) + "/b",),
        "`a*` 40 times": ("a*" * 40 + "b",),
        "`*?` 20 times": ("*?" * 20 + "b",),
        "`!**/a` 40 times": ("!" + "/".join(["**/a"] * 40),),
    }


def slowest(patterns: tuple[str, ...]) -> float:
    """Give the milliseconds that the slowest of the hostile paths takes, compiling apart."""
    paths = ("a" * _LONG_PATH, "a/" * _DEEP_PATH + "a", "b/" * _DEEP_PATH + "b", "ab/" * (_LONG_PATH // 3) + "a")
    return max(_milliseconds(patterns, path) for path in paths)


def _milliseconds(patterns: tuple[str, ...], path: str) -> float:
    held = compile_privacy((*patterns, f"unused{time.perf_counter_ns()}"))
    started = time.perf_counter()
    held.deciding(path)
    return (time.perf_counter() - started) * 1000


def main(rounds: int = 5) -> int:
    """Print the ratios and the times; the exit code says whether the goals hold."""
    paths = paths_of(_MANY_PATHS)
    hundred, microseconds = _measure(100, paths, rounds)
    thousand, _ = _measure(1000, paths[:2000], rounds)
    at_least = [
        ("pathspec / routing, 100 patterns", hundred.ratio("pathspec", "routing"), 8.0),
        ("pathspec / routing, 1,000 patterns", thousand.ratio("pathspec", "routing"), 25.0),
        ("pathspec / privacy, 100 patterns", hundred.ratio("pathspec", "privacy"), 8.0),
        ("pathspec / privacy, 1,000 patterns", thousand.ratio("pathspec", "privacy"), 25.0),
    ]
    at_most = [(f"{name}, milliseconds", slowest(patterns), 50.0) for name, patterns in hostile().items()]
    for name, value, goal in at_least:
        print(f"{name:40} {value:6.1f}   goal >= {goal:g}")
    for name, value, goal in at_most:
        print(f"{name:40} {value:6.1f}   goal <= {goal:g}")
    print(f"{'microseconds a path (for scale)':40} {microseconds:6.2f}")
    return int(any(value < goal for _, value, goal in at_least) or any(value > goal for _, value, goal in at_most))


if __name__ == "__main__":
    sys.exit(main())
