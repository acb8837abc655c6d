"""The links of the inspector: tabs, filters, and the changed knobs, each an address of its own."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from selection.actions.knobs import Knobs
from selection.pages.inspector.address import LABELS, query_of
from selection.pages.inspector.view_state import TABS, ViewState


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A choice of what to show; `count` is how many rows it would show, None where that says nothing. `name` is the same on every answer."""

    name: str
    label: str
    href: str
    current: bool
    count: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chip:
    """A knob that is changed: what it says now, and the address without it."""

    name: str
    label: str
    value: str
    href: str


def chips_of(knobs: Knobs, view: ViewState) -> tuple[Chip, ...]:
    """Give a chip for each changed knob."""
    return tuple(
        Chip(
            name=name, label=LABELS[name], value=_told(name, value), href=query_of(knobs.without(name), **view.with_())
        )
        for name, value in knobs.changed()
        if name != "policy" or knobs.draft is None
    )


def _told(name: str, value: object) -> str:
    if name in {"policy", "draft"}:
        return "edited"
    match value:
        case bool():
            return "on" if value else "off"
        case int():
            return f"{value:,}"
        case tuple():
            return f"{len(value):,} lines" if len(value) != 1 else str(value[0])
        case _:
            return str(value) or "as the route says"


def tabs_of(view: ViewState, counts: Mapping[str, int], href: Callable[..., str]) -> tuple[Link, ...]:
    """Give the tabs; `counts` tells what is in those where a number says something."""
    current = view.tab or TABS[0]
    return tuple(
        Link(
            name=f"tab-{tab}",
            label=tab,
            href=href(tab="" if tab == TABS[0] else tab),
            current=tab == current,
            count=counts.get(tab),
        )
        for tab in TABS
    )


_STATES: Final = {
    "": "all",
    "included": "included",
    "excluded": "excluded",
    "moved": "moved",
    "required": "required",
    "fits": "in by rank",
    "over_budget": "over budget",
    "too_large": "too large",
    "restricted_remote": "withheld",
    "duplicate": "duplicate",
    "undecided": "undecided",
}
_ALWAYS: Final = frozenset({"", "included", "excluded"})


def state_filters(view: ViewState, counts: Mapping[str, int], href: Callable[..., str]) -> tuple[Link, ...]:
    """Give the filters by state that would show a row, and the one in force."""
    return tuple(
        Link(
            name=f"state-{state or 'all'}",
            label=label,
            href=href(state=state),
            current=view.state == state,
            count=counts.get(state, 0),
        )
        for state, label in _STATES.items()
        if state in _ALWAYS or counts.get(state) or view.state == state
    )


def toggles(part: str, chosen: str, counts: Mapping[str, int], href: Callable[..., str]) -> tuple[Link, ...]:
    """Give a filter for each value of a part of the view; following the one in force takes it back."""
    return tuple(
        Link(
            name=f"{part}-{value}",
            label=value,
            href=href(**{part: "" if value == chosen else value}),
            current=value == chosen,
            count=count,
        )
        for value, count in counts.items()
        if count or value == chosen
    )
