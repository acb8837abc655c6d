"""What the pages of a replay may read."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode
from uuid import UUID

from django.core.paginator import Page, Paginator
from django.http import HttpRequest
from django.urls import reverse

from selection import policy_queries
from selection.engine.codes import EffectCode, Fate
from selection.models import Replay, ReplayState, ReplayVerdict
from selection.pages.bars import Chart, chart_of

_LINES_A_PAGE: Final = 50
_ROWS_A_PAGE: Final = 100
_MOST_DAYS: Final = 400
_MOST_OTHERS: Final = 10
WORDS: Final[Mapping[str, str]] = {
    EffectCode.DISCLOSED: "newly disclosed to a remote model",
    EffectCode.FAILS: "now fails",
    EffectCode.MOVED_REMOTE: "moved to remote",
    EffectCode.WITHHELD: "newly withheld",
    EffectCode.MOVED_LOCAL: "moved to local",
    EffectCode.MODEL: "model changed",
    EffectCode.ASKS: "asks now",
    EffectCode.SILENT: "asks no more",
    EffectCode.WORKS: "now works",
    EffectCode.LOST: "context lost by budget",
    EffectCode.GAINED: "context gained",
}
GRAVE: Final = frozenset((EffectCode.DISCLOSED, EffectCode.FAILS, EffectCode.MOVED_REMOTE, EffectCode.SILENT))
_FATES: Final[Mapping[str, str]] = {
    Fate.REMOTE: "would leave",
    Fate.LOCAL: "stay local",
    Fate.WITHHELD: "withheld",
    Fate.OUT: "over budget",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeFilter:
    """One kind of change, with its decisions and turns; zero is stated as zero."""

    code: str
    words: str
    decisions: int
    turns: int
    grave: bool
    href: str
    current: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line: a path, a pattern and a direction; `href` opens its newest turn with the policy loaded, `rows_href` all of its decisions."""

    words: str
    grave: bool
    held: Mapping[str, Any]
    href: str
    rows_href: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Exposure:
    """What leaves, what stays and what is withheld."""

    providers: tuple[Mapping[str, Any], ...]
    days: tuple[Mapping[str, Any], ...]
    chart: Chart
    paths: tuple[tuple[str, str, int, str], ...]
    total: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayPage:
    """One replay. `done` of its turns were examined; what was deleted since is not there any more."""

    replay: Replay
    tally: policy_queries.Tally
    verdicts: tuple[tuple[str, int, str], ...]
    unknown: tuple[tuple[str, int, str], ...]
    filters: tuple[ChangeFilter, ...]
    decisions: int
    lines: Page[Any]
    shown: tuple[Line, ...]
    change: str
    exposure: Exposure
    chosen: tuple[tuple[str, str], ...]
    others: tuple[Replay, ...]
    lists: tuple[str, ...] = ("decisions", "turns", "paths")

    @property
    def running(self) -> bool:
        """Whether there is more to come."""
        return self.replay.state == ReplayState.RUNNING

    @property
    def percent(self) -> int:
        """How far it is."""
        return min(100, 100 * self.tally.examined // self.replay.turns) if self.replay.turns else 100


def replay_page(request: HttpRequest, replay: Replay) -> ReplayPage:
    """Give the page of a replay."""
    change = _known(request.GET.get("change", ""), WORDS)
    tally = policy_queries.tally_of(replay)
    counts = policy_queries.change_counts(replay)
    grouped = policy_queries.lines_of(policy_queries.changes_of(replay, change))
    lines = Paginator(grouped, _LINES_A_PAGE).get_page(request.GET.get("page"))
    turns = reverse("pages:replay_turns", args=[replay.pk])
    return ReplayPage(
        replay=replay,
        tally=tally,
        verdicts=tuple((v.value, tally.counts.get(v, 0), f"{turns}?verdict={v.value}") for v in ReplayVerdict),
        unknown=tuple((why, count, f"{turns}?{urlencode({'why': why})}") for why, count in tally.unknown.items()),
        filters=tuple(_filters(counts, change)),
        decisions=sum(decisions for decisions, _ in counts.values()),
        lines=lines,
        shown=tuple(line_of(replay, held) for held in lines),
        change=change,
        exposure=_exposure(replay),
        others=tuple(policy_queries.replays_of(request.user).exclude(pk=replay.pk)[:_MOST_OTHERS]),
        chosen=tuple((name, str(value)) for name, value in replay.chosen.items() if value),
    )


def _known(value: str, known: Mapping[str, str]) -> str:
    return value if value in known else ""


def _filters(counts: Mapping[str, tuple[int, int]], change: str) -> Iterator[ChangeFilter]:
    for code, words in WORDS.items():
        decisions, turns = counts.get(code, (0, 0))
        yield ChangeFilter(
            code=str(code),
            words=words,
            decisions=decisions,
            turns=turns,
            grave=code in GRAVE,
            href="?" if code == change else f"?change={code}",
            current=code == change,
        )


def line_of(replay: Replay, held: Mapping[str, Any]) -> Line:
    """Give a line as pages show it."""
    named = {"change": held["change"], "path": held["path"], "pattern": held["pattern"]}
    rows = reverse("pages:replay_decisions", args=[replay.pk])
    return Line(
        words=WORDS[held["change"]],
        grave=held["change"] in GRAVE,
        held=held,
        href=turn_href(replay, UUID(held["last_turn"])),
        rows_href=f"{rows}?{urlencode(named)}",
    )


def turn_href(replay: Replay, turn: UUID, position: int | None = None) -> str:
    """Give the address of a turn with the replayed policy loaded."""
    query = {"draft": str(replay.draft_id) if replay.draft_id else "", "row": "" if position is None else position}
    said = urlencode({name: value for name, value in query.items() if value != ""})
    return f"{reverse('pages:turn', args=[turn])}?{said}"


def _exposure(replay: Replay) -> Exposure:
    providers, days = policy_queries.providers_of(replay), policy_queries.days_of(replay)
    counts = policy_queries.path_counts(replay)
    paths = reverse("pages:replay_paths", args=[replay.pk])
    recent = days[-_MOST_DAYS:]
    return Exposure(
        providers=tuple(providers),
        days=tuple(recent),
        chart=chart_of(tuple((name, day[name]) for name in ("local", "withheld", "remote")) for day in recent),
        paths=tuple((str(fate), words, counts.get(fate, 0), f"{paths}?fate={fate}") for fate, words in _FATES.items()),
        total={name: sum(row[name] for row in providers) for name in ("turns", "remote", "local", "withheld")},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RowsPage:
    """Rows behind a number: decisions, turns or paths of a replay."""

    replay: Replay
    title: str
    rows: Page[Any]
    shown: tuple[Mapping[str, Any], ...]
    query: str
    exports: tuple[tuple[str, str], ...]


def decisions_page(request: HttpRequest, replay: Replay) -> RowsPage:
    """Give the decisions that change; those of one line where the address names it."""
    asked = {name: request.GET[name] for name in ("change", "path", "pattern") if name in request.GET}
    rows = decisions_of(replay, asked).select_related("run_input", "session")
    return _rows_page(request, replay, "decisions", rows, asked, _decision)


def decisions_of(replay: Replay, asked: Mapping[str, str]) -> Any:
    """Give the decisions that an address names."""
    return policy_queries.changes_of(replay, asked.get("change", ""), asked.get("path"), asked.get("pattern"))


def _decision(replay: Replay, row: Any) -> Mapping[str, Any]:
    return {
        "words": WORDS.get(row.change, row.change),
        "row": row,
        "href": turn_href(replay, row.run_input_id, row.position),
    }


def turns_page(request: HttpRequest, replay: Replay) -> RowsPage:
    """Give the turns of a verdict."""
    asked = {name: request.GET[name] for name in ("verdict", "why") if name in request.GET}
    rows = policy_queries.turns_with(replay, **asked).select_related("run_input", "session")
    return _rows_page(request, replay, "turns", rows, asked, _turn)


def _turn(replay: Replay, row: Any) -> Mapping[str, Any]:
    return {"row": row, "href": turn_href(replay, row.run_input_id)}


def paths_page(request: HttpRequest, replay: Replay) -> RowsPage:
    """Give the paths of a fate."""
    asked = {"fate": _known(request.GET.get("fate", ""), _FATES)}
    rows = policy_queries.paths_exposed(replay, asked["fate"])
    return _rows_page(request, replay, "paths", rows, asked, _path)


def _path(_: Replay, row: Any) -> Mapping[str, Any]:
    return {**row, "words": _FATES[row["fate"]]}


def _rows_page(
    request: HttpRequest, replay: Replay, what: str, rows: Any, asked: Mapping[str, str], shown: Any
) -> RowsPage:
    page = Paginator(rows, _ROWS_A_PAGE).get_page(request.GET.get("page"))
    query = urlencode({name: value for name, value in asked.items() if value or name in {"path", "pattern"}})
    return RowsPage(
        replay=replay,
        title=what,
        rows=page,
        shown=tuple(shown(replay, row) for row in page),
        query=query,
        exports=tuple(
            (form, f"{reverse('pages:replay_export', args=[replay.pk, what, form])}?{query}")
            for form in ("csv", "ndjson")
        ),
    )
