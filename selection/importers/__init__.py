"""Importers of recorded sessions: one module for each format, each with `sniff` and `read`; this is their registry."""

from io import BytesIO
from typing import BinaryIO, Final, Protocol

from selection.documents.errors import Fault, InvalidDocument
from selection.importers import bundle, claude_code
from selection.importers.imported import Imported

__all__ = ["Imported", "read_session"]

_HEAD: Final = 256 * 1024
_BOM: Final = b"\xef\xbb\xbf"
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff", b"{\0", b"\0{")


class Importer(Protocol):
    """One format."""

    def sniff(self, head: bytes) -> bool:
        """Tell by its beginning whether a file is of this format."""

    def read(self, name: str, file: BinaryIO) -> Imported:
        """Read a file of this format."""


_IMPORTERS: Final[tuple[Importer, ...]] = (bundle, claude_code)


def read_session(name: str, source: bytes | BinaryIO) -> Imported:
    """Read a recorded session of whichever known format; `name` is the file's. Raises `InvalidDocument` where none can be read."""
    file = BytesIO(source) if isinstance(source, bytes) else source
    head = file.read(_HEAD)
    file.seek(0)
    if head.startswith(_UTF_16):
        raise InvalidDocument([Fault("", "the file is UTF-16; convert it to UTF-8 first")])
    head = head.removeprefix(_BOM)
    if not head.strip():
        raise InvalidDocument([Fault("", "the file is empty")])
    importer = next((known for known in _IMPORTERS if known.sniff(head)), None)
    if importer is None:
        raise InvalidDocument([Fault("", "neither a Claude Code transcript nor a session bundle")])
    return importer.read(name, file)
