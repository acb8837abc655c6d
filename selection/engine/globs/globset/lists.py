"""Lists of `globset` patterns, asked as git's lists are: the last pattern that matches decides, and an invalid one does what it does there."""

import re
from collections.abc import Callable, Sequence
from functools import cached_property

from selection.engine.globs.globset.reading import expression_of, fault_of_globset
from selection.engine.globs.index import FREE
from selection.engine.globs.matches import PatternMatch
from selection.engine.globs.translate import fold
from selection.engine.globs.validity import InvalidPattern


class _Reading:
    """The valid patterns of a list in one reading, and the last of them that matches."""

    def __init__(self, patterns: Sequence[str], faulty: frozenset[int], *, folded: bool) -> None:
        valid = [(index, pattern) for index, pattern in enumerate(patterns) if index not in faulty]
        self._each = [(index, re.compile(expression_of(pattern, folded=folded), re.DOTALL)) for index, pattern in valid]
        # Most paths match nothing: one expression turns them away.
        sources = "|".join(f"(?:{expression.pattern})" for _, expression in self._each)
        self._any = re.compile(sources or r"(?!)", re.DOTALL)

    def deciding(self, path: str) -> int:
        return max(self.matching(path), default=FREE)

    def matching(self, path: str) -> list[int]:
        if self._any.fullmatch(path) is None:
            return []
        return [index for index, expression in self._each if expression.fullmatch(path)]


class _GlobsetList:
    """What both kinds of lists share."""

    def __init__(self, patterns: Sequence[str]) -> None:
        self.texts = tuple(patterns)
        found = ((index, text, fault_of_globset(text)) for index, text in enumerate(self.texts))
        self.invalid = tuple(InvalidPattern(index=index, pattern=text, why=why) for index, text, why in found if why)
        self._written = self._reading(folded=False)

    def _reading(self, *, folded: bool) -> _Reading:
        return _Reading(self.texts, frozenset(fault.index for fault in self.invalid), folded=folded)

    def is_pattern(self, index: int) -> bool:
        """Tell whether the line at `index` is a pattern: here every one is."""
        return index < len(self.texts)

    def matching(self, path: str) -> list[int]:
        """Give the indexes of all patterns that match `path`, in list order."""
        return self._written.matching(path)

    def all_matches(self, path: str) -> tuple[PatternMatch, ...]:
        """Give every pattern that matches `path`, in list order."""
        return tuple(PatternMatch(index=index, negated=False, part=path) for index in self.matching(path))


class GlobsetRoutingList(_GlobsetList):
    """The patterns of a routing rule; with an invalid one it matches nothing."""

    def deciding(self, path: str) -> int:
        """Give the index of the pattern that matches `path`; -1 where none does."""
        return FREE if self.invalid else self._written.deciding(path)

    def matches(self, path: str) -> bool:
        """Tell whether the list matches `path`, a normalised path of a file."""
        return self.deciding(path) != FREE


class GlobsetPrivacyList(_GlobsetList):
    """The patterns of a privacy list, read with letter case ignored too; with an invalid one it restricts every path."""

    @cached_property
    def _folded(self) -> _Reading:
        return self._reading(folded=True)

    def deciding(self, path: str) -> int:
        """Give the index of the pattern that restricts `path`; -1 where none does."""
        if self.invalid:
            return self.invalid[0].index
        index = self._written.deciding(path)
        return self._folded.deciding(fold(path)) if index == FREE else index

    @property
    def decider(self) -> Callable[[str], int]:
        """Give `deciding`."""
        return self.deciding

    def only_by_case(self, path: str) -> bool:
        """Tell whether `path` is restricted only because letter case is ignored."""
        return not self.invalid and self._written.deciding(path) == FREE and self.deciding(path) != FREE

    def matching(self, path: str) -> list[int]:
        """Give the indexes of all patterns that match `path` in either reading, in list order."""
        return sorted({*self._written.matching(path), *self._folded.matching(fold(path))})
