"""The cycle collector, kept out of the way while a large turn is made."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Iterator[None]:
    """Keep the cycle collector from walking tens of thousands of fresh rows, none of which is garbage: it doubles the time of a large turn.

    Whoever paused it lets it run again; with more threads it may run a little early, never too late.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            _age()
            gc.enable()


def _age() -> None:
    """Count everything as old, so that the collector does not walk all that was just made as soon as it runs again. Nothing stays frozen."""
    if gc.get_freeze_count() == 0:
        gc.freeze()
        gc.unfreeze()
