"""Patterns that are valid but probably do not mean what their author thinks: each looks like a habit from elsewhere ("Findings" in domain.md)."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from selection.engine.globs.line import Line, read_line
from selection.engine.globs.validity import fault_of

_SEPARATOR: Final = re.compile(r"\\[A-Za-z0-9_]")
_DRIVE: Final = re.compile(r"[A-Za-z]:[\\/]")
_BRACES: Final = re.compile(r"\{[^{}]*,[^{}]*\}")
_INVISIBLE: Final = re.compile("[\x00-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
_HOME_FOLDERS: Final = ("/home/", "/Users/", "/root/", "/etc/", "/var/", "/tmp/")  # noqa: S108 - names that patterns hold, nothing is opened


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternWarning:
    """One doubt about one pattern; `sentence` follows the pattern and a colon."""

    index: int
    code: str
    sentence: str


def pattern_warnings(patterns: Sequence[str]) -> tuple[PatternWarning, ...]:
    """Give the doubts about the valid patterns of a list, in list order."""
    return tuple(
        PatternWarning(index=index, code=code, sentence=sentence)
        for index, pattern in enumerate(patterns)
        for code, sentence in _doubts(pattern)
    )


def _doubts(pattern: str) -> Iterator[tuple[str, str]]:
    line = read_line(pattern)
    if line is None or fault_of(pattern) is not None:
        return
    for code, holds, sentence in _CHECKS:
        if holds(pattern, line):
            yield code, sentence


def _ends_in_spaces(pattern: str, _: Line) -> bool:
    return pattern.endswith(" ") and not pattern.rstrip(" ").endswith("\\")


def _begins_with_space(pattern: str, _: Line) -> bool:
    return pattern[:1].isspace()


def _ends_in_other_space(pattern: str, line: Line) -> bool:
    return line.body[-1:].isspace() and not pattern.endswith(" ")


def _has_unseen(_: str, line: Line) -> bool:
    return _INVISIBLE.search(line.body.strip()) is not None


def _has_dots(_: str, line: Line) -> bool:
    return any(part in {".", ".."} for part in line.body.split("/"))


def _has_empty_part(_: str, line: Line) -> bool:
    return "//" in line.body or line.body.startswith("/") or line.body.endswith("/")


def _separates_by_backslash(pattern: str, line: Line) -> bool:
    return not _is_on_drive(pattern, line) and _SEPARATOR.search(line.body) is not None


def _is_on_drive(_: str, line: Line) -> bool:
    return _DRIVE.match(line.body) is not None


def _is_absolute(pattern: str, _: Line) -> bool:
    return pattern.removeprefix("!").startswith(_HOME_FOLDERS)


def _begins_at_home(_: str, line: Line) -> bool:
    return line.body.startswith("~/")


def _has_braces(_: str, line: Line) -> bool:
    return _BRACES.search(line.body) is not None


def _is_a_comment_after_text(_: str, line: Line) -> bool:
    return " #" in line.body


_ROOT: Final = (
    "a leading `/` means the workspace root, not the root of the disk; paths outside the workspace are not matched."
)
_CHECKS: Final[tuple[tuple[str, Callable[[str, Line], bool], str], ...]] = (
    ("trailing_spaces", _ends_in_spaces, "the spaces at its end are ignored; write `\\ ` where one is meant."),
    ("leading_space", _begins_with_space, "the white space at its beginning is part of the name that it matches."),
    ("trailing_white_space", _ends_in_other_space, "the white space at its end is part of the name that it matches."),
    (
        "invisible_character",
        _has_unseen,
        "it holds a character that cannot be seen, which is part of the name that it matches.",
    ),
    (
        "dot_segment",
        _has_dots,
        "`.` and `..` are not folded in patterns, and normalised paths hold none: it matches nothing.",
    ),
    ("empty_segment", _has_empty_part, "a doubled `/` matches no normalised path."),
    (
        "backslash_separator",
        _separates_by_backslash,
        "a backslash escapes the character behind it; folders are parted by `/`.",
    ),
    (
        "drive",
        _is_on_drive,
        "patterns are relative to the workspace root; one that begins with a drive matches nothing in it.",
    ),
    ("absolute", _is_absolute, _ROOT),
    ("home_folder", _begins_at_home, "`~` is not expanded: it is matched as a name."),
    ("braces", _has_braces, "braces are matched as they stand; write one pattern for each alternative."),
    (
        "inline_comment",
        _is_a_comment_after_text,
        "`#` begins a comment only at the beginning; here it is part of the name.",
    ),
)
