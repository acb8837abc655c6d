"""Claude Code's transcripts: JSON lines, or one object with `loglines` as its web pages give them.

Which lines belong to the conversation is known only at the end of the file; so it is read twice, the first time for the ties between the lines alone.
"""

from collections.abc import Iterator
from typing import BinaryIO, Final

from selection.documents.catalog import Catalog
from selection.importers.claude_code.session import SessionReader
from selection.importers.claude_code.survey import survey
from selection.importers.conversation import Conversation
from selection.importers.head import Head, Shape
from selection.importers.lines import Row, read_rows, read_whole
from selection.importers.parts import Part
from selection.importers.reading import list_of, text_of
from selection.importers.recorded import ending_of, take_row
from selection.importers.report import Report, source_of

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


def parts(name: str, file: BinaryIO, report: Report, catalog: Catalog) -> Iterator[Part]:
    """Read a transcript part by part. Raises `InvalidDocument` at the end when no line of it can be read."""
    course = survey(file)
    course.tell(report)
    report.source = source_of("claude-code", course.source)
    file.seek(0)
    conversation = Conversation(name, report, "anthropic", catalog, "claude")
    reader = SessionReader(conversation)

    def take(row: Row) -> str | None:
        return course.leaves_out(row.data) or reader.take(row)

    for row in _rows(file, report):
        take_row(take, row, report)
        if conversation.told:
            yield from conversation.take_told()
    reader.finish()
    yield from ending_of(conversation)


def _rows(file: BinaryIO, report: Report) -> Iterator[Row]:
    """A web export is one object over many lines; anything else is lines."""
    head = file.read(_HEAD)
    file.seek(0)
    return _unwrap(read_whole(file, report), report) if b'"loglines"' in head else read_rows(file, report)


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
