"""Sealed rows: what the client is asked to open, and whether its answer is that ("Sealed history" in domain.md)."""

from collections.abc import Iterable, Iterator
from typing import Final

from selection.engine.codes import Status
from selection.engine.errors import InvalidAnswer
from selection.engine.outcome import Outcome
from selection.engine.values import Envelope, PlainRecord, SealedRecord

PROMPT_RECORD: Final = "prompt"


def sealed_records(outcome: Outcome) -> tuple[SealedRecord, ...]:
    """Give exactly the rows that the client must open: the included sealed candidates in candidate order, and a sealed prompt last."""
    records = [SealedRecord(record_id=name, envelope=envelope) for name, _, envelope in _asked(outcome)]
    text = outcome.turn.input.text
    if outcome.status is Status.AWAITING_DECRYPT and isinstance(text, Envelope):
        records.append(SealedRecord(record_id=PROMPT_RECORD, envelope=text))
    return tuple(records)


def _asked(outcome: Outcome) -> Iterator[tuple[str, int, Envelope]]:
    """Name each sealed row by its key; a key that stands for several rows is numbered from the second on."""
    seen: dict[str, int] = {}
    for position in outcome.to_decrypt:
        candidate = outcome.candidate(position)
        seen[candidate.key] = seen.get(candidate.key, 0) + 1
        count = seen[candidate.key]
        content = outcome.candidates.content_of(position) if outcome.candidates else None
        if isinstance(content, Envelope):
            yield candidate.key if count == 1 else f"{candidate.key}#{count}", position, content


def texts_by_position(outcome: Outcome, opened: Iterable[PlainRecord]) -> tuple[dict[int, str], str | None]:
    """Take the client's answer apart: the text of each opened candidate, and the prompt where it was sealed.

    Raises `InvalidAnswer` unless `opened` holds each row that was asked for exactly once.
    """
    texts = _texts_by_record(outcome, opened)
    return {position: texts[name] for name, position, _ in _asked(outcome)}, texts.get(PROMPT_RECORD)


def _texts_by_record(outcome: Outcome, opened: Iterable[PlainRecord]) -> dict[str, str]:
    if outcome.status is not Status.AWAITING_DECRYPT:
        raise InvalidAnswer(record_id="", why="this turn waits for no rows")
    wanted = {record.record_id for record in sealed_records(outcome)}
    texts: dict[str, str] = {}
    for record in opened:
        if record.record_id not in wanted:
            raise InvalidAnswer(record_id=record.record_id, why="this row was not asked for")
        if record.record_id in texts:
            raise InvalidAnswer(record_id=record.record_id, why="this row was answered twice")
        texts[record.record_id] = record.plaintext
    missing = sorted(wanted - texts.keys())
    if missing:
        raise InvalidAnswer(record_id=missing[0], why="this row was asked for and is missing")
    return texts
