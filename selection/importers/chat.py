"""Arrays of chat messages as the OpenAI and Anthropic APIs take them, and logged calls that hold one.

System and developer messages are instructions. A user's message is a prompt unless it only answers tools.
"""

from collections.abc import Iterator
from typing import Any, BinaryIO, Final

from selection.engine.codes import Role
from selection.importers.arrays import begins_array
from selection.importers.blocks import Block, call_block, images_in, read_blocks, result_text
from selection.importers.conversation import Conversation, short
from selection.importers.head import Head, Shape
from selection.importers.lines import Row, first_line, read_document, read_rows
from selection.importers.reading import list_of, object_of, text_of
from selection.importers.recorded import BEYOND_SHOWN, RecordedFormat, TakesRecord, array_records, items_of
from selection.importers.report import Report

ROLES: Final = {
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
    "user": Role.USER,
    "human": Role.USER,
    "assistant": Role.ASSISTANT,
    "ai": Role.ASSISTANT,
    "model": Role.ASSISTANT,
    "tool": Role.TOOL,
    "function": Role.TOOL,
}
_OWN: Final = frozenset(("content", "tool_calls", "function_call", "parts"))


def sniff(head: Head) -> bool:
    """An array of messages, lines of them, or an object that holds them."""
    if head.shape is Shape.OBJECT:
        held = head.rows[0] if head.rows else {}
        return "messages" in held and not ({"sessionId", "trace", "session", "projectHash"} & held.keys())
    return any(_is_message(row) for row in head.rows)


def _is_message(row: dict[str, Any]) -> bool:
    return text_of(row, "role") in ROLES and bool(_OWN & row.keys()) and "type" not in row


def _records(file: BinaryIO, report: Report) -> Iterator[Row]:
    if _is_message(first_line(file)):
        yield from read_rows(file, report)
        return
    if begins_array(file):
        yield from array_records(file, report)
    else:
        yield from items_of(_of_call(read_document(file, report)), report)


def _of_call(document: Any) -> list[Any]:
    """Give the messages of a logged call: what was said about it all, what was asked, and what was answered."""
    if not isinstance(document, dict):
        return []
    request = object_of(document, "request") or object_of(document, "kwargs")
    about = {"window": document.get("context_window"), "model": text_of(document, "model")}
    system = document.get("system")
    response = object_of(document, "response") or (document if "choices" in document else {})
    model = text_of(response, "model") or about.get("model") or text_of(request, "model")
    messages = list_of(document, "messages") or list_of(request, "messages")
    first = [{"role": "system", "content": system}] if system else []
    answers = [object_of(choice, "message") | {"model": model} for choice in list_of(response, "choices")]
    if not answers and response.get("role") == "assistant":
        answers = [response]
    return [{"about": about | {"model": model}}, *first, *messages, *answers]


def begin(to: Conversation) -> TakesRecord:
    """Give what takes one message."""

    def take(row: Row) -> str | None:
        about = object_of(row.data, "about")
        if about and len(row.data) == 1:
            _note_about(to, about)
            return None
        return take_message(to, row.data, to.clock.read(row.data.get("timestamp"), row.line, to.report))

    return take


def _note_about(to: Conversation, about: dict[str, Any]) -> None:
    model, window = text_of(about, "model"), about.get("window")
    to.model = model
    if model and isinstance(window, int) and not isinstance(window, bool) and 0 < window < 2**31:
        to.windows[to.provider, model] = window


def take_message(to: Conversation, message: dict[str, Any], time: str | None) -> str | None:
    """Take one message; where it is set aside, tell what it is."""
    role = ROLES.get(text_of(message, "role") or "")
    if text_of(message, "role") == "session_meta":
        to.report.mark("records about the session")
        return None
    if role is None:
        return f"records of the role {short(message.get('role'))}"
    content = message.get("content", message.get("parts"))
    blocks, unread = _joined(to, message, content, role)
    for kind in unread:
        to.report.left_out_parts[f"{short(kind)} parts"] += 1
    if not blocks:
        to.report.mark("messages without text")
        return None
    if role is Role.SYSTEM:
        to.gathered.instruct("system prompt", "\n\n".join(block.text for block in blocks))
        return None
    if role is Role.USER and any(block.role is Role.USER for block in blocks):
        to.begin_turn("\n\n".join(block.text for block in blocks if block.role is Role.USER), time)
    if role is Role.ASSISTANT:
        to.answers(text_of(message, "model") or to.model)
    for block in blocks:
        say_block(to, block, time, text_of(message, "model") or to.model)
    return None


def say_block(to: Conversation, block: Block, time: str | None, model: str | None) -> None:
    """Add a block; a result is about the file that its call named."""
    path = block.path
    if block.role is Role.ASSISTANT:
        to.called(block.call, path, block.text)
    to.say(block.role, block.text, time, path=path, call=block.call if block.role is Role.TOOL else None, model=model)


def _joined(to: Conversation, message: dict[str, Any], content: Any, role: Role) -> tuple[list[Block], list[str]]:
    """Give the blocks of a message with the calls that stand beside its content, and the kinds of the parts that nobody reads."""
    blocks, unread = read_blocks(content, role)
    to.report.images += images_in(content)
    if role is Role.TOOL:
        results = [block for block in blocks if block.call is not None]
        call = text_of(message, "tool_call_id", "name") or ""
        return results or [Block(role=role, text=result_text(content), call=call)], unread
    calls = [*list_of(message, "tool_calls"), *([message["function_call"]] if "function_call" in message else [])]
    for call in calls:
        function = object_of(call, "function") or (call if isinstance(call, dict) else {})
        name = text_of(function, "name")
        if function:
            blocks.append(call_block(name, function.get("arguments"), text_of(call, "id") or name or ""))
    return blocks, unread


FORMAT: Final = RecordedFormat(
    name="chat",
    title="an array of chat messages",
    provider="openai",
    sniff=sniff,
    records=_records,
    begin=begin,
    lacks=("workspace", "attached files", BEYOND_SHOWN),
)
