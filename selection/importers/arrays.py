"""The items of a JSON array of any size, one after another: what a tool that writes one document makes of a long session."""

import codecs
import io
import json
from collections.abc import Iterator
from typing import Any, BinaryIO, Final

from selection.importers.lines import BOM, MOST_BYTES, TOO_LONG, read_document
from selection.importers.report import Report
from selection.importers.text import storable_data

_BLOCK: Final = 1 << 20
_BETWEEN: Final = " \t\r\n,"
_decoder: Final = json.JSONDecoder(strict=False, parse_constant=lambda _: None)


def read_items(file: BinaryIO, report: Report) -> Iterator[Any]:
    """Give the items of the array that a file is, or the one value that it is instead.

    A file that fits is read at once, and as far as it can be read where it is broken; one that does not is read item by item, up to what is broken.
    """
    size = file.seek(0, io.SEEK_END)
    file.seek(0)
    if size > MOST_BYTES and begins_array(file):
        yield from _streamed(file, report)
        return
    document = read_document(file, report)
    yield from document if isinstance(document, list) else [document]


def begins_array(file: BinaryIO) -> bool:
    """Tell whether a file is an array, and go back to its beginning."""
    begins = file.read(_BLOCK).removeprefix(BOM).lstrip().startswith(b"[")
    file.seek(0)
    return begins


def _streamed(file: BinaryIO, report: Report) -> Iterator[Any]:
    text = _Text(file)
    text.skip("[" + _BETWEEN)
    number = 0
    while not text.at("]"):
        number += 1
        item, found = text.value()
        if not found:
            report.lose(
                number, TOO_LONG if text.is_full else "broken, or the file breaks off; what comes after it was not read"
            )
            return
        yield storable_data(item, report)
        text.skip(_BETWEEN)


class _Text:
    """The text of a file as far as it was read and not yet taken."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._decode = codecs.getincrementaldecoder("utf-8-sig")(errors="replace").decode
        self._held, self._place, self._ended = "", 0, False

    @property
    def is_full(self) -> bool:
        """Whether no more is held for one item."""
        return len(self._held) - self._place > MOST_BYTES

    def _more(self) -> bool:
        """Read on, as much as is held: so an item of many blocks is tried a few times only."""
        if self._ended or self.is_full:
            return False
        held = self._held[self._place :]
        block = self._file.read(max(_BLOCK, len(held)))
        self._ended = not block
        self._held, self._place = held + self._decode(block, final=self._ended), 0
        return True

    def skip(self, what: str) -> None:
        """Pass over characters."""
        while True:
            rest = len(self._held)
            while self._place < rest and self._held[self._place] in what:
                self._place += 1
            if self._place < rest or not self._more():
                return

    def at(self, mark: str) -> bool:
        """Tell whether a mark comes next."""
        return self._held.startswith(mark, self._place)

    def value(self) -> tuple[Any, bool]:
        """Take the value that comes next; False where there is none that can be read."""
        while True:
            try:
                value, self._place = _decoder.raw_decode(self._held, self._place)
            except (ValueError, RecursionError):
                if not self._more():
                    return None, False
            else:
                return value, True
