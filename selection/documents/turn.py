"""The turn document: everything that one selection reads, as JSON in the shape of the conformance vectors."""

from typing import Any

from selection.documents.errors import InvalidDocument
from selection.documents.parsing import read_json
from selection.documents.quick import read_quickly
from selection.documents.reading import validate
from selection.documents.writing import to_document
from selection.engine.values import TurnInput


def read_turn(data: object) -> TurnInput:
    """Read a turn document, as JSON or already parsed. Raises `InvalidDocument` with every fault and its place."""
    if isinstance(data, bytes):
        try:
            turn = read_quickly(data)
        except InvalidDocument:
            turn = None
        if turn is not None:
            return turn
    return validate(TurnInput, read_json(data) if isinstance(data, bytes | str) else data)


def write_turn(turn: TurnInput) -> dict[str, Any]:
    """Give a turn as a document that reads back equal."""
    document: dict[str, Any] = to_document(turn)
    return document
