"""Files as UTF-8, whatever they were saved as: some systems write UTF-16 by default."""

import codecs
from tempfile import SpooledTemporaryFile
from typing import BinaryIO, Final, cast

from selection.importers.report import Report

_CHUNK: Final = 1 << 20
_IN_MEMORY: Final = 16 << 20
# A byte-order mark, or the first brace or bracket with its empty byte.
_ENCODINGS: Final = {
    b"\xff\xfe": "utf-16-le",
    b"\xfe\xff": "utf-16-be",
    b"{\0": "utf-16-le",
    b"[\0": "utf-16-le",
    b"\0{": "utf-16-be",
    b"\0[": "utf-16-be",
}


def encoding_of(head: bytes) -> str | None:
    """Tell which UTF-16 a file that begins so is written in; None for UTF-8."""
    return _ENCODINGS.get(head[:2])


def as_utf8(file: BinaryIO, encoding: str) -> BinaryIO:
    """Give a file's text as a file in UTF-8, which the caller closes; what cannot be read becomes U+FFFD."""
    decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
    copy = cast("BinaryIO", SpooledTemporaryFile(max_size=_IN_MEMORY))  # noqa: SIM115 - the caller's
    while chunk := file.read(_CHUNK):
        copy.write(decoder.decode(chunk).encode(errors="replace"))
    copy.write(decoder.decode(b"", final=True).encode(errors="replace"))
    copy.seek(0)
    return copy


def note_encoding(report: Report, encoding: str) -> None:
    """Say that a file was not UTF-8."""
    report.note(f"The file is {encoding.upper()}; it was read as that.")
