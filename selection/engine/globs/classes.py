"""Read a `[` class as git's wildmatch does, into the inside of a Python class.

A `]` that comes first is a member; a `-` between two members is a range; a backslash takes the next character as it is; `[:name:]` is a POSIX class of ASCII
characters. Whatever it holds, a class never matches `/`.
"""

import re
from dataclasses import dataclass
from typing import Final

_POSIX: Final = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "blank": " \\t",
    "cntrl": "\\x00-\\x1f\\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": "!-/:-@\\[-`{-~",
    "space": "\\t\\n\\r ",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}


class FaultError(ValueError):
    """A pattern that cannot be read; the text says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CharacterClass:
    """A class: the source of an expression for one character, and the place behind its `]`."""

    source: str
    end: int


def read_class(body: str, start: int) -> CharacterClass:
    """Read the class that the `[` at `start` opens; a `FaultError` tells what is wrong with it."""
    negated = body[start + 1 : start + 2] in {"!", "^"}
    reader = _Reader(body, start + 1 + negated)
    members = reader.members()
    source = f"[^/{members}]" if negated else f"(?!/)[{members}]"
    return CharacterClass(source=source, end=reader.place)


class _Reader:
    """A walk through the members; `before` is the member that a `-` could make the start of a range."""

    def __init__(self, body: str, place: int) -> None:
        self._body = body
        self.place = place
        self._before: str | None = None

    def members(self) -> str:
        """Give every member as source, and stop behind the closing `]`."""
        sources = [self._member()]
        while self._peek() != "]":
            sources.append(self._member())
        self.place += 1
        return "".join(sources)

    def _peek(self, ahead: int = 0) -> str:
        place = self.place + ahead
        if place >= len(self._body):
            raise FaultError("the class that its `[` opens is never closed")
        return self._body[place]

    def _take(self) -> str:
        """Take one character, or the one that a backslash escapes."""
        if self._peek() == "\\":
            self.place += 1
        character = self._peek()
        self.place += 1
        return character

    def _member(self) -> str:
        character = self._peek()
        if character == "-" and self._before is not None and self._peek(1) != "]":
            return self._range(self._before)
        if character == "[" and self._peek(1) == ":":
            return self._named()
        self._before = self._take()
        return re.escape(self._before)

    def _range(self, first: str) -> str:
        self.place += 1
        last = self._take()
        self._before = None
        if last < first:
            raise FaultError(f"its range `{first}-{last}` runs backwards")
        return f"{re.escape(first)}-{re.escape(last)}"

    def _named(self) -> str:
        """Read `[:name:]`; where no `:]` ends it, the `[` is a member like any other."""
        opened = self.place + 2
        closed = self._body.find("]", opened)
        if closed < 0:
            raise FaultError("the class that its `[` opens is never closed")
        if closed == opened or self._body[closed - 1] != ":":
            self._before = self._take()
            return re.escape(self._before)
        name = self._body[opened : closed - 1]
        if name not in _POSIX:
            raise FaultError(f"`[:{name}:]` is no class of characters")
        self.place, self._before = closed + 1, None
        return _POSIX[name]
