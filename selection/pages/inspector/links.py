"""The links of the inspector: tabs, filters, and the changed knobs, each an address of its own."""

from collections.abc import Callable
from dataclasses import dataclass

from selection.actions.ask_what_if import Asked
from selection.engine.findings import Finding
from selection.pages.inspector.address import LABELS, query_of
from selection.pages.inspector.ledger import Ledger
from selection.pages.inspector.view_state import TABS, ViewState


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A choice of what to show; `count` is how many rows it would show, None where that says nothing."""

    label: str
    href: str
    current: bool
    count: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chip:
    """A knob that is changed: what it says now, and the address without it."""

    label: str
    value: str
    href: str


def chips_of(asked: Asked, view: ViewState) -> tuple[Chip, ...]:
    """Give a chip for each changed knob."""
    return tuple(
        Chip(label=LABELS[name], value=_told(value), href=query_of(asked.knobs.without(name), **view.with_()))
        for name, value in asked.knobs.changed()
    )


def _told(value: object) -> str:
    match value:
        case bool():
            return "on" if value else "off"
        case int():
            return f"{value:,}"
        case tuple():
            return f"{len(value):,} lines" if len(value) != 1 else str(value[0])
        case _:
            return str(value) or "as the route says"


def tabs_of(
    view: ViewState, ledger: Ledger, findings: tuple[Finding, ...] | None, href: Callable[..., str]
) -> tuple[Link, ...]:
    """Give the tabs."""
    counts = {"ledger": ledger.total, "findings": None if findings is None else len(findings)}
    current = view.tab or TABS[0]
    return tuple(
        Link(label=tab, href=href(tab="" if tab == TABS[0] else tab), current=tab == current, count=counts.get(tab))
        for tab in TABS
    )


_FILTERS = {
    "": "all",
    "included": "included",
    "excluded": "excluded",
    "moved": "moved",
    "required": "required",
    "restricted": "restricted",
    "over_budget": "over budget",
    "too_large": "too large",
    "restricted_remote": "withheld",
    "duplicate": "duplicates",
    "undecided": "undecided",
}
_ALWAYS = frozenset({"", "included", "excluded"})


def filters_of(view: ViewState, ledger: Ledger, href: Callable[..., str]) -> tuple[Link, ...]:
    """Give the filters that would show a row, and the one in force."""
    counts = ledger.counts
    return tuple(
        Link(label=label, href=href(state=state), current=view.state == state, count=counts.get(state or "all", 0))
        for state, label in _FILTERS.items()
        if state in _ALWAYS or counts.get(state) or view.state == state
    )
