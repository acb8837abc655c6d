"""The dialects that patterns are written in: git's, which is the law's, and that of `globset` ("Globs" in domain.md)."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Final, Protocol
from unicodedata import normalize

from selection.engine.codes import Dialect
from selection.engine.globs import hints, lists, literal, validity
from selection.engine.globs.globset import GlobsetPrivacyList, GlobsetRoutingList, fault_of_globset, globset_doubts
from selection.engine.globs.hints import PatternWarning
from selection.engine.globs.matches import PatternMatch
from selection.engine.globs.validity import InvalidPattern

_REMEMBERED: Final = 512
_SPECIAL: Final = re.compile(r"[*?\[{}]")


class GlobList(Protocol):
    """A list of patterns, ready to be asked about normalised paths of files."""

    @property
    def invalid(self) -> tuple[InvalidPattern, ...]:
        """What is wrong with the patterns, in list order."""

    def deciding(self, path: str) -> int:
        """Give the index of the pattern that matches `path`; -1 where the list does not match it."""

    def is_pattern(self, index: int) -> bool:
        """Tell whether the line at `index` is a pattern."""

    def all_matches(self, path: str) -> tuple[PatternMatch, ...]:
        """Give every pattern that matches `path` or a folder above it, in list order."""


class RoutingGlobs(GlobList, Protocol):
    """The patterns of a routing rule."""

    def matches(self, path: str) -> bool:
        """Tell whether the list matches `path`."""


class PrivacyGlobs(GlobList, Protocol):
    """The patterns of a privacy list."""

    @property
    def decider(self) -> Callable[[str], int]:
        """Give `deciding` without the steps between, for those who ask of many paths."""

    def only_by_case(self, path: str) -> bool:
        """Tell whether `path` is restricted only because letter case is ignored."""

    def matching(self, path: str) -> list[int]:
        """Give the indexes of all patterns that match `path` in either reading, in list order."""


def compile_routing(patterns: Sequence[str], dialect: Dialect = Dialect.GITIGNORE) -> RoutingGlobs:
    """Compile the patterns of a routing rule; compiling is remembered."""
    return _globset_routing(tuple(patterns)) if dialect is Dialect.GLOBSET else lists.compile_routing(patterns)


def compile_privacy(patterns: Sequence[str], dialect: Dialect = Dialect.GITIGNORE) -> PrivacyGlobs:
    """Compile a privacy list; compiling is remembered."""
    return _globset_privacy(tuple(patterns)) if dialect is Dialect.GLOBSET else lists.compile_privacy(patterns)


@lru_cache(maxsize=_REMEMBERED)
def _globset_routing(patterns: tuple[str, ...]) -> GlobsetRoutingList:
    return GlobsetRoutingList([normalize("NFC", pattern) for pattern in patterns])


@lru_cache(maxsize=_REMEMBERED)
def _globset_privacy(patterns: tuple[str, ...]) -> GlobsetPrivacyList:
    return GlobsetPrivacyList([normalize("NFC", pattern) for pattern in patterns])


def fault_of(pattern: str, dialect: Dialect = Dialect.GITIGNORE) -> str | None:
    """Tell why a pattern is invalid; None where it is valid, or does nothing."""
    return fault_of_globset(pattern) if dialect is Dialect.GLOBSET else validity.fault_of(pattern)


def pattern_warnings(patterns: Sequence[str], dialect: Dialect = Dialect.GITIGNORE) -> tuple[PatternWarning, ...]:
    """Give the doubts about the valid patterns of a list, in list order."""
    if dialect is Dialect.GITIGNORE:
        return hints.pattern_warnings(patterns)
    return tuple(_warnings(patterns))


def _warnings(patterns: Sequence[str]) -> Iterator[PatternWarning]:
    for index, pattern in enumerate(patterns):
        for code, sentence in globset_doubts(pattern):
            yield PatternWarning(index=index, code=code, sentence=sentence)


def other_dialect(dialect: Dialect) -> Dialect:
    """Give the dialect that a policy is not written in."""
    return Dialect.GITIGNORE if dialect is Dialect.GLOBSET else Dialect.GLOBSET


def literal_pattern(path: str, dialect: Dialect = Dialect.GITIGNORE) -> str:
    """Give the pattern that matches one normalised path and nothing else."""
    return literal.literal_pattern(path) if dialect is Dialect.GITIGNORE else _bracketed(path)


def _bracketed(path: str) -> str:
    return _SPECIAL.sub(r"[\g<0>]", path.replace("\\", "\\\\"))
