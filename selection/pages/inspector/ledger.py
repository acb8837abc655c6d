"""The ledger: every candidate as a row, the required on a shelf, then the ranking with its cut line, copies under their survivors; filtered and by pages."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from selection.actions.ask_what_if import Asked
from selection.engine import Outcome
from selection.engine.candidates import KIND_OF, CandidateSet
from selection.engine.states import INCLUDED, Movement
from selection.pages.inspector.rows import Place, Row, row_of
from selection.pages.inspector.tallies import NOTHING, Tallies, has_mark, tallies_of

ROWS_A_PAGE: Final = 25


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """What the ledger is narrowed to; empty parts narrow nothing."""

    state: str = ""
    mark: str = ""
    kind: str = ""
    search: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """One page of rows, of the `shown` that pass the filters, and the sums over all candidates."""

    rows: tuple[Row, ...]
    tallies: Tallies
    shown: int
    page: int
    next_page: int | None


def ledger_of(asked: Asked, narrowed: Filter, page: int) -> Ledger:
    """Give one page of the ledger."""
    candidates = asked.outcome.candidates
    if candidates is None:
        return Ledger(rows=(), tallies=NOTHING, shown=0, page=page, next_page=None)
    order = _order(candidates)
    passes = _tests(asked, candidates, narrowed)
    kept = [position for position in order if all(test(position) for test in passes)] if passes else order
    start = (page - 1) * ROWS_A_PAGE
    shown = kept[start : start + ROWS_A_PAGE]
    above = kept[start - 1] if 0 < start <= len(kept) else None
    return Ledger(
        rows=tuple(_rows(asked, shown, above)),
        tallies=tallies_of(asked.outcome),
        shown=len(kept),
        page=page,
        next_page=page + 1 if start + ROWS_A_PAGE < len(kept) else None,
    )


def _order(candidates: CandidateSet) -> list[int]:
    """What is required, then as ranked, each followed by the copies that merged into it. Where no model serves the order is the same."""
    copies = candidates.copies
    if not copies:
        return [*candidates.required, *candidates.ranking]
    order: list[int] = []
    for survivor in (*candidates.required, *candidates.ranking):
        order.append(survivor)
        if survivor in copies:
            order += copies[survivor]
    return order


_Test = Callable[[int], bool]


def _tests(asked: Asked, candidates: CandidateSet, narrowed: Filter) -> list[_Test]:
    """Give the tests that a row must pass; what narrows nothing is not asked ten thousand times."""
    tests: list[_Test] = []
    if narrowed.state:
        tests.append(_state_test(asked.movement, narrowed.state))
    if narrowed.mark:
        tests.append(lambda position: has_mark(candidates, narrowed.mark, position))
    if narrowed.kind:
        spans = [span for part, span in candidates.columns.spans if KIND_OF[part].value == narrowed.kind]
        tests.append(lambda position: any(position in span for span in spans))
    if narrowed.search:
        wanted = narrowed.search.casefold()
        tests.append(lambda position: _mentions(asked, candidates, wanted, position))
    return tests


def _state_test(movement: Movement, wanted: str) -> _Test:
    match wanted:
        case "included":
            return lambda position: movement.now[position] in INCLUDED
        case "excluded":
            return lambda position: movement.now[position] not in INCLUDED
        case "moved":
            return lambda position: position in movement.changed
        case "undecided":
            return lambda position: movement.now[position] is None
        case _:
            return lambda position: movement.now[position] == wanted


def _mentions(asked: Asked, candidates: CandidateSet, wanted: str, position: int) -> bool:
    content = candidates.content_of(position)
    named = (candidates.columns.paths[position] or "", candidates.name_of(position))
    if any(wanted in name.casefold() for name in named):
        return True
    return isinstance(content, str) and not asked.is_closed(position) and wanted in content.casefold()


def _rows(asked: Asked, positions: Iterable[int], above: int | None) -> Iterator[Row]:
    outcome, movement = asked.outcome, asked.movement
    last_in = _last_included(outcome)
    section = None if above is None else _section(outcome, above, last_in)
    for position in positions:
        mine = _section(outcome, position, last_in)
        place = Place(
            state=movement.now[position],
            moved=movement.changed.get(position, ""),
            divider=mine if mine != section else "",
            closed=asked.is_closed(position),
        )
        yield row_of(outcome, position, place)
        section = mine


def _last_included(outcome: Outcome) -> int:
    """Give the rank of the last discardable that is in; 0 where none is."""
    candidates = outcome.candidates
    if candidates is None or not outcome.included:
        return 0
    return candidates.rank_of(outcome.included[-1]) or 0


def _section(outcome: Outcome, position: int, last_in: int) -> str:
    """Tell the part of the ledger that a row stands in: a copy stands where its survivor does."""
    candidates = outcome.candidates
    rank = None if candidates is None else candidates.rank_of(candidates.survivors[position])
    if rank is None:
        return "shelf"
    return "cut" if outcome.budget is not None and rank > last_in else "ranking"
