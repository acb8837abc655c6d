"""Claude Code's transcripts: JSON lines, or one object with `loglines` as its web pages give them."""

import re
from collections.abc import Iterator
from typing import BinaryIO, Final

from selection.documents.errors import Fault, InvalidDocument
from selection.importers.claude_code.session import SessionReader
from selection.importers.imported import Imported
from selection.importers.lines import Row, read_rows, read_whole
from selection.importers.reading import list_of
from selection.importers.report import Report

_TYPE: Final = re.compile(
    rb'"type"\s*:\s*"(user|assistant|system|summary|attachment|file-history-snapshot|queue-operation)"'
)
_HEAD: Final = 4096
_OWN: Final = re.compile(rb'"(sessionId|parentUuid|uuid|leafUuid|loglines|isSidechain|message)"\s*:')


def sniff(head: bytes) -> bool:
    """Tell whether a file that begins with `head` is a transcript."""
    return _TYPE.search(head) is not None and _OWN.search(head) is not None


def read(name: str, file: BinaryIO) -> Imported:
    """Read a transcript. Raises `InvalidDocument` when no line of it can be read."""
    report = Report("a Claude Code transcript")
    rows = list(_unwrap(_rows(file, report)))
    reader = SessionReader(name, report)
    bundle = reader.read(rows)
    if not bundle.messages and not bundle.turns:
        shown = [Fault(f"line {skipped.line}", skipped.why) for skipped in report.skipped]
        raise InvalidDocument([Fault("", "no message of a conversation in this file"), *_left_out(report), *shown])
    return Imported(bundle, report)


def _left_out(report: Report) -> Iterator[Fault]:
    for name, count in report.left_out.items():
        yield Fault("", f"left out: {count:,} {name}")


def _rows(file: BinaryIO, report: Report) -> Iterator[Row]:
    """A web export is one object over many lines; anything else is lines."""
    head = file.read(_HEAD)
    file.seek(0)
    return read_whole(file, report) if b'"loglines"' in head else read_rows(file, report)


def _unwrap(rows: Iterator[Row]) -> Iterator[Row]:
    for row in rows:
        inner = list_of(row.data, "loglines")
        if not inner:
            yield row
        yield from (Row(number, data) for number, data in enumerate(inner, 1) if isinstance(data, dict))
