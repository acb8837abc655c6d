"""Gemini CLI sessions: an object with `messages`, or lines with a header first and patches between; old ones are a `history` of parts.

A call and its result stand in one object. `projectHash` names the workspace by a digest only, so that its path is not told.
"""

from collections.abc import Iterator
from typing import Any, BinaryIO, Final

from selection.engine.codes import Role
from selection.importers.blocks import call_block, result_text
from selection.importers.chat import say_block, take_message
from selection.importers.conversation import Conversation, short
from selection.importers.head import Head, Shape
from selection.importers.lines import Row, first_line, read_document, read_rows
from selection.importers.reading import list_of, text_of
from selection.importers.recorded import BEYOND_SHOWN, RecordedFormat, TakesRecord, items_of
from selection.importers.report import Report, source_of

_HEADER: Final = frozenset(("projectHash", "project_hash"))
_KINDS: Final = ("user", "gemini", "info", "error", "warning", "model")


def sniff(head: Head) -> bool:
    """A header with the digest of a project, or messages of its kinds."""
    if _HEADER & head.keys:
        return True
    if head.shape is Shape.OBJECT:
        return any(_holds_messages(row) for row in head.rows)
    logged = head.shape is Shape.ARRAY and "messageId" in head.keys and head.holds("type", *_KINDS)
    return logged or head.holds("type", "gemini")


def _holds_messages(row: dict[str, Any]) -> bool:
    first = next(iter(list_of(row, "history")), None)
    return ("sessionId" in row and "messages" in row) or (isinstance(first, dict) and "parts" in first)


def _records(file: BinaryIO, report: Report) -> Iterator[Row]:
    if first_line(file):
        yield from read_rows(file, report)
        return
    document = read_document(file, report)
    report.source = source_of("gemini", text_of(document, "sessionId", "session_id"))
    if isinstance(document, list):
        yield from items_of(document, report)
        return
    for name in ("messages", "history", "events"):
        yield from items_of(list_of(document, name), report)


def begin(to: Conversation) -> TakesRecord:
    """Give what takes one message."""

    def take(row: Row) -> str | None:
        data = row.data
        if _HEADER & data.keys() or "$set" in data:
            to.report.source = to.report.source or source_of("gemini", text_of(data, "sessionId", "session_id"))
            to.report.read["headers"] += 1
            return None
        time = to.clock.read(data.get("timestamp", data.get("ts")), row.line, to.report)
        return _take(to, data, time)

    return take


def _take(to: Conversation, data: dict[str, Any], time: str | None) -> str | None:
    kind = text_of(data, "type", "role") or ""
    content = data.get("content", data.get("parts", data.get("message")))
    match kind:
        case "user":
            return take_message(to, {"role": "user", "content": content}, time)
        case "gemini" | "model" | "assistant":
            model = text_of(data, "model")
            told = take_message(to, {"role": "assistant", "content": content, "model": model}, time)
            calls = [call for call in list_of(data, "toolCalls") if isinstance(call, dict)]
            if calls:
                to.answers(model)
            for call in calls:
                _call(to, call, time, model)
            return None if calls else told
        case "info" | "warning" | "error":
            to.report.mark(f"{kind} messages")
            return None
        case _:
            return f"{short(kind)} messages"


def _call(to: Conversation, call: dict[str, Any], time: str | None, model: str | None) -> None:
    name = text_of(call, "name")
    asked = call_block(name, call.get("args"), text_of(call, "id") or name or "")
    say_block(to, asked, time, model)
    shown = text_of(call, "resultDisplay")
    text = shown or "\n".join(_response(item) for item in list_of(call, "result"))
    if text:
        to.say(Role.TOOL, text, time, path=asked.path)
        if name in _READS and text_of(call, "status") in {None, "success"}:
            to.gathered.was_read(asked.path, "\n".join(_response(item) for item in list_of(call, "result")))


_READS: Final = frozenset(("read_file", "ReadFile"))


def _response(item: Any) -> str:
    response = item.get("functionResponse") if isinstance(item, dict) else None
    inner = response.get("response") if isinstance(response, dict) else item
    return result_text(inner)


FORMAT: Final = RecordedFormat(
    name="gemini",
    title="a Gemini CLI session",
    provider="google",
    sniff=sniff,
    records=_records,
    begin=begin,
    lacks=("path of the workspace", BEYOND_SHOWN),
)
