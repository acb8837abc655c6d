"""Pinned expectations: what a turn selects under a what-if is kept by name, and checked again later, under another policy if one is given.

Kept are references and metadata, never content; what is restricted is kept by its place alone, as in recorded rows.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Any

import msgspec
from django.db import IntegrityError, transaction

from selection.actions.ask_what_if import outcome_under, select_under
from selection.actions.knobs import Knobs
from selection.actions.open_turn import OpenTurn, open_turn
from selection.actions.record_run import records_restricted
from selection.documents.errors import InvalidDocument
from selection.documents.plain import to_plain
from selection.engine import Outcome, explain
from selection.engine.compare import identities
from selection.engine.states import WORDS
from selection.models import Expectation, Owner
from selection.models.base import key_of


class NameTaken(Exception):
    """The user has an expectation of that name already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One thing that is not as expected; `subject` is a candidate, or the model. `why` is the reason that stands now."""

    subject: str
    expected: str
    got: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """An expectation and what came of checking it: it holds where nothing differs and nothing kept it from being checked."""

    expectation: Expectation
    differences: tuple[Difference, ...] = ()
    unchecked: str = ""

    @property
    def holds(self) -> bool:
        """Whether everything is as expected."""
        return not self.differences and not self.unchecked


def pin_expectation(user: Owner, opened: OpenTurn, knobs: Knobs, name: str) -> Expectation:
    """Keep what the turn selects under `knobs` as the expectation `name`. Raises `NameTaken`."""
    outcome = outcome_under(opened, knobs)
    try:
        with transaction.atomic():
            return Expectation.objects.create(
                user_id=key_of(user),
                session_id=opened.row.session_id,
                run_input=opened.row,
                name=name,
                knobs=_written(knobs),
                model=outcome.model.name if outcome.model else None,
                error=outcome.error.value if outcome.error else None,
                expected=list(_rows(outcome)),
            )
    except IntegrityError:
        raise NameTaken from None


def _written(knobs: Knobs) -> dict[str, Any]:
    """Write the changed knobs; of a draft the text, so that a draft that changes or goes changes nothing here."""
    return {name: to_plain(value) for name, value in knobs.changed() if name != "draft"}


def _rows(outcome: Outcome) -> Iterator[dict[str, Any]]:
    included = frozenset(outcome.included)
    for position, name in enumerate(_names(outcome)):
        reason = outcome.reasons[position]
        yield {"name": name, "included": position in included, "reason_code": reason.value if reason else None}


def _names(outcome: Outcome) -> list[str]:
    """Name every candidate; one that is restricted by its place, where the policy keeps restricted names out of what is recorded."""
    candidates = outcome.candidates
    if candidates is None:
        return []
    names = identities(candidates.key_of(position) for position in range(len(candidates)))
    if records_restricted(outcome):
        return names
    return [
        f"candidate {position + 1}" if candidates.survivors[position] in candidates.restrictions else name
        for position, name in enumerate(names)
    ]


def knobs_of_expectation(expectation: Expectation) -> Knobs | None:
    """Read the knobs back; None where they are those of another version."""
    if not {field.name for field in fields(Knobs)} >= expectation.knobs.keys():
        return None
    try:
        return msgspec.convert(expectation.knobs, Knobs)
    except msgspec.ValidationError:
        return None


def check_expectation(expectation: Expectation, policy: str | None = None) -> Checked:
    """Select the turn again and tell what is not as expected; `policy`, a text that reads, stands in place of every policy it was pinned with."""
    knobs = knobs_of_expectation(expectation)
    if knobs is None:
        return Checked(expectation=expectation, unchecked="its knobs are those of another version")
    if policy is not None:
        knobs = replace(knobs.beside_policy, policy=policy)
    try:
        outcome = select_under(open_turn(expectation.run_input).prepared, knobs)
    except InvalidDocument as refused:
        return Checked(expectation=expectation, unchecked=f"its policy reads no more: {refused}")
    return Checked(expectation=expectation, differences=tuple(_differences(expectation, outcome)))


def _differences(expectation: Expectation, outcome: Outcome) -> Iterator[Difference]:
    expected = expectation.model or expectation.error or ""
    got = outcome.model.name if outcome.model else str(outcome.error)
    if expected != got:
        yield Difference(subject="model", expected=expected, got=got, why="")
    included, rows = frozenset(outcome.included), expectation.expected
    count = len(outcome.candidates) if outcome.candidates else 0
    if count != len(rows):
        told = f"{len(rows):,} candidates", f"{count:,} candidates"
        yield Difference(subject="candidates", expected=told[0], got=told[1], why="")
        return
    names = _names(outcome)
    for position, row in enumerate(rows):
        is_in = position in included
        if row["included"] != is_in:
            yield Difference(
                # Whoever withholds a name, then or now, has it withheld.
                subject=row["name"] if row["name"].startswith("candidate ") else names[position],
                expected="in" if row["included"] else "out",
                got=f"{'in' if is_in else 'out'}, {WORDS[outcome.state_of(position)]}",
                why=explain(outcome, position, withhold_names=True).sentence,
            )
