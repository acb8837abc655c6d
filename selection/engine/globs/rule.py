"""A pattern that is ready to be asked: which of a path's names it looks at, and how it matches."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from selection.engine.globs.line import read_line
from selection.engine.globs.tokens import Kind, Token, tokens_of
from selection.engine.globs.translate import expression_of, fold_tokens, literal_of

_SLASH: Final = Token(Kind.CHARACTER, "/")
_STAR: Final = Token(Kind.STAR)
_BOUNDARIES: Final = {Kind.FOLDERS, Kind.MORE_FOLDERS}


@dataclass(frozen=True, kw_only=True)
class Rule:
    """One valid pattern of a list. `anchored` rules match whole paths from the root, the others the last name of a path alone."""

    index: int
    negated: bool
    folders_only: bool
    anchored: bool
    tokens: tuple[Token, ...]

    @cached_property
    def literal(self) -> str | None:
        """The one text that it matches, if it is one."""
        return literal_of(self.tokens)

    @cached_property
    def source(self) -> str:
        """The source of its expression."""
        return expression_of(self.tokens)

    @cached_property
    def _expression(self) -> re.Pattern[str]:
        return re.compile(self.source, re.DOTALL)

    def matches(self, path: str) -> bool:
        """Tell whether it matches `path` itself: neither a folder above it, nor whether `path` is a folder, is looked at."""
        subject = path if self.anchored else path[path.rfind("/") + 1 :]
        return self._expression.fullmatch(subject) is not None

    @cached_property
    def reaching_source(self) -> str:
        """The source of an expression for the paths that it matches and all that lies below them."""
        above = "" if self.anchored else "(?:.*/)?"
        below = "/.*" if self.folders_only else "(?:/.*)?"
        return above + self.source + below

    @cached_property
    def _reaching(self) -> re.Pattern[str]:
        return re.compile(self.reaching_source, re.DOTALL)

    def reaches(self, path: str) -> bool:
        """Tell whether it matches `path`, a file, or a folder above it."""
        return self._reaching.fullmatch(path) is not None

    @cached_property
    def folder(self) -> str:
        """The folder that an anchored rule names before anything else: it can only match below. Empty is the root."""
        head = next(
            (place for place, token in enumerate(self.tokens) if token.kind is not Kind.CHARACTER), len(self.tokens)
        )
        return "".join(token.text for token in self.tokens[:head]).rpartition("/")[0]

    @cached_property
    def last_name(self) -> tuple[Token, ...]:
        """Tokens that match the last name of every path that an anchored rule matches, and maybe more."""
        place = _last_boundary(self.tokens)
        starts_name = place <= 0 or self.tokens[place] == _SLASH or self.tokens[place - 1] == _SLASH
        if self.tokens[-1].kind is Kind.REST:
            return (Token(Kind.REST),)
        return self.tokens[place + 1 :] if starts_name else (_STAR, *self.tokens[place + 1 :])

    @cached_property
    def rests_below(self) -> tuple[Token, ...] | None:
        """Of a rule that ends in `/**`: tokens that match the name of a folder above every path that it matches."""
        head = self.tokens[:-2]
        return _names_of(head)[-1] if head and self.tokens[-2:] == (_SLASH, Token(Kind.REST)) else None

    @cached_property
    def telling_name(self) -> tuple[Token, ...]:
        """Tokens that match one of the names in every path that it reaches: those of the name of which it says most."""
        return max(_names_of(self.tokens), key=lambda name: sum(token.kind is Kind.CHARACTER for token in name))

    @cached_property
    def extension(self) -> str | None:
        """The `.ext` of a rule that is `*.ext`, in any folder."""
        star, *rest = self.tokens
        text = literal_of(rest) if star.kind is Kind.STAR and not self.anchored else None
        return text if text is not None and text.rfind(".") == 0 else None


def _last_boundary(tokens: Sequence[Token]) -> int:
    for place in range(len(tokens) - 1, -1, -1):
        if tokens[place] == _SLASH or tokens[place].kind in _BOUNDARIES:
            return place
    return -1


def _names_of(tokens: Sequence[Token]) -> list[tuple[Token, ...]]:
    """Part the tokens at slashes. What crosses folders may begin and end within names, so it is read as a star on both sides."""
    names: list[list[Token]] = [[]]
    for token in tokens:
        if token == _SLASH:
            names.append([])
        elif token.kind in _BOUNDARIES:
            names[-1].append(_STAR)
            names.append([_STAR])
        else:
            names[-1].append(_STAR if token.kind is Kind.REST else token)
    return [tuple(name) for name in names]


def rules_of(patterns: Sequence[str], *, folded: bool = False) -> Iterator[Rule]:
    """Read the patterns of a list, all of them valid; lines that do nothing are left out. `folded` rules match folded paths."""
    for index, pattern in enumerate(patterns):
        line = read_line(pattern)
        if line is None or not line.body:
            continue
        tokens = tokens_of(line)
        anchored, tokens = _without_leading_folders(tokens) if line.anchored else (False, tokens)
        yield Rule(
            index=index,
            negated=line.negated,
            folders_only=line.folders_only,
            anchored=anchored,
            tokens=fold_tokens(tokens) if folded else tokens,
        )


def _without_leading_folders(tokens: tuple[Token, ...]) -> tuple[bool, tuple[Token, ...]]:
    """`**/name` is `name` at every depth: such a rule need not look at more than the last name."""
    rest = tokens
    while rest and rest[0].kind is Kind.FOLDERS:
        rest = rest[1:]
    is_name = rest not in (tokens, ()) and _last_boundary(rest) < 0
    return (False, rest) if is_name else (True, tokens)
