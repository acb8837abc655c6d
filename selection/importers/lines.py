"""Read JSON lines that a tool wrote while it ran: torn, glued, badly encoded. What cannot be read is told, and never ends the reading."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any, BinaryIO, Final

import msgspec

from selection.importers.report import Report
from selection.importers.salvage import Torn, salvage
from selection.importers.text import storable_data

MOST_BYTES: Final = 64 * 1024 * 1024
TOO_LONG: Final = f"longer than {MOST_BYTES // 1024 // 1024} MB"
_BLOCK: Final = 1 << 17
BOM: Final = b"\xef\xbb\xbf"
_parse: Final = msgspec.json.Decoder().decode_lines
_write: Final = msgspec.json.Encoder().encode_lines
# Only a line that holds one of these can hold text that cannot be stored.
_SUSPECT: Final = re.compile(r"\\u0000|\\u[dD][89a-fA-F]|\x00")


@dataclass(frozen=True, slots=True)
class Row:
    """One JSON object and the line that it stood on, from 1."""

    line: int
    data: dict[str, Any]


def blocks_of(file: BinaryIO) -> Iterator[bytes | None]:
    """Give a file in runs of whole lines, without the mark at its beginning; None in place of a line that is longer than can be read."""
    held: list[bytes] = []
    size = 0
    block = file.read(_BLOCK).removeprefix(BOM)
    while block:
        end = block.rfind(b"\n") + 1
        if not end:
            size += len(block)
            held = [*held, block] if size <= MOST_BYTES else []
        else:
            begin = block.find(b"\n") + 1 if size + block.find(b"\n") > MOST_BYTES else 0
            if begin:
                yield None
            if begin < end:
                yield b"".join((*held, block[begin:end])) if not begin else block[begin:end]
            held, size = [block[end:]], len(block) - end
        block = file.read(_BLOCK)
    if size:
        yield b"".join(held) if size <= MOST_BYTES else None


def lines_of(file: BinaryIO) -> Iterator[bytes | None]:
    """Give the lines of a file without their ends; None for one that is longer than can be read. Lines end at a line feed and nowhere else."""
    for block in blocks_of(file):
        if block is None:
            yield None
        else:
            yield from split_lines(block)


def split_lines(block: bytes) -> list[bytes]:
    """Give the lines of a run of whole lines."""
    return block.removesuffix(b"\n").split(b"\n")


def read_rows(file: BinaryIO, report: Report) -> Iterator[Row]:
    """Give every object of the file in its order. Where nothing about a run of lines is doubtful, it is read at once."""
    number = 0
    for block in blocks_of(file):
        if block is None:
            number += 1
            report.lose(number, TOO_LONG)
            continue
        plain = _plain_rows(block)
        if plain is not None:
            report.records += len(plain)
            yield from map(Row, count(number + 1), plain)
            number += len(plain)
            continue
        for line in split_lines(block):
            number += 1
            if line:
                yield from rows_of_line(line, number, report)


def first_line(file: BinaryIO) -> dict[str, Any]:
    """Give the object that the first line of a file with content is, and go back to its beginning; an empty one where it is none, or the whole file."""
    line = next((line for line in lines_of(file) if line is None or line.strip()), None)
    file.seek(0)
    row = next(rows_of_line(line, 1, Report("")), None) if line else None
    return row.data if row else {}


def read_whole(file: BinaryIO, report: Report) -> Iterator[Row]:
    """Give the object that the whole file is, over however many lines it is written."""
    raw = file.read(MOST_BYTES + 1)
    if len(raw) > MOST_BYTES:
        report.lose(1, TOO_LONG)
        return
    yield from rows_of_line(raw.removeprefix(BOM), 1, report)


def read_document(file: BinaryIO, report: Report) -> Any:
    """Give the value that the whole file is; None, told in the report, where it cannot be read."""
    raw = file.read(MOST_BYTES + 1)
    if len(raw) > MOST_BYTES:
        report.lose(1, TOO_LONG)
        return []
    text = _decode(raw.removeprefix(BOM).strip(b" \t\r\n\0"), 1, report)
    whole = next(_values(text, 1, report), None)
    if whole is not None:
        return whole
    report.note("The document is broken or breaks off; what could be read of it was read.")
    return storable_data(_untorn(salvage(text)), report)


def _untorn(value: Any) -> Any:
    """Leave out the items that are torn, which the report counts already; a torn document itself stays."""
    if isinstance(value, dict):
        return {name: _untorn(held) if isinstance(held, list | Torn) else held for name, held in value.items()}
    return [item for item in value if not isinstance(item, Torn)] if isinstance(value, list) else value


def rows_of_line(raw: bytes, number: int, report: Report) -> Iterator[Row]:
    """Give the objects of one line, however they are written."""
    stripped = raw.strip(b" \t\r\n")
    if not stripped:
        return
    if not stripped.strip(b"\0"):
        report.lose(number, f"{len(stripped):,} NUL bytes")
        return
    text = _decode(stripped, number, report)
    for data in _values(text, number, report):
        if isinstance(data, dict) and data:
            report.records += 1
            yield Row(number, data)
        else:
            report.lose(number, "not a record")


def _plain_rows(block: bytes) -> list[dict[str, Any]] | None:
    """Give an object for each line of a run of them; None where a careful reader has to judge: what cannot be stored, a key named twice, anything else."""
    if b"\\u0000" in block or b"\0" in block:
        return None
    try:
        rows: list[dict[str, Any]] = _parse(block)
    except (ValueError, RecursionError):
        return None
    ended = block if block.endswith(b"\n") else block + b"\n"
    whole = len(rows) == ended.count(b"\n") and all(row.__class__ is dict and row for row in rows)
    return rows if whole and _kept_all(ended, _write(rows)) else None


def _kept_all(block: bytes, again: bytes) -> bool:
    """Tell whether no key was lost in reading: with all of them, what is written again is as long as what was read, or has as many quotes."""
    return len(again) == len(block) or again.count(b'"') == block.count(b'"')


def _decode(raw: bytes, number: int, report: Report) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        report.note(f"Line {number:,} is not UTF-8; the bytes that are not were replaced.")
        return raw.decode(errors="replace")


def _values(text: str, number: int, report: Report) -> Iterator[Any]:
    """Give the values of one line; some tools glue two together."""
    place = 0
    while place < len(text):
        try:
            value, end = _decoder(number, report).raw_decode(text, place)
            yield storable_data(value, report) if _SUSPECT.search(text, place, end) else value
        except json.JSONDecodeError as error:
            report.lose(number, f"{error.msg.lower().removesuffix(' starting at')} at column {error.pos + 1:,}")
            return
        except RecursionError:
            report.lose(number, "nested too deeply")
            return
        except ValueError:
            report.lose(number, "a number with too many digits")
            return
        place = end + len(text[end:]) - len(text[end:].lstrip())


def _decoder(number: int, report: Report) -> json.JSONDecoder:
    """A decoder that lets control characters pass, reads `NaN` as nothing, and tells of keys that appear twice."""

    def constant(name: str) -> None:
        report.note(f"Line {number:,} holds `{name}`, which is no number of JSON; it was read as nothing.")

    def pairs(held: list[tuple[str, Any]]) -> dict[str, Any]:
        data = dict(held)
        if len(data) != len(held):
            report.note(f"Line {number:,} names a key twice; the last one counts.")
        return data

    return json.JSONDecoder(strict=False, parse_constant=constant, object_pairs_hook=pairs)
