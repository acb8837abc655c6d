"""Turn names away quickly: what a pattern holds literally must stand in every name that it matches."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from selection.engine.globs.tokens import Kind, Token
from selection.engine.globs.translate import expression_of


class _Piece(NamedTuple):
    """A run of literal characters, and where it stands in its name."""

    text: str
    begins: bool
    ends: bool


class NameFilter:
    """Tells which names may match any of several patterns: seldom wrong, and never by a no."""

    def __init__(self, patterns: Iterable[Sequence[Token]]) -> None:
        """Note the longest literal piece of each pattern; patterns without one are asked in full."""
        pieces: dict[tuple[bool, bool], list[str]] = {}
        others: list[str] = []
        for tokens in patterns:
            piece = max(_pieces(tokens), key=lambda piece: len(piece.text), default=None)
            if piece is None:
                others.append(expression_of(tokens))
            else:
                pieces.setdefault((piece.begins, piece.ends), []).append(piece.text)
        self._whole = frozenset(pieces.get((True, True), ()))
        self._set_ends(tuple(pieces.get((True, False), ())), tuple(pieces.get((False, True), ())))
        inner = "|".join(map(re.escape, pieces.get((False, False), ())))
        self._inner = re.compile(inner).search if inner else None
        self._others = re.compile("|".join(others), re.DOTALL).fullmatch if others else None

    def _set_ends(self, heads: tuple[str, ...], tails: tuple[str, ...]) -> None:
        """Note heads and tails, and their ends as long as the shortest of them: one look-up turns most names away."""
        self._heads, self._tails = heads, tails
        self._head = min(map(len, heads), default=0)
        self._tail = -min(map(len, tails), default=0)
        self._short_heads = frozenset(head[: self._head] for head in heads)
        self._short_tails = frozenset(tail[self._tail :] for tail in tails)

    def may_match(self, name: str) -> bool:
        """Tell whether any of the patterns may match `name`."""
        return (
            name in self._whole
            or (name[: self._head] in self._short_heads and name.startswith(self._heads))
            or (name[self._tail :] in self._short_tails and name.endswith(self._tails))
            or (self._inner is not None and self._inner(name) is not None)
            or (self._others is not None and self._others(name) is not None)
        )


def _pieces(tokens: Sequence[Token]) -> Iterator[_Piece]:
    place = 0
    for is_literal, run in groupby(tokens, key=lambda token: token.kind is Kind.CHARACTER):
        held = tuple(run)
        following = place + len(held)
        if is_literal:
            yield _Piece("".join(token.text for token in held), begins=place == 0, ends=following == len(tokens))
        place = following
