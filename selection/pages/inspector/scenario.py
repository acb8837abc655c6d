"""The what-if as a whole: its changes as chips, what moved and against what, and the addresses that reset it, pin it and unpin it."""

from dataclasses import dataclass

from selection.actions.ask_what_if import Asked
from selection.actions.knobs import Knobs
from selection.pages.inspector.address import query_of
from selection.pages.inspector.links import Chip, chips_of
from selection.pages.inspector.view_state import ViewState


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """`active` where anything differs from the turn as recorded; `pinned` where another what-if is the baseline. `said` is what is announced."""

    active: bool
    pinned: bool
    chips: tuple[Chip, ...]
    moved_in: int
    moved_out: int
    changed: int
    said: str
    reset_href: str
    pin_href: str
    unpin_href: str
    baseline_href: str
    only_knobs: str
    only_base: str


def scenario_of(asked: Asked, view: ViewState) -> Scenario:
    """Give the banner of a what-if."""
    moves, knobs = asked.movement.counts, asked.knobs
    active, pinned = knobs != Knobs(), bool(view.base)
    return Scenario(
        active=active or pinned,
        pinned=pinned,
        chips=chips_of(knobs, view),
        moved_in=moves["in"],
        moved_out=moves["out"],
        changed=moves["changed"],
        said=_said(asked) if active or pinned else "",
        reset_href=query_of(Knobs(), **view.with_(base="")),
        pin_href=query_of(knobs, **view.with_(base=query_of(knobs).removeprefix("?"))),
        unpin_href=query_of(knobs, **view.with_(base="")),
        baseline_href=f"?{view.base}",
        only_knobs=query_of(knobs).removesuffix("?"),
        only_base=f"?{view.base}" if view.base else "",
    )


def _said(asked: Asked) -> str:
    moves, model = asked.movement.counts, asked.outcome.model
    serves = f"{model.name} serves" if model else "no model serves"
    return f"What-if: {moves['in']:,} moved in, {moves['out']:,} moved out, {moves['changed']:,} with another reason; {serves}."
