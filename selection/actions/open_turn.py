"""Open a turn for a look: its rows gathered, its selection as recorded, and the selections of its what-ifs."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Final

from selection.actions.collector import collector_paused
from selection.actions.gather_turn import gather_turn
from selection.actions.turn_cache import TurnCache
from selection.engine import Outcome, Prepared, decide, decide_again, prepare
from selection.engine.values import TurnInput
from selection.models import SessionRunInput
from selection.version import ENGINE_VERSION

MOST_CHARACTERS: Final = 64_000_000
cache: Final = TurnCache(MOST_CHARACTERS)


@dataclass(frozen=True, slots=True)
class OpenTurn:
    """A turn with its selection as its rows say."""

    row: SessionRunInput
    prepared: Prepared
    outcome: Outcome

    def prepare_what_if(self, turn: TurnInput, key: Hashable) -> Prepared:
        """Prepare a changed turn; `key` tells its changes apart from others of the same turn."""
        return cache.get(Prepared, (*_key(self.row), key), lambda: decide_again(self.prepared, turn)[0])

    def decide_what_if(self, make: Callable[[], Outcome], key: Hashable) -> Outcome:
        """Decide a changed turn, once for each `key`."""
        return cache.get(Outcome, (*_key(self.row), key), make)


def open_turn(row: SessionRunInput) -> OpenTurn:
    """Gather and select the turn of `row`, which the caller has asked the database for."""
    prepared = cache.get(Prepared, (*_key(row), None), _maker(row))
    return OpenTurn(row, prepared, cache.get(Outcome, (*_key(row), None), lambda: decide(prepared)))


def _maker(row: SessionRunInput) -> Callable[[], Prepared]:
    def make() -> Prepared:
        with collector_paused():
            return prepare(gather_turn(row))

    return make


def _key(row: SessionRunInput) -> tuple[Hashable, ...]:
    """A stored turn never changes; should that come, the time of its session says so."""
    return row.pk, row.session.updated_at, ENGINE_VERSION
