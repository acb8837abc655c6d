"""Follow an import: how far it is, and whether somebody called it off."""

import io
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import BinaryIO, Final, TypeVar

Item = TypeVar("Item")
_SECONDS: Final = 0.2


class Cancelled(Exception):
    """Somebody called an import off: nothing of it is stored."""


class Phase(StrEnum):
    """What an import is at; the values are what a person reads."""

    CHECKING = "looking through the file"
    STORING = "reading and storing"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an import is in its phase, in bytes of `size`."""

    phase: Phase
    done: int
    size: int

    @property
    def percent(self) -> int:
        """Whole percents, 0 to 100."""
        return min(100, 100 * self.done // self.size) if self.size else 100


def _silent(_: Progress) -> None:
    """Tell nobody."""


@dataclass(slots=True)
class Watch:
    """Tells of the progress of one import, a few times a second; what `tell` raises ends the import."""

    tell: Callable[[Progress], None] = _silent
    phase: Phase = Phase.CHECKING
    _told: float = field(default=0.0)

    def heed(self, done: int, size: int) -> None:
        """Note that so many bytes were read in this phase."""
        now = time.monotonic()
        if now - self._told >= _SECONDS:
            self._told = now
            self.tell(Progress(self.phase, done, size))

    def storing(self, parts: Iterable[Item]) -> Iterator[Item]:
        """Give the same parts; with the first of them the next phase begins."""
        for part in parts:
            self.phase = Phase.STORING
            yield part
            break
        yield from parts


class WatchedFile(io.RawIOBase):
    """A file whose reading is watched."""

    def __init__(self, file: BinaryIO, watch: Watch) -> None:
        super().__init__()
        self._file, self._watch = file, watch
        self._size = file.seek(0, io.SEEK_END)
        file.seek(0)

    def readable(self) -> bool:
        """It is."""
        return True

    def seekable(self) -> bool:
        """It is."""
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go to a place."""
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        """Give the place."""
        return self._file.tell()

    def read(self, size: int | None = -1) -> bytes:
        """Read on, and tell of it."""
        held = self._file.read(-1 if size is None else size)
        self._watch.heed(self._file.tell(), self._size)
        return held

    def readline(self, size: int | None = -1) -> bytes:
        """Read on to the end of the line."""
        return self._file.readline(-1 if size is None else size)
