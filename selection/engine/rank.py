"""Rank the discardable candidates ("Candidates: Score" in domain.md)."""

from collections.abc import Collection, Sequence

from selection.engine.candidates import Columns
from selection.engine.codes import Part


def rank_discardables(columns: Columns, survivors: Sequence[int], merged: Collection[int]) -> list[int]:
    """Order the discardable survivors: score descending; equal messages newer first; other ties in candidate order."""
    keys = _sort_keys(columns)
    causes = columns.causes
    standing = range(len(keys)) if not merged else [p for p, survivor in enumerate(survivors) if survivor == p]
    ranking = [position for position in standing if position not in causes] if causes else list(standing)
    ranking.sort(key=keys.__getitem__, reverse=True)
    return ranking


def _sort_keys(columns: Columns) -> list[int]:
    # Invariant: scores of different tiers never meet, so one whole number carries the score and the tie-break.
    count = len(columns.scores)
    newer_first = columns.span(Part.MESSAGES).stop
    keys = [score * count + position for position, score in enumerate(columns.scores[:newer_first])]
    keys += [
        score * count + count - 1 - position for position, score in enumerate(columns.scores[newer_first:], newer_first)
    ]
    return keys
