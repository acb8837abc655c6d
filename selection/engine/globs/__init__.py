"""Globs that agree with git, to the verdict ("Globs" in domain.md): compile a list once, ask it for every path.

`?` and classes match one character; git matches one byte. That is the one intended difference.
"""

from selection.engine.globs.hints import PatternWarning, pattern_warnings
from selection.engine.globs.lists import PrivacyList, RoutingList, compile_privacy, compile_routing
from selection.engine.globs.literal import literal_pattern
from selection.engine.globs.matches import PatternMatch
from selection.engine.globs.pattern import GlobPattern
from selection.engine.globs.validity import InvalidPattern, fault_of

__all__ = [
    "GlobPattern",
    "InvalidPattern",
    "PatternMatch",
    "PatternWarning",
    "PrivacyList",
    "RoutingList",
    "compile_privacy",
    "compile_routing",
    "fault_of",
    "literal_pattern",
    "pattern_warnings",
]
