"""The family of pi, OpenClaw and Droid: a row that begins the session, then rows of `{type: "message", message: {role, content}}`.

A tool's result is a message of its own (`toolResult`), a command that the user ran another (`bashExecution`). A compaction keeps what came before in the file.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from selection.engine.codes import Role
from selection.importers.blocks import call_block, result_text
from selection.importers.chat import say_block, take_message
from selection.importers.conversation import Conversation, short
from selection.importers.head import Head, Shape
from selection.importers.lines import Row, read_rows
from selection.importers.reading import object_of, text_of
from selection.importers.recorded import BEYOND_SHOWN, RecordedFormat
from selection.importers.report import source_of

_BEGINS: Final = ("session", "session_start")
_STREAMED: Final = frozenset(("toolName", "parameters", "finalText"))
_MARKS: Final = frozenset(("thinking_level_change", "custom", "error", "label", "session_info"))


def sniff(head: Head) -> bool:
    """A row that begins a session, or messages in their rows."""
    if head.shape is Shape.ARRAY:
        return False
    return head.holds("type", *_BEGINS) or any(_is_own(row) for row in head.rows)


def _is_own(row: dict[str, Any]) -> bool:
    """A message in its row, or what Droid streams."""
    match text_of(row, "type"):
        case "message":
            return "role" in object_of(row, "message") or (
                "text" in row and bool({"session_id", "sessionId"} & row.keys())
            )
        case "tool_call" | "completion":
            return bool(_STREAMED & row.keys())
        case _:
            return False


@dataclass(slots=True)
class _Reader:
    to: Conversation

    def take(self, row: Row) -> str | None:
        kind = text_of(row.data, "type") or ""
        time = self.to.clock.read(row.data.get("timestamp"), row.line, self.to.report)
        if kind in _MARKS:
            self.to.report.mark(f"{kind} rows")
            return None
        reader = _ROWS.get(kind)
        return reader(self, row.data, time) if reader else f"{short(kind)} rows"

    def begin(self, data: dict[str, Any], _time: str | None) -> None:
        """Where the session runs, and who answers."""
        self.to.root = text_of(data, "cwd") or self.to.root
        self.to.report.source = self.to.report.source or source_of("pi", text_of(data, "id"))
        self.to.title = text_of(data, "sessionTitle", "title") or self.to.title
        self.change(data, None)

    def change(self, data: dict[str, Any], _time: str | None) -> None:
        """Another model from here on."""
        self.to.model = text_of(data, "modelId") or self.to.model
        self.to.provider = text_of(data, "provider") or self.to.provider

    def compaction(self, data: dict[str, Any], time: str | None) -> None:
        """A summary took the place of what came before."""
        self.to.report.read["compactions"] += 1
        self.to.report.note(
            f"The tool compacted its context after message {self.to.messages:,}: from there on it held a summary instead of what "
            "came before. The history here keeps both."
        )
        summary = text_of(data, "summary")
        if summary:
            self.to.say(Role.USER, summary, time)

    def instruct(self, data: dict[str, Any], _time: str | None) -> str | None:
        """Context that the tool put in beside the conversation."""
        source = f"context {text_of(data, 'customType') or 'of the tool'}"
        return None if self.to.gathered.instruct(source, result_text(data.get("content"))) else "empty context"

    def system(self, data: dict[str, Any], time: str | None) -> None:
        """What Droid streams first."""
        self.begin(data, time)
        self.to.model = text_of(data, "model") or self.to.model

    def called(self, data: dict[str, Any], time: str | None) -> None:
        """A tool was called, as Droid streams it."""
        block = call_block(text_of(data, "toolName"), data.get("parameters"), text_of(data, "toolCallId", "id") or "")
        self.to.answers(self.to.model)
        say_block(self.to, block, time, self.to.model)

    def answered(self, data: dict[str, Any], time: str | None) -> None:
        """A tool answered, as Droid streams it."""
        text = result_text(data.get("value", data.get("error")))
        self.to.say(Role.TOOL, text, time, call=text_of(data, "toolCallId", "id"))

    def completed(self, data: dict[str, Any], time: str | None) -> None:
        """The last answer, as Droid streams it."""
        self.to.answers(self.to.model)
        self.to.say(Role.ASSISTANT, text_of(data, "finalText") or "", time, model=self.to.model)

    def message(self, data: dict[str, Any], time: str | None) -> str | None:
        """Something was said, run or answered."""
        message = object_of(data, "message") or {"role": data.get("role"), "content": data.get("text")}
        match text_of(message, "role"):
            case "toolResult":
                call = text_of(message, "toolCallId")
                self.to.say(Role.TOOL, result_text(message.get("content")), time, call=call)
                return None
            case "bashExecution":
                ran = f"[ran {text_of(message, 'command') or ''}]\n{text_of(message, 'output') or ''}"
                self.to.say(Role.USER, ran, time)
                return None
            case _:
                self.to.provider = text_of(message, "provider") or self.to.provider
                return take_message(self.to, message, time)


_ROWS: Final[dict[str, Callable[[_Reader, dict[str, Any], str | None], str | None]]] = {
    "session": _Reader.begin,
    "session_start": _Reader.begin,
    "model_change": _Reader.change,
    "compaction": _Reader.compaction,
    "custom_message": _Reader.instruct,
    "message": _Reader.message,
    "system": _Reader.system,
    "tool_call": _Reader.called,
    "tool_result": _Reader.answered,
    "completion": _Reader.completed,
}

FORMAT: Final = RecordedFormat(
    name="pi",
    title="a pi, OpenClaw or Droid session",
    provider="pi",
    sniff=sniff,
    records=read_rows,
    begin=lambda to: _Reader(to).take,
    lacks=(BEYOND_SHOWN,),
)
