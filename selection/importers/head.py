"""The head of a file, taken apart once: what importers look at to know their own, whatever the file is called."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from selection.importers.salvage import salvage

_MOST_ROWS: Final = 40
_LOOKED_AT: Final = 20_000
_SPACE: Final = " \t\r\n"
_decoder: Final = json.JSONDecoder(strict=False)


class Shape(StrEnum):
    """How a file is written."""

    LINES = "JSON lines"
    ARRAY = "a JSON array"
    OBJECT = "a JSON object"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Head:
    """The first bytes of a file as text, its shape, and the first objects in it: of the lines, of the array, or the object as far as it is known."""

    text: str
    shape: Shape
    rows: tuple[dict[str, Any], ...]

    @property
    def keys(self) -> frozenset[str]:
        """The keys of all objects seen."""
        return frozenset(key for row in self.rows for key in row)

    def holds(self, name: str, *values: str) -> bool:
        """Tell whether an object seen has one of `values` under `name`."""
        return any(row.get(name) in values for row in self.rows if isinstance(row.get(name), str))


def peek(head: bytes) -> Head:
    """Take the first bytes of a file apart; a value that they cut off counts as far as it goes."""
    text = head.decode(errors="replace").lstrip("\ufeff \t\r\n\0")
    lines = tuple(_objects(_line(line) for line in text.split("\n", _MOST_ROWS)[:_MOST_ROWS] if line.startswith("{")))
    if text.startswith("["):
        held = salvage(text)
        return Head(text, Shape.ARRAY, tuple(_objects(held))[:_MOST_ROWS] if isinstance(held, list) else ())
    if not text.startswith("{"):
        # A text may quote a line of JSON.
        return (
            Head(text, Shape.LINES, lines)
            if len(lines) * 2 > text.count("\n", 0, _LOOKED_AT)
            else Head(text, Shape.TEXT, ())
        )
    whole, end = _first(text)
    if (lines and (whole is None or text[end:].strip(_SPACE))) or text[end:].lstrip(_SPACE).startswith("{"):
        return Head(text, Shape.LINES, lines or (whole or {},))
    return Head(text, Shape.OBJECT, (whole or salvage(text) or {},))


def _objects(values: Iterable[Any]) -> Iterator[dict[str, Any]]:
    return (value for value in values if isinstance(value, dict) and value)


def _line(text: str) -> Any:
    return _first(text)[0]


def _first(text: str) -> tuple[dict[str, Any] | None, int]:
    """Give the object that a text begins with, and where it ends; nothing, and the end of the text, where it is none."""
    try:
        value, end = _decoder.raw_decode(text)
    except (ValueError, RecursionError):
        return None, len(text)
    return (value, end) if isinstance(value, dict) else (None, end)
