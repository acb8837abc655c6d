"""Reproduce a recorded run: select its turn again, and compare every row with what was recorded ("What is recorded" in domain.md)."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from selection.actions.open_turn import open_turn
from selection.actions.record_run import reference_columns, run_columns
from selection.engine import Outcome
from selection.models import SelectionRun, SessionContextReference
from selection.version import ENGINE_VERSION


class Verdict(StrEnum):
    """What came of selecting again."""

    IDENTICAL = "identical"
    DIFFERS = "differs"
    IMPOSSIBLE = "impossible"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reproduced:
    """The verdict in a sentence; `row` is the first row that differs, by position from 1, None where rows are not what differs."""

    verdict: Verdict
    sentence: str
    row: int | None = None


_INPUTS: Final = {
    "policy_digest": "the policy is not the one that was recorded",
    "catalog_digest": "the catalog of models changed",
    "input_digest": "the turn's input is not the one that was recorded",
}
_RUN: Final = (
    "status",
    "error",
    "model",
    "window",
    "reply_reserve",
    "effective_budget",
    "required_tokens",
    "used_tokens",
    "attempts",
)
_ROW: Final = (
    "position", "rank", "path", "kind", "included", "required", "restricted", "estimated_tokens", "score",
    "reason_code", "reason",
)  # fmt: skip


def reproduce_run(run: SelectionRun, opened: Outcome | None = None) -> Reproduced:
    """Select the turn of `run` again and tell whether the same comes out. A run with its sealed rows opened needs the turn `opened` again."""
    outcome = opened or open_turn(run.run_input).outcome
    now = run_columns(outcome)
    changed = next((why for name, why in _INPUTS.items() if getattr(run, name) != now[name]), "")
    if not changed and run.opened != now["opened"]:
        changed = (
            "its sealed rows had been opened, and the key is with the client"
            if run.opened
            else "it was recorded before its rows were opened"
        )
    if changed:
        return Reproduced(verdict=Verdict.IMPOSSIBLE, sentence=f"Cannot be recomputed, because {changed}.")
    older = (
        ""
        if run.engine_version == ENGINE_VERSION
        else f" The engine was {run.engine_version}, and is {ENGINE_VERSION}."
    )
    row = next(_differences(run, outcome), None)
    if row is not None:
        place, field = row
        sentence = f"Recomputed: differs at row {place:,}, in {field.replace('_', ' ')}.{older}"
        return Reproduced(verdict=Verdict.DIFFERS, sentence=sentence, row=place)
    decision = next((name for name in _RUN if getattr(run, name) != now[name]), None)
    if decision is not None:
        sentence = (
            f"Recomputed: every row is the same, and the decision differs in {decision.replace('_', ' ')}.{older}"
        )
        return Reproduced(verdict=Verdict.DIFFERS, sentence=sentence)
    return Reproduced(verdict=Verdict.IDENTICAL, sentence=f"Recomputed: identical, row for row.{older}")


def _differences(run: SelectionRun, outcome: Outcome) -> Iterator[tuple[int, str]]:
    rows = list(run.references.select_related("duplicate_of").order_by("position"))
    included = frozenset(outcome.included)
    count = len(outcome.candidates) if outcome.candidates else 0
    for position in range(max(count, len(rows))):
        if position >= min(count, len(rows)):
            yield position + 1, "being there"
            return
        now = reference_columns(outcome, position, included=position in included)
        yield from ((position + 1, name) for name in _ROW if getattr(rows[position], name) != now[name])
        if _survivor(rows[position]) != now["duplicate_of"]:
            yield position + 1, "duplicate_of"


def _survivor(row: SessionContextReference) -> int | None:
    return None if row.duplicate_of is None else row.duplicate_of.position
