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
from selection.engine.privacy import RememberedLists
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
    replayer = _Replayer(policy)
    for row, turn in gather_turns(list(rows)):
        why = _unknown(turn, policy, catalogs.get(row.pk))
        if turn is None or why:
            yield Replayed(row=row, verdict=ReplayVerdict.UNKNOWN, why=why)
        else:
            yield replayer.replay(row, turn)


class _Replayer:
    """Decides turns under one policy and under their own; what lists said of a path is remembered as long as the policy is the same."""

    def __init__(self, policy: Policy) -> None:
        self._policy, self._lists = policy, RememberedLists(policy)
        self._own: Policy | None = None
        self._own_lists: RememberedLists | None = None

    def replay(self, row: SessionRunInput, turn: TurnInput) -> Replayed:
        if turn.policy is not self._own or self._own_lists is None:
            self._own, self._own_lists = turn.policy, RememberedLists(turn.policy)
        prepared = prepare(turn, self._own_lists)
        before = decide(prepared)
        after = decide(prepare_again(prepared, replace(turn, policy=self._policy), self._lists))
        changes = tuple(changes_of(before, after))
        return Replayed(
            row=row,
            verdict=ReplayVerdict.CHANGED if changes else ReplayVerdict.UNCHANGED,
            before=before,
            after=after,
            changes=changes,
            exposure=exposure_of(after),
        )


def _unknown(turn: TurnInput | None, policy: Policy, catalog: str | None) -> str:
    """Tell why nothing can be said of a turn. What is sealed is selected by its size and names alone, as the router did; only a prompt is read."""
    if turn is None:
        return MISSING
    if catalog is not None and catalog != digest(turn.models):
        return CATALOG
    reads_prompt = turn.input.command is None and turn.policy.classification != policy.classification
    return SEALED if reads_prompt and not isinstance(turn.input.text, str) else ""
