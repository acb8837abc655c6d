"""The ledger with its filters, each a link."""

from collections.abc import Callable
from dataclasses import dataclass

from selection.actions.ask_what_if import Asked
from selection.pages.inspector.ledger import Ledger, ledger_of
from selection.pages.inspector.links import Link, state_filters, toggles
from selection.pages.inspector.tallies import filter_counts, kind_counts, mark_counts
from selection.pages.inspector.view_state import ViewState


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """One state of what stays out, as a filter."""

    words: str
    count: int
    href: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerTab:
    """The rows, and the filters by state, mark and kind; `left_out` sums up what stays out."""

    ledger: Ledger
    states: tuple[Link, ...]
    marks: tuple[Link, ...]
    kinds: tuple[Link, ...]
    left_out: tuple[LeftOut, ...]


def ledger_tab(asked: Asked, view: ViewState, href: Callable[..., str]) -> LedgerTab:
    """Give the ledger as the view narrows it."""
    ledger = ledger_of(asked, view.filter, view.page or 1)
    candidates = asked.outcome.candidates
    marks = {} if candidates is None else mark_counts(candidates)
    kinds = {} if candidates is None else kind_counts(candidates)
    return LedgerTab(
        ledger=ledger,
        states=state_filters(view, filter_counts(asked.movement, ledger.tallies), href),
        marks=toggles("mark", view.mark, marks, href),
        kinds=toggles("kind", view.kind, kinds, href),
        left_out=tuple(
            LeftOut(words=tally.words, count=tally.count, href=href(state=tally.state))
            for tally in ledger.tallies.left_out
        ),
    )
