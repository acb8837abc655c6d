"""Claude Code's transcripts: JSON lines, or one object with `loglines` as its web pages give them."""

from collections.abc import Iterator
from typing import BinaryIO, Final

from selection.documents.errors import InvalidDocument
from selection.importers.claude_code.session import SessionReader
from selection.importers.conversation import Conversation
from selection.importers.head import Head, Shape
from selection.importers.imported import Imported
from selection.importers.lines import Row, read_rows, read_whole
from selection.importers.reading import list_of, text_of
from selection.importers.recorded import nothing_in
from selection.importers.report import Report

_TYPES: Final = (
    "user", "assistant", "system", "summary", "attachment", "file-history-snapshot", "queue-operation", "custom-title", "ai-title"
)  # fmt: skip
_HEAD: Final = 4096
_OWN: Final = frozenset(("sessionId", "parentUuid", "uuid", "leafUuid", "isSidechain", "message"))


def sniff(head: Head) -> bool:
    """Tell whether a file is a transcript: typed rows with one of the keys of an envelope, or what its web pages give."""
    if head.shape is Shape.OBJECT and "loglines" in head.keys:
        return True
    return any(text_of(row, "type") in _TYPES and bool(_OWN & row.keys()) for row in head.rows)


def read(name: str, file: BinaryIO) -> Imported:
    """Read a transcript. Raises `InvalidDocument` when no line of it can be read."""
    report = Report("a Claude Code transcript")
    rows = list(_unwrap(_rows(file, report), report))
    bundle = SessionReader(Conversation(name, report, "anthropic", "claude")).read(rows)
    if not bundle.messages and not bundle.turns:
        raise InvalidDocument(nothing_in(report))
    return Imported(bundle, report)


def _rows(file: BinaryIO, report: Report) -> Iterator[Row]:
    """A web export is one object over many lines; anything else is lines."""
    head = file.read(_HEAD)
    file.seek(0)
    return read_whole(file, report) if b'"loglines"' in head else read_rows(file, report)


def _unwrap(rows: Iterator[Row], report: Report) -> Iterator[Row]:
    for row in rows:
        inner = list_of(row.data, "loglines")
        if not inner:
            yield row
            continue
        report.records -= 1
        for number, data in enumerate(inner, 1):
            if isinstance(data, dict):
                report.records += 1
                yield Row(number, data)
            else:
                report.lose(number, "not a record")
