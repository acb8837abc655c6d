r"""Bring every path to one spelling before it is compared or matched ("Paths" in domain.md).

`\` becomes `/`; Unicode NFC; the workspace root is stripped, part by part; empty and `.` segments go; `a/..` folds. A path that climbs out of the root keeps
its leading `..`, an absolute path elsewhere stays absolute, and an empty path is no path.

Where the rule is silent, the reading is the one that finds more spellings of the same file: a `file://` URL is decoded once, the `\\?\` that Windows puts
before long paths is dropped, and `../demo/a` is `a` when the root is called `demo`.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from unicodedata import normalize
from urllib.parse import unquote

_DRIVE = re.compile(r"[A-Za-z]:(?=/|\Z)")
_DRIVE_OF_URL = re.compile(r"/+(?=[A-Za-z]:(?:/|\Z))")
_URL = "file://"
_LOCAL_HOST = "localhost/"
_LONG_PATH = "//?/"
_NUL, _VISIBLE_NUL = "\0", "\N{SYMBOL FOR NULL}"


@dataclass(frozen=True, slots=True)
class _Parsed:
    """A path in parts. `anchor` is empty for a relative path, `/` or a drive (`C:/`) for an absolute one."""

    anchor: str
    parts: Sequence[str]

    @property
    def is_on_drive(self) -> bool:
        return len(self.anchor) > 1

    @property
    def comparable(self) -> tuple[str, ...]:
        """The parts as they are compared: on a drive letter case makes no difference."""
        return tuple(part.casefold() for part in self.parts) if self.is_on_drive else tuple(self.parts)


class PathNormaliser:
    """Brings paths to their one spelling under one workspace root.

    It remembers the spellings that needed work; make one for a turn, not one for the life of the process.
    """

    def __init__(self, root: str = "") -> None:
        """Read `root`; an empty root strips nothing."""
        self._root = _parse(root)
        # Invariant: a plain relative path can only begin with a root that is itself relative.
        self._keeps_plain = bool(self._root.anchor) or not self._root.parts
        self._worked_out: dict[str, str | None] = {}

    def normalise(self, raw: str) -> str | None:
        """Give the one spelling of `raw`; None where it is no path."""
        if self._keeps_plain and _is_plain(raw):
            return raw
        if raw not in self._worked_out:
            path = self._relative(_parse(raw))
            self._worked_out[raw] = path.anchor + "/".join(path.parts) or None
        return self._worked_out[raw]

    def each(self, raws: Iterable[str | None]) -> list[str | None]:
        """Give the one spelling of each of `raws`, in order; None stays None."""
        held = list(raws)
        if self._keeps_plain and _are_plain([raw for raw in held if raw is not None]):
            return held
        return [raw if raw is None else self.normalise(raw) for raw in held]

    def _relative(self, path: _Parsed) -> _Parsed:
        within = self._strip(path)
        folded = _fold(within)
        if folded.anchor:
            return self._strip(folded)
        return self._come_back(folded) if folded.parts[:1] == [".."] else folded

    def _strip(self, path: _Parsed) -> _Parsed:
        root = self._root
        depth = len(root.parts)
        if path.anchor.upper() != root.anchor.upper() or not (root.anchor or root.parts):
            return path
        head = _Parsed(path.anchor, path.parts[:depth])
        return _Parsed("", path.parts[depth:]) if head.comparable == root.comparable else path

    def _come_back(self, path: _Parsed) -> _Parsed:
        """Let a path that climbs out of the root, and straight back in, be the path inside."""
        climbs = next((place for place, part in enumerate(path.parts) if part != ".."), len(path.parts))
        if not self._root.anchor or climbs > len(self._root.parts):
            return path
        above = self._root.parts[: len(self._root.parts) - climbs]
        resolved = self._strip(_Parsed(self._root.anchor, [*above, *path.parts[climbs:]]))
        return path if resolved.anchor else resolved


def normalise_path(raw: str, root: str) -> str | None:
    """Give the one spelling of `raw` in a workspace at `root`; None where it is no path. For many paths use a `PathNormaliser`."""
    return PathNormaliser(root).normalise(raw)


def lies_outside(path: str) -> bool:
    """Tell whether a normalised path lies outside the workspace root: it climbs out, or it is absolute."""
    return path.startswith(("/", "../")) or path == ".." or _DRIVE.match(path) is not None


def _is_plain(raw: str) -> bool:
    """Tell cheaply that nothing needs to be done; False only means that it is not certain."""
    return (
        raw != ""
        and raw.isascii()
        and "\\" not in raw
        and "//" not in raw
        and "./" not in raw
        and ":" not in raw
        and raw[0] != "/"
        and raw[-1] not in "/."
    )


def _are_plain(raws: Iterable[str]) -> bool:
    """Tell of many at once, in a few passes over all of their text; a line feed within one only makes the test stricter."""
    text = "\n{}\n".format("\n".join(raws))
    return text.isascii() and not any(mark in text for mark in ("\\", "//", "./", ":", "\n/", "/\n", ".\n", "\n\n"))


def _parse(raw: str) -> _Parsed:
    text = raw.replace("\\", "/").removeprefix(_LONG_PATH)
    if text[: len(_URL)].lower() == _URL:
        text = _read_url(text)
    text = normalize("NFC", text)
    drive = _DRIVE.match(text)
    anchor = f"{drive[0]}/" if drive else text[:1] if text.startswith("/") else ""
    return _Parsed(anchor, [part for part in text[len(anchor) :].split("/") if part not in {"", "."}])


def _read_url(url: str) -> str:
    """Give the path that a `file://` URL names. Percent signs are decoded once; a NUL, which no database holds, becomes visible."""
    rest = url[len(_URL) :]
    if rest[: len(_LOCAL_HOST)].lower() == _LOCAL_HOST:
        rest = rest[len(_LOCAL_HOST) :]
    path = "/" + unquote(rest).replace("\\", "/").replace(_NUL, _VISIBLE_NUL)
    return _DRIVE_OF_URL.sub("", path, count=1) if _DRIVE_OF_URL.match(path) else path


def _fold(path: _Parsed) -> _Parsed:
    """Fold `a/..` away; above an anchor there is nothing to climb to."""
    kept: list[str] = []
    for part in path.parts:
        if part != "..":
            kept.append(part)
        elif kept and kept[-1] != "..":
            kept.pop()
        elif not path.anchor:
            kept.append(part)
    return _Parsed(path.anchor, kept)
