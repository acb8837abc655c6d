"""What would flip a candidate: every claim is followed, through the address that it is a link to."""

from dataclasses import replace

from django.http import QueryDict
from hypothesis import given, settings
from hypothesis import strategies as st

from selection.actions.ask_what_if import select_under
from selection.actions.flips import Change, Flips, flips_of
from selection.actions.knobs import Knobs
from selection.engine import Outcome, prepare
from selection.engine.values import (
    AttachedFile,
    Attachments,
    DefaultRoute,
    Instruction,
    ModelDescriptor,
    Policy,
    PrivacyPolicy,
    RoutingPolicy,
    TurnInput,
)
from selection.pages.inspector.address import query_of
from selection.pages.inspector.forms import KnobForm
from tests.engine.turns import TURNS, turn_of


def asked(turn: TurnInput, position: int, knobs: Knobs | None = None) -> tuple[Outcome, Flips]:
    prepared, knobs = prepare(turn), knobs or Knobs()
    outcome = select_under(prepared, knobs)
    return outcome, flips_of(outcome, position, knobs, lambda other: select_under(prepared, other))


def followed(turn: TurnInput, knobs: Knobs) -> Outcome:
    """Follow a claim as a browser does: by its address, read against the turn as it is stored."""
    return select_under(prepare(turn), KnobForm(QueryDict(query_of(knobs).removeprefix("?")), turn).knobs())


@settings(max_examples=500, deadline=None)
@given(turn=TURNS, data=st.data())
def test_every_claim_is_true_when_it_is_followed(turn: TurnInput, data: st.DataObject) -> None:
    size = len(prepare(turn).candidates or ())
    if not size:
        return
    position = data.draw(st.integers(0, size - 1))
    # A what-if of a what-if holds as well.
    knobs = data.draw(st.builds(Knobs, local_only=st.none() | st.just(True), window=st.none() | st.integers(0, 300)))
    outcome, flips = asked(turn, position, knobs)
    assert flips.brings_in == (flips.position not in outcome.included)
    for flip in (*flips.claims, *flips.others):
        then = followed(turn, flip.knobs)
        is_in = flips.position in then.included
        assert flip.flips == (is_in == flips.brings_in and then.model is not None)
        moved = {*outcome.included} ^ {*then.included}
        assert {*flip.entering, *flip.leaving} == moved - {flips.position}
        assert len(flip.entering) + len(flip.leaving) == len(moved - {flips.position})
    for flip in flips.claims:
        if flip.change is Change.BUDGET and flip.effective and flips.brings_in:
            assert_exact(turn, flips, flip.knobs, flip.effective)
    assert flips.claims or flips.hopeless


def name_of(outcome: Outcome) -> str:
    return outcome.model.name if outcome.model else ""


def assert_exact(turn: TurnInput, flips: Flips, knobs: Knobs, effective: int) -> None:
    """With one token less the candidate is out, unless that is the budget which it has anyway."""
    assert knobs.window is not None
    less = followed(turn, replace(knobs, window=knobs.window - 1))
    at = followed(turn, knobs)
    assert flips.position not in less.included or name_of(less) != name_of(at)
    assert flips.reach is not None
    assert effective in {flips.reach.nearest, flips.reach.smallest, flips.reach.always}


def test_a_candidate_that_can_be_in_out_and_in_again_has_three_budgets() -> None:
    turn = turn_of([5, 6, 10])
    outcome, flips = asked(turn, 0, Knobs(window=9))
    assert 0 not in outcome.included
    budgets = [(flip.effective, flip.leaving, flip.entering) for flip in flips.claims if flip.change is Change.BUDGET]
    assert budgets == [(15, (1,), (2,)), (5, (1,), ()), (21, (), (2,))]


def test_one_token_less_than_kept_loses_the_candidate() -> None:
    _, flips = asked(turn_of([5, 6, 10]), 0)
    assert not flips.brings_in
    (shrunk,) = [flip for flip in flips.claims if flip.change is Change.BUDGET]
    assert shrunk.effective == 20
    assert "1 token" not in shrunk.title


def test_a_required_candidate_without_another_way_is_said_to_be_hopeless() -> None:
    instructions = (Instruction(source="AGENTS.md", content="Be brief."),)
    turn = replace(turn_of([5]), attachments=Attachments(instructions=instructions))
    _, flips = asked(turn, 1)
    assert flips.claims == ()
    assert flips.hopeless.startswith("Nothing here takes it out: it is required for what it is")


def test_a_withheld_file_comes_in_by_a_local_model_or_without_its_pattern() -> None:
    turn = replace(
        turn_of([5]),
        attachments=Attachments(files=(AttachedFile(path=".env", content="KEY=1"),)),
        policy=Policy(
            routing=RoutingPolicy(default=DefaultRoute(model="far/a", fallbacks=("near/b",))),
            privacy=PrivacyPolicy(restricted_paths=("*.pem", ".env")),
        ),
        models=(*turn_of([]).models, ModelDescriptor(provider="near", model="b", local=True, max_context_tokens=999)),
    )
    _, flips = asked(turn, 1)
    assert [(flip.change.value, flip.title) for flip in flips.claims] == [
        ("reference", "Referencing `.env`"),
        ("pattern", "Lifting `.env` (privacy.restricted_paths[1])"),
        ("model", "Asking for `near/b`"),
        ("preference", "Serving locally, with `local only` on"),
    ]
    assert flips.reach is None


def test_a_list_too_long_for_an_address_makes_no_claim() -> None:
    patterns = tuple(f"{number}".rjust(80, "x") for number in range(100))
    turn = replace(
        turn_of([]),
        attachments=Attachments(files=(AttachedFile(path="a", content="x"),)),
        policy=replace(turn_of([]).policy, privacy=PrivacyPolicy(restricted_paths=(*patterns, "a"))),
    )
    _, flips = asked(turn, 0)
    assert [flip.change for flip in (*flips.claims, *flips.others)] == [Change.REFERENCE, Change.PREFERENCE]
