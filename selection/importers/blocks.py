"""The parts of a message's content, as text; and the path of the file that each is about. One reader for the spellings of all tools."""

import json
from dataclasses import dataclass
from typing import Any, Final

from selection.engine.codes import Role
from selection.importers.reading import list_of, object_of, text_of

_PATHS: Final = ("file_path", "filePath", "notebook_path", "path")
_BASE64: Final = 4 / 3
_written: Final = json.JSONEncoder(ensure_ascii=False).encode
_TEXTS: Final = frozenset(("text", "input_text", "output_text", "refusal"))
_CALLS: Final = frozenset(("tool_use", "toolUse", "functionCall", "tool_call", "tool-call", "toolCall"))
_RESULTS: Final = frozenset(("tool_result", "toolResult", "functionResponse", "tool_call_response", "tool-result"))
_NOT_TEXT: Final = frozenset(
    ("image", "document", "image_url", "input_image", "inlineData", "fileData", "input_audio", "file", "video")
)
_KNOWN: Final = _TEXTS | _CALLS | _RESULTS | _NOT_TEXT
# Kinds that some tools name by the only key of a part.
_UNNAMED: Final = ("text", *sorted((_CALLS | _RESULTS | _NOT_TEXT) - {"file", "tool-call", "tool-result"}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One part of a row that becomes a message of its own."""

    role: Role
    text: str
    path: str | None = None
    call: str | None = None


def blocks_of(content: Any, role: Role) -> list[Block]:
    """Give the messages that a row's content makes: its text as one, each tool call and each result as another."""
    return read_blocks(content, role)[0]


def images_in(content: Any) -> int:
    """Count the parts of a content that are no text, those of results too."""
    if not isinstance(content, list):
        return 0
    kinds = [(part, _kind(part)) for part in content if isinstance(part, dict)]
    inner = sum(images_in(_inner(part, kind).get("content")) for part, kind in kinds if kind in _RESULTS)
    return inner + sum(1 for _, kind in kinds if kind in _NOT_TEXT)


def read_blocks(content: Any, role: Role) -> tuple[list[Block], list[str]]:
    """Give the messages that a row's content makes, and the kinds of the parts that nobody here reads."""
    if isinstance(content, str):
        return [Block(role=role, text=content)] if content else [], []
    blocks: list[Block] = []
    unread: list[str] = []
    parts = content if isinstance(content, list) else [content]
    for part in parts:
        if isinstance(part, str):
            blocks.append(Block(role=role, text=part))
            continue
        kind = _kind(part)
        block = _block(part, kind, role)
        if block is not None:
            blocks.append(block)
        elif kind not in _KNOWN and part is not None:
            unread.append(kind)
    return _joined(blocks) if len(blocks) > 1 else blocks, unread


def _joined(blocks: list[Block]) -> list[Block]:
    """Join neighbouring texts: a person who pastes an image between two sentences said one thing."""
    joined: list[Block] = []
    for block in blocks:
        if joined and block.call is None and joined[-1].call is None:
            joined[-1] = Block(role=block.role, text=f"{joined[-1].text}\n\n{block.text}")
        else:
            joined.append(block)
    return joined


def _block(part: Any, kind: str, role: Role) -> Block | None:
    if kind in _TEXTS:
        text = text_of(part, "text", "content", "refusal")
        return Block(role=role, text=text) if text else None
    if kind in _CALLS:
        return _call(_inner(part, kind))
    if kind in _RESULTS:
        return _result(_inner(part, kind))
    return Block(role=role, text=_marker(part)) if kind in _NOT_TEXT else None


def _kind(part: Any) -> str:
    """Give the kind of a part; some tools name it by the only key."""
    named = text_of(part, "type")
    if named is not None:
        return named
    keys = part if isinstance(part, dict) else ()
    return next((kind for kind in _UNNAMED if kind in keys), "")


def _inner(part: dict[str, Any], kind: str) -> dict[str, Any]:
    return object_of(part, kind) or part


def _result(part: dict[str, Any]) -> Block:
    content = next((part[name] for name in ("content", "response", "result", "output") if name in part), None)
    call = text_of(part, "tool_use_id", "toolUseId", "id", "toolCallId", "name") or ""
    return Block(role=Role.TOOL, text=result_text(content), call=call)


def _call(part: dict[str, Any]) -> Block:
    arguments = next((part[name] for name in ("input", "arguments", "args") if name in part), None)
    call = text_of(part, "id", "toolUseId", "toolCallId", "name") or ""
    return call_block(text_of(part, "name", "toolName"), arguments, call)


def call_block(name: str | None, arguments: Any, call: str) -> Block:
    """Give a tool call as a block; arguments may be an object, or JSON as text, or text that is none."""
    told = arguments_of(arguments)
    written = arguments if isinstance(arguments, str) else "" if arguments is None else _written(arguments)
    return Block(
        role=Role.ASSISTANT,
        text=f"[call {name or 'tool'}] {written}",
        path=text_of(told, *_PATHS),
        call=call,
    )


def arguments_of(arguments: Any) -> dict[str, Any]:
    """Give the arguments of a call as an object; an empty one where they are none."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments, strict=False)
        except (ValueError, RecursionError):
            return {}
    return arguments if isinstance(arguments, dict) else {}


def result_text(content: Any) -> str:
    """Give a tool's result as text."""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        return text_of(content, "output", "content", "text", "result") or _written(content)
    parts = content if isinstance(content, list) else []
    return "\n".join(text for part in parts if (text := _part_text(part)))


def _part_text(part: Any) -> str:
    if isinstance(part, str):
        return part
    kind = _kind(part)
    if kind in _NOT_TEXT:
        return _marker(part)
    return text_of(part, "text", "content") or (_marker(part) if kind or not isinstance(part, dict) else _written(part))


def _marker(part: Any) -> str:
    """Stand in for what is not text: its kind and size."""
    inner = next(
        (found for name in ("source", "image_url", "inlineData", "image") if (found := object_of(part, name))), {}
    )
    data = text_of(inner, "data", "url", "bytes") or text_of(part, "image_url", "data", "image", "url") or ""
    kind = text_of(inner, "media_type", "mimeType") or text_of(part, "mimeType", "media_type", "type") or "data"
    return f"[{kind}, about {int(len(data) / _BASE64):,} bytes]"


def result_path(result: Any) -> str | None:
    """Give the path of the file that a tool's result carries, as the transcript tells it beside the result."""
    return text_of(object_of(result, "file"), *_PATHS) or text_of(result, "filePath", "file_path")


def parts_of(message: Any) -> list[Any]:
    """Give the parts of a message; a text is none."""
    return list_of(message, "content")
