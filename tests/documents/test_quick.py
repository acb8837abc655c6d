"""Rows that are taken as columns are what validation gives, or are left to it."""

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

from selection.documents.errors import InvalidDocument
from selection.documents.parsing import read_json
from selection.documents.quick import read_quickly
from selection.documents.reading import validate
from selection.documents.turn import read_turn
from selection.engine.values import TurnInput
from tests.sealed import VECTORS

ROWS: dict[str, dict[str, Any]] = {
    "recalled.messages": {
        "id": "m",
        "role": "user",
        "content": "x",
        "provider": "p",
        "model": "m",
        "path": "a",
        "created_at": "t",
    },
    "recalled.user_memory": {"id": "u", "content": "x", "key": "k"},
    "recalled.context_memory": {"id": "c", "content": "x", "key": "k"},
    "attachments.files": {"path": "a", "content": "x", "required": True, "content_hash": "h"},
}
ENVELOPE = {"version": 1, "algorithm": "xchacha20poly1305", "key_id": "k", "nonce": "A" * 32, "ciphertext": "A" * 40}
ODD: list[Any] = [
    None, 0, 1, True, False, 1.5, "", "x", "é😀", "a\0b", "\ud800", [], {}, ["x"], {"plaintext": "y"}, {"plaintext": 1}, {"plaintext": None},
    {"plaintext": "y", "more": 1}, {"encrypted": ENVELOPE}, {"encrypted": {}}, "tool", "nobody",
]  # fmt: skip


def documents() -> Iterator[tuple[str, dict[str, Any]]]:
    """Give a document for each field of each row with each odd value, without it, and with one too many."""
    for place, row in ROWS.items():
        whole, name = place.split(".")
        for field in row:
            for number, value in enumerate(ODD):
                yield f"{place}.{field}={number}", document(whole, name, {**row, field: value})
            yield f"{place} without {field}", document(whole, name, {key: row[key] for key in row if key != field})
        yield f"{place} and more", document(whole, name, {**row, "more": 1})
        odd: list[Any] = [None, {}, "x", [None], [1], [[]]]
        for held in odd:
            yield f"{place} is {held}", {"input": {"text": "x"}, whole: {name: held}}
    wrong: list[Any] = [None, [], "x", 1]
    for held in wrong:
        yield f"recalled is {held}", {"input": {"text": "x"}, "recalled": held}
        yield f"attachments is {held}", {"input": {"text": "x"}, "attachments": held}


def document(whole: str, name: str, row: dict[str, Any]) -> dict[str, Any]:
    return {"input": {"text": "x"}, whole: {name: [deepcopy(ROWS[f"{whole}.{name}"]), row]}}


def told(read: Any, held: Any) -> Any:
    try:
        return read(held)
    except InvalidDocument as refused:
        return [str(fault) for fault in refused.faults]


DOCUMENTS = list(documents())


def strictly(data: bytes) -> TurnInput:
    return validate(TurnInput, read_json(data))


def test_each_odd_row_reads_as_the_strict_reader_says() -> None:
    taken = 0
    for name, held in DOCUMENTS:
        data = json.dumps(held).encode()
        assert told(read_turn, data) == told(strictly, data), name
        taken += told(read_quickly, data) is not None
    assert len(DOCUMENTS) > 400
    assert taken > 90


ONE = '{"id": "m", "role": "user", "content": "x"}'


@pytest.mark.parametrize(
    "text",
    [
        '{"input": {"text": "a"}, "input": {"text": "b"}}',
        '{"input": {"text": "a", "text": "b"}}',
        f'{{"input": {{"text": "a"}}, "recalled": {{"messages": [{ONE}], "messages": []}}}}',
        f'{{"input": {{"text": "a"}}, "recalled": {{"messages": []}}, "recalled": {{"messages": [{ONE}]}}}}',
        '{"input": {"text": "a"}, "recalled": {"messages": [{"id": "m", "role": "user", "role": "tool", "content": "x"}]}}',
        '{"input": {"text": "a"}, "recalled": {"messages": [{"id": "m", "role": "user", "path": null, "path": null, "content": "x"}]}}',
        '{"input": {"text": "a"}, "recalled": {"messages": [{"id": "m", "role": "user", "content": {"plaintext": "x", "plaintext": "y"}}]}}',
        '{"input": {"text": "a"}, "attachments": {"files": [{"path": "a", "content": "x", "required": true, "required": false}]}}',
        '{"input": {"text": "a"}, "recalled": {"messages": [{"id": "m\\u0022\\u0022", "role": "user", "role": "tool", "content": "x"}]}}',
        '{"input": {"text": "a"}, "policy": {"tools": {"permissions": {"shell": "ask", "shell": "allow"}}}}',
    ],
)
def test_a_key_that_is_given_twice_is_never_passed_over(text: str) -> None:
    data = text.encode()
    assert told(read_turn, data) == told(strictly, data)
    assert "appears twice" in str(told(read_turn, data))


@pytest.mark.parametrize("text", ['a"b', '""', '\\"', "\\", '":', '{"a": "b"}', "é😀", "\u2028", "/", "\t\n"])
def test_texts_with_quotes_and_slashes_are_taken_as_they_are(text: str) -> None:
    rows = [{"id": text or "m", "role": "user", "content": {"plaintext": text}, "path": text, "provider": None}]
    held = {"input": {"text": text}, "recalled": {"messages": rows}}
    for ascii_only in (True, False):
        data = json.dumps(held, ensure_ascii=ascii_only).encode()
        assert read_quickly(data) == strictly(data)


@pytest.mark.parametrize("case", VECTORS, ids=lambda case: case["name"])
def test_each_vector_reads_as_validation_says(case: dict[str, Any]) -> None:
    data = json.dumps(case["turn"]).encode()
    assert read_turn(data) == strictly(data)
