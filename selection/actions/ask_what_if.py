"""Ask what if: select a turn as the knobs say, beside the selection as recorded."""

from dataclasses import dataclass, replace

from selection.actions.knobs import Knobs, apply_knobs, budget_model, resize, sized_model
from selection.actions.open_turn import OpenTurn
from selection.engine import Outcome, Prepared, decide, decide_again
from selection.engine.states import Movement, states_of
from selection.engine.values import ModelDescriptor


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The selection that the knobs ask for, and what moved against `baseline`: the one as recorded, or another what-if that was pinned.

    `sized` is the model whose window and reserve the knobs change, as they make it; `paused` the selection before its sealed rows were opened, where they were.
    """

    knobs: Knobs
    outcome: Outcome
    baseline: Outcome
    recorded: Outcome
    movement: Movement
    sized: ModelDescriptor | None
    paused: Outcome | None = None

    def is_closed(self, position: int) -> bool:
        """Tell whether content stays closed until it is revealed: a what-if never opens what the policy of record restricts."""
        return is_closed(self.recorded, position) or is_closed(self.outcome, position)


def is_closed(outcome: Outcome, position: int) -> bool:
    """Tell whether an outcome restricts a candidate, itself or through the copy that stands for it."""
    candidates = outcome.candidates
    return candidates is not None and candidates.survivors[position] in candidates.restrictions


def ask(opened: OpenTurn, knobs: Knobs, pinned: Knobs | None = None) -> Asked:
    """Select the turn as the knobs say, and compare it with the turn as recorded or as the `pinned` knobs say."""
    outcome, baseline = outcome_under(opened, knobs), outcome_under(opened, pinned or Knobs())
    now = states_of(outcome)
    movement = Movement(now if baseline is outcome else states_of(baseline), now)
    return Asked(
        knobs=knobs,
        outcome=outcome,
        baseline=baseline,
        recorded=opened.outcome,
        movement=movement,
        sized=sized_model(outcome_under(opened, knobs.beside_budget), outcome),
    )


def with_rows_opened(asked: Asked, resumed: Outcome) -> Asked:
    """Give what was asked with its sealed rows opened, compared with the same baseline."""
    movement = Movement(states_of(asked.baseline), states_of(resumed))
    return replace(asked, outcome=resumed, movement=movement, paused=asked.outcome)


def outcome_under(opened: OpenTurn, knobs: Knobs) -> Outcome:
    """Select the turn as the knobs say, once for each set of knobs."""
    if knobs == Knobs():
        return opened.outcome
    prepared = _prepared_under(opened, knobs.beside_budget)
    return opened.decide_what_if(lambda: _decided(opened, prepared, knobs), knobs)


def _prepared_under(opened: OpenTurn, knobs: Knobs) -> Prepared:
    if knobs == Knobs():
        return opened.prepared
    return opened.prepare_what_if(apply_knobs(opened.prepared.turn, knobs), knobs)


def _decided(opened: OpenTurn, prepared: Prepared, knobs: Knobs) -> Outcome:
    if knobs == knobs.beside_budget:
        return decide(prepared)
    return _resized(prepared, outcome_under(opened, knobs.beside_budget), knobs)


def _resized(prepared: Prepared, outcome: Outcome, knobs: Knobs) -> Outcome:
    model = budget_model(outcome)
    return outcome if model is None else decide_again(prepared, resize(prepared.turn, model, knobs))[1]


def select_under(prepared: Prepared, knobs: Knobs) -> Outcome:
    """Select a prepared turn as the knobs say; nothing is kept, for questions that ask many what-ifs in a row."""
    prepared, outcome = decide_again(prepared, apply_knobs(prepared.turn, knobs))
    return outcome if knobs == knobs.beside_budget else _resized(prepared, outcome, knobs)
