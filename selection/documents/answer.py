"""The client's answer to a pause, as a document: `{"asked": digest, "records": [{"record_id", "plaintext"}]}` ("Sealed history" in domain.md)."""

from dataclasses import dataclass

from selection.documents.parsing import read_json
from selection.documents.reading import validate
from selection.engine.values import PlainRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the client opened. `asked` names the pause that it answers; the order of the records says nothing."""

    asked: str
    records: tuple[PlainRecord, ...]


def read_answer(data: bytes | str) -> Answer:
    """Read an answer. Raises `InvalidDocument` with every fault and its place, and nothing of what was opened."""
    return validate(Answer, read_json(data))
