"""Measure the engine against packers of context that others publish, on the same texts and the same budget.

The engine does more for its time: it marks, de-duplicates, ranks by its own scores and gives every candidate a reason. A peer is given what it needs ready
made; only its packing is measured.
"""

import sys
from typing import Any

from benchmarks.goals import Goal, report
from benchmarks.timing import alternate
from benchmarks.workload import texts_of, turn
from selection.engine import select

COUNT = 100_000
BUDGET = COUNT * 40 - 4096


def pack_chunks(chunks: list[dict[str, Any]]) -> object:
    """`context-window-packer`: relevance first, greedy."""
    from context_window_packer import pack  # noqa: PLC0415 - needed for this benchmark alone

    return pack(chunks, BUDGET)


def pack_items(texts: list[str]) -> object:
    """`contextcram`: items by priority, dropped when they do not fit."""
    from contextcram import Packer  # noqa: PLC0415 - needed for this benchmark alone

    packer = Packer(budget=BUDGET)
    for text in texts:
        packer.add(text, priority="medium", strategy="drop")
    return packer.fit()


def trim(messages: list[Any]) -> object:
    """langchain-core: the newest messages that fit, by its approximate counter."""
    from langchain_core.messages.utils import (  # noqa: PLC0415 - needed for this benchmark alone
        count_tokens_approximately,
        trim_messages,
    )

    return trim_messages(messages, max_tokens=BUDGET, token_counter=count_tokens_approximately, strategy="last")


def as_messages(texts: list[str]) -> list[Any]:
    """Give texts as langchain-core's messages."""
    from langchain_core.messages import HumanMessage  # noqa: PLC0415 - needed for this benchmark alone

    return [HumanMessage(content=text) for text in texts]


def main(rounds: int = 15) -> int:
    """Print the ratios; each must be below 1."""
    made = turn(COUNT)
    texts = texts_of(made)
    chunks = [{"text": text, "relevance": number % 997} for number, text in enumerate(texts)]
    messages = as_messages(texts)
    timings = alternate(
        {
            "engine": lambda: select(made).reasons,
            "context-window-packer": lambda: pack_chunks(chunks),
            "contextcram": lambda: pack_items(texts),
            "trim_messages": lambda: trim(messages),
        },
        rounds,
    )
    peers = ("context-window-packer", "contextcram", "trim_messages")
    return report(Goal(f"selecting 100,000 / {peer}", timings.ratio("engine", peer), 1.0) for peer in peers)


if __name__ == "__main__":
    sys.exit(main())
