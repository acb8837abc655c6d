"""Importers of recorded sessions: one module for each format, each with `sniff` and `read`; this is their registry.

A new format is one module with a `RecordedFormat`, a line here, a sample and its expectation in `tests/importers/`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import BinaryIO, Final

from selection.documents.bundle import SessionBundle
from selection.documents.catalog import Catalog, built_in
from selection.documents.errors import Fault, InvalidDocument
from selection.importers import (
    aider,
    bundle,
    chat,
    claude_code,
    cline,
    codex,
    copilot,
    cursor,
    gemini,
    openhands,
    otel,
    pi,
    swe_agent,
)
from selection.importers.encodings import as_utf8, encoding_of, note_encoding
from selection.importers.head import Head, peek
from selection.importers.imported import Imported, Recording
from selection.importers.lines import BOM
from selection.importers.lookalikes import looks
from selection.importers.parts import Part
from selection.importers.recorded import RecordedFormat
from selection.importers.report import Report

__all__ = ["FORMATS", "Imported", "Recording", "open_session", "read_session"]

_HEAD: Final = 256 * 1024


@dataclass(frozen=True, slots=True)
class Importer:
    """One format, as the registry holds it; it is read part by part, or whole."""

    name: str
    title: str
    sniff: Callable[[Head], bool]
    parts: Callable[[str, BinaryIO, Report, Catalog], Iterator[Part]] | None = None
    whole: Callable[[BinaryIO, Report], SessionBundle] | None = None


def _of(recorded: RecordedFormat) -> Importer:
    return Importer(recorded.name, recorded.title, recorded.sniff, recorded.parts)


# In the order of their claims: the narrow ones first, since many formats hold chat messages somewhere.
_IMPORTERS: Final = (
    Importer("bundle", "a session bundle", bundle.sniff, whole=bundle.read),
    _of(codex.FORMAT),
    _of(gemini.FORMAT),
    _of(copilot.FORMAT),
    _of(pi.FORMAT),
    Importer("claude-code", "a Claude Code transcript", claude_code.sniff, claude_code.parts),
    _of(openhands.FORMAT),
    _of(swe_agent.FORMAT),
    _of(otel.FORMAT),
    _of(cursor.FORMAT),
    _of(cline.FORMAT),
    _of(aider.FORMAT),
    _of(chat.FORMAT),
)
FORMATS: Final = {importer.name: importer.title for importer in _IMPORTERS}


def read_session(name: str, source: bytes | BinaryIO, format_name: str | None = None) -> Imported:
    """Read a session whole; see `open_session`."""
    opened = open_session(name, BytesIO(source) if isinstance(source, bytes) else source, format_name)
    return opened.collected() if isinstance(opened, Recording) else opened


def open_session(
    name: str, file: BinaryIO, format_name: str | None = None, catalog: Catalog | None = None
) -> Recording | Imported:
    """Begin to read a session.

    `name` is the file's, its format is known by its content unless `format_name` says which, and `catalog` tells the windows that it does not; without
    one, what comes with this program.

    Raises `InvalidDocument` where none can be read, which says what the file looks like instead; so does a recording, at its end, that holds no message.
    """
    encoding = encoding_of(file.read(2))
    file.seek(0)
    if encoding is None:
        return _open(name, file, format_name, catalog)
    text = as_utf8(file, encoding)
    try:
        opened = _open(name, text, format_name, catalog)
    except InvalidDocument:
        text.close()
        raise
    note_encoding(opened.report, encoding)
    return Recording(_closing(opened.parts, text), opened.report) if isinstance(opened, Recording) else opened


def _closing(parts: Iterator[Part], text: BinaryIO) -> Iterator[Part]:
    with text:
        yield from parts


def _open(name: str, file: BinaryIO, format_name: str | None, catalog: Catalog | None) -> Recording | Imported:
    head = file.read(_HEAD).removeprefix(BOM)
    file.seek(0)
    if not head.strip():
        raise InvalidDocument([Fault("", "the file is empty")])
    importer = _importer_of(peek(head), format_name)
    report = Report(importer.title)
    if importer.parts is not None:
        return Recording(importer.parts(name, file, report, catalog or built_in()), report)
    if importer.whole is None:
        raise TypeError(f"{importer.name} reads nothing")
    return Imported(importer.whole(file, report), report)


def _importer_of(head: Head, format_name: str | None) -> Importer:
    if format_name is None:
        found = next((importer for importer in _IMPORTERS if importer.sniff(head)), None)
    else:
        found = next((importer for importer in _IMPORTERS if importer.name == format_name), None)
    if found is None:
        raise InvalidDocument([Fault("", f"not a recording of a known format; {looks(head)}")])
    return found
