"""Rounds that alternate, and ratios within them: what drifts, drifts for both."""

import gc
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Timings:
    """Seconds of each round, by what was measured."""

    seconds: Mapping[str, list[float]]

    def median(self, name: str) -> float:
        """The middle round, in seconds."""
        return statistics.median(self.seconds[name])

    def ratio(self, name: str, base: str) -> float:
        """The middle of the round-by-round ratios `name / base`."""
        return statistics.median(a / b for a, b in zip(self.seconds[name], self.seconds[base], strict=True))


def alternate(
    subjects: Mapping[str, Callable[[], object]], rounds: int, before: Callable[[], object] = gc.collect
) -> Timings:
    """Run every subject once a round, in turn, after one round that does not count; `before` each, unmeasured, make what it starts from."""
    seconds: dict[str, list[float]] = {name: [] for name in subjects}
    for number in range(rounds + 1):
        for name, run in subjects.items():
            before()
            gc.collect()
            started = time.perf_counter()
            run()
            if number:
                seconds[name].append(time.perf_counter() - started)
    return Timings(seconds=seconds)
