"""Rank the discardable candidates ("Candidates: Score" in domain.md)."""

from collections.abc import Collection, Sequence

from selection.engine.candidates import Columns
from selection.engine.codes import Part


def rank_discardables(columns: Columns, survivors: Sequence[int], merged: Collection[int]) -> list[int]:
    """Order the discardable survivors: score descending; equal messages newer first; other ties in candidate order."""
    causes = columns.causes
    messages = columns.span(Part.MESSAGES)
    # Invariant: scores of different tiers never meet, and the sort keeps the order of equals; so this order is that of all ties.
    ties = [*messages[::-1], *range(messages.stop, len(survivors))]
    if merged or causes:
        ties = [position for position in ties if survivors[position] == position and position not in causes]
    ties.sort(key=columns.scores.__getitem__, reverse=True)
    return ties
