"""Take a pattern of `globset` apart: into what it matches piece by piece, with the branches of its braces."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from selection.engine.globs.classes import FaultError


class Kind(Enum):
    """What a piece matches."""

    CHARACTER = auto()
    """Itself."""
    ANY = auto()
    """`?`: any one character."""
    CLASS = auto()
    """One character of a class."""
    STAR = auto()
    """Anything."""
    PREFIX = auto()
    """`**/` where a pattern or a branch begins: any number of folders, none too."""
    SUFFIX = auto()
    """`/**` where it ends: all that lies below."""
    BETWEEN = auto()
    """`/**/`: a slash, and any number of folders."""
    BRANCHES = auto()
    """`{a,b}`: one of its branches."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece; `text` is the character, or the source of a class."""

    kind: Kind
    text: str = ""
    branches: tuple[tuple["Piece", ...], ...] = ()


_STAR: Final = Piece(Kind.STAR)
_DEEPEST: Final = 40
_RECURSIVE: Final = frozenset((Kind.PREFIX, Kind.SUFFIX))


def parse(pattern: str) -> tuple[Piece, ...]:
    """Give the pieces of a pattern; a `FaultError` tells why it cannot be read."""
    return _Parser(pattern).parse()


class _Parser:
    """A walk through a pattern. The branches that are open stand on a stack: the innermost one takes what comes."""

    def __init__(self, pattern: str) -> None:
        self._pattern, self._place = pattern, 0
        self._open: list[list[list[Piece]]] = [[[]]]

    def parse(self) -> tuple[Piece, ...]:
        while self._place < len(self._pattern):
            self._next()
        if len(self._open) > 1:
            raise FaultError("the branches that its `{` opens are never closed")
        return tuple(self._open[0][0])

    @property
    def _into(self) -> list[Piece]:
        return self._open[-1][-1]

    def _peek(self) -> str:
        return self._pattern[self._place : self._place + 1]

    def _next(self) -> None:
        character = self._pattern[self._place]
        self._place += 1
        match character:
            case "?":
                self._into.append(Piece(Kind.ANY))
            case "*":
                self._star()
            case "[":
                self._into.append(self._class())
            case "{":
                self._open_branches()
            case "}":
                self._close()
            case "," if len(self._open) > 1:
                self._open[-1].append([])
            case "\\":
                self._escaped()
            case _:
                self._into.append(Piece(Kind.CHARACTER, character))

    def _open_branches(self) -> None:
        if len(self._open) > _DEEPEST:
            raise FaultError("its braces stand too deep within each other")
        self._open.append([[]])

    def _close(self) -> None:
        if len(self._open) == 1:
            raise FaultError("its `}` closes nothing")
        branches = self._open.pop()
        self._into.append(Piece(Kind.BRANCHES, branches=tuple(map(tuple, branches))))

    def _escaped(self) -> None:
        if not self._peek():
            raise FaultError("it ends in a single backslash")
        self._into.append(Piece(Kind.CHARACTER, self._peek()))
        self._place += 1

    def _star(self) -> None:
        before = self._pattern[: self._place - 1][-1:]
        if self._peek() != "*":
            self._into.append(_STAR)
            return
        self._place += 1
        if not self._into:
            self._begin_with_stars()
        elif before == "/" and self._ends_part():
            self._cross(suffix=self._peek() != "/")
        else:
            self._into.append(_STAR)

    def _begin_with_stars(self) -> None:
        if self._peek() not in {"", "/"}:
            self._into.append(_STAR)
            return
        self._into.append(Piece(Kind.PREFIX))
        self._place += 1

    def _ends_part(self) -> bool:
        return self._peek() in ({"", "/", ",", "}"} if len(self._open) > 1 else {"", "/"})

    def _cross(self, *, suffix: bool) -> None:
        """Two stars that are a part of the path take the slash before them, and the one behind them, along."""
        if not suffix:
            self._place += 1
        before = self._into.pop()
        if before.kind in _RECURSIVE:
            self._into.append(before)
        else:
            self._into.append(Piece(Kind.SUFFIX if suffix else Kind.BETWEEN))

    def _class(self) -> Piece:
        negated = self._peek() in {"!", "^"} and bool(self._peek())
        self._place += negated
        ranges = _Ranges()
        while (character := self._peek()) != "]" or ranges.is_first:
            if not character:
                raise FaultError("the class that its `[` opens is never closed")
            ranges.take(character)
            self._place += 1
        self._place += 1
        return Piece(Kind.CLASS, f"[{'^' if negated else ''}{ranges.source()}]")


class _Ranges:
    """The members of a class: a backslash is one like any other, and a `-` first or last is itself."""

    def __init__(self) -> None:
        self._ranges: list[tuple[str, str]] = []
        self._half = False

    @property
    def is_first(self) -> bool:
        return not self._ranges

    def take(self, character: str) -> None:
        if character == "-" and self._ranges and not self._half:
            self._half = True
            return
        if self._half:
            first = self._ranges[-1][0]
            if character < first:
                raise FaultError(f"its range `{first}-{character}` runs backwards")
            self._ranges[-1] = first, character
        else:
            self._ranges.append((character, character))
        self._half = False

    def source(self) -> str:
        ranges: Sequence[tuple[str, str]] = [*self._ranges, *([("-", "-")] if self._half else [])]
        return "".join(
            re.escape(first) if first == last else f"{re.escape(first)}-{re.escape(last)}" for first, last in ranges
        )
