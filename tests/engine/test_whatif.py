"""The budgets at which a candidate is in, and the sweep, against the engine itself at every budget."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from selection.engine import Outcome, Prepared, decide, decide_again, prepare
from selection.engine.codes import Verdict
from selection.engine.fit import fit_to_budget
from selection.engine.sweep import everything, sweep
from selection.engine.values import ModelDescriptor, TurnInput
from selection.engine.whatif import reach_of
from tests.engine.turns import TURNS, turn_of

MANY = settings(max_examples=100, deadline=None)


def served(prepared: Prepared) -> tuple[Outcome, ModelDescriptor] | None:
    """Select a turn, and name the model whose budget is asked about: the one that serves, else the first that was too small."""
    outcome, turn = decide(prepared), prepared.turn
    if outcome.model is not None:
        return outcome, outcome.model
    small = [attempt.model for attempt in outcome.attempts if attempt.verdict is Verdict.CONTEXT_WINDOW_EXCEEDED]
    return (outcome, next(model for model in turn.models if model.name == small[0])) if small else None


def at_budget(prepared: Prepared, model: ModelDescriptor, effective: int) -> frozenset[int]:
    """Give what is in when `model` has an effective budget of `effective`, by the whole engine."""
    resized = replace(model, max_context_tokens=effective + 7, max_output_tokens=7)
    models = tuple(resized if known.name == model.name else known for known in prepared.turn.models)
    again = decide_again(prepared, replace(prepared.turn, models=models))[1]
    served_by_it = again.model is not None and again.model.name == model.name
    return frozenset(again.included) if served_by_it else frozenset()


@MANY
@given(turn=TURNS, now=st.integers(0, 500))
def test_a_candidate_is_in_exactly_where_its_reach_says(turn: TurnInput, now: int) -> None:
    prepared = prepare(turn)
    known = served(prepared)
    if known is None or known[0].candidates is None:
        return
    model, candidates = known[1], known[0].candidates
    budgets = range(everything(candidates, remote=not model.local) + 3)
    now = min(now, budgets[-1])
    held = [at_budget(prepared, model, budget) for budget in budgets]
    for position in range(len(candidates)):
        reach = reach_of(candidates, position, effective=now, remote=not model.local)
        inside = [budget for budget in budgets if position in held[budget]]
        if reach is None:
            assert inside == []
            continue
        assert reach.smallest == inside[0]
        assert reach.nearest == next((budget for budget in inside if budget >= now), None)
        outside = [budget for budget in budgets if position not in held[budget]]
        assert reach.always == (outside[-1] + 1 if outside else 0)
        below = [budget for budget in outside if budget < now]
        assert reach.kept == ((below[-1] + 1 if below else 0) if position in held[now] else None)


@MANY
@given(turn=TURNS)
def test_the_sweep_equals_the_engine_at_every_budget(turn: TurnInput) -> None:
    prepared = prepare(turn)
    known = served(prepared)
    if known is None or known[0].candidates is None:
        return
    model, candidates = known[1], known[0].candidates
    budgets = range(everything(candidates, remote=not model.local) + 2)
    for point in sweep(candidates, budgets, remote=not model.local):
        inside = at_budget(prepared, model, point.budget)
        assert point.candidates == len(inside)
        assert point.tokens == sum(candidates.tokens[position] for position in inside)


SIZES = st.lists(st.integers(0, 4_000), max_size=300)


@settings(max_examples=50, deadline=None)
@given(sizes=SIZES, data=st.data())
def test_a_long_sweep_equals_the_walk_at_200_budgets(sizes: list[int], data: st.DataObject) -> None:
    outcome = decide(prepare(turn_of(sizes)))
    assert outcome.candidates is not None
    most = everything(outcome.candidates, remote=True) + 5
    budgets = data.draw(st.lists(st.integers(0, most), min_size=200, max_size=200))
    points = sweep(outcome.candidates, budgets, remote=True)
    assert [point.budget for point in points] == sorted(set(budgets))
    for point in points:
        fitted = fit_to_budget(outcome.candidates, point.budget, remote=True)
        assert (point.tokens, point.candidates) == (fitted.used, len(fitted.included))


def test_a_candidate_can_be_in_out_and_in_again() -> None:
    # The newest message comes first: 10 tokens, then 6; the oldest, of 5, is asked about.
    outcome = decide(prepare(turn_of([5, 6, 10])))
    assert outcome.candidates is not None
    reach = reach_of(outcome.candidates, 0, effective=9, remote=True)
    assert reach is not None
    assert (reach.smallest, reach.nearest, reach.always, reach.kept) == (5, 15, 21, None)
    inside = [budget for budget in range(25) if 0 in fit_to_budget(outcome.candidates, budget, remote=True).included]
    assert inside == [5, 15, *range(21, 25)]
