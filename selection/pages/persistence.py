"""The persistence strip of a session: which candidates were in, turn by turn, what fell out, and what came back."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views import View

from selection import queries
from selection.actions.open_turn import open_turn
from selection.engine.compare import Entry, entries_of
from selection.models import Session, SessionRunInput
from selection.pages.inspector.view_state import read_number
from selection.pages.sessions import session_or_404

# Each column selects a whole turn: a dozen of a long session take about a second.
TURNS_A_PAGE: Final = 12
ROWS_A_PAGE: Final = 60
_STATES: Final = {"in": "in", "out": "out", "undecided": "no model served"}
_FILTERS: Final = {"": "ever in", "fell_out": "fell out", "came_back": "came back", "never": "never in"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One turn."""

    turn_id: UUID
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One candidate in one turn: `in`, `out`, `undecided` where no model served, or `absent` where it was no candidate; `position` is its place there."""

    turn_id: UUID
    number: int
    state: str
    position: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One candidate over the turns, and in words."""

    label: str
    cells: tuple[Cell, ...]
    story: str
    fell_out: bool
    came_back: bool
    ever: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A filter, or a page of turns or of rows."""

    label: str
    href: str
    current: bool
    count: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PersistencePage:
    """The strip; `shown` counts the rows of the filter."""

    session: Session
    columns: tuple[Column, ...]
    lines: tuple[Line, ...]
    shown: int
    filters: tuple[Choice, ...]
    spans: tuple[Choice, ...]
    next_href: str


class PersistenceView(View):
    """Candidates by turns."""

    def get(self, request: HttpRequest, session_id: UUID) -> HttpResponse:
        """Show one span of turns; the last one unless another is asked for."""
        session = session_or_404(request, session_id)
        turns = list(queries.turns_of(request.user, session).values_list("pk", flat=True))
        last = max(0, (len(turns) - 1) // TURNS_A_PAGE)
        asked = read_number(request.GET.get("span"))
        span = last if asked is None else min(asked, last)
        rows = queries.turns_by_id(request.user, turns[span * TURNS_A_PAGE : (span + 1) * TURNS_A_PAGE])
        page = _page(request, session, rows, span, last)
        return render(request, "selection/persistence/detail.html", {"page": page})


def _page(
    request: HttpRequest, session: Session, rows: Sequence[SessionRunInput], span: int, last: int
) -> PersistencePage:
    lines = list(_lines(rows))
    wanted = request.GET.get("show", "")
    number = read_number(request.GET.get("page")) or 1
    kept = [line for line in lines if _passes(line, wanted)]
    start = (number - 1) * ROWS_A_PAGE
    more = start + ROWS_A_PAGE < len(kept)
    return PersistencePage(
        session=session,
        columns=tuple(Column(turn_id=row.pk, number=row.position + 1) for row in rows),
        lines=tuple(kept[start : start + ROWS_A_PAGE]),
        shown=len(kept),
        filters=tuple(
            Choice(
                label=label,
                href=f"?span={span}&show={code}",
                current=wanted == code,
                count=sum(_passes(line, code) for line in lines),
            )
            for code, label in _FILTERS.items()
        ),
        spans=tuple(
            Choice(
                label=f"{place * TURNS_A_PAGE + 1:,}",
                href=f"?span={place}&show={wanted}",
                current=place == span,
            )
            for place in range(last + 1)
        ),
        next_href=f"?span={span}&show={wanted}&page={number + 1}" if more else "",
    )


def _passes(line: Line, wanted: str) -> bool:
    match wanted:
        case "fell_out":
            return line.fell_out
        case "came_back":
            return line.came_back
        case "never":
            return not line.ever
        case _:
            return line.ever


def _lines(rows: Sequence[SessionRunInput]) -> Iterator[Line]:
    columns = [{entry.identity: entry for entry in entries_of(open_turn(row).outcome)} for row in rows]
    for identity in dict.fromkeys(identity for column in columns for identity in column):
        yield _line(rows, [column.get(identity) for column in columns])


def _line(rows: Sequence[SessionRunInput], entries: Sequence[Entry | None]) -> Line:
    cells = tuple(_cell(row, entry) for row, entry in zip(rows, entries, strict=True))
    # Where nobody served nothing fell out: such a turn says nothing of its candidates.
    held = [cell.state == "in" for cell in cells if cell.state in {"in", "out"}]
    drops = [place for place in range(1, len(held)) if held[place - 1] and not held[place]]
    return Line(
        label=next(entry.label for entry in reversed(entries) if entry is not None),
        cells=cells,
        story=_story(cells),
        fell_out=bool(drops),
        came_back=bool(drops) and any(held[drops[0] :]),
        ever=any(held),
    )


def _cell(row: SessionRunInput, entry: Entry | None) -> Cell:
    state = "absent" if entry is None else "in" if entry.included else "out" if entry.state else "undecided"
    return Cell(
        turn_id=row.pk, number=row.position + 1, state=state, position=None if entry is None else entry.position
    )


def _story(cells: Sequence[Cell]) -> str:
    """Say it in words: `in on 1 to 4, out on 5 to 6, in on 7`."""
    runs: list[tuple[str, int, int]] = []
    for cell in cells:
        if cell.state == "absent":
            continue
        if runs and runs[-1][0] == cell.state and runs[-1][2] == cell.number - 1:
            runs[-1] = (cell.state, runs[-1][1], cell.number)
        else:
            runs.append((cell.state, cell.number, cell.number))
    return ", ".join(
        f"{_STATES[state]} on {first}" if first == last else f"{_STATES[state]} on {first} to {last}"
        for state, first, last in runs
    )
