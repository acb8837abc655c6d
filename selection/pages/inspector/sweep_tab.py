"""The budget sweep as a table, of which the chart is drawn: how much is in at each budget, and the address that sets it."""

from collections.abc import Callable
from dataclasses import dataclass

from selection.actions.ask_what_if import Asked
from selection.engine.choose import effective_budget, reply_reserve
from selection.engine.fit import required_tokens_of
from selection.engine.sweep import everything, plotted, sweep


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepRow:
    """One budget and what it holds; `note` says what is particular about it."""

    budget: int
    tokens: int
    candidates: int
    current: bool
    note: str
    href: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepTab:
    """The sweep of the model whose budget the knobs change; without one there are no rows."""

    model: str
    rows: tuple[SweepRow, ...]


def sweep_tab(asked: Asked, href: Callable[[int], str]) -> SweepTab:
    """Sweep the budget of the model that the knobs size; `href` gives the address that sets a window of so many tokens."""
    model, candidates = asked.sized, asked.outcome.candidates
    if model is None or candidates is None:
        return SweepTab(model="", rows=())
    remote, now = not model.local, effective_budget(model)
    least, most = required_tokens_of(candidates), everything(candidates, remote=remote)
    notes = {0: "nothing", most: "everything that may be in", least: "what is required", now: "now"}
    points = sweep(candidates, {*plotted(candidates, remote=remote), now}, remote=remote)
    return SweepTab(
        model=model.name,
        rows=tuple(
            SweepRow(
                budget=point.budget,
                tokens=point.tokens,
                candidates=point.candidates,
                current=point.budget == now,
                note=notes.get(point.budget, "" if point.budget >= least else "no model serves"),
                href=href(point.budget + reply_reserve(model)),
            )
            for point in points
        ),
    )
