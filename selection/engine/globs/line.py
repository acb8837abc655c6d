"""Read one line of a list as git does: what it negates, where it is anchored, and what is left to match ("Globs" in domain.md).

One carriage return at the end goes, then unescaped trailing spaces; `!` negates; a trailing `/` asks for a folder; any other `/` anchors to the root.
"""

from dataclasses import dataclass
from typing import Final

_SPECIAL: Final = "*?[\\"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line taken apart. `body` is what paths are matched against, its leading `/` gone; `literal` counts its characters before the first special one."""

    body: str
    negated: bool = False
    folders_only: bool = False
    anchored: bool = False
    lone_negation: bool = False

    @property
    def literal(self) -> int:
        """How many characters stand before the first special one."""
        return next((place for place, character in enumerate(self.body) if character in _SPECIAL), len(self.body))


def read_line(text: str) -> Line | None:
    """Take a line apart; None where it is blank or a comment and does nothing."""
    text = text.removesuffix("\r")
    if text.startswith("#"):
        return None
    text = _trim(text)
    negated = text.startswith("!")
    body = text[negated:]
    if not body:
        return Line(body="", negated=True, lone_negation=True) if negated else None
    folders_only = body.endswith("/")
    body = body[:-1] if folders_only else body
    anchored = "/" in body
    return Line(body=body.removeprefix("/"), negated=negated, folders_only=folders_only, anchored=anchored)


def _trim(text: str) -> str:
    """Drop trailing spaces, but none that a backslash escapes. Tabs stay, as git keeps them."""
    stripped = text.rstrip(" ")
    backslashes = len(stripped) - len(stripped.rstrip("\\"))
    escaped = backslashes % 2 == 1 and len(stripped) < len(text)
    return text[: len(stripped) + escaped]
