"""Translate tokens to a Python regular expression that takes linear time.

Every star but the last of its run, and every `**/` but the last, commits to its leftmost hit (an atomic group): what follows a star can only gain
from an earlier hit, so nothing is lost, and nothing is tried twice.
"""

import re
from collections.abc import Sequence
from typing import Final
from unicodedata import normalize

from selection.engine.globs.tokens import Kind, Token

_CROSSING: Final = {Kind.FOLDERS, Kind.MORE_FOLDERS}
_COMMITTED: Final = {Kind.FOLDERS: "(?:.*?/)??", Kind.MORE_FOLDERS: ".*?/"}
_LAST: Final = {Kind.FOLDERS: "(?:.*/)?", Kind.MORE_FOLDERS: ".*/"}


def fold(text: str) -> str:
    """Give the one spelling that texts differing in letter case alone share."""
    return text.lower() if text.isascii() else normalize("NFC", text.casefold())


def literal_of(tokens: Sequence[Token]) -> str | None:
    """Give the one text that `tokens` match; None where they match more than one."""
    if any(token.kind is not Kind.CHARACTER for token in tokens):
        return None
    return "".join(token.text for token in tokens)


def fold_tokens(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """Give the tokens that match folded paths: runs of characters folded, classes without regard to letter case."""
    folded: list[Token] = []
    run = ""
    for token in tokens:
        if token.kind is Kind.CHARACTER:
            run += token.text
            continue
        folded += [Token(Kind.CHARACTER, character) for character in fold(run)]
        folded.append(Token(Kind.CLASS, f"(?i:{token.text})") if token.kind is Kind.CLASS else token)
        run = ""
    return (*folded, *(Token(Kind.CHARACTER, character) for character in fold(run)))


def expression_of(tokens: Sequence[Token]) -> str:
    """Give the source of an expression for `re.fullmatch` with `re.DOTALL`; it holds no capturing group."""
    openers = [place for place, token in enumerate(tokens) if token.kind in _CROSSING]
    if not openers:
        return _run(tokens)
    sources = [_run(tokens[: openers[0]])]
    for place, following in zip(openers, [*openers[1:], len(tokens)], strict=True):
        kind, run = tokens[place].kind, _run(tokens[place + 1 : following])
        sources.append(_LAST[kind] + run if following == len(tokens) else f"(?>{_COMMITTED[kind]}{run})")
    return "".join(sources)


def _run(tokens: Sequence[Token]) -> str:
    """Translate what stands between two crossings."""
    pieces = [""]
    for token in tokens:
        if token.kind is Kind.STAR:
            pieces.append("")
        else:
            pieces[-1] += _single(token)
    head, *starred = pieces
    if not starred:
        return head
    committed = "".join(f"(?>[^/]*?{piece})" for piece in starred[:-1])
    return f"{head}{committed}[^/]*{starred[-1]}"


def _single(token: Token) -> str:
    match token.kind:
        case Kind.ANY:
            return "[^/]"
        case Kind.CLASS:
            return token.text
        case Kind.REST:
            return ".*"
        case _:
            return re.escape(token.text)
