"""Conformance vectors: turns with the selection that an independent oracle gave, run against the engine.

A case is `{"name", "turn", "expected"}`; one that pauses for sealed rows has `opened` (what the client answers) and `after` (what follows) as well.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from selection.documents.outcome import outcome_document
from selection.documents.turn import read_turn
from selection.engine import resume, select
from selection.engine.values import PlainRecord

# Compared as a set: the order in which copies are named is not part of the promise.
_UNORDERED = frozenset({"duplicates"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Mismatch:
    """One field that differs; `stage` is `expected` or `after`."""

    stage: str
    field: str
    expected: object
    got: object


def check_case(case: Mapping[str, Any]) -> list[Mismatch]:
    """Select the turn of one case, answer its pause if it has one, and list every field that differs."""
    outcome = select(read_turn(case["turn"]))
    mismatches = list(_compare("expected", case["expected"], outcome_document(outcome)))
    if "opened" in case:
        answer = [PlainRecord(record_id=key, plaintext=text) for key, text in case["opened"].items()]
        mismatches += _compare("after", case["after"], outcome_document(resume(outcome, answer)))
    return mismatches


def _compare(stage: str, expected: Mapping[str, Any], got: Mapping[str, Any]) -> Iterator[Mismatch]:
    for name, wanted in expected.items():
        found = got.get(name)
        if _comparable(name, wanted) != _comparable(name, found):
            yield Mismatch(stage=stage, field=name, expected=wanted, got=found)


def _comparable(name: str, value: object) -> object:
    return sorted(map(tuple, value)) if name in _UNORDERED and isinstance(value, list) else value
