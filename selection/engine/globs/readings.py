"""A list read twice: as it stands, and with letter case folded away. What either reading matches is matched ("Globs" in domain.md: privacy)."""

import re
from collections.abc import Sequence
from typing import Final

from selection.engine.globs.index import FREE, GlobIndex
from selection.engine.globs.rule import rules_of
from selection.engine.globs.translate import fold

# A class of lower-case letters, digits and marks reads the same when case is folded; any other may hold more.
_PLAIN_CLASS: Final = re.compile(r"\[[!^]?(?:[a-z]-[a-z]|[0-9]-[0-9]|[a-z0-9._])+\]")


class CaseReadings:
    """Both readings of a list of valid patterns, the second left out where it cannot add anything."""

    def __init__(self, patterns: Sequence[str]) -> None:
        """Compile both readings, or one that is enough for both."""
        self._as_written = GlobIndex(rules_of(patterns))
        self._same = all(_has_no_case(pattern) for pattern in patterns)
        self._folded = self._as_written if self._same else GlobIndex(rules_of(patterns, folded=True))
        self._covers = not any(pattern.startswith("!") or "[!" in pattern or "[^" in pattern for pattern in patterns)

    def deciding(self, path: str) -> int:
        """Give the index of the pattern that matches `path` as written, else of the one that matches it folded; -1 where none does."""
        plain = path.isascii()
        folded = path.lower() if plain else fold(path)
        if self._same and folded == path:
            return self._as_written.deciding(path)
        if self._covers and plain:
            return self._narrow(path, folded)
        index = self._as_written.deciding(path)
        return self._folded.deciding(folded) if index == FREE else index

    def _narrow(self, path: str, folded: str) -> int:
        """Invariant: without negations the folded reading matches every ASCII path that the written one does, so it is asked first."""
        wider = self._folded.deciding(folded)
        if wider == FREE:
            return FREE
        index = self._as_written.deciding(path)
        return wider if index == FREE else index

    def only_by_case(self, path: str) -> bool:
        """Tell whether `path` is matched folded, but not as written."""
        return self._as_written.deciding(path) == FREE and self.deciding(path) != FREE


def _has_no_case(pattern: str) -> bool:
    """Tell whether a pattern reads the same when letter case is folded."""
    return fold(pattern) == pattern and "[" not in _PLAIN_CLASS.sub("", pattern)
