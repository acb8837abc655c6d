"""Read the file names that a diff's header lines hold.

Git quotes a name with special characters like a C string, its bytes in octal, and puts `a/` and `b/` (or other letters, where so configured) before
names unless told not to. A tab ends a name: git writes one behind a name with a space, `diff -u` a time stamp behind it.
"""

import re
from typing import Final, NamedTuple

_QUOTED: Final = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_ESCAPE: Final = re.compile(r"\\([0-3][0-7]{2}|.)", re.DOTALL)
_CONTROL: Final = {"a": "\a", "b": "\b", "t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r"}
_PREFIX: Final = re.compile(r"[abciow12]/")
_SECOND_PREFIX: Final = re.compile(r" (?=[abciow12]/)")
_NOWHERE: Final = "/dev/null"
_NUL, _VISIBLE_NUL = "\0", "\N{SYMBOL FOR NULL}"


class Pair(NamedTuple):
    """The names of both sides. `certain` is False where a space could part them in more than one way."""

    old: str
    new: str
    certain: bool = True

    @property
    def is_prefixed(self) -> bool:
        """Whether git put a letter and a slash before both."""
        return _has_prefix(self.old) and _has_prefix(self.new) and self.old[0] != self.new[0]

    def names(self, *, prefixed: bool) -> list[str]:
        """Give the names that name a file, without their prefixes."""
        return [
            name[2:] if prefixed and _has_prefix(name) else name for name in (self.old, self.new) if name != _NOWHERE
        ]


def read_name(text: str) -> str:
    """Read the one name of a header line; a time stamp behind a tab goes."""
    quoted = _QUOTED.match(text)
    return _unquote(quoted[1]) if quoted else text.partition("\t")[0]


def read_pair(text: str) -> Pair:
    """Read the two names of a `diff --git` line, prefixes and all."""
    quoted = _QUOTED.match(text)
    if quoted:
        return Pair(_unquote(quoted[1]), read_name(text[quoted.end() :].removeprefix(" ")))
    second = text.find(' "') if text.endswith('"') else -1
    if second >= 0:
        return Pair(text[:second], read_name(text[second + 1 :]))
    return _halves(text) or _at_second_prefix(text)


def read_sides(old: str, new: str) -> tuple[Pair, bool]:
    """Read the names of a `---` and a `+++` line that no `diff --git` line heads, and tell whether git wrote their prefixes: it writes no time stamps."""
    pair = Pair(read_name(old), read_name(new))
    stamped = old.partition("\t")[2] or new.partition("\t")[2]
    one_side = _NOWHERE in {pair.old, pair.new} and (_has_prefix(pair.old) or _has_prefix(pair.new))
    return pair, not stamped and (one_side or pair.is_prefixed)


def read_binary(text: str) -> Pair:
    """Read the names of `Binary files x and y differ`, less the words around them."""
    old, _, new = text.partition(" and ")
    return Pair(read_name(old), read_name(new))


def _halves(text: str) -> Pair | None:
    """Most lines name one file twice, so that the space in the middle parts them."""
    middle = len(text) // 2
    pair = Pair(text[:middle], text[middle + 1 :])
    is_same = pair.old == pair.new or (pair.is_prefixed and pair.old[2:] == pair.new[2:])
    return pair if text[middle : middle + 1] == " " and is_same else None


def _at_second_prefix(text: str) -> Pair:
    places = [found.start() for found in _SECOND_PREFIX.finditer(text)] if _has_prefix(text) else []
    if places:
        return Pair(text[: places[0]], text[places[0] + 1 :], certain=len(places) == 1)
    old, _, new = text.partition(" ")
    return Pair(old, new, certain=new != "" and " " not in new)


def _has_prefix(name: str) -> bool:
    return _PREFIX.match(name) is not None


def _unquote(inner: str) -> str:
    """Give the name that a C string holds. What is no text in it becomes visible: a database holds neither NUL nor half a character."""
    pieces: list[bytes] = []
    done = 0
    for escape in _ESCAPE.finditer(inner):
        pieces += [_encode(inner[done : escape.start()]), _escaped(escape[1])]
        done = escape.end()
    pieces.append(_encode(inner[done:]))
    return b"".join(pieces).decode("utf-8", "replace").replace(_NUL, _VISIBLE_NUL)


def _escaped(escape: str) -> bytes:
    return bytes([int(escape, 8)]) if len(escape) > 1 else _encode(_CONTROL.get(escape, escape))


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
