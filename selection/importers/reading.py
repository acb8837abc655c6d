"""Read recorded JSON without trusting its shape: what is not of the expected kind is as good as absent."""

from typing import Any


def text_of(data: Any, *names: str) -> str | None:
    """Give the text under the first of `names` that holds one."""
    if isinstance(data, dict):
        for name in names:
            value = data.get(name)
            if value.__class__ is str:
                return value
    return None


def object_of(data: Any, name: str) -> dict[str, Any]:
    """Give the object under `name`; an empty one where there is none."""
    value = data.get(name) if isinstance(data, dict) else None
    return value if isinstance(value, dict) else {}


def list_of(data: Any, name: str) -> list[Any]:
    """Give the list under `name`; an empty one where there is none."""
    value = data.get(name) if isinstance(data, dict) else None
    return value if isinstance(value, list) else []
