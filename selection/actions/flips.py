"""What would flip one candidate: each claim is a what-if that was run, never a guess ("What would flip it").

A claim carries the whole what-if as knobs, so that it can be followed; what was tried and does not flip it is told too, with the reason that then stands.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from selection.actions.knobs import Knobs, sized_model
from selection.actions.trials import Trial, trials_of
from selection.engine import Outcome, decision_sentence, explain
from selection.engine.choose import reply_reserve
from selection.engine.codes import State
from selection.engine.values import ModelDescriptor
from selection.engine.whatif import Reach, reach_of

Evaluate = Callable[[Knobs], Outcome]


class Change(StrEnum):
    """What kind of change a claim is about."""

    BUDGET = "budget"
    RESERVE = "reserve"
    REFERENCE = "reference"
    MODEL = "model"
    PATTERN = "pattern"
    PREFERENCE = "preference"
    CREDENTIAL = "credential"


@dataclass(frozen=True, slots=True, kw_only=True)
class Flip:
    """One change and what it does to the candidate, as the engine says: `flips` where it changes sides and a model still serves.

    `entering` and `leaving` are the others that move with it, as ranked; `now` is the reason that then stands.
    """

    change: Change
    knobs: Knobs
    title: str
    flips: bool
    now: str
    effective: int | None
    entering: tuple[int, ...]
    leaving: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Flips:
    """Everything that would flip a candidate, and what would not. `brings_in` tells which way; `hopeless` says why nothing can, where nothing can."""

    position: int
    brings_in: bool
    reach: Reach | None
    claims: tuple[Flip, ...]
    others: tuple[Flip, ...]
    hopeless: str


def flips_of(outcome: Outcome, position: int, knobs: Knobs, evaluate: Evaluate) -> Flips:
    """Tell what would flip the candidate at `position` of `outcome`, which `knobs` gave; a copy is asked about through its survivor.

    `evaluate` selects the same turn under other knobs.
    """
    candidates = outcome.candidates
    if candidates is None:
        return Flips(position=position, brings_in=True, reach=None, claims=(), others=(), hopeless=_NO_ROUTE)
    subject = candidates.survivors[position]
    asker = _Asker(outcome, subject, knobs, evaluate)
    tried = (*asker.budgets(), *(asker.ask(trial) for trial in trials_of(outcome, subject, knobs)))
    claims = tuple(flip for flip in tried if flip.flips)
    return Flips(
        position=subject,
        brings_in=not asker.is_in,
        reach=asker.reach,
        claims=claims,
        others=tuple(flip for flip in tried if not flip.flips),
        hopeless="" if claims else _why_hopeless(outcome, subject, asker),
    )


_NO_ROUTE: Final = (
    "Without a route there are no candidates: only another policy, or asking for a model by name, makes some."
)


def _why_hopeless(outcome: Outcome, position: int, asker: "_Asker") -> str:
    if outcome.state_of(position) is State.REQUIRED:
        return "Nothing here takes it out: it is required for what it is, whatever the budget, the model or the policy."
    if asker.is_in:
        return "Nothing here takes it out: it fits whatever could be changed one at a time."
    return "Nothing here brings it in when changed alone; below is what then still keeps it out."


class _Asker:
    """Runs the trials of one candidate."""

    def __init__(self, outcome: Outcome, position: int, knobs: Knobs, evaluate: Evaluate) -> None:
        self.outcome = outcome
        self.position = position
        self.knobs = knobs
        self.evaluate = evaluate
        self.included = outcome.included
        self.is_in = position in self.included
        beside = outcome if knobs == knobs.beside_budget else evaluate(knobs.beside_budget)
        self.model = sized_model(beside, outcome)
        self.reach = self._reach()

    def _reach(self) -> Reach | None:
        model, candidates = self.model, self.outcome.candidates
        if model is None or candidates is None:
            return None
        return reach_of(candidates, self.position, effective=_effective(model), remote=not model.local)

    def budgets(self) -> Iterator[Flip]:
        """Ask the budgets at which the candidate changes sides: by the window, then by the reply reserve."""
        model, reach = self.model, self.reach
        if model is None or reach is None:
            return
        for effective, title in self._thresholds(model, reach):
            window = effective + reply_reserve(model)
            knobs = replace(self.knobs, window=window)
            yield self._asked(Change.BUDGET, knobs, f"{title} (a window of {window:,})", effective)
        reserve = model.max_context_tokens - self._nearest_flip(reach)
        if 0 <= reserve != reply_reserve(model) and self._nearest_flip(reach) >= 0:
            title = f"A reply reserve of {reserve:,} instead of {reply_reserve(model):,}"
            yield self._asked(Change.RESERVE, replace(self.knobs, reserve=reserve), title, self._nearest_flip(reach))

    def _nearest_flip(self, reach: Reach) -> int:
        if not self.is_in:
            return reach.nearest
        return (reach.kept or 0) - 1

    def _thresholds(self, model: ModelDescriptor, reach: Reach) -> Iterator[tuple[int, str]]:
        now = _effective(model)
        if self.is_in:
            if reach.kept:
                yield reach.kept - 1, f"A budget of {_moved(reach.kept - 1, now)}"
            return
        yield reach.nearest, f"A budget of {_moved(reach.nearest, now)}"
        if reach.smallest < min(now, reach.nearest):
            yield reach.smallest, f"A budget of only {_moved(reach.smallest, now)}: the smallest of all"
        if reach.always > reach.nearest:
            yield reach.always, f"A budget of {_moved(reach.always, now)}: from there on it is always in"

    def ask(self, trial: Trial) -> Flip:
        """Ask one change that is not about the size of the budget."""
        return self._asked(Change(trial.change), trial.knobs, trial.title, None)

    def _asked(self, change: Change, knobs: Knobs, title: str, effective: int | None) -> Flip:
        then = self.evaluate(knobs)
        included, before = frozenset(then.included), frozenset(self.included)
        is_in = self.position in included
        return Flip(
            change=change,
            knobs=knobs,
            title=title,
            # Out because nobody serves is not out by selection: that is told among the others.
            flips=is_in != self.is_in and then.model is not None,
            now=_told(then, self.position),
            effective=effective,
            entering=tuple(p for p in then.included if p not in before and p != self.position),
            leaving=tuple(p for p in self.included if p not in included and p != self.position),
        )


def _effective(model: ModelDescriptor) -> int:
    return max(0, model.max_context_tokens - reply_reserve(model))


def _moved(budget: int, now: int) -> str:
    difference = budget - now
    return f"{budget:,} tokens, {abs(difference):,} {'more' if difference >= 0 else 'fewer'}"


def _told(then: Outcome, position: int) -> str:
    """Say what stands for the candidate under the change; where nobody serves, why."""
    return decision_sentence(then) if then.model is None else explain(then, position).sentence
