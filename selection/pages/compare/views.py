"""The addresses of comparisons: two sides beside each other, and the reproduction of a recorded run."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views import View

from selection import queries
from selection.actions.reproduce_run import Reproduced, reproduce_run
from selection.engine.compare import Change, Divergence, Pair, compare
from selection.engine.states import WORDS
from selection.models import SelectionRun
from selection.pages.compare.sides import Side, side_of
from selection.pages.inspector.look import HtmxRequest, look_at
from selection.pages.inspector.sealed_views import TakesAnswers
from selection.pages.inspector.view_state import read_number

_ROWS_A_PAGE: Final = 100
_CHOICES: Final = 200
_LABELS: Final = {
    Change.ENTERED: "entered",
    Change.LEFT: "left",
    Change.REASON: "new reason",
    Change.RERANKED: "re-ranked",
    Change.REPRICED: "re-priced",
    Change.NEW: "only right, out",
    Change.GONE: "only left, out",
}
_WORDS: Final = {None if state is None else state.value: words for state, words in WORDS.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeFilter:
    """A filter by one kind of change."""

    label: str
    href: str
    count: int
    current: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One candidate on both sides, in words; `first` where the two sides part at it."""

    label: str
    changes: tuple[str, ...]
    left: str
    right: str
    left_href: str
    right_href: str
    ranks: str
    tokens: str
    first: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One side that can be chosen."""

    written: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparePage:
    """Two sides; `shown` counts the rows of the filter, of which one page is given."""

    left: Side
    right: Side
    filters: tuple[ChangeFilter, ...]
    unchanged: int
    divergence: Divergence | None
    rows: tuple[Row, ...]
    shown: int
    next_href: str
    swap_href: str
    choices: tuple[Choice, ...]


class CompareView(View):
    """Compare two sides of the user."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """Show what differs; an address without sides leads nowhere."""
        left = side_of(request, request.GET.get("left", ""))
        right = side_of(request, request.GET.get("right", "") or left.written)
        page = _page(request, left, right)
        response = render(request, "selection/compare/detail.html", {"page": page})
        response["Cache-Control"] = "private, no-store"
        return response


def _page(request: HttpRequest, left: Side, right: Side) -> ComparePage:
    comparison = compare(left.entries, right.entries)
    wanted, number = request.GET.get("change", ""), read_number(request.GET.get("page")) or 1
    counts = comparison.counts()
    pairs = [pair for pair in comparison.pairs if (wanted in pair.changes if wanted else pair.changes)]
    start = (number - 1) * _ROWS_A_PAGE
    sides = {"left": left.written, "right": right.written}
    following = {"change": wanted, "page": number + 1}
    return ComparePage(
        left=left,
        right=right,
        filters=tuple(
            ChangeFilter(
                label=label,
                href=_href(sides | {"change": "" if wanted == change else change.value}),
                count=counts[change],
                current=wanted == change,
            )
            for change, label in _LABELS.items()
        ),
        unchanged=sum(not pair.changes for pair in comparison.pairs),
        divergence=comparison.divergence,
        rows=tuple(_row(left, right, pair, comparison.divergence) for pair in pairs[start : start + _ROWS_A_PAGE]),
        shown=len(pairs),
        next_href=_href(sides | following) if start + _ROWS_A_PAGE < len(pairs) else "",
        swap_href=_href({"left": right.written, "right": left.written}),
        choices=tuple(_choices(request, left, right)),
    )


def _href(values: Mapping[str, object]) -> str:
    return f"?{urlencode({name: value for name, value in values.items() if value})}"


def _row(left: Side, right: Side, pair: Pair, divergence: Divergence | None) -> Row:
    one, other = pair.left, pair.right
    named = other or one
    parts = divergence.identities if divergence else frozenset()
    return Row(
        label=named.label if named else "",
        first=named is not None and named.identity in parts,
        changes=tuple(_LABELS[change] for change in pair.changes),
        left=_WORDS[one.state] if one else "not there",
        right=_WORDS[other.state] if other else "not there",
        left_href=_row_href(left.href, one.position) if one else "",
        right_href=_row_href(right.href, other.position) if other else "",
        ranks=_moved(one.rank if one else None, other.rank if other else None),
        tokens=_moved(one.tokens if one else None, other.tokens if other else None),
    )


def _row_href(href: str, position: int) -> str:
    return f"{href}{'&' if '?' in href else '?'}row={position}"


def _moved(before: int | None, now: int | None) -> str:
    if before == now:
        return "" if now is None else f"{now:,}"
    return " → ".join("none" if value is None else f"{value:,}" for value in (before, now))


def _choices(request: HttpRequest, left: Side, right: Side) -> list[Choice]:
    """Offer the turns of the session and the recorded runs of the two turns, beside what is chosen."""
    known = {side.written: side.title for side in (left, right)}
    for row in queries.turns_of(request.user, left.turn.session)[:_CHOICES]:
        known.setdefault(f"turn:{row.pk}", f"Turn {row.position + 1:,}")
    for turn in (left.turn, right.turn):
        for run in queries.runs_of(request.user, turn)[:_CHOICES]:
            known.setdefault(
                f"run:{run.pk}", f"Turn {turn.position + 1:,}, recorded {run.created_at:%Y-%m-%d %H:%M:%S}"
            )
    return [Choice(written=written, title=title) for written, title in known.items()]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReproducePage:
    """A recorded run and what came of selecting it again."""

    run: SelectionRun
    reproduced: Reproduced


class ReproduceView(TakesAnswers):
    """Select a recorded run again and tell whether the same comes out."""

    def get(self, request: HtmxRequest, run_id: UUID) -> HttpResponse:
        """Recompute."""
        run = self._run(request, run_id)
        return self._show(request, run, reproduce_run(run))

    def post(self, request: HtmxRequest, run_id: UUID) -> HttpResponse:
        """Recompute with the sealed rows opened that the client sends along."""
        run = self._run(request, run_id)
        look = look_at(request, run.run_input)
        return self._show(request, run, reproduce_run(run, look.outcome if look.is_kept else None))

    @staticmethod
    def _run(request: HtmxRequest, run_id: UUID) -> SelectionRun:
        run = queries.run_of(request.user, run_id)
        if run is None:
            raise Http404
        return run

    @staticmethod
    def _show(request: HtmxRequest, run: SelectionRun, reproduced: Reproduced) -> HttpResponse:
        page = ReproducePage(run=run, reproduced=reproduced)
        template = "_badge.html" if request.htmx else "reproduce.html"
        return render(request, f"selection/compare/{template}", {"page": page})
