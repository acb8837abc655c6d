"""Replay turns: decide each under the policy of record and under another, and tell what changes, by the same engine."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from selection.actions.gather_turns import gather_turns
from selection.documents.canonical import digest
from selection.engine import Outcome, decide, prepare
from selection.engine.changes import NOTHING, Changed, Exposure, changes_of, exposure_of
from selection.engine.pipeline import prepare_again
from selection.engine.values import Policy, TurnInput
from selection.models import ReplayVerdict, SessionRunInput

SEALED = "sealed prompt"
CATALOG = "catalog changed"
MISSING = "input missing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """A turn under both policies. Where it cannot be told what changes, `why` says why, and there are no outcomes."""

    row: SessionRunInput
    verdict: ReplayVerdict
    why: str = ""
    before: Outcome | None = None
    after: Outcome | None = None
    changes: tuple[Changed, ...] = ()
    exposure: Exposure = NOTHING

    @property
    def happened_at(self) -> datetime:
        """When the turn took place."""
        return self.row.created_at


def replay_turns(rows: Iterable[SessionRunInput], policy: Policy, catalogs: Mapping[UUID, str]) -> Iterator[Replayed]:
    """Replay turns, those of a session beside each other. `catalogs` tells the digest of the catalog under which a turn was last recorded."""
    for row, turn in gather_turns(list(rows)):
        yield _replay(row, turn, policy, catalogs.get(row.pk))


def _replay(row: SessionRunInput, turn: TurnInput | None, policy: Policy, catalog: str | None) -> Replayed:
    why = _unknown(turn, policy, catalog)
    if turn is None or why:
        return Replayed(row=row, verdict=ReplayVerdict.UNKNOWN, why=why)
    prepared = prepare(turn)
    before = decide(prepared)
    after = decide(prepare_again(prepared, replace(turn, policy=policy)))
    changes = tuple(changes_of(before, after))
    verdict = ReplayVerdict.CHANGED if changes else ReplayVerdict.UNCHANGED
    return Replayed(row=row, verdict=verdict, before=before, after=after, changes=changes, exposure=exposure_of(after))


def _unknown(turn: TurnInput | None, policy: Policy, catalog: str | None) -> str:
    """Tell why nothing can be said of a turn. What is sealed is selected by its size and names alone, as the router did; only a prompt is read."""
    if turn is None:
        return MISSING
    if catalog is not None and catalog != digest(turn.models):
        return CATALOG
    reads_prompt = turn.input.command is None and turn.policy.classification != policy.classification
    return SEALED if reads_prompt and not isinstance(turn.input.text, str) else ""
