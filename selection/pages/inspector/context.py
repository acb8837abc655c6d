"""What the inspector's templates may read, and how it is computed from a turn and its knobs."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from uuid import UUID, uuid4

from selection.actions.ask_what_if import Asked
from selection.actions.knobs import pairs_of
from selection.engine import Outcome, decision_sentence
from selection.engine.findings import Finding, find
from selection.models import SelectionRun
from selection.pages.inspector.address import query_of
from selection.pages.inspector.budget import Strip, strip_of
from selection.pages.inspector.ladder import Ladder, ladder_of
from selection.pages.inspector.ledger_tab import LedgerTab, ledger_tab
from selection.pages.inspector.links import Link, tabs_of
from selection.pages.inspector.located import LocatedBox, located_box
from selection.pages.inspector.panel import KnobPanel
from selection.pages.inspector.policy_tab import PolicyTab
from selection.pages.inspector.prompt_tab import PromptTab, prompt_tab
from selection.pages.inspector.scenario import Scenario, scenario_of
from selection.pages.inspector.sealed_part import SealedPart, sealed_part
from selection.pages.inspector.suggested import SuggestedLine, suggestions_of
from selection.pages.inspector.sweep_tab import SweepTab, sweep_tab
from selection.pages.inspector.view_state import ViewState
from selection.pages.inspector.why import Why, why_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Which turn of which session is open."""

    turn_id: UUID
    number: int
    of: int
    before: UUID | None
    after: UUID | None
    session_id: UUID
    session_title: str
    key_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Everything that changes with a knob. Of the tabs only the open one is computed; `row_query` is what the address of a row starts from."""

    sentence: str
    status: str
    error: str
    sealed: SealedPart | None
    scenario: Scenario
    strip: Strip | None
    ladder: Ladder
    tabs: tuple[Link, ...]
    ledger: LedgerTab | None
    sweep: SweepTab | None
    prompt: PromptTab | None
    findings: tuple[Finding, ...] | None
    suggestions: tuple[SuggestedLine, ...]
    why: Why | None
    located: LocatedBox | None
    view: ViewState
    hidden: tuple[tuple[str, str], ...]
    carried: tuple[tuple[str, str], ...]
    row_query: str
    knob_query: str
    next_href: str
    place_query: str
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectorPage:
    """The whole page."""

    place: Place
    panel: KnobPanel
    answer: Answer
    runs: tuple[SelectionRun, ...]
    record_key: UUID
    policy: PolicyTab | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """What the page shows of the turn that no selection says: what was recorded, and the policy editor where it is open."""

    runs: tuple[SelectionRun, ...]
    policy: PolicyTab | None


def answer_of(asked: Asked, view: ViewState) -> Answer:
    """Give what the page says of a selection."""
    outcome, knobs = asked.outcome, asked.knobs

    def href(**changes: object) -> str:
        return query_of(knobs, **view.with_(**changes))

    open_tab = _open_tab(asked, view, href)
    return Answer(
        sentence=decision_sentence(outcome),
        status=outcome.status.value,
        error=outcome.error.value if outcome.error else "",
        sealed=sealed_part(asked, href),
        scenario=scenario_of(asked, view),
        strip=strip_of(outcome),
        ladder=ladder_of(outcome),
        tabs=tabs_of(view, _counts(outcome, open_tab.findings), href),
        ledger=open_tab.ledger,
        sweep=open_tab.sweep,
        prompt=open_tab.prompt,
        findings=open_tab.findings,
        suggestions=open_tab.suggestions,
        why=why_of(outcome, asked.baseline, view.row, closed=asked.is_closed),
        located=located_box(outcome, view.ask, href),
        view=view,
        hidden=(*pairs_of(knobs), *view.hidden),
        carried=tuple(pair for pair in pairs_of(knobs) if pair[0] in {"policy", "draft"}),
        row_query=href(row=None, page=view.page),
        knob_query=href(),
        next_href=href(page=open_tab.next_page) if open_tab.next_page else "",
        place_query=href(tab="policy", place=""),
        address=href(page=view.page),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _OpenTab:
    ledger: LedgerTab | None = None
    sweep: SweepTab | None = None
    prompt: PromptTab | None = None
    findings: tuple[Finding, ...] | None = None
    suggestions: tuple[SuggestedLine, ...] = ()
    next_page: int | None = None


def _open_tab(asked: Asked, view: ViewState, href: Callable[..., str]) -> _OpenTab:
    """Compute the tab that is open, and no other: findings read every content again, a prompt joins it."""
    match view.tab:
        case "":
            ledger = ledger_tab(asked, view, href)
            return _OpenTab(ledger=ledger, next_page=ledger.ledger.next_page)
        case "sweep":
            return _OpenTab(
                sweep=sweep_tab(asked, lambda window: query_of(replace(asked.knobs, window=window), **view.with_()))
            )
        case "prompt":
            prompt = prompt_tab(asked.outcome, view.page or 1, asked.is_closed)
            return _OpenTab(prompt=prompt, next_page=prompt.next_page)
        case "findings":
            suggested = suggestions_of(asked, lambda knobs: query_of(knobs, **view.with_()))
            return _OpenTab(findings=find(asked.outcome), suggestions=suggested)
        case _:
            return _OpenTab()


def _counts(outcome: Outcome, findings: tuple[Finding, ...] | None) -> dict[str, int]:
    ledger = {"ledger": len(outcome.candidates)} if outcome.candidates else {}
    return ledger if findings is None else ledger | {"findings": len(findings)}


def page_of(place: Place, asked: Asked, panel: KnobPanel, view: ViewState, beside: Beside) -> InspectorPage:
    """Give the whole page."""
    return InspectorPage(
        place=place,
        panel=panel,
        answer=answer_of(asked, view),
        runs=beside.runs,
        record_key=uuid4(),
        policy=beside.policy,
    )
