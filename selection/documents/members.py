"""Walk a large JSON object member by member, so that its text, its parsed tree and its values never stand in memory all at once.

The text is walked as Latin-1, one character a byte: the signs of JSON are ASCII, so that every extent is right whatever the strings hold. What a member
holds is given as bytes, to be parsed as the UTF-8 that it is.
"""

import codecs
import json
import re
from collections.abc import Collection, Iterator
from typing import Final

from selection.documents.errors import Fault, InvalidDocument, shown
from selection.documents.parsing import read_json, telling_faults

# A member's name, its place in a list that is given item by item (None for a member given whole), and its JSON.
Member = tuple[str, int | None, bytes]

_BLANK: Final = re.compile(r"[ \t\n\r]*")
_SCAN: Final = json.JSONDecoder().raw_decode
_ONE_BYTE: Final = "latin-1"


def members_of(data: bytes, lists: Collection[str]) -> Iterator[Member]:
    """Give the members of the object in `data` as they come, those named in `lists` an item at a time. Raises `InvalidDocument`."""
    walk = _Walk(data.removeprefix(codecs.BOM_UTF8).decode(_ONE_BYTE))
    del data
    with telling_faults():
        if walk.next() != "{":
            walk.value()
            raise InvalidDocument([Fault("", "the document is not an object")])
        yield from _members(walk, lists)
        walk.end()


def _members(walk: "_Walk", lists: Collection[str]) -> Iterator[Member]:
    seen: set[str] = set()
    for _ in walk.items("{", "}"):
        name = _name(walk)
        if name in seen:
            raise InvalidDocument([Fault("", f"the key `{shown(name)}` appears twice in one object")])
        seen.add(name)
        if name in lists and walk.next() == "[":
            yield from ((name, place, walk.value()) for place in walk.items("[", "]"))
        else:
            yield name, None, walk.value()


def _name(walk: "_Walk") -> str:
    if walk.next() != '"':
        raise walk.error("expecting property name enclosed in double quotes")
    name: str = read_json(walk.value())
    walk.take(":")
    return name


class _Walk:
    """A place in a JSON text. Raises `json.JSONDecodeError` where the text is none."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def next(self) -> str:
        """Give the next sign that is not blank, without taking it; nothing at the end."""
        blank = _BLANK.match(self._text, self._at)
        self._at = blank.end() if blank else self._at
        return self._text[self._at : self._at + 1]

    def take(self, sign: str) -> None:
        """Go past `sign`."""
        if self.next() != sign:
            raise self.error(f"expecting `{sign}`")
        self._at += 1

    def value(self) -> bytes:
        """Go past one value, and give its JSON."""
        self.next()
        start = self._at
        _, self._at = _SCAN(self._text, start)
        return self._text[start : self._at].encode(_ONE_BYTE)

    def items(self, opening: str, closing: str) -> Iterator[int]:
        """Number the items between two signs; whoever asks takes each one."""
        self.take(opening)
        place = 0
        while not (place == 0 and self.next() == closing):
            yield place
            place += 1
            if self.next() == closing:
                break
            self.take(",")
        self.take(closing)

    def end(self) -> None:
        """Make sure that nothing follows."""
        if self.next():
            raise self.error("extra data")

    def error(self, why: str) -> json.JSONDecodeError:
        """Say what is wrong here."""
        return json.JSONDecodeError(why, self._text, self._at)
