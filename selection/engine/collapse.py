"""Collapse identical material, in two passes: same path, then same content ("Identical material collapses" in domain.md).

Two passes and not a transitive closure: two files must never merge because two short messages about them are equal.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from selection.engine.candidates import Columns
from selection.engine.codes import Part
from selection.engine.values import Content


def collapse_identical(columns: Columns) -> tuple[list[int], dict[int, list[int]]]:
    """Merge identical candidates: for each position its final survivor, and for each survivor its copies in candidate order."""
    survivors = list(range(len(columns.origins)))
    merged = _merge_by_path(columns, survivors)
    merged += _merge_by_content(columns, survivors, _standing(survivors, merged))
    lost_to = _children(survivors, merged)
    _resolve(survivors, merged)
    return survivors, _copies(survivors, lost_to)


def collapse_opened(
    columns: Columns, survivors: Sequence[int], copies: Mapping[int, list[int]], scope: Sequence[int]
) -> tuple[list[int], dict[int, list[int]]]:
    """Merge equal content once more, among `scope` alone: survivors whose sealed content has been opened since, and those they may equal."""
    settled = list(survivors)
    merged = _merge_by_content(columns, settled, scope)
    lost_to = {survivor: list(held) for survivor, held in copies.items()}
    for survivor, lost in _children(settled, merged).items():
        lost_to.setdefault(survivor, []).extend(lost)
    _resolve(settled, merged)
    _resolve(settled, [copy for held in copies.values() for copy in held])
    return settled, _copies(settled, lost_to)


def _standing(survivors: list[int], merged: list[int]) -> Iterable[int]:
    if not merged:
        return range(len(survivors))
    return [position for position, survivor in enumerate(survivors) if survivor == position]


def _merge_by_path(columns: Columns, survivors: list[int]) -> list[int]:
    holders: dict[str, int] = {}
    claim = holders.setdefault
    merged: list[int] = []
    for position, path in enumerate(columns.paths):
        if path is None:
            continue
        holder = claim(path, position)
        if holder != position:
            holders[path] = _merge(columns, survivors, holder, position, merged)
    return merged


def _merge_by_content(columns: Columns, survivors: list[int], scope: Iterable[int]) -> list[int]:
    contents = columns.contents
    holders: dict[Content, int] = {}
    claim = holders.setdefault
    merged: list[int] = []
    for position in scope:
        content = contents[position]
        # Sealed content equals nothing.
        if content.__class__ is not str:
            continue
        holder = claim(content, position)
        if holder != position:
            holders[content] = _merge(columns, survivors, holder, position, merged)
    return merged


def _merge(columns: Columns, survivors: list[int], holder: int, newcomer: int, merged: list[int]) -> int:
    kept = preferred(columns, holder, newcomer)
    lost = newcomer if kept == holder else holder
    survivors[lost] = kept
    merged.append(lost)
    return kept


def preferred(columns: Columns, first: int, second: int) -> int:
    """Tell which of two identical candidates is kept: the required, else the higher score, else the newer message, else the earlier (`first` < `second`)."""
    causes, scores = columns.causes, columns.scores
    if (first in causes) != (second in causes):
        return first if first in causes else second
    if scores[first] != scores[second]:
        return first if scores[first] > scores[second] else second
    messages = columns.span(Part.MESSAGES)
    return second if first in messages and second in messages else first


def _resolve(survivors: list[int], merged: Sequence[int]) -> None:
    """Point every merged copy at its final survivor, in place."""
    # Invariant: what a copy merged into was lost, if at all, in a later merge; so backwards each survivor found is already final.
    for position in reversed(merged):
        survivors[position] = survivors[survivors[position]]


def _children(survivors: Sequence[int], merged: Sequence[int]) -> dict[int, list[int]]:
    """List what each candidate took in directly, in the order of merging; to be asked before the copies are resolved."""
    lost_to: dict[int, list[int]] = {}
    for position in merged:
        lost_to.setdefault(survivors[position], []).append(position)
    return lost_to


def _copies(survivors: Sequence[int], lost_to: Mapping[int, list[int]]) -> dict[int, list[int]]:
    """List all copies of each survivor: what it took in, each followed by what that had taken in before."""
    copies: dict[int, list[int]] = {}
    for survivor in sorted(lost_to):
        if survivors[survivor] == survivor:
            copies[survivor] = list(_descend(survivor, lost_to))
    return copies


def _descend(survivor: int, lost_to: Mapping[int, list[int]]) -> Iterator[int]:
    # A walk with its own stack: a chain of equal messages may be longer than Python's.
    stack = lost_to[survivor][::-1]
    while stack:
        position = stack.pop()
        yield position
        stack.extend(reversed(lost_to.get(position, ())))
