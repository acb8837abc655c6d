"""The cycle collector, kept out of the way while a large turn is made."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

# New containers between two walks of the youngest.
_SELDOM: Final = 50_000


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


@contextmanager
def collector_relaxed() -> Iterator[None]:
    """Let the cycle collector run seldom while many rows pass through, each of which is let go of as it goes: what cycles there are is still found."""
    before = gc.get_threshold()
    gc.set_threshold(_SELDOM, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _age() -> None:
    """Count everything as old, so that the collector does not walk all that was just made as soon as it runs again. Nothing stays frozen."""
    if gc.get_freeze_count() == 0:
        gc.freeze()
        gc.unfreeze()
