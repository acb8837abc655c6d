"""Lists of patterns, compiled: what they say of a path, and what they say when one of them is invalid ("Globs" in domain.md).

Routing is case-sensitive, and a list with an invalid pattern matches nothing. Privacy fails closed: such a list restricts every path. Privacy also
reads patterns and paths with letter case folded away; what either reading matches is restricted, so the second can only make it stricter.
"""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from typing import Final

from pathspec import PathSpec
from pathspec.backend import BackendNamesHint, _Backend
from pathspec.pattern import Pattern

from selection.engine.globs.index import FREE, GlobIndex
from selection.engine.globs.line import read_line
from selection.engine.globs.matches import PatternMatch, matches_of
from selection.engine.globs.names import NameFilter
from selection.engine.globs.pattern import GlobPattern
from selection.engine.globs.readings import CaseReadings
from selection.engine.globs.rule import Rule, rules_of
from selection.engine.globs.translate import fold
from selection.engine.globs.validity import InvalidPattern, invalid_among

# Compiled lists that are remembered: more than the rules of any policy that a person writes.
_REMEMBERED: Final = 512


class _Decider(_Backend):
    """Answers a `PathSpec` with what its list decides."""

    def __init__(self, patterns: Sequence[Pattern]) -> None:
        self.texts = tuple(str(pattern) for pattern in patterns)
        self.invalid = tuple(invalid_among(self.texts))

    @abstractmethod
    def deciding(self, path: str) -> int:
        """Give the index of the pattern that matches `path`; `FREE` where the list does not match it."""

    def match_file(self, file: str) -> tuple[bool | None, int | None]:
        index = self.deciding(file)
        return (None, None) if index == FREE else (True, index)


class _RoutingDecider(_Decider):
    def __init__(self, patterns: Sequence[Pattern]) -> None:
        super().__init__(patterns)
        self._index = GlobIndex(() if self.invalid else rules_of(self.texts))

    def deciding(self, path: str) -> int:
        return self._index.deciding(path)


class _PrivacyDecider(_Decider):
    def __init__(self, patterns: Sequence[Pattern]) -> None:
        super().__init__(patterns)
        self.readings = CaseReadings(() if self.invalid else self.texts)

    def deciding(self, path: str) -> int:
        return self.invalid[0].index if self.invalid else self.readings.deciding(path)


class _GlobList(PathSpec[GlobPattern]):
    """What both kinds of lists share."""

    _backend: _Decider

    @property
    def invalid(self) -> tuple[InvalidPattern, ...]:
        """What is wrong with the patterns, in list order."""
        return self._backend.invalid

    def deciding(self, path: str) -> int:
        """Give the index of the pattern that matches `path`, a normalised path of a file; -1 where the list does not match it."""
        return self._backend.deciding(path)

    def is_pattern(self, index: int) -> bool:
        """Tell whether the line at `index` is a pattern: neither blank nor a comment."""
        return read_line(self._backend.texts[index]) is not None

    @property
    def _readable(self) -> list[str]:
        """The texts, those of invalid patterns emptied."""
        faulty = {fault.index for fault in self.invalid}
        return ["" if index in faulty else text for index, text in enumerate(self._backend.texts)]

    @cached_property
    def _rules(self) -> tuple[Rule, ...]:
        return tuple(rules_of(self._readable))


class RoutingList(_GlobList):
    """The patterns of a routing rule."""

    @staticmethod
    def _make_backend(name: BackendNamesHint, patterns: Sequence[Pattern]) -> _RoutingDecider:  # noqa: ARG004 - as `pathspec` calls it
        return _RoutingDecider(patterns)

    def matches(self, path: str) -> bool:
        """Tell whether the list matches `path`, a normalised path of a file."""
        return self._backend.deciding(path) != FREE

    def all_matches(self, path: str) -> tuple[PatternMatch, ...]:
        """Give every pattern that matches `path` or a folder above it, in list order."""
        return tuple(matches_of(self._rules, path))


class PrivacyList(_GlobList):
    """The patterns of a privacy list; `deciding` gives the pattern that restricts a path."""

    _backend: _PrivacyDecider

    @staticmethod
    def _make_backend(name: BackendNamesHint, patterns: Sequence[Pattern]) -> _PrivacyDecider:  # noqa: ARG004 - as `pathspec` calls it
        return _PrivacyDecider(patterns)

    @property
    def decider(self) -> Callable[[str], int]:
        """Give `deciding` without the steps between, for those who ask of many paths."""
        return self._backend.deciding if self.invalid else self._backend.readings.deciding

    def only_by_case(self, path: str) -> bool:
        """Tell whether `path` is restricted only because letter case is ignored."""
        return self._backend.readings.only_by_case(path)

    @cached_property
    def _folded_rules(self) -> tuple[Rule, ...]:
        return tuple(rules_of(self._readable, folded=True))

    @cached_property
    def _names(self) -> tuple[NameFilter, NameFilter]:
        readings = self._rules, self._folded_rules
        written, folded = (NameFilter(rule.telling_name for rule in rules) for rules in readings)
        return written, folded

    def _may_reach(self, path: str, folded: str) -> bool:
        written, wider = self._names
        return any(map(written.may_match, path.split("/"))) or any(map(wider.may_match, folded.split("/")))

    def matching(self, path: str) -> list[int]:
        """Give the indexes of all patterns that match `path` or a folder above it in either reading, in list order."""
        folded = fold(path)
        if not self._may_reach(path, folded):
            return []
        pairs = zip(self._rules, self._folded_rules, strict=True)
        return [rule.index for rule, wider in pairs if wider.reaches(folded) or rule.reaches(path)]

    def all_matches(self, path: str) -> tuple[PatternMatch, ...]:
        """Give every pattern that matches `path` or a folder above it in either reading, in list order."""
        written = {match.index: match for match in matches_of(self._rules, path)}
        folded = {match.index: match for match in matches_of(self._folded_rules, path, folded=True)}
        found = folded | written
        return tuple(found[index] for index in sorted(found))


def compile_routing(patterns: Sequence[str]) -> RoutingList:
    """Compile the patterns of a routing rule; compiling is remembered."""
    return _compiled_routing(tuple(patterns))


def compile_privacy(patterns: Sequence[str]) -> PrivacyList:
    """Compile a privacy list; compiling is remembered."""
    return _compiled_privacy(tuple(patterns))


@lru_cache(maxsize=_REMEMBERED)
def _compiled_routing(patterns: tuple[str, ...]) -> RoutingList:
    return RoutingList([GlobPattern(pattern) for pattern in patterns])


@lru_cache(maxsize=_REMEMBERED)
def _compiled_privacy(patterns: tuple[str, ...]) -> PrivacyList:
    return PrivacyList([GlobPattern(pattern) for pattern in patterns])
