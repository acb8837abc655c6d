"""Globs that agree with git, to the verdict ("Globs" in domain.md): compile a list once, ask it for every path.

`?` and classes match one character; git matches one byte. That is the one intended difference. A policy may be written in another dialect: `dialects.py`.
"""

from selection.engine.globs.dialects import (
    PrivacyGlobs,
    RoutingGlobs,
    compile_privacy,
    compile_routing,
    fault_of,
    literal_pattern,
    other_dialect,
    pattern_warnings,
)
from selection.engine.globs.hints import PatternWarning
from selection.engine.globs.lists import PrivacyList, RoutingList
from selection.engine.globs.matches import PatternMatch
from selection.engine.globs.pattern import GlobPattern
from selection.engine.globs.validity import InvalidPattern

__all__ = [
    "GlobPattern",
    "InvalidPattern",
    "PatternMatch",
    "PatternWarning",
    "PrivacyGlobs",
    "PrivacyList",
    "RoutingGlobs",
    "RoutingList",
    "compile_privacy",
    "compile_routing",
    "fault_of",
    "literal_pattern",
    "other_dialect",
    "pattern_warnings",
]
