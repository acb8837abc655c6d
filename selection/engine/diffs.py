"""Read which paths a diff touches ("Route" and "Findings" in domain.md): both sides, renames and copies too, as they are written in it.

A diff is text from outside: nothing here trusts it, and nothing raises. A hunk holds as many lines as its `@@` line says, so that a line of a file
that looks like a header is none; prefixes such as `a/` are taken off only where git wrote them.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from selection.engine.diff_names import Pair, read_binary, read_name, read_pair, read_sides

_HUNK: Final = re.compile(r"(@{2,9}) ((?:-\d{1,9}(?:,\d{1,9})? )+)\+\d{1,9}(?:,(\d{1,9}))? \1")
_COUNT: Final = re.compile(r"-\d+(?:,(\d+))?")
_GIT: Final = "diff --git "
_COMBINED: Final = re.compile(r"diff --(?:cc|combined) ")
_MOVED: Final = re.compile(r"(?:rename|copy) (from|to) ")
_BINARY: Final = re.compile(r"Binary files (.+) differ\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffHunk:
    """One hunk, or the whole section of a file that has none; `paths` are those of its file, as written in the diff."""

    paths: tuple[str, ...]
    text: str


@dataclass(slots=True, kw_only=True)
class _Section:
    """What a diff says of one file. `hunks` are ranges of lines; `header` is what stood behind `diff --git`."""

    first: int
    header: str | None = None
    paths: dict[str, None] = field(default_factory=dict)
    moved: dict[str, str] = field(default_factory=dict)
    sides: tuple[str, str] | None = None
    hunks: list[range] = field(default_factory=list)
    end: int = 0

    def all_paths(self) -> tuple[str, ...]:
        """Give every path that the section names, each once, the old side first."""
        names = self._named_by_git() if self.header is not None else self._named_by_sides()
        return tuple(name for name in dict.fromkeys([*self.paths, *names]) if name)

    def _named_by_sides(self) -> list[str]:
        if self.sides is None:
            return []
        pair, prefixed = read_sides(*self.sides)
        return pair.names(prefixed=prefixed)

    def _names_at_sides(self, *, prefixed: bool) -> list[str]:
        if self.sides is None:
            return []
        old, new = self.sides
        return Pair(read_name(old), read_name(new)).names(prefixed=prefixed)

    def _named_by_git(self) -> list[str]:
        header = self.header or ""
        moved = [read_name(text) for _, text in sorted(self.moved.items())]
        if header == f"{self.moved.get('from')} {self.moved.get('to')}":
            return moved
        pair = read_pair(header)
        others = [*moved, *self._names_at_sides(prefixed=pair.is_prefixed)]
        return [*pair.names(prefixed=pair.is_prefixed), *others] if pair.certain or not others else others


def diff_paths(diff: str) -> tuple[str, ...]:
    """Give every path that a diff touches, each once, in the order in which it names them; raw, not normalised."""
    sections = _read(_lines_of(diff))
    return tuple(dict.fromkeys(path for section in sections for path in section.all_paths()))


def diff_hunks(diff: str) -> tuple[DiffHunk, ...]:
    """Cut a diff into its hunks, each with the paths of its file; a section without hunks (binary, renamed) counts as one."""
    lines = _lines_of(diff)
    return tuple(hunk for section in _read(lines) for hunk in _hunks_of(section, lines))


def _lines_of(diff: str) -> list[str]:
    """Only a line feed ends a line of a diff: the other separators of Unicode stand in files."""
    return [line.removesuffix("\r") for line in diff.split("\n")]


def _hunks_of(section: _Section, lines: Sequence[str]) -> Iterator[DiffHunk]:
    paths = section.all_paths()
    for held in section.hunks or [range(section.first, section.end)]:
        yield DiffHunk(paths=paths, text="\n".join(lines[held.start : held.stop]))


def _read(lines: Sequence[str]) -> list[_Section]:
    """Walk through the lines, each looked at once."""
    sections: list[_Section] = []
    place = 0
    while place < len(lines):
        begun = _begin(lines, place, sections[-1] if sections else None)
        if begun is not None:
            sections.append(begun)
        place = _read_line(lines, place, sections[-1]) if sections else place + 1
        if sections:
            sections[-1].end = place
    return sections


def _begin(lines: Sequence[str], place: int, current: _Section | None) -> _Section | None:
    """Give the section that the line at `place` begins, if it does."""
    line = lines[place]
    if line.startswith(_GIT):
        return _Section(first=place, header=line.removeprefix(_GIT))
    if combined := _COMBINED.match(line):
        return _Section(first=place, paths={read_name(line[combined.end() :]): None})
    is_new = current is None or current.sides is not None or bool(current.hunks)
    if is_new and _are_sides(lines, place):
        return _Section(first=place)
    if (current is None or current.header is None) and (binary := _BINARY.match(line)):
        return _Section(first=place, paths=dict.fromkeys(read_binary(binary[1]).names(prefixed=False)))
    return None


def _read_line(lines: Sequence[str], place: int, section: _Section) -> int:
    """Read what the line says of `section`; give the place of the next line to read."""
    line = lines[place]
    if section.sides is None and _are_sides(lines, place):
        section.sides = line[4:], lines[place + 1][4:]
        return place + 2
    if hunk := _HUNK.match(line):
        end = _end_of_hunk(lines, place + 1, hunk)
        section.hunks.append(range(place, end))
        return end
    if section.header is not None and (moved := _MOVED.match(line)):
        section.moved.setdefault(moved[1], line[moved.end() :])
    return place + 1


def _are_sides(lines: Sequence[str], place: int) -> bool:
    return lines[place].startswith("--- ") and place + 1 < len(lines) and lines[place + 1].startswith("+++ ")


def _end_of_hunk(lines: Sequence[str], place: int, head: re.Match[str]) -> int:
    """Give the place behind the lines that the head of a hunk promises; a line that no hunk can hold ends it early."""
    old = [int(count or "1") for count in _COUNT.findall(head[2])]
    new = int(head[3] or "1")
    while place < len(lines) and (new > 0 or any(count > 0 for count in old)):
        marks = lines[place][: len(old)]
        if marks.strip(" +-") and marks[0] != "\\":
            break
        if marks[:1] != "\\":
            new -= "-" not in marks
            old = _after(marks.ljust(len(old)), old)
        place += 1
    return place


def _after(marks: str, old: Sequence[int]) -> list[int]:
    """Count one line off the parents that hold it: those marked `-`, or, of a line that stays, those that are not marked `+`."""
    held = "-" if "-" in marks else " "
    return [count - (mark == held) for mark, count in zip(marks, old, strict=True)]
