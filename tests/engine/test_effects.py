"""What a change of policy does to a turn, told with what is disclosed first."""

from dataclasses import replace

import pytest
from hypothesis import given

from selection.engine import select
from selection.engine.codes import EffectCode, Mode
from selection.engine.effects import effects_of
from selection.engine.values import (
    AttachedFile,
    Attachments,
    DefaultRoute,
    LocalPreferences,
    ModelDescriptor,
    Policy,
    PrivacyPolicy,
    RemotePrivacy,
    RoutingPolicy,
    TurnInput,
)
from tests.engine.turns import TURNS, turn_of

NEAR = ModelDescriptor(provider="near", model="b", local=True, max_context_tokens=9_999, max_output_tokens=0)


def turn(
    *restricted: str, mode: Mode = Mode.ALLOW, required: bool = False, fallbacks: tuple[str, ...] = ("near/b",)
) -> TurnInput:
    return replace(
        turn_of([5]),
        attachments=Attachments(files=(AttachedFile(path=".env", content="KEY=1", required=required),)),
        policy=Policy(
            routing=RoutingPolicy(default=DefaultRoute(model="far/a", fallbacks=fallbacks)),
            privacy=PrivacyPolicy(restricted_paths=restricted, remote=RemotePrivacy(mode=mode)),
        ),
        models=(*turn_of([]).models, NEAR),
    )


@pytest.mark.parametrize(
    ("before", "after", "codes"),
    [
        (turn(), turn(), []),
        (turn(), turn(".env"), [EffectCode.WITHHELD]),
        (turn(".env"), turn(), [EffectCode.DISCLOSED]),
        (turn(required=True), turn(".env", required=True), [EffectCode.MOVED_LOCAL]),
        (turn(".env", required=True), turn(required=True), [EffectCode.DISCLOSED, EffectCode.MOVED_REMOTE]),
        (turn(required=True), turn(".env", required=True, fallbacks=()), [EffectCode.FAILS]),
        (turn(".env", required=True, fallbacks=()), turn(required=True), [EffectCode.DISCLOSED, EffectCode.WORKS]),
        (turn(), turn(mode=Mode.ASK), [EffectCode.ASKS]),
        (turn(mode=Mode.ASK), turn(), [EffectCode.SILENT]),
    ],
)
def test_effects(before: TurnInput, after: TurnInput, codes: list[EffectCode]) -> None:
    assert [effect.code for effect in effects_of(select(before), select(after))] == codes


@given(TURNS, TURNS)
def test_whatever_goes_in_or_out_is_told_once(one: TurnInput, other: TurnInput) -> None:
    after = select(replace(one, policy=other.policy, local_preferences=LocalPreferences()))
    before = select(one)
    told = [
        p for effect in effects_of(before, after) for p in effect.positions if effect.code is not EffectCode.DISCLOSED
    ]
    assert len(told) == len(set(told))
    if after.model is not None:
        disclosed = {p for e in effects_of(before, after) if e.code is EffectCode.DISCLOSED for p in e.positions}
        assert {*before.included} ^ {*after.included} <= {*told} | disclosed
