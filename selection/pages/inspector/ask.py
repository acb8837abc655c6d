"""Ask what if: select a turn as the knobs say, beside the selection as recorded."""

from dataclasses import dataclass

from selection.actions.open_turn import OpenTurn
from selection.engine import Outcome, decide, decide_again
from selection.pages.inspector.knobs import Knobs, apply_knobs, budget_model, resize
from selection.pages.inspector.states import Movement, states_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The selection that the knobs ask for, beside the one as recorded."""

    knobs: Knobs
    outcome: Outcome
    movement: Movement
    resized: str


def ask(opened: OpenTurn, knobs: Knobs) -> Asked:
    """Select the turn as the knobs say."""
    if knobs == Knobs():
        states = states_of(opened.outcome)
        return Asked(knobs=knobs, outcome=opened.outcome, movement=Movement(states, states), resized="")
    changed = apply_knobs(opened.prepared.turn, knobs)
    prepared = opened.prepare_what_if(changed, knobs.beside_budget)
    outcome = decide(prepared)
    model = budget_model(outcome)
    if model is not None and (knobs.window is not None or knobs.reserve is not None):
        _, outcome = decide_again(prepared, resize(changed, model, knobs))
    movement = Movement(states_of(opened.outcome), states_of(outcome))
    return Asked(knobs=knobs, outcome=outcome, movement=movement, resized=model.name if model else "")
