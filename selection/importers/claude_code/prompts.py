"""What counts as a prompt of the user, and what it refers to."""

from typing import Any, Final

from selection.importers.blocks import parts_of
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


def is_prompt(data: dict[str, Any]) -> bool:
    """Tell whether a row is something that the user asked."""
    return asked_in(data, message_of(data)) is not None


def asked_in(data: dict[str, Any], message: dict[str, Any]) -> str | None:
    """Give what the user asked in a row that holds `message`; None where it is no prompt."""
    if text_of(data, "type") != "user" or data.get("isMeta") is True or data.get("isCompactSummary") is True:
        return None
    parts = parts_of(message)
    if any(text_of(part, "type") == "tool_result" for part in parts):
        return None
    text = _text(message, parts)
    return text if is_asked(text, parts=bool(parts)) else None


def is_asked(text: str, *, parts: bool) -> bool:
    """Tell whether a text under the user's name is the user's, `parts` or none beside it."""
    return bool(text.strip() or parts) and not text.lstrip().startswith(_NOT_ASKED)


def _text(message: dict[str, Any], parts: list[Any]) -> str:
    whole = text_of(message, "content")
    if whole is not None:
        return whole
    return "\n\n".join(text for part in parts if (text := part if isinstance(part, str) else text_of(part, "text")))


def message_of(data: dict[str, Any]) -> dict[str, Any]:
    """The message of a row; one old spelling has it as text, a relative of the tool has its content as `parts`."""
    told = text_of(data, "message")
    if told is not None:
        return {"content": told}
    message = object_of(data, "message")
    return message if "content" in message else message | {"content": message.get("parts")}
