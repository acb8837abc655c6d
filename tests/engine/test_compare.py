"""Two selections beside each other: every candidate once, and the first place at which they part."""

from dataclasses import replace

from hypothesis import given

from selection.engine import select
from selection.engine.compare import Change, compare, entries_of
from selection.engine.values import TurnInput
from tests.engine.turns import TURNS, turn_of


@given(TURNS, TURNS)
def test_every_candidate_of_both_sides_is_in_exactly_one_pair(one: TurnInput, other: TurnInput) -> None:
    left, right = entries_of(select(one)), entries_of(select(other))
    found = compare(left, right).pairs
    assert sorted(pair.left.position for pair in found if pair.left) == sorted(entry.position for entry in left)
    assert sorted(pair.right.position for pair in found if pair.right) == sorted(entry.position for entry in right)
    whereabouts = {Change.ENTERED, Change.LEFT, Change.GONE, Change.NEW}
    assert all(len(whereabouts & {*pair.changes}) <= 1 for pair in found)
    entered = sum(Change.ENTERED in pair.changes for pair in found) - sum(Change.LEFT in pair.changes for pair in found)
    assert entered == sum(entry.included for entry in right) - sum(entry.included for entry in left)


@given(TURNS)
def test_a_selection_is_equal_to_itself(turn: TurnInput) -> None:
    side = entries_of(select(turn))
    found = compare(side, side)
    assert not any(pair.changes for pair in found.pairs)
    assert found.divergence is None


def test_the_first_divergence_is_where_the_smaller_budget_lets_go() -> None:
    turn = turn_of([5, 6, 10])
    small = replace(turn, models=(replace(turn.models[0], max_context_tokens=15),))
    found = compare(entries_of(select(turn)), entries_of(select(small)))
    assert found.divergence is not None
    assert (found.divergence.place, found.divergence.left, found.divergence.right) == (
        2,
        "message 2 of 3",
        "message 1 of 3",
    )
    assert found.counts() == {Change.LEFT: 1}


def test_a_longer_history_reprices_nothing_and_reranks_what_stood() -> None:
    found = compare(entries_of(select(turn_of([5, 6]))), entries_of(select(turn_of([5, 6, 10]))))
    assert found.counts() == {Change.RERANKED: 2, Change.ENTERED: 1}
