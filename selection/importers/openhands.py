"""OpenHands event logs: arrays, lines or single events of both generations, and the outputs of evaluations that hold a `history` of them.

The first generation names an `action` or an `observation`; the second a `kind` that ends in `Event`. A recall is context: instructions and knowledge.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Final

from selection.engine.codes import Role
from selection.engine.values import Skill
from selection.importers.blocks import call_block, result_text
from selection.importers.chat import take_message
from selection.importers.conversation import Conversation, short
from selection.importers.head import Head
from selection.importers.lines import Row, read_rows
from selection.importers.reading import list_of, object_of, text_of
from selection.importers.recorded import RecordedFormat, array_records, items_of
from selection.importers.report import Report

_QUIET: Final = frozenset(("agent_state_changed", "change_agent_state", "null", "recall", "system", ""))


def sniff(head: Head) -> bool:
    """Events with a source, or the output of an evaluation."""
    if any("history" in row and ({"instance_id", "instance", "issue"} & row.keys()) for row in head.rows):
        return True
    return any(_is_event(row) for row in head.rows)


def _is_event(row: dict[str, Any]) -> bool:
    second = (text_of(row, "kind") or "").endswith("Event") and "source" in row
    first = "source" in row and "id" in row and ({"action", "observation"} & row.keys())
    return bool(second or first)


def _records(file: BinaryIO, report: Report) -> Iterator[Row]:
    start = file.read(4096).lstrip(b"\xef\xbb\xbf \t\r\n")
    file.seek(0)
    rows = array_records(file, report) if start.startswith(b"[") or start[1:2] in b"\r\n" else read_rows(file, report)
    for row in rows:
        history = list_of(row.data, "history")
        if not history:
            yield row
            continue
        report.records -= 1
        pairs = (item for entry in history for item in (entry if isinstance(entry, list) else [entry]))
        yield from items_of(pairs, report)


@dataclass(slots=True)
class _Reader:
    to: Conversation
    _paths: dict[int, str | None] = field(default_factory=dict)

    def take(self, row: Row) -> str | None:
        data = row.data
        time = self.to.clock.read(data.get("timestamp"), row.line, self.to.report)
        kind = text_of(data, "kind")
        if kind is not None and kind.endswith("Event"):
            reader = _EVENTS.get(kind)
            return reader(self, data, time) if reader else f"{short(kind)} rows"
        if "observation" in data:
            return self._observed(data, time)
        if "action" in data:
            return self._acted(data, time)
        return take_message(self.to, data, time)

    def _acted(self, data: dict[str, Any], time: str | None) -> str | None:
        action, args = text_of(data, "action") or "", object_of(data, "args")
        text = text_of(args, "content", "thought") or text_of(data, "message") or ""
        if action == "system":
            self.to.gathered.instruct("system prompt", text)
            return None
        if action == "message" and text_of(data, "source") == "user":
            self.to.ask(text, time)
            return None
        if action in _QUIET:
            self.to.report.mark(f"{short(action)} actions")
            return None
        self._answered(data)
        if action in {"message", "finish", "think"}:
            if text:
                self.to.say(Role.ASSISTANT, text, time, model=self.to.model)
            return None
        block = call_block(action, args, "")
        self._note_path(data.get("id"), block.path)
        self.to.say(Role.ASSISTANT, block.text, time, path=block.path, model=self.to.model)
        return None

    def _answered(self, data: dict[str, Any]) -> None:
        reply = object_of(object_of(data, "tool_call_metadata"), "model_response")
        self.to.model = text_of(reply, "model") or self.to.model
        self.to.answers(self.to.model)

    def _note_path(self, number: Any, path: str | None) -> None:
        if isinstance(number, int):
            self._paths[number] = path

    def _observed(self, data: dict[str, Any], time: str | None) -> str | None:
        kind, extras = text_of(data, "observation") or "", object_of(data, "extras")
        if kind == "recall":
            self._recalled(extras)
            return None
        content = text_of(data, "content")
        if kind in _QUIET or not content:
            self.to.report.mark(f"{short(kind)} observations without content")
            return None
        cause = data.get("cause")
        path = text_of(extras, "path") or self._paths.get(cause if isinstance(cause, int) else -1)
        self.to.say(Role.TOOL, content, time, path=path)
        if kind == "read":
            self.to.gathered.was_read(path, content)
        elif kind == "edit":
            self.to.gathered.was_read(path, text_of(extras, "new_content"))
        return None

    def _recalled(self, extras: dict[str, Any]) -> None:
        into = self.to.gathered
        told = into.instruct("repository instructions", text_of(extras, "repo_instructions"))
        told |= into.instruct("additional instructions", text_of(extras, "additional_agent_instructions"))
        for known in list_of(extras, "microagent_knowledge"):
            name, text = text_of(known, "name"), text_of(known, "content")
            if name and text:
                into.invoked[name] = Skill(name=name, content=text)
                told = True
        if not told:
            self.to.report.mark("recalls of nothing")

    def system_prompt(self, data: dict[str, Any], _time: str | None) -> str | None:
        """The system prompt, as text in its wrapper."""
        prompt = text_of(data, "system_prompt") or text_of(object_of(data, "system_prompt"), "text")
        return None if self.to.gathered.instruct("system prompt", prompt) else "system prompts without text"

    def message(self, data: dict[str, Any], time: str | None) -> str | None:
        """Something was said; skills that it called up come with it."""
        told = take_message(self.to, object_of(data, "llm_message"), time)
        for extra in list_of(data, "extended_content"):
            self.to.gathered.instruct("extended content", text_of(extra, "text"))
        return told

    def action(self, data: dict[str, Any], time: str | None) -> str | None:
        """A tool was called, with a thought before it."""
        self.to.answers(self.to.model)
        thought = result_text(data.get("thought"))
        if thought.strip():
            self.to.say(Role.ASSISTANT, thought, time, model=self.to.model)
        call = object_of(data, "tool_call")
        function = object_of(call, "function") or call
        arguments = function.get("arguments", data.get("action"))
        name = text_of(data, "tool_name") or text_of(function, "name")
        block = call_block(name, arguments, text_of(data, "tool_call_id") or "")
        self.to.called(block.call, block.path, block.text)
        self.to.say(Role.ASSISTANT, block.text, time, path=block.path, model=self.to.model)
        return None

    def observation(self, data: dict[str, Any], time: str | None) -> str | None:
        """A tool answered."""
        seen = object_of(data, "observation")
        call = text_of(data, "tool_call_id")
        path = text_of(seen, "path") or self.to.path_of(call)
        self.to.say(Role.TOOL, result_text(seen.get("content", seen)), time, path=path, call=call)
        self.to.gathered.was_read(path, text_of(seen, "new_content"))
        return None

    def state(self, data: dict[str, Any], _time: str | None) -> None:
        """The only place where the model is named."""
        usage = object_of(object_of(data, "value"), "usage_to_metrics")
        model = text_of(object_of(usage, "default"), "model_name") or text_of(object_of(usage, "agent"), "model_name")
        if model:
            self.to.model = model
        else:
            self.to.report.mark("states")


_EVENTS: Final[dict[str, Callable[[_Reader, dict[str, Any], str | None], str | None]]] = {
    "SystemPromptEvent": _Reader.system_prompt,
    "SystemPromptUpdateEvent": _Reader.system_prompt,
    "MessageEvent": _Reader.message,
    "ActionEvent": _Reader.action,
    "ObservationEvent": _Reader.observation,
    "ConversationStateUpdateEvent": _Reader.state,
}

FORMAT: Final = RecordedFormat(
    name="openhands",
    title="an OpenHands event log",
    provider="openhands",
    sniff=sniff,
    records=_records,
    begin=lambda to: _Reader(to).take,
    lacks=("diff of the workspace at a turn",),
)
