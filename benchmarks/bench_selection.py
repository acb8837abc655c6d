"""Measure the engine against the bare floor of the job, as ratios within one run.

The floor is what any selection does at the least: the length of each text, one dictionary for equal content, one sort, one greedy loop.
"""

import math
import sys

from benchmarks.goals import Goal, report
from benchmarks.timing import alternate
from benchmarks.workload import texts_of, turn
from selection.engine import decide, prepare, select
from selection.engine.values import TurnInput


def floor(texts: list[str], budget: int) -> list[int]:
    """The least that selecting costs: no marks, no reasons."""
    sizes = [(len(text) + 3) // 4 for text in texts]
    first: dict[str, int] = {}
    for position, text in enumerate(texts):
        first.setdefault(text, position)
    ranking = sorted(first.values(), key=sizes.__getitem__)
    taken = []
    for position in ranking:
        if sizes[position] <= budget:
            budget -= sizes[position]
            taken.append(position)
    return taken


def full(made: TurnInput) -> object:
    """Select with every mark and every reason code."""
    outcome = select(made)
    return outcome.reasons


def main(rounds: int = 15) -> int:
    """Print the ratios; the exit code says whether the goals hold."""
    small, large = turn(10_000), turn(100_000)
    small_texts, large_texts = texts_of(small), texts_of(large)
    prepared = prepare(large)
    timings = alternate(
        {
            "floor": lambda: floor(large_texts, 4_000_000),
            "floor again": lambda: floor(large_texts, 4_000_000),
            "engine": lambda: full(large),
            "budget knob": lambda: decide(prepared),
            "floor, 10,000": lambda: floor(small_texts, 400_000),
            "engine, 10,000": lambda: full(small),
        },
        rounds,
    )
    growth = math.log10(timings.median("engine") / timings.median("engine, 10,000"))
    floor_growth = math.log10(timings.median("floor") / timings.median("floor, 10,000"))
    return report(
        [
            Goal("control: floor / floor", timings.ratio("floor again", "floor")),
            Goal("selecting 100,000 / floor", timings.ratio("engine", "floor"), 4.0),
            Goal("budget knob / floor", timings.ratio("budget knob", "floor"), 1.0),
            Goal("growth exponent, less the floor's", growth - floor_growth, 0.1),
            Goal("floor, milliseconds (for scale)", timings.median("floor") * 1000),
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
