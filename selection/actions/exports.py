"""Exports that can be verified: rows as CSV or NDJSON in a zip archive, streamed, beside a manifest of what they are ("What is recorded" in domain.md)."""

import csv
import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

MANIFEST: Final = "manifest.json"
_AT_ONCE: Final = 1_000
# The fastest: rows of a log shrink to a tenth anyway.
_COMPRESSED: Final = 1
_READ: Final = 1 << 20
_MOST_MANIFEST: Final = 1 << 20
# What a spreadsheet takes for a formula, at the beginning of a cell.
FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")
FORMATS: Final[Mapping[str, str]] = {"csv": "text/csv; charset=utf-8", "ndjson": "application/x-ndjson"}

Columns = Mapping[str, Callable[[Any], Any]]
# How many rows, and what they look like.
Piece = tuple[int, bytes]


class _Sink(io.RawIOBase):
    """A file that nobody can go back in: what is written is handed on."""

    def __init__(self) -> None:
        self._written: list[bytes] = []

    def writable(self) -> bool:
        """Say so."""
        return True

    def write(self, data: Any) -> int:
        """Keep what is written until it is taken."""
        self._written.append(bytes(data))
        return len(data)

    def take(self) -> bytes:
        """Give what was written since the last time."""
        taken, self._written = b"".join(self._written), []
        return taken


def cell(value: object) -> object:
    """Give a value as a cell of a spreadsheet shows it: text that would be a formula begins with an apostrophe."""
    if value is None:
        return ""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def write_rows(rows: Iterable[Any], columns: Columns, form: str) -> Iterator[str]:
    """Give rows as text, one after another; CSV begins with the names of the columns."""
    if form == "ndjson":
        for row in rows:
            yield (
                json.dumps({name: value(row) for name, value in columns.items()}, ensure_ascii=False, default=str)
                + "\n"
            )
        return
    line = io.StringIO()
    writer = csv.writer(line)
    for cells in _cells(rows, columns):
        writer.writerow(cells)
        yield line.getvalue()
        line.seek(0)
        line.truncate()


def _cells(rows: Iterable[Any], columns: Columns) -> Iterator[list[object]]:
    yield list(columns)
    for row in rows:
        yield [cell(value(row)) for value in columns.values()]


Ended = Callable[[Mapping[str, Any]], object]


def stream_export(
    what: str, form: str, rows: Iterable[Any], columns: Columns, about: Mapping[str, Any], end: Ended = lambda _: None
) -> Iterator[bytes]:
    """Give a zip archive of `what.form` and its manifest, piece by piece; `about` says what the rows are of."""
    return stream_archive(what, form, _pieces(write_rows(rows, columns, form), form), tuple(columns), about, end)


def stream_archive(
    what: str,
    form: str,
    pieces: Iterable[Piece],
    columns: Sequence[str],
    about: Mapping[str, Any],
    end: Ended = lambda _: None,
) -> Iterator[bytes]:
    """Give a zip archive of pieces that were written already; `end` is told the manifest once all of them were taken."""
    sink, digest, count = _Sink(), hashlib.sha256(), 0
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED, compresslevel=_COMPRESSED) as archive:
        with archive.open(f"{what}.{form}", "w", force_zip64=True) as file:
            for rows, data in pieces:
                count += rows
                digest.update(data)
                file.write(data)
                yield sink.take()
        manifest = {
            "rows": f"{what}.{form}",
            "columns": list(columns),
            "count": count,
            "sha256": digest.hexdigest(),
            **about,
        }
        archive.writestr(MANIFEST, json.dumps(manifest, ensure_ascii=False, indent=2, default=str) + "\n")
    end(manifest)
    yield sink.take()


def _pieces(lines: Iterable[str], form: str) -> Iterator[Piece]:
    """Give lines together; the line of the names is no row."""
    piece: list[str] = []
    names = int(form == "csv")
    for line in lines:
        piece.append(line)
        if len(piece) == _AT_ONCE:
            yield _piece(piece, names)
            piece, names = [], 0
    if piece:
        yield _piece(piece, names)


def _piece(lines: Sequence[str], names: int) -> Piece:
    return len(lines) - names, "".join(lines).encode("utf-8", "replace")


def verify_export(path: Path) -> tuple[Mapping[str, Any], str]:
    """Give the manifest of an export, and what is wrong with the export; nothing where it is as it was made."""
    try:
        with zipfile.ZipFile(path) as archive:
            return _verify(archive)
    except OSError as error:
        return {}, (error.strerror or "cannot be read").lower()
    except (zipfile.BadZipFile, EOFError, ValueError, KeyError, TypeError, NotImplementedError, RuntimeError):
        return {}, "no export: not an archive of rows and their manifest, or one that was damaged"


def _verify(archive: zipfile.ZipFile) -> tuple[Mapping[str, Any], str]:
    if archive.getinfo(MANIFEST).file_size > _MOST_MANIFEST:
        return {}, "the manifest is too large to be one"
    manifest = json.loads(archive.read(MANIFEST))
    extra = sorted(set(archive.namelist()) - {MANIFEST, manifest["rows"]})
    if extra:
        return manifest, f"the archive holds {len(extra):,} files that the manifest does not name"
    digest, lines = hashlib.sha256(), 0
    with archive.open(manifest["rows"]) as file:
        while data := file.read(_READ):
            digest.update(data)
            lines += data.count(b"\n")
    if digest.hexdigest() != manifest["sha256"]:
        return manifest, "the rows are not those that were exported: their digest differs from the manifest's"
    return manifest, _miscounted(archive, manifest, lines)


def _miscounted(archive: zipfile.ZipFile, manifest: Mapping[str, Any], lines: int) -> str:
    """A cell may hold line ends, so that rows of CSV are counted as such."""
    if manifest["rows"].endswith(".csv"):
        with archive.open(manifest["rows"]) as file:
            reader = csv.reader(io.TextIOWrapper(file, "utf-8", newline=""))
            names = next(reader, [])
            lines = sum(1 for _ in reader)
        if names != manifest["columns"]:
            return "the columns are not those of the manifest"
    return "" if lines == manifest["count"] else f"{lines:,} rows, and the manifest counts {manifest['count']:,}"
