"""Importers of recorded sessions: one module for each format, each with `sniff` and `read`; this is their registry.

A new format is one module with a `RecordedFormat`, a line here, a sample and its expectation in `tests/importers/`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from typing import BinaryIO, Final

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
from selection.importers.head import Head, Shape, peek
from selection.importers.imported import Imported
from selection.importers.recorded import RecordedFormat

__all__ = ["FORMATS", "Imported", "read_session"]

_HEAD: Final = 256 * 1024
_BOM: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Importer:
    """One format, as the registry holds it."""

    name: str
    title: str
    sniff: Callable[[Head], bool]
    read: Callable[[str, BinaryIO], Imported]


def _of(recorded: RecordedFormat) -> Importer:
    return Importer(recorded.name, recorded.title, recorded.sniff, recorded.read)


# In the order of their claims: the narrow ones first, since many formats hold chat messages somewhere.
_IMPORTERS: Final = (
    Importer("bundle", "a session bundle", bundle.sniff, bundle.read),
    _of(codex.FORMAT),
    _of(gemini.FORMAT),
    _of(copilot.FORMAT),
    _of(pi.FORMAT),
    Importer("claude-code", "a Claude Code transcript", claude_code.sniff, claude_code.read),
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
    """Read a recorded session; `name` is the file's, its format is known by its content unless `format_name` says which.

    Raises `InvalidDocument` where none can be read, which says what the file looks like instead.
    """
    file = BytesIO(source) if isinstance(source, bytes) else source
    encoding = encoding_of(file.read(2))
    file.seek(0)
    if encoding is None:
        return _read(name, file, format_name)
    with as_utf8(file, encoding) as text:
        imported = _read(name, text, format_name)
    note_encoding(imported.report, encoding)
    return imported


def _read(name: str, file: BinaryIO, format_name: str | None) -> Imported:
    head = file.read(_HEAD).removeprefix(_BOM)
    file.seek(0)
    if not head.strip():
        raise InvalidDocument([Fault("", "the file is empty")])
    return _importer_of(peek(head), format_name).read(name, file)


def _importer_of(head: Head, format_name: str | None) -> Importer:
    if format_name is None:
        found = next((importer for importer in _IMPORTERS if importer.sniff(head)), None)
    else:
        found = next((importer for importer in _IMPORTERS if importer.name == format_name), None)
    if found is None:
        raise InvalidDocument([Fault("", f"not a recording of a known format; {_looks(head)}")])
    return found


# Keys that say what a file is; any other may be somebody's content.
_TELLING: Final = frozenset(
    ("type", "role", "content", "messages", "name", "version", "id", "data", "events", "payload", "timestamp", "title")
) | frozenset(
    ("openapi", "properties", "dependencies", "spans", "attributes", "request", "response", "trace", "session")
)


def _looks(head: Head) -> str:
    """Tell what a file looks like, without its content."""
    if head.shape is Shape.TEXT:
        return "it looks like plain text"
    keys = sorted(head.keys & _TELLING)
    shown = ", ".join(f"`{key}`" for key in keys)
    return f"it looks like {head.shape} with the keys {shown}" if shown else f"it looks like {head.shape}"
