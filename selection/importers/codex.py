"""Codex CLI rollouts: rows of `{timestamp, type, payload}`; very old ones are flat.

`response_item` rows are what the model saw; `event_msg` rows tell a person the same once more, and are set aside. What the tool says under the user's name
(instructions, the environment) is an instruction, not a prompt.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from selection.engine.codes import Role
from selection.engine.values import Skill
from selection.importers.blocks import call_block, images_in, read_blocks, result_text
from selection.importers.conversation import Conversation, short
from selection.importers.head import Head, Shape
from selection.importers.lines import Row, read_rows
from selection.importers.reading import list_of, object_of, text_of
from selection.importers.recorded import BEYOND_SHOWN, RecordedFormat
from selection.importers.report import source_of

_ROLES: Final = {"assistant": Role.ASSISTANT, "system": Role.SYSTEM, "developer": Role.SYSTEM, "user": Role.USER}
_AGENTS: Final = re.compile(r"^# AGENTS\.md instructions for (?P<root>[^\n]*)")
_TAGGED: Final = re.compile(
    r"^\s*<(?P<tag>environment_context|user_instructions|INSTRUCTIONS|permissions instructions|turn_aborted|skill)\b"
)
_PATCHED: Final = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$", re.MULTILINE)


def sniff(head: Head) -> bool:
    """Rows with a payload, or the flat rows of the first versions."""
    if head.shape is Shape.ARRAY:
        return False
    wrapped = any(row.keys() >= {"timestamp", "type", "payload"} for row in head.rows)
    flat = head.holds("type", "function_call", "function_result", "tool_call", "tool_result")
    return wrapped or (flat and "role" in head.keys and "uuid" not in head.keys and "id" not in head.keys)


@dataclass(slots=True)
class _Reader:
    to: Conversation
    provider: str | None = None
    window: int | None = None

    def take(self, row: Row) -> str | None:
        data = row.data
        time = self.to.clock.read(data.get("timestamp") or data.get("created_at"), row.line, self.to.report)
        payload = object_of(data, "payload")
        kind = text_of(data, "type") or ""
        if kind == "response_item" or not payload:
            item = payload or data
            return _ITEMS.get(_kind(item), _Reader.unread)(self, item, time)
        reader = _ROWS.get(kind)
        return reader(self, payload) if reader else f"{short(kind)} rows"

    def unread(self, item: dict[str, Any], _time: str | None) -> str:
        """Set aside what selection does not know."""
        return f"{short(_kind(item))} items"

    def meta(self, payload: dict[str, Any]) -> None:
        """Where the session ran, and what it was told at first."""
        self.to.root = text_of(payload, "cwd") or self.to.root
        self.to.branch = text_of(object_of(payload, "git"), "branch") or self.to.branch
        self.provider = text_of(payload, "model_provider")
        self.to.report.note_version(text_of(payload, "cli_version"))
        self.to.report.source = self.to.report.source or source_of("codex", text_of(payload, "id"))
        base = text_of(object_of(payload, "base_instructions"), "text") or text_of(payload, "instructions")
        self.to.gathered.instruct("base instructions", base)

    def context(self, payload: dict[str, Any]) -> None:
        """The model, the place and the instructions of what follows."""
        self.to.root = text_of(payload, "cwd") or self.to.root
        self.to.model = text_of(payload, "model") or self.to.model
        self.to.gathered.instruct("AGENTS.md", text_of(payload, "user_instructions"))
        self.to.gathered.instruct("developer instructions", text_of(payload, "developer_instructions"))

    def world(self, payload: dict[str, Any]) -> None:
        """Instructions and skills in force."""
        state = object_of(payload, "state")
        told = self.to.gathered.instruct("AGENTS.md", text_of(object_of(state, "agents_md"), "text"))
        for skill in list_of(state, "host_skills"):
            name, text = text_of(skill, "name"), text_of(skill, "description", "content")
            if name and text:
                self.to.gathered.available[name] = Skill(name=name, content=text)
                told = True
        if not told:
            self.to.report.mark("world states without instructions")

    def event(self, payload: dict[str, Any]) -> str | None:
        """What a person saw; the window is told nowhere else."""
        kind = short(text_of(payload, "type"))
        info = object_of(payload, "info") or payload
        window = info.get("model_context_window")
        if isinstance(window, int) and not isinstance(window, bool) and 0 < window < 2**31:
            self.window = window
        if kind not in _REPEATED:
            return f"{kind} events"
        if kind == "thread_name_updated":
            self.to.title = text_of(payload, "thread_name") or self.to.title
        self.to.report.mark(f"{kind} events")
        return None

    def compacted(self, payload: dict[str, Any]) -> None:
        """A summary took the place of what came before."""
        self.to.report.read["compactions"] += 1
        self.to.report.note(
            f"The tool compacted its context after message {self.to.messages:,}: from there on it held a replacement instead of "
            "what came before. The history here keeps what came before."
        )
        summary = text_of(payload, "message")
        if summary:
            self.to.say(Role.USER, summary)

    def reasoning(self, item: dict[str, Any], _time: str | None) -> None:
        """Thoughts are no candidates; where they are sealed, nobody but their provider can tell their size."""
        if not text_of(item, "encrypted_content"):
            self.to.report.left_out_parts["thoughts"] += 1
            return
        self.to.report.left_out_parts["sealed thoughts"] += 1
        self.to.report.note(
            "Sealed reasoning is bound to the provider that wrote it: its tokens are not known, and it cannot be sent to another model."
        )

    def mark(self, item: dict[str, Any], _time: str | None) -> None:
        """Nothing that a model saw."""
        self.to.report.mark(f"{short(_kind(item))} items")

    def image(self, item: dict[str, Any], time: str | None) -> None:
        """An image was made; its bytes are set aside."""
        self.to.report.images += 1
        self.call(
            {"name": "image_generation", "arguments": text_of(item, "revised_prompt"), "call_id": item.get("id")}, time
        )

    def metadata(self, _payload: dict[str, Any]) -> None:
        """Nothing that a model saw."""
        self.to.report.mark("rows of metadata")

    def message(self, item: dict[str, Any], time: str | None) -> str | None:
        """Something was said."""
        role = _ROLES.get(text_of(item, "role") or "assistant", Role.USER)
        content = item.get("content", item.get("message"))
        blocks, unread = read_blocks(content, role)
        self.to.report.images += images_in(content)
        for kind in unread:
            self.to.report.left_out_parts[f"{short(kind)} parts"] += 1
        text = "\n\n".join(block.text for block in blocks)
        if not text.strip():
            return "messages without text"
        if role is Role.USER:
            self._of_user(text, time)
        elif role is Role.SYSTEM:
            self.to.gathered.instruct("developer instructions", text)
        else:
            self._answered(text_of(item, "model"))
            self.to.say(role, text, time, name=text_of(item, "id"), model=self.to.model, provider=self.provider)
        return None

    def _of_user(self, text: str, time: str | None) -> None:
        agents, tagged = _AGENTS.match(text), _TAGGED.match(text)
        if agents:
            self.to.gathered.instruct("AGENTS.md", text)
        elif tagged:
            self.to.gathered.instruct(tagged["tag"].replace("_", " "), text)
        else:
            self.to.ask(text, time)

    def _answered(self, model: str | None) -> None:
        model = model or self.to.model
        self.to.answers(model, self.provider)
        if model and self.window:
            self.to.windows[self.provider or self.to.provider, model] = self.window

    def call(self, item: dict[str, Any], time: str | None) -> None:
        """A tool was called."""
        arguments = item.get("arguments", item.get("input", item.get("action")))
        name = (
            text_of(item, "name") or text_of(object_of(item, "function"), "name") or _kind(item).removesuffix("_call")
        )
        call = text_of(item, "call_id") or name or ""
        block = call_block(name, arguments, call)
        patched = _PATCHED.search(arguments.replace("\\n", "\n")) if isinstance(arguments, str) else None
        path = block.path or (patched[1].strip() if patched else None)
        self.to.called(call, path, block.text)
        self._answered(None)
        self.to.say(Role.ASSISTANT, block.text, time, path=path, model=self.to.model, provider=self.provider)

    def result(self, item: dict[str, Any], time: str | None) -> None:
        """A tool answered."""
        output = item.get("output", item.get("result", item.get("tools")))
        self.to.say(Role.TOOL, result_text(output), time, call=text_of(item, "call_id", "name"))


def _kind(item: dict[str, Any]) -> str:
    return text_of(item, "type") or ("message" if "role" in item else "row without a type")


# What a person saw of the items, and the marks around them.
_REPEATED: Final = frozenset((
    "agent_message", "agent_reasoning", "collab_agent_interaction_end", "collab_agent_spawn_end", "collab_close_end",
    "collab_waiting_end", "context_compacted", "dynamic_tool_call_request", "dynamic_tool_call_response",
    "entered_review_mode", "error", "exec_command_begin", "exec_command_end", "exited_review_mode",
    "guardian_assessment", "image_generation_end", "item_completed", "mcp_tool_call_end", "patch_apply_end",
    "sub_agent_activity", "task_complete", "task_started", "thread_goal_updated", "thread_name_updated",
    "thread_settings_applied", "token_count", "turn.completed", "turn_aborted", "undo_completed", "user_message",
    "view_image_tool_call", "web_search_end",
))  # fmt: skip
_ROWS: Final[dict[str, Callable[[_Reader, dict[str, Any]], str | None]]] = {
    "session_meta": _Reader.meta,
    "turn_context": _Reader.context,
    "compacted": _Reader.compacted,
    "world_state": _Reader.world,
    "event_msg": _Reader.event,
    "inter_agent_communication_metadata": _Reader.metadata,
}
_ITEMS: Final[dict[str, Callable[[_Reader, dict[str, Any], str | None], str | None]]] = {
    "message": _Reader.message,
    "reasoning": _Reader.reasoning,
    "agent_message": _Reader.message,
    "function_call": _Reader.call,
    "custom_tool_call": _Reader.call,
    "local_shell_call": _Reader.call,
    "function_call_output": _Reader.result,
    "custom_tool_call_output": _Reader.result,
    "function_result": _Reader.result,
    "tool_call": _Reader.call,
    "tool_result": _Reader.result,
    "tool_search_call": _Reader.call,
    "tool_search_output": _Reader.result,
    "web_search_call": _Reader.call,
    "image_generation_call": _Reader.image,
    "ghost_snapshot": _Reader.mark,
    "error": _Reader.mark,
}

FORMAT: Final = RecordedFormat(
    name="codex",
    title="a Codex CLI rollout",
    provider="openai",
    sniff=sniff,
    records=read_rows,
    begin=lambda to: _Reader(to).take,
    lacks=(BEYOND_SHOWN, "contents of files beyond the results of tools"),
)
