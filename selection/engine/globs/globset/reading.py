"""Bring a pattern of `globset` to expressions that take linear time: one for each way through its braces.

Within one way only what crosses anything is left open, and every crossing but the last commits to its leftmost hit: what follows can only gain from an earlier
one, so nothing is lost, and nothing is tried twice.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import Final

from selection.engine.globs.classes import FaultError
from selection.engine.globs.globset.parse import Kind, Piece, parse
from selection.engine.globs.translate import fold

# A pattern of more ways is none that a person writes; ten braces of ten branches would be ten milliards.
MOST_WAYS: Final = 1_000
_SLASH: Final = Piece(Kind.CHARACTER, "/")
_STAR: Final = Piece(Kind.STAR)
_OPEN: Final = frozenset((Kind.STAR, Kind.PREFIX))


def fault_of_globset(pattern: str) -> str | None:
    """Tell why `globset` refuses a pattern, or why it is too much to read; None where it is valid."""
    try:
        pieces = parse(pattern)
    except FaultError as fault:
        return str(fault)
    return f"its braces stand for more than {MOST_WAYS:,} patterns" if _count(pieces) > MOST_WAYS else None


def expression_of(pattern: str, *, folded: bool = False) -> str:
    """Give the source of an expression, without groups that capture, for `re.fullmatch` with `re.DOTALL`; `folded` for paths with letter case folded away."""
    pieces = parse(pattern)
    ways = ((_STAR,),) if [piece.kind for piece in pieces] == [Kind.PREFIX] else _ways(pieces)
    return "|".join(dict.fromkeys(_expression(_fold(way) if folded else way) for way in ways))


def _count(pieces: Sequence[Piece]) -> int:
    """Count the ways through the braces, those within braces too."""
    return prod(map(_count_piece, pieces))


def _count_piece(piece: Piece) -> int:
    if piece.kind is Kind.BRANCHES:
        return max(1, sum(_count(branch) for branch in piece.branches))
    return 2 if piece.kind is Kind.PREFIX else 1


def _ways(pieces: Sequence[Piece]) -> Iterator[tuple[Piece, ...]]:
    for choice in product(*(_choices(piece, first=number == 0) for number, piece in enumerate(pieces))):
        yield tuple(piece for chosen in choice for piece in chosen)


def _choices(piece: Piece, *, first: bool) -> list[tuple[Piece, ...]]:
    match piece.kind:
        case Kind.BRANCHES:
            # A branch without anything in it counts for nothing, as `globset` has it unless told otherwise.
            filled = [branch for branch in piece.branches if not _is_empty(branch)]
            return [way for branch in filled for way in _inner(branch)] or [()]
        case Kind.SUFFIX:
            return [(_SLASH, _STAR)]
        case Kind.BETWEEN:
            return [(_SLASH, Piece(Kind.PREFIX))]
        case Kind.PREFIX if not first:
            return [(), (_STAR, _SLASH)]
        case _:
            return [(piece,)]


def _inner(branch: Sequence[Piece]) -> Iterator[tuple[Piece, ...]]:
    """A branch may stand behind anything, so that what crosses folders at its beginning is told in full."""
    for choice in product(*(_choices(piece, first=False) for piece in branch)):
        yield tuple(piece for chosen in choice for piece in chosen)


def _is_empty(pieces: Sequence[Piece]) -> bool:
    return all(piece.kind is Kind.BRANCHES and all(map(_is_empty, piece.branches)) for piece in pieces)


def _fold(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    folded: list[Piece] = []
    run = ""
    for piece in (*pieces, None):
        if piece is not None and piece.kind is Kind.CHARACTER:
            run += piece.text
            continue
        folded += [Piece(Kind.CHARACTER, character) for character in fold(run)]
        run = ""
        if piece is not None:
            folded.append(Piece(Kind.CLASS, f"(?i:{piece.text})") if piece.kind is Kind.CLASS else piece)
    return tuple(folded)


def _expression(pieces: Sequence[Piece]) -> str:
    openers = [place for place, piece in enumerate(pieces) if piece.kind in _OPEN]
    if not openers:
        return _run(pieces)
    sources = [_run(pieces[: openers[0]])]
    for place, following in zip(openers, [*openers[1:], len(pieces)], strict=True):
        crosses = pieces[place].kind is Kind.PREFIX
        run = _run(pieces[place + 1 : following])
        if following == len(pieces):
            sources.append(("(?:.*/)?" if crosses else ".*") + run)
        else:
            sources.append(f"(?>{'(?:.*?/)??' if crosses else '.*?'}{run})")
    return "".join(sources)


def _run(pieces: Sequence[Piece]) -> str:
    return "".join(_single(piece) for piece in pieces)


def _single(piece: Piece) -> str:
    if piece.kind is Kind.CHARACTER:
        return re.escape(piece.text)
    return "." if piece.kind is Kind.ANY else piece.text
