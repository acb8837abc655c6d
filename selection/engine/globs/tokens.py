"""Cut the body of a pattern into tokens, with the meaning that git's wildmatch gives each.

`**` crosses folders only where it stands between slashes or at an end; anywhere else any run of stars is one star. Git hands a pattern to wildmatch without its
literal head, so `**` right behind that head stands at a start too: `foo**/bar` crosses folders.
"""

from enum import Enum, auto
from typing import NamedTuple

from selection.engine.globs.classes import FaultError, read_class
from selection.engine.globs.line import Line


class Kind(Enum):
    """What a token matches."""

    CHARACTER = auto()
    """Itself."""
    ANY = auto()
    """`?`: one character that is no `/`."""
    CLASS = auto()
    """One character of a class."""
    STAR = auto()
    """Any characters but `/`."""
    FOLDERS = auto()
    """`**/`: any number of folders, none too."""
    MORE_FOLDERS = auto()
    """`**` before an escaped slash: at least one folder."""
    REST = auto()
    """`**` at the end: anything."""


class Token(NamedTuple):
    """One token; `text` is the character, or the source of a class."""

    kind: Kind
    text: str = ""


def tokens_of(line: Line) -> tuple[Token, ...]:
    """Cut a line's body into tokens; a `FaultError` tells why it cannot be read."""
    start = line.literal if line.anchored else 0
    body = line.body
    tokens: list[Token] = []
    place = 0
    while place < len(body):
        token, place = _next(body, place, start)
        tokens.append(token)
    return tuple(tokens)


def _next(body: str, place: int, start: int) -> tuple[Token, int]:
    character = body[place]
    if character == "*":
        return _stars(body, place, start)
    if character == "[":
        held = read_class(body, place)
        return Token(Kind.CLASS, held.source), held.end
    if character == "?":
        return Token(Kind.ANY), place + 1
    if character == "\\":
        place += 1
        if place == len(body):
            raise FaultError("it ends in a single backslash")
    return Token(Kind.CHARACTER, body[place]), place + 1


def _stars(body: str, place: int, start: int) -> tuple[Token, int]:
    end = place
    while body[end : end + 1] == "*":
        end += 1
    begins = place in {0, start} or body[place - 1] == "/"
    if end - place == 1 or not begins:
        return Token(Kind.STAR), end
    if end == len(body):
        return Token(Kind.REST), end
    if body[end] == "/":
        return Token(Kind.FOLDERS), end + 1
    if body.startswith("\\/", end):
        return Token(Kind.MORE_FOLDERS), end + 2
    return Token(Kind.STAR), end
