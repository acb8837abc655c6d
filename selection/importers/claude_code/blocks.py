"""The parts of a message's content, as text; and the path of the file that each is about."""

import json
from dataclasses import dataclass
from typing import Any, Final

from selection.engine.codes import Role
from selection.importers.reading import list_of, object_of, text_of

_PATHS: Final = ("file_path", "filePath", "notebook_path", "path")
_BASE64: Final = 4 / 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One part of a row that becomes a message of its own."""

    role: Role
    text: str
    path: str | None = None
    call: str | None = None


def blocks_of(content: Any, role: Role) -> list[Block]:
    """Give the messages that a row's content makes: its text as one, each tool call and each result as another."""
    if isinstance(content, str):
        return [Block(role=role, text=content)] if content else []
    parts = content if isinstance(content, list) else []
    blocks: list[Block] = []
    for part in parts:
        block = _block(part, role)
        if block is not None:
            blocks.append(block)
    return _joined(blocks)


def _joined(blocks: list[Block]) -> list[Block]:
    """Join neighbouring texts: a person who pastes an image between two sentences said one thing."""
    joined: list[Block] = []
    for block in blocks:
        if joined and block.call is None and joined[-1].call is None:
            joined[-1] = Block(role=block.role, text=f"{joined[-1].text}\n\n{block.text}")
        else:
            joined.append(block)
    return joined


def _block(part: Any, role: Role) -> Block | None:
    if isinstance(part, str):
        return Block(role=role, text=part)
    kind = text_of(part, "type")
    match kind:
        case "text":
            text = text_of(part, "text")
            return Block(role=role, text=text) if text else None
        case "tool_use":
            return _call(part)
        case "tool_result":
            return Block(role=Role.TOOL, text=result_text(part.get("content")), call=text_of(part, "tool_use_id") or "")
        case "image" | "document":
            return Block(role=role, text=_marker(part))
        case _:
            return None


def _call(part: dict[str, Any]) -> Block:
    arguments = part.get("input")
    written = json.dumps(arguments, ensure_ascii=False) if arguments is not None else ""
    name = text_of(part, "name") or "tool"
    return Block(
        role=Role.ASSISTANT,
        text=f"[call {name}] {written}",
        path=text_of(arguments, *_PATHS),
        call=text_of(part, "id") or "",
    )


def result_text(content: Any) -> str:
    """Give a tool's result as text."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(
        text for part in parts if (text := text_of(part, "text") if text_of(part, "type") == "text" else _marker(part))
    )


def _marker(part: Any) -> str:
    """Stand in for what is not text: its kind and size."""
    source = object_of(part, "source")
    kind = text_of(source, "media_type") or text_of(part, "type") or "data"
    return f"[{kind}, about {int(len(text_of(source, 'data') or '') / _BASE64):,} bytes]"


def result_path(result: Any) -> str | None:
    """Give the path of the file that a tool's result carries, as the transcript tells it beside the result."""
    return text_of(object_of(result, "file"), *_PATHS) or text_of(result, "filePath", "file_path")


def is_known(part: Any) -> bool:
    """Tell whether a part is one that this module reads."""
    return isinstance(part, str) or text_of(part, "type") in {"text", "tool_use", "tool_result", "image", "document"}


def parts_of(message: Any) -> list[Any]:
    """Give the parts of a message; a text is none."""
    return list_of(message, "content")
