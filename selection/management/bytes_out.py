"""Lets what writes bytes write to a command's text stream."""

from typing import Any


class Bytes:
    """A text stream as one of bytes."""

    def __init__(self, out: Any) -> None:
        """Wrap a command's stream."""
        self._out = out

    def write(self, data: bytes) -> int:
        """Write UTF-8 as text."""
        self._out.write(data.decode(), ending="")
        return len(data)
