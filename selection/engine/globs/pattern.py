"""The translation as a `pathspec` pattern, so that whatever takes a `PathSpec` takes these lists."""

import re
from typing import Any
from unicodedata import normalize

from pathspec.pattern import RegexPattern

from selection.engine.globs.rule import rules_of
from selection.engine.globs.validity import fault_of


class GlobPattern(RegexPattern):
    """One pattern, by itself: it matches a path when it matches the path or a folder above it. An invalid one does nothing; ask `fault`."""

    __slots__ = ("fault", "text")

    def __init__(self, pattern: str | re.Pattern[str] | None, include: bool | None = None) -> None:  # noqa: FBT001 - as `pathspec` calls it
        """Read a pattern, in Unicode NFC; an expression that is compiled already is taken as it is."""
        self.text = normalize("NFC", pattern) if isinstance(pattern, str) else ""
        self.fault = fault_of(self.text)
        super().__init__(self.text if isinstance(pattern, str) else pattern, include)

    @classmethod
    def pattern_to_regex(cls, pattern: Any) -> tuple[Any, bool | None]:
        """Give the source of the expression, and False for a negation; twice None for what does nothing."""
        if fault_of(pattern) is not None:
            return None, None
        rule = next(rules_of([pattern]), None)
        return (None, None) if rule is None else (rf"(?s)\A{rule.reaching_source}\Z", not rule.negated)
