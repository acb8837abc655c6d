"""Judge patterns before anything is compared: a pattern that cannot be read must never be one that silently matches nothing ("Globs" in domain.md)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from selection.engine.globs.classes import FaultError
from selection.engine.globs.line import Line, read_line
from selection.engine.globs.tokens import tokens_of


@dataclass(frozen=True, slots=True, kw_only=True)
class InvalidPattern:
    """One pattern that cannot be read: its place in the list, its text, and why, to be put behind a colon."""

    index: int
    pattern: str
    why: str


def fault_of(pattern: str) -> str | None:
    """Tell why a pattern is invalid; None where it is valid, blank or a comment."""
    line = read_line(pattern)
    return None if line is None else _fault_of_line(line)


def invalid_among(patterns: Sequence[str]) -> Iterator[InvalidPattern]:
    """Give every invalid pattern of a list, in order."""
    for index, pattern in enumerate(patterns):
        why = fault_of(pattern)
        if why is not None:
            yield InvalidPattern(index=index, pattern=pattern, why=why)


def _fault_of_line(line: Line) -> str | None:
    if line.lone_negation:
        return "it is a lone `!`"
    try:
        tokens_of(line)
    except FaultError as fault:
        return str(fault)
    return None
