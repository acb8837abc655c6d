"""What would flip one candidate, as links: each claim leads to the what-if that it is about."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from typing import Final

from selection.actions.flips import Flip, Flips
from selection.actions.knobs import Knobs
from selection.engine import Outcome
from selection.engine.reasons import label_of

_MOST_NAMED: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """What moves along with a claim on one side: the first few by name."""

    count: int
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One change, what then stands for the candidate, and what comes in and falls out with it."""

    change: str
    title: str
    now: str
    href: str
    entering: Side
    leaving: Side


@dataclass(frozen=True, slots=True, kw_only=True)
class FlipsPanel:
    """The claims and the changes that would not do; `budgets` says in a sentence how the budget matters."""

    position: int
    brings_in: bool
    budgets: str
    claims: tuple[Claim, ...]
    others: tuple[Claim, ...]
    hopeless: str


def flips_panel(outcome: Outcome, flips: Flips, href: Callable[[Knobs], str]) -> FlipsPanel:
    """Give the panel; `href` gives the address of a what-if."""
    return FlipsPanel(
        position=flips.position,
        brings_in=flips.brings_in,
        budgets=_budgets(flips),
        claims=tuple(_claim(outcome, flip, href) for flip in flips.claims),
        others=tuple(_claim(outcome, flip, href) for flip in flips.others),
        hopeless=flips.hopeless,
    )


def _budgets(flips: Flips) -> str:
    reach = flips.reach
    if reach is None:
        return "" if flips.hopeless else "No budget alone changes this."
    if reach.smallest == reach.always:
        return f"In at every budget from {reach.always:,} tokens on, and at none below."
    return (
        f"The smallest budget with it is {reach.smallest:,} tokens; it is always in from {reach.always:,} on. Between the two it may be in or "
        "out, since what does not fit is skipped."
    )


def _claim(outcome: Outcome, flip: Flip, href: Callable[[Knobs], str]) -> Claim:
    return Claim(
        change=flip.change.value,
        title=flip.title,
        now=flip.now,
        href=href(flip.knobs),
        entering=_side(outcome, flip.entering),
        leaving=_side(outcome, flip.leaving),
    )


def _side(outcome: Outcome, positions: tuple[int, ...]) -> Side:
    candidates = outcome.candidates
    names = () if candidates is None else tuple(label_of(candidates, p) for p in islice(positions, _MOST_NAMED))
    return Side(count=len(positions), names=names)
