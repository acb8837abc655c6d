"""aider's chat history: a Markdown log of many sessions. `####` is the user, `>` the tool, all else the answer.

Times have no zone and stand at the beginning of a session only; contents of files are nowhere in it, only their names.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO, Final

from selection.engine.codes import Role
from selection.importers.conversation import Conversation
from selection.importers.head import Head, Shape
from selection.importers.lines import TOO_LONG, Row, lines_of
from selection.importers.recorded import RecordedFormat
from selection.importers.report import Report
from selection.importers.text import storable

_STARTED: Final = re.compile(r"^# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)", re.MULTILINE)
_FENCE: Final = re.compile(r"^\s*(?:`{3,}|~{3,})")
_ADDED: Final = re.compile(r"^Added (.+) to the chat\.?$")
_DROPPED: Final = re.compile(r"^Removed (.+) from the chat\.?$")
_MODEL: Final = re.compile(r"^(?:Main model|Model|Models): ([\w./:-]+)")
_COMMANDS: Final = (
    "/add",
    "/drop",
    "/read-only",
    "/run",
    "/clear",
    "/tokens",
    "/exit",
    "/quit",
    "/undo",
    "/model",
    "/help",
    "/ls",
)


def sniff(head: Head) -> bool:
    """The line that begins each session, or the marks of a part of one."""
    if head.shape is not Shape.TEXT:
        return False
    return _STARTED.search(head.text) is not None or ("\n#### " in head.text and "\n> " in head.text)


def _records(file: BinaryIO, report: Report) -> Iterator[Row]:
    """Give runs of lines of one kind as records: `{kind, text}`; a line within a fence belongs to what it stands in."""
    lines: list[str] = []
    kind, start, fenced = "", 1, False
    for number, line in enumerate(_lines(file, report), 1):
        found = kind if fenced else _kind(line, kind)
        if _FENCE.match(line) and found == "answer":
            fenced = not fenced
        if _STARTED.match(line):
            found, fenced = "start", False
        if found != kind or found == "start":
            yield from _record(kind, lines, start, report)
            kind, lines, start = found, [], number
        lines.append(line)
    yield from _record(kind, lines, start, report)


def _lines(file: BinaryIO, report: Report) -> Iterator[str]:
    for number, raw in enumerate(lines_of(file), 1):
        if raw is None:
            report.note(f"Line {number:,} is {TOO_LONG}; it was left out.")
        yield storable((raw or b"").decode(errors="replace").rstrip("\r"), report)


def _kind(line: str, before: str) -> str:
    if line.startswith("####"):
        return "user"
    if line.startswith("> ") or line.rstrip() == ">":
        return "tool"
    return before if not line.strip() else "answer"


def _record(kind: str, lines: list[str], start: int, report: Report) -> Iterator[Row]:
    text = "\n".join(_bare(line, kind) for line in lines).strip()
    if kind and text:
        report.records += 1
        yield Row(start, {"kind": kind, "text": text})


def _bare(line: str, kind: str) -> str:
    mark = {"user": "####", "tool": ">"}.get(kind, "")
    return line.removeprefix(mark).removeprefix(" ").rstrip() if mark else line.rstrip()


@dataclass(slots=True)
class _Reader:
    to: Conversation
    _time: str | None = None
    _chat: dict[str, None] = field(default_factory=dict)

    def take(self, row: Row) -> str | None:
        kind, text = row.data["kind"], row.data["text"]
        if kind == "start":
            self._start(text, row)
            return None
        return self._user(text) if kind == "user" else self._tool(text) if kind == "tool" else self._answer(text)

    def _start(self, text: str, row: Row) -> None:
        began = _STARTED.match(text)
        self._time = self.to.clock.read(began[1] if began else None, row.line, self.to.report)
        self._chat.clear()

    def _user(self, text: str) -> str | None:
        command = text.split(maxsplit=1)
        if command and command[0] in _COMMANDS:
            self.to.report.mark(f"{command[0]} commands")
            return None
        self.to.ask(text, self._time, paths=tuple(self._chat))
        return None

    def _tool(self, text: str) -> str | None:
        """A notice tells the person what changed; the model sees none of them."""
        known = False
        for line in text.split("\n"):
            added, dropped, model = _ADDED.match(line), _DROPPED.match(line), _MODEL.match(line)
            if added:
                self._chat[added[1]] = None
            if dropped:
                self._chat.pop(dropped[1], None)
            if model:
                self.to.model = model[1].split("/")[-1]
            known = known or bool(added or dropped or model)
        if not known:
            self.to.report.mark("notices of the tool")
        return None

    def _answer(self, text: str) -> str | None:
        self.to.answers(self.to.model)
        self.to.say(Role.ASSISTANT, text, self._time, model=self.to.model)
        return None


FORMAT: Final = RecordedFormat(
    name="aider",
    title="an aider chat history",
    provider="aider",
    sniff=sniff,
    records=_records,
    begin=lambda to: _Reader(to).take,
    lacks=("contents of files, only their names", "times of messages", "diff", "workspace"),
)
