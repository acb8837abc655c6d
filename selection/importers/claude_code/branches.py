"""Which rows belong to the conversation as it went on: a prompt that was taken back, and sub-agents' own talk, do not."""

from array import array
from dataclasses import dataclass, field
from typing import Any, Final

from selection.importers.reading import text_of
from selection.importers.report import LEFT_BRANCH, SUB_AGENTS, Report

_NONE: Final = -1
_MOST_NAMES: Final = 1_000


@dataclass(slots=True)
class Course:
    """The course of a transcript, from the ties of its rows in file order: `add` each, then `settle`, then ask.

    A row is a number here and its parent is another, so that millions of rows fit in memory.
    """

    _numbers: dict[str, int] = field(default_factory=dict)
    _parents: "array[int]" = field(default_factory=lambda: array("q"))
    _there: bytearray = field(default_factory=bytearray)
    _asked: dict[int, int] = field(default_factory=dict)
    _replaced: set[int] = field(default_factory=set)
    _talks: bool = False
    _sessions: dict[str, None] = field(default_factory=dict)
    _agents: dict[str, None] = field(default_factory=dict)
    _left: frozenset[str] = frozenset()
    _lost: int = 0
    _ringed: int = 0

    def name(self, session: str | None, agent: str | None, *, aside: bool) -> None:
        """Note which session a row says that it is of, and which sub-agent."""
        names = self._agents if aside else self._sessions
        whose = f"{session}/{agent}" if aside else session
        if session and whose and whose not in names and len(names) < _MOST_NAMES:
            names[whose] = None

    @property
    def source(self) -> str | None:
        """The session that the file is of: the last that is named in it, since one that was resumed begins with rows of those before."""
        return next(reversed(self._sessions or self._agents), None)

    def add(self, uuid: str | None, parent: str | None, *, aside: bool, talk: bool, asked: bool) -> None:
        """Add a row: its id and its parent's, whether it is a sub-agent's, whether somebody speaks in it, and whether it is a prompt."""
        if aside:
            return
        self._talks = self._talks or talk
        if not uuid:
            return
        mine = self._number(uuid)
        above = self._number(parent) if parent else _NONE
        self._there[mine], self._parents[mine] = 1, above
        if asked and above != _NONE:
            before = self._asked.get(above, mine)
            if before != mine:
                self._replaced.add(before)
            self._asked[above] = mine

    def _number(self, uuid: str) -> int:
        number = self._numbers.setdefault(uuid, len(self._parents))
        if number == len(self._parents):
            self._parents.append(_NONE)
            self._there.append(0)
        return number

    def settle(self) -> None:
        """Tell the course once all rows are known, and let go of what that took."""
        named = {parent for parent in self._parents if parent != _NONE and not self._there[parent]}
        self._lost = sum(1 for parent in self._parents if parent in named) if named else 0
        self._ringed = _in_rings(self._parents)
        if self._replaced:
            below = _below(self._parents, self._replaced)
            self._left = frozenset(uuid for uuid, number in self._numbers.items() if number in below)
        self._numbers, self._parents, self._there = {}, array("q"), bytearray()
        self._asked, self._replaced = {}, set()

    def tell(self, report: Report) -> None:
        """Tell of rows whose parents run in a ring, or are not in the file; neither changes the order."""
        if self._lost:
            report.note(f"{self._lost:,} rows name a parent that is not in the file; the order of the file stands.")
        if self._ringed:
            report.note(f"The parents of {self._ringed:,} rows run in a ring; the order of the file stands.")
        if len(self._sessions) > 1:
            report.note(
                f"The rows are of {len(self._sessions):,} sessions, of which each goes on with the one before; they are one here."
            )

    def leaves_out(self, data: dict[str, Any]) -> str | None:
        """Tell why a row is none of the conversation; None where it is. A file in which only a sub-agent speaks is that one's conversation."""
        if self._talks and data.get("isSidechain") is True:
            return SUB_AGENTS
        if self._left and text_of(data, "uuid") in self._left:
            return LEFT_BRANCH
        return None


def _in_rings(parents: "array[int]") -> int:
    """Count the rows that are their own ancestors; each row is walked once."""
    settled = bytearray(len(parents))
    ringed = 0
    for start in range(len(parents)):
        path: dict[int, int] = {}
        number = start
        while number != _NONE and not settled[number] and number not in path:
            path[number] = len(path)
            number = parents[number]
        if number in path:
            ringed += len(path) - path[number]
        for walked in path:
            settled[walked] = 1
    return ringed


def _below(parents: "array[int]", roots: set[int]) -> set[int]:
    """Give `roots` and all that descends from them; a parent that comes after its child, or in a ring, ends nothing."""
    children: dict[int, list[int]] = {}
    for number, parent in enumerate(parents):
        if parent != _NONE:
            children.setdefault(parent, []).append(number)
    found: set[int] = set()
    waiting = list(roots)
    while waiting:
        number = waiting.pop()
        if number not in found:
            found.add(number)
            waiting += children.get(number, ())
    return found
