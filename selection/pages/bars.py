"""Stacked bars, one beside the other: sizes for a drawing, whose numbers stand in a table next to it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

_HEIGHT: Final = 120
_WIDTH: Final = 14


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One bar: its parts by name, each with where it begins and how high it is, in units of the drawing."""

    x: int
    parts: tuple[tuple[str, int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """The drawing; `most` is what a bar of full height stands for."""

    bars: tuple[Bar, ...]
    width: int
    most: int
    height: int = _HEIGHT


def chart_of(values: Iterable[Sequence[tuple[str, int]]]) -> Chart:
    """Draw bars of parts, each a name and a value, from the bottom up."""
    held = [tuple(parts) for parts in values]
    most = max((sum(value for _, value in parts) for parts in held), default=0)
    bars = (Bar(x=place * _WIDTH, parts=_stacked(parts, most or 1)) for place, parts in enumerate(held))
    return Chart(bars=tuple(bars), width=max(1, len(held)) * _WIDTH, most=most)


def _stacked(parts: Sequence[tuple[str, int]], most: int) -> tuple[tuple[str, int, int], ...]:
    stacked, bottom = [], _HEIGHT
    for name, value in parts:
        size = value * _HEIGHT // most
        bottom -= size
        stacked.append((name, bottom, size))
    return tuple(stacked)
