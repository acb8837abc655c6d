"""An array that is too long to be held is read item by item, as it would be read at once."""

import io
import json
from typing import Any

import pytest

from selection.importers import arrays, lines, read_session
from selection.importers.report import Report
from tests.importers.samples import SAMPLES

ITEMS: list[Any] = [
    {"role": "user", "content": 'a, ] [ "b" é 🎉 \\'},
    {"role": "assistant", "content": "x" * 5_000},
    7,
    [],
    {"a": [1, [2, {"b": None}]]},
    {"role": "user", "content": "last"},
]


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "MOST_BYTES", 16_000)
    monkeypatch.setattr(arrays, "_BLOCK", 37)


def streamed(data: bytes) -> tuple[list[Any], Report]:
    report = Report("x")
    return list(arrays._streamed(io.BytesIO(data), report)), report


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("begin", [b"", b"\xef\xbb\xbf", b"\n \t"])
def test_items_are_those_of_the_whole(indent: int | None, begin: bytes) -> None:
    items, report = streamed(begin + json.dumps(ITEMS, indent=indent, ensure_ascii=indent is None).encode())
    assert items == ITEMS
    assert report.records == 0


@pytest.mark.parametrize("data", [b"[]", b"[ ]", b"[\n]"])
def test_an_empty_array_has_no_items(data: bytes) -> None:
    assert streamed(data) == ([], Report("x"))


def test_what_is_broken_ends_it_and_is_told() -> None:
    whole = json.dumps(ITEMS).encode()
    items, report = streamed(whole[:-20])
    assert items == ITEMS[:-1]
    assert [(skipped.line, skipped.why) for skipped in report.skipped] == [
        (6, "broken, or the file breaks off; what comes after it was not read")
    ]


def test_an_item_that_is_too_long_to_be_held_is_told() -> None:
    items, report = streamed(json.dumps([1, "x" * 100_000, 2]).encode())
    assert items == [1]
    assert report.skipped[0].why == lines.TOO_LONG


@pytest.mark.parametrize("name", ["chat", "openhands", "cline"])
def test_a_long_recording_is_read_as_a_short_one(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    samples = [sample for sample in SAMPLES if sample.format == name and sample.data.startswith(b"[")]
    wanted = [read_session("x", sample.data).bundle for sample in samples]
    monkeypatch.setattr(arrays, "MOST_BYTES", 1)
    monkeypatch.setattr(arrays._Text, "is_full", property(lambda _: False))
    assert samples
    assert [read_session("x", sample.data).bundle for sample in samples] == wanted
