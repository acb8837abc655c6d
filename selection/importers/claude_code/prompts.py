"""What counts as a prompt of the user, and what it refers to."""

import re
from typing import Any, Final

from selection.importers.claude_code.blocks import parts_of
from selection.importers.reading import object_of, text_of

# What the tool itself writes under the user's name.
_NOT_ASKED: Final = (
    "<local-command-",
    "<bash-",
    "[Request interrupted",
    "<task-notification",
    "Caveat:",
    "<user-memory-input",
)
_MENTION: Final = re.compile(r"(?:^|(?<=[\s(\"'`]))@([\w.~\\/-]*[\w])")
_MOST_MENTIONS: Final = 200


def is_prompt(data: dict[str, Any]) -> bool:
    """Tell whether a row is something that the user asked."""
    if text_of(data, "type") != "user" or data.get("isMeta") is True or data.get("isCompactSummary") is True:
        return False
    message = _message_of(data)
    parts = parts_of(message)
    if any(text_of(part, "type") == "tool_result" for part in parts):
        return False
    text = prompt_text(data)
    return bool(text.strip() or parts) and not text.lstrip().startswith(_NOT_ASKED)


def prompt_text(data: dict[str, Any]) -> str:
    """Give the text of a user's row."""
    message = _message_of(data)
    whole = text_of(message, "content")
    if whole is not None:
        return whole
    return "\n\n".join(
        text for part in parts_of(message) if (text := part if isinstance(part, str) else text_of(part, "text"))
    )


def _message_of(data: dict[str, Any]) -> dict[str, Any]:
    """The message of a row; one old spelling has it as text."""
    told = text_of(data, "message")
    return {"content": told} if told is not None else object_of(data, "message")


def referenced_paths(text: str) -> tuple[str, ...]:
    """Give the paths that a prompt mentions as `@path`; a word without a dot or a slash is a name, not a path."""
    found = (match[1] for match in _MENTION.finditer(text))
    paths = dict.fromkeys(path for path in found if "." in path or "/" in path)
    return tuple(paths)[:_MOST_MENTIONS]
