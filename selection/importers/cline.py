"""Cline and Roo tasks: the array of `api_conversation_history.json`, whose texts carry tasks, results and the environment; or of `ui_messages.json`.

Results are plain text of the user (`[read_file for 'a.py'] Result:`), linked to no call. The environment at the end of a prompt names the files that were open.
"""

import re
from dataclasses import dataclass
from typing import Any, Final

from selection.engine.codes import Role
from selection.importers.blocks import arguments_of, blocks_of
from selection.importers.chat import ROLES, say_block
from selection.importers.conversation import Conversation, short
from selection.importers.head import Head, Shape
from selection.importers.lines import Row
from selection.importers.reading import object_of, text_of
from selection.importers.recorded import BEYOND_SHOWN, RecordedFormat, array_records

_TAGS: Final = ("<task>", "<environment_details>", "<feedback>", "<user_message>")
_RESULT: Final = re.compile(r"^\[(?P<tool>\w+)(?: for '(?P<path>[^'\n]*)'[^\]\n]*)?\] Result:\s*", re.MULTILINE)
_ENVIRONMENT: Final = re.compile(r"<environment_details>(.*?)(?:</environment_details>|\Z)", re.DOTALL)
_ASKED: Final = re.compile(r"<(task|feedback|user_message)>\s*(.*?)\s*(?:</\1>|\Z)", re.DOTALL)
_OPEN: Final = re.compile(
    r"^# (?:\w[\w ]*) (?:Visible Files|Open Tabs)\n(.*?)(?:\n\n|\n#|\Z)", re.DOTALL | re.MULTILINE
)
_ROOT: Final = re.compile(r"^# Current (?:Working|Workspace) Directory \((.+?)\) Files", re.MULTILINE)
_FILE: Final = re.compile(r"<file_content path=\"([^\"\n]+)\">\n?(.*?)\n?</file_content>", re.DOTALL)
_SAYS: Final = ("text", "task", "user_feedback", "completion_result")


def sniff(head: Head) -> bool:
    """Messages with the marks of a task, or rows that say or ask."""
    if head.shape is not Shape.ARRAY:
        return False
    says = any("ts" in row and ({"say", "ask"} & row.keys()) for row in head.rows)
    return says or ("role" in head.keys and any(tag in head.text for tag in _TAGS))


@dataclass(slots=True)
class _Reader:
    to: Conversation

    def take(self, row: Row) -> str | None:
        data = row.data
        time = self.to.clock.read(data.get("ts"), row.line, self.to.report)
        if "role" in data:
            return self._message(data, time)
        return self._shown(data, time)

    def _message(self, data: dict[str, Any], time: str | None) -> str | None:
        role = ROLES.get(text_of(data, "role") or "", Role.USER)
        blocks = blocks_of(data.get("content"), role)
        if role is Role.ASSISTANT:
            about = object_of(data, "modelInfo")
            self.to.answers(text_of(about, "modelId"), text_of(about, "providerId"))
        prompts: list[str] = []
        for block in blocks:
            if block.role is Role.USER:
                prompts.append(block.text)
            else:
                say_block(self.to, block, time, self.to.model)
        if prompts:
            self._of_user("\n\n".join(prompts), time)
        return None if blocks else "messages without text"

    def _of_user(self, text: str, time: str | None) -> None:
        """Part what the user said from what the tool put beside it."""
        environment = _ENVIRONMENT.search(text)
        details = environment[1] if environment else ""
        root = _ROOT.search(details)
        if root:
            self.to.root = root[1]
        rest = _ENVIRONMENT.sub("", text).strip()
        asked = "\n\n".join(match[2] for match in _ASKED.finditer(rest))
        results = list(_RESULT.finditer(rest))
        if results:
            self._results(rest, results, time)
        if asked or (rest and not results):
            self.to.ask(asked or rest, time, paths=tuple(_open_files(details)))
        for path, content in _FILE.findall(rest):
            self.to.gathered.attach(path, content)
        self.to.gathered.instruct("environment details", details.strip())

    def _results(self, text: str, results: list[re.Match[str]], time: str | None) -> None:
        ends = [*(match.start() for match in results[1:]), len(text)]
        for match, end in zip(results, ends, strict=True):
            content = text[match.end() : end].strip()
            self.to.say(Role.TOOL, content, time, path=match["path"])
            if match["tool"] == "read_file":
                self.to.gathered.was_read(match["path"], content)

    def _shown(self, data: dict[str, Any], time: str | None) -> str | None:
        kind, text = text_of(data, "say", "ask") or "", text_of(data, "text") or ""
        if data.get("partial") is True:
            return "rows that were not finished"
        if kind == "tool":
            return self._tool(arguments_of(text), text, time)
        if kind not in _SAYS or not text:
            return f"{short(kind)} rows"
        if kind in {"task", "user_feedback"} or not self.to.has_turns:
            self.to.ask(text, time)
        else:
            about = object_of(data, "modelInfo")
            self.to.answers(text_of(about, "modelId"), text_of(about, "providerId"))
            self.to.say(Role.ASSISTANT, text, time, model=self.to.model)
        return None

    def _tool(self, told: dict[str, Any], text: str, time: str | None) -> str | None:
        path = text_of(told, "path")
        self.to.say(Role.TOOL, text_of(told, "content", "diff") or text, time, path=path)
        if text_of(told, "tool") in {"readFile", "newFileCreated"}:
            self.to.gathered.was_read(path, text_of(told, "content"))
        return None


def _open_files(details: str) -> list[str]:
    lines = [line.strip() for match in _OPEN.finditer(details) for line in match[1].split("\n")]
    return [line for line in dict.fromkeys(lines) if line and not line.startswith(("(", "#"))]


FORMAT: Final = RecordedFormat(
    name="cline",
    title="a Cline or Roo task",
    provider="cline",
    sniff=sniff,
    records=array_records,
    begin=lambda to: _Reader(to).take,
    lacks=(BEYOND_SHOWN,),
)
