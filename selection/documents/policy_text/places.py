"""Where each value of a TOML text stands: its place, spelled as faults spell places, with line and column from 1.

The text is one that a TOML parser has read already, so nothing is checked here; a form that is not understood costs a position, never a wrong answer.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from typing import Final

Spot = tuple[int, int]

_PART: Final = re.compile(r"""\s*(?:"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'|([A-Za-z0-9_-]+))\s*""")
_SKIP: Final = re.compile(r"(?:\s|#[^\n]*)*")
_STRING: Final = re.compile(r'"{3}(?:[^\\]|\\.)*?"{3,5}|\'{3}.*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'', re.DOTALL)
_BARE: Final = re.compile(r"[^,\]}\n#]*")
_MOST_DEEP: Final = 40


def places_of(text: str) -> dict[str, Spot]:
    """Give the spot of every table, key and element of `text`."""
    return _Reader(text).read()


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._spots: dict[str, Spot] = {}
        self._starts = [0, *(found.end() for found in re.finditer("\n", text))]
        self._counts: Counter[str] = Counter()
        self._arrays: dict[str, str] = {}

    def read(self) -> dict[str, Spot]:
        table = ""
        while self._skip():
            began = self._at
            if self._text[self._at] == "[":
                table = self._header()
            else:
                self._pair(table, 0)
            if self._at == began:
                self._at += 1
        return self._spots

    def _skip(self) -> bool:
        found = _SKIP.match(self._text, self._at)
        self._at = found.end() if found else self._at
        return self._at < len(self._text)

    def _mark(self, place: str, at: int) -> None:
        line = bisect_right(self._starts, at)
        self._spots.setdefault(place, (line, at - self._starts[line - 1] + 1))

    def _key(self) -> list[str]:
        parts = []
        while found := _PART.match(self._text, self._at):
            parts.append(next(part for part in found.groups() if part is not None))
            self._at = found.end()
            if self._text[self._at : self._at + 1] != ".":
                break
            self._at += 1
        return parts

    def _header(self) -> str:
        start, repeated = self._at, self._text.startswith("[[", self._at)
        self._at += 2 if repeated else 1
        parts = self._key()
        place = self._joined("", parts)
        if repeated:
            plain = ".".join(parts)
            place = f"{place}[{self._counts[plain]}]"
            self._counts[plain] += 1
            self._arrays[plain] = place
        self._mark(place, start)
        end = self._text.find("\n", self._at)
        self._at = len(self._text) if end < 0 else end
        return place

    def _joined(self, table: str, parts: list[str]) -> str:
        """Write the place of a key; a table below an array of tables belongs to the last of them."""
        place, plain = table, ""
        for part in parts:
            plain = f"{plain}.{part}" if plain else part
            place = f"{place}.{part}" if place else part
            if not table and plain in self._arrays and plain != ".".join(parts):
                place = self._arrays[plain]
        return place

    def _pair(self, table: str, deep: int) -> None:
        start = self._at
        place = self._joined(table, self._key())
        self._mark(place, start)
        if self._text[self._at : self._at + 1] == "=":
            self._at += 1
            self._value(place, deep)

    def _value(self, place: str, deep: int) -> None:
        self._at += _blanks(self._text, self._at)
        opening = self._text[self._at : self._at + 1]
        if opening in {"[", "{"} and deep < _MOST_DEEP:
            self._at += 1
            self._items(place, opening, deep + 1)
        elif found := _STRING.match(self._text, self._at) or _BARE.match(self._text, self._at):
            self._at = found.end()

    def _items(self, place: str, opening: str, deep: int) -> None:
        closing = {"[": "]", "{": "}"}[opening]
        number = 0
        while self._skip() and self._text[self._at] != closing:
            began = self._at
            if opening == "[":
                self._mark(f"{place}[{number}]", self._at)
                self._value(f"{place}[{number}]", deep)
                number += 1
            else:
                self._pair(place, deep)
            if self._skip() and self._text[self._at] == ",":
                self._at += 1
            if self._at == began:
                return
        self._at += 1


def _blanks(text: str, at: int) -> int:
    end = at
    while end < len(text) and text[end] in " \t":
        end += 1
    return end - at


def spot_of(spots: dict[str, Spot], place: str) -> Spot:
    """Give the spot of a place, or of the nearest one that holds it."""
    for held in _holders(place):
        if held in spots:
            return spots[held]
    return 1, 1


def _holders(place: str) -> Iterator[str]:
    while place:
        yield place
        place = re.sub(r"(?:\[[^\[\]]*\]|\.?[^.\[\]]+)\Z", "", place, count=1) if re.search(r"[.\[]", place) else ""
