"""GitHub Copilot CLI sessions: lines of `{type, data, id, timestamp, parentId}`, each an event."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from selection.engine.codes import Role
from selection.importers.blocks import call_block, result_text
from selection.importers.conversation import Conversation, short
from selection.importers.head import Head
from selection.importers.lines import Row, read_rows
from selection.importers.reading import list_of, object_of, text_of
from selection.importers.recorded import BEYOND_SHOWN, RecordedFormat
from selection.importers.report import source_of

_OWN: Final = ("session.", "user.", "assistant.", "tool.", "system.")


def sniff(head: Head) -> bool:
    """Events with data, named with a dot."""
    return any("data" in row and (text_of(row, "type") or "").startswith(_OWN) for row in head.rows)


@dataclass(slots=True)
class _Reader:
    to: Conversation

    def take(self, row: Row) -> str | None:
        kind = text_of(row.data, "type") or ""
        time = self.to.clock.read(row.data.get("timestamp"), row.line, self.to.report)
        if kind in _REPEATED:
            self.to.report.mark(f"{short(kind)} events")
            return None
        reader = _EVENTS.get(kind)
        if reader is None:
            return f"{short(kind)} events"
        reader(self, object_of(row.data, "data"), time)
        return None

    def start(self, data: dict[str, Any], _time: str | None) -> None:
        """Where the session runs."""
        context = object_of(data, "context")
        self.to.report.note_version(text_of(data, "copilotVersion"))
        self.to.report.source = self.to.report.source or source_of("copilot", text_of(data, "sessionId"))
        self.to.root = text_of(context, "cwd", "gitRoot") or text_of(data, "cwd") or self.to.root
        self.to.branch = text_of(context, "branch") or self.to.branch
        self.to.model = text_of(data, "selectedModel") or self.to.model

    def model_change(self, data: dict[str, Any], _time: str | None) -> None:
        """Another model from here on."""
        self.to.model = text_of(data, "newModel") or self.to.model

    def system(self, data: dict[str, Any], _time: str | None) -> None:
        """What the tool told the model."""
        self.to.gathered.instruct("system message", text_of(data, "content"))

    def notification(self, data: dict[str, Any], time: str | None) -> None:
        """What the tool said to the model in between."""
        self.to.say(Role.SYSTEM, text_of(data, "content") or "", time)

    def reasoning(self, _data: dict[str, Any], _time: str | None) -> None:
        """Thoughts are no candidates."""
        self.to.report.left_out_parts["thoughts"] += 1

    def user(self, data: dict[str, Any], time: str | None) -> None:
        """A prompt, with the files that came with it."""
        attached = [item for item in list_of(data, "attachments") if isinstance(item, dict)]
        paths = tuple(path for item in attached if (path := text_of(item, "path", "filePath")))
        self.to.ask(text_of(data, "content") or "", time, paths=paths)
        for item in attached:
            self.to.gathered.attach(text_of(item, "path", "filePath"), text_of(item, "content", "text"))

    def assistant(self, data: dict[str, Any], time: str | None) -> None:
        """An answer, and the tools that it asks for."""
        self.to.answers(text_of(data, "model") or self.to.model)
        text = text_of(data, "content")
        if text:
            self.to.say(Role.ASSISTANT, text, time, model=self.to.model)
        for request in list_of(data, "toolRequests"):
            call = text_of(request, "toolCallId") or ""
            arguments = request.get("arguments") if isinstance(request, dict) else None
            block = call_block(text_of(request, "name"), arguments, call)
            self.to.called(call, block.path, block.text)
            self.to.say(Role.ASSISTANT, block.text, time, path=block.path, model=self.to.model)

    def result(self, data: dict[str, Any], time: str | None) -> None:
        """What a tool gave."""
        text = result_text(data.get("result", data.get("error")))
        self.to.say(Role.TOOL, text, time, call=text_of(data, "toolCallId"))


_REPEATED: Final = frozenset((
    "abort", "assistant.turn_end", "assistant.turn_start", "hook.end", "hook.start", "session.auto_mode_resolved",
    "session.error", "session.info", "session.shutdown", "session.truncation", "session.usage_checkpoint",
    "subagent.completed", "subagent.started", "tool.execution_start",
))  # fmt: skip
_EVENTS: Final[dict[str, Callable[[_Reader, dict[str, Any], str | None], None]]] = {
    "session.start": _Reader.start,
    "session.resume": _Reader.start,
    "session.model_change": _Reader.model_change,
    "system.message": _Reader.system,
    "system.notification": _Reader.notification,
    "user.message": _Reader.user,
    "assistant.reasoning": _Reader.reasoning,
    "assistant.message": _Reader.assistant,
    "tool.execution_complete": _Reader.result,
}

FORMAT: Final = RecordedFormat(
    name="copilot",
    title="a GitHub Copilot CLI session",
    provider="github",
    sniff=sniff,
    records=read_rows,
    begin=lambda to: _Reader(to).take,
    lacks=(BEYOND_SHOWN,),
)
