"""Keep the turns that somebody is looking at, so that a knob costs a decision and not another reading of the history.

What is kept is what the engine made of a turn's rows, in this process's memory alone, bounded by the size of its content. Who may see it is asked of the
database at every request; the cache only spares the work.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import TypeVar

from selection.engine import Outcome, Prepared

Kept = Prepared | Outcome
_Kept = TypeVar("_Kept", Prepared, Outcome)


class TurnCache:
    """Prepared turns and their outcomes by key, the least recently used going first once `most` characters are held."""

    def __init__(self, most: int) -> None:
        """Hold at most `most` characters of content; what is larger by itself is not kept."""
        self._most = most
        self._held = 0
        self._kept: OrderedDict[Hashable, tuple[Kept, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, kind: type[_Kept], key: Hashable, make: Callable[[], _Kept]) -> _Kept:
        """Give the `kind` that is kept under `key`, or make it."""
        with self._lock:
            found = self._kept.get((kind, key))
            if found is not None and isinstance(found[0], kind):
                self._kept.move_to_end((kind, key))
                return found[0]
        made = make()
        self._keep((kind, key), made, weight_of(made))
        return made

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._kept.clear()
            self._held = 0

    def _keep(self, key: Hashable, made: Kept, weight: int) -> None:
        if weight > self._most:
            return
        with self._lock:
            self._held += weight - self._kept.pop(key, (made, 0))[1]
            self._kept[key] = made, weight
            while self._held > self._most:
                _, (_, dropped) = self._kept.popitem(last=False)
                self._held -= dropped


def weight_of(made: Kept) -> int:
    """Weigh a turn: about four characters a token, and what a row costs beside its text; an outcome shares the texts."""
    candidates = made.candidates
    rows = 1 if candidates is None else len(candidates) + 1
    if isinstance(made, Outcome):
        return 200 * rows
    return 1_000 * rows + (4 * sum(candidates.tokens) if candidates else 0)
