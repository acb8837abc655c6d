"""What the inspector's templates may read, and how it is computed from a turn and its knobs."""

from dataclasses import dataclass, replace
from uuid import UUID, uuid4

from selection.actions.ask_what_if import Asked
from selection.actions.knobs import Knobs, pairs_of
from selection.engine import build_prompt, decision_sentence
from selection.engine.findings import Finding, find
from selection.engine.prompt import PromptMessage
from selection.models import SelectionRun
from selection.pages.inspector.address import query_of
from selection.pages.inspector.budget import Strip, strip_of
from selection.pages.inspector.ladder import Ladder, ladder_of
from selection.pages.inspector.ledger import Ledger, ledger_of
from selection.pages.inspector.links import Chip, Link, chips_of, filters_of, tabs_of
from selection.pages.inspector.panel import KnobPanel
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
    """Everything that changes with a knob."""

    sentence: str
    status: str
    error: str
    what_if: bool
    chips: tuple[Chip, ...]
    reset_href: str
    moves: dict[str, int]
    strip: Strip | None
    ladder: Ladder
    ledger: Ledger
    tabs: tuple[Link, ...]
    filters: tuple[Link, ...]
    kinds: tuple[Link, ...]
    next_href: str
    row_href: str
    view: ViewState
    hidden: tuple[tuple[str, str], ...]
    why: Why | None
    prompt: tuple[PromptMessage, ...]
    findings: tuple[Finding, ...]
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectorPage:
    """The whole page."""

    place: Place
    panel: KnobPanel
    answer: Answer
    runs: tuple[SelectionRun, ...]
    record_key: UUID


def answer_of(asked: Asked, view: ViewState) -> Answer:
    """Give what the page says of a selection."""
    outcome, movement = asked.outcome, asked.movement
    ledger = ledger_of(outcome, movement, view.filter, view.page or 1)
    # Findings read every content again: they are computed where they are looked at.
    findings = find(outcome) if view.tab == "findings" else None

    def href(**changes: object) -> str:
        return query_of(asked.knobs, **view.with_(**changes))

    return Answer(
        sentence=decision_sentence(outcome),
        status=outcome.status.value,
        error=outcome.error.value if outcome.error else "",
        what_if=asked.knobs != Knobs(),
        chips=chips_of(asked, view),
        reset_href=query_of(Knobs(), **view.with_()),
        moves={name: movement.counts[name] for name in ("in", "out", "changed")},
        strip=strip_of(outcome),
        ladder=ladder_of(outcome),
        ledger=ledger,
        tabs=tabs_of(view, ledger, findings, href),
        filters=filters_of(view, ledger, href),
        kinds=tuple(
            Link(label=kind, href=href(kind="" if view.kind == kind else kind), current=view.kind == kind, count=count)
            for kind, count in ledger.kinds.items()
        ),
        next_href=query_of(asked.knobs, **view.with_(page=ledger.next_page)) if ledger.next_page else "",
        row_href=query_of(asked.knobs, **view.with_(row=None)),
        view=view,
        hidden=(*pairs_of(asked.knobs), *replace(view, search="").hidden),
        why=why_of(outcome, movement, view.row),
        prompt=build_prompt(outcome) if view.tab == "prompt" else (),
        findings=findings or (),
        address=query_of(asked.knobs, **view.with_(page=view.page)),
    )


def page_of(
    place: Place, asked: Asked, panel: KnobPanel, view: ViewState, runs: tuple[SelectionRun, ...]
) -> InspectorPage:
    """Give the whole page."""
    return InspectorPage(
        place=place,
        panel=panel,
        answer=answer_of(asked, view),
        runs=runs,
        record_key=uuid4(),
    )
