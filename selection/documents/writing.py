"""Values as documents: stored content as `{"plaintext": …}`, sealed content as `{"encrypted": …}`, codes as their wire values."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from selection.documents.bundle import BundleMemory, BundleMessage
from selection.engine.values import Envelope, Memory, Message

_STORED = (BundleMemory, BundleMessage, Memory, Message)


def to_document(value: object) -> Any:
    """Give a value as JSON data that reads back equal."""
    if isinstance(value, Envelope):
        return {"encrypted": _fields(value)}
    if is_dataclass(value):
        held = _fields(value)
        if isinstance(value, _STORED) and isinstance(value.content, str):
            held["content"] = {"plaintext": value.content}
        return held
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return [to_document(item) for item in value]
    if isinstance(value, Mapping):
        return {key: to_document(value[key]) for key in sorted(value)}
    return value


def _fields(value: Any) -> dict[str, Any]:
    return {field.name: to_document(getattr(value, field.name)) for field in fields(value)}
