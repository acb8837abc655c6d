"""Keep the turns that somebody is looking at, so that a knob costs a decision and not another reading of the history.

What is kept is what the engine made of a turn's rows, in this process's memory alone, bounded by the size of its content. Who may see it is asked of the
database at every request; the cache only spares the work.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from threading import Lock

from selection.engine import Prepared


@dataclass(frozen=True, slots=True)
class _Kept:
    prepared: Prepared
    weight: int


class TurnCache:
    """Prepared turns by key, the least recently used going first once `most` characters are held."""

    def __init__(self, most: int) -> None:
        """Hold at most `most` characters of content; a turn that is larger by itself is not kept."""
        self._most = most
        self._held = 0
        self._kept: OrderedDict[Hashable, _Kept] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], Prepared]) -> Prepared:
        """Give what is kept under `key`, or make it."""
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
                return found.prepared
        prepared = make()
        self._keep(key, _Kept(prepared, weight_of(prepared)))
        return prepared

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._kept.clear()
            self._held = 0

    def _keep(self, key: Hashable, kept: _Kept) -> None:
        if kept.weight > self._most:
            return
        with self._lock:
            before = self._kept.pop(key, None)
            self._held += kept.weight - (before.weight if before else 0)
            self._kept[key] = kept
            while self._held > self._most:
                _, dropped = self._kept.popitem(last=False)
                self._held -= dropped.weight


def weight_of(prepared: Prepared) -> int:
    """Weigh a turn: about four characters a token, and what a row costs beside its text."""
    candidates = prepared.candidates
    return 1_000 if candidates is None else 4 * sum(candidates.tokens) + 1_000 * (len(candidates) + 1)
