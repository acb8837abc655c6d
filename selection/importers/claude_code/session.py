"""A transcript as a session: its messages in file order, a turn for each prompt, with what was attached to it."""

from dataclasses import dataclass, field
from typing import Any, Final

from selection.engine.codes import Role
from selection.importers.blocks import Block, call_block, images_in, read_blocks, result_path, result_text
from selection.importers.claude_code.attachments import gather, is_known
from selection.importers.claude_code.prompts import asked_in, message_of
from selection.importers.conversation import Conversation, short
from selection.importers.lines import Row
from selection.importers.reading import object_of, text_of

_SYNTHETIC: Final = "<synthetic>"
_ROLES: Final = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM}
# Rows that only mark something, or tell once more what others told.
_MARKS: Final = frozenset((
    "agent-name", "bridge-session", "file-history-snapshot", "frame-link", "last-prompt", "mode", "permission-mode", "pr-link", "progress",
    "queue-operation", "relocated", "result", "started", "worktree-state",
))  # fmt: skip
_SYSTEM_MARKS: Final = frozenset((
    "api_error", "api_refusal", "error", "informational", "local_command", "model_refusal_fallback", "rewind", "session_artifact_snapshot",
    "session_start", "slash_command", "stop_hook_summary", "turn_duration", "ui_telemetry",
))  # fmt: skip
_TITLES: Final = ("summary", "customTitle", "aiTitle", "title")


@dataclass(slots=True)
class SessionReader:
    """Reads the rows of one transcript into a conversation, one by one."""

    to: Conversation
    _replies: set[str] = field(default_factory=set)

    def take(self, row: Row) -> str | None:
        """Take a row of the conversation; where it is set aside, tell what it is."""
        if self.to.report.version is None:
            self.to.report.note_version(text_of(row.data, "version"))
        kind = text_of(row.data, "type") or "row without a type"
        match kind:
            case "user" | "assistant":
                self._read_message(row)
            case "attachment":
                return self._attach(row, object_of(row.data, "attachment"))
            case "tool_use":
                self._called(row)
            case "tool_result" if "message" not in row.data:
                self._answered(row)
            case "tool_result":
                self._read_message(row)
            case "summary" | "custom-title" | "ai-title":
                self.to.title = text_of(row.data, *_TITLES) or self.to.title
            case "system":
                return self._of_system(text_of(row.data, "subtype") or "", row.data)
            case _ if kind in _MARKS:
                self.to.report.mark(f"{kind} rows")
            case _:
                return f"{short(kind)} rows"
        return None

    def finish(self) -> None:
        """Count what could not be counted row by row."""
        self.to.report.read["assistant replies"] = len(self._replies)

    def _read_message(self, row: Row) -> None:
        data = row.data
        kind = text_of(data, "type") or ""
        message = message_of(data)
        time = self.to.clock.read(data.get("timestamp"), row.line, self.to.report)
        asked = asked_in(data, message) if kind == "user" else None
        if asked is not None:
            self.to.root, self.to.branch = text_of(data, "cwd") or "", text_of(data, "gitBranch") or None
            self.to.begin_turn(asked, time)
        if kind == "assistant":
            self._note_reply(message)
        content = message.get("content")
        blocks, unread = read_blocks(content, _ROLES.get(kind, Role.USER))
        self.to.report.images += images_in(content)
        for part in unread:
            self.to.report.left_out_parts[f"{short(part)} blocks"] += 1
        for block in blocks:
            self._add(block, data, message, time)

    def _of_system(self, kind: str, data: dict[str, Any]) -> str | None:
        """Take what the tool says of itself."""
        if kind == "compact_boundary":
            self._note_compaction()
        elif kind == "custom_title":
            self.to.title = text_of(object_of(data, "systemPayload"), *_TITLES) or self.to.title
        elif kind in _SYSTEM_MARKS:
            self.to.report.mark(f"{kind} rows")
        else:
            return f"{short(kind)} system rows"
        return None

    def _called(self, row: Row) -> None:
        """A call in a row of its own, as some relatives of the tool write it."""
        time = self.to.clock.read(row.data.get("timestamp"), row.line, self.to.report)
        name = text_of(row.data, "name")
        block = call_block(name, row.data.get("input"), text_of(row.data, "id") or name or "")
        self.to.called(block.call, block.path, block.text)
        self.to.say(Role.ASSISTANT, block.text, time, name=text_of(row.data, "uuid"), path=block.path)

    def _answered(self, row: Row) -> None:
        time = self.to.clock.read(row.data.get("timestamp"), row.line, self.to.report)
        call = text_of(row.data, "tool_use_id", "id", "name")
        text = result_text(row.data.get("output", row.data.get("content")))
        self.to.say(Role.TOOL, text, time, name=text_of(row.data, "uuid"), call=call)

    def _attach(self, row: Row, attachment: dict[str, Any]) -> str | None:
        kind = short(text_of(attachment, "type"))
        if kind == "queued_command":
            self._queued(row, attachment)
        elif gather(attachment, self.to.gathered):
            self.to.report.read[f"{kind} attachments"] += 1
        elif is_known(kind):
            self.to.report.mark(f"{kind} attachments")
        else:
            return f"{kind} attachments"
        return None

    def _queued(self, row: Row, attachment: dict[str, Any]) -> None:
        """What the user asked while the model was at work: a prompt like any other."""
        time = self.to.clock.read(row.data.get("timestamp"), row.line, self.to.report)
        text = "\n\n".join(block.text for block in read_blocks(attachment.get("prompt"), Role.USER)[0])
        if text.strip():
            self.to.ask(text, time, name=text_of(row.data, "uuid"))
        else:
            self.to.report.mark("queued_command attachments")

    def _note_reply(self, message: dict[str, Any]) -> None:
        model = text_of(message, "model")
        if model != _SYNTHETIC:
            self.to.answers(model)
        self._replies.add(text_of(message, "id") or f"reply {self.to.messages}")

    def _add(self, block: Block, data: dict[str, Any], message: dict[str, Any], time: str | None) -> None:
        path = block.path
        if block.role is Role.ASSISTANT:
            self.to.called(block.call, path, block.text)
        if block.role is Role.TOOL:
            path = self._result_path(data, block)
        self.to.say(
            block.role,
            block.text,
            time,
            name=text_of(data, "uuid"),
            path=path,
            call=block.call if block.role is Role.TOOL else None,
            model=text_of(message, "model"),
        )

    def _result_path(self, data: dict[str, Any], block: Block) -> str | None:
        """Tell which file a result is about; one that was read whole is attached to the next turn."""
        result = data.get("toolUseResult")
        file = object_of(result, "file")
        path = result_path(result) or self.to.path_of(block.call)
        if file.get("numLines") == file.get("totalLines"):
            self.to.gathered.was_read(path, text_of(file, "content"))
        return path

    def _note_compaction(self) -> None:
        self.to.report.read["compactions"] += 1
        self.to.report.note(
            f"The tool compacted its context after message {self.to.messages:,}: from there on it held a summary instead "
            "of what came before. The history here keeps both."
        )
