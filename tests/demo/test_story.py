"""The demo shows each rule at work: that is what it is for."""

from functools import cache

import pytest

from selection.demo import large_session, story
from selection.engine import Outcome, select
from selection.engine.codes import Cause, Kind, Reason, State, Verdict
from selection.engine.values import Memory, Message, Recalled, TurnInput


@cache
def outcomes() -> tuple[Outcome, ...]:
    bundle = story()
    places = {message.id: place for place, message in enumerate(bundle.messages, 1)}
    remembered = tuple(
        Memory(id=item.id or "", content=item.content) for item in (*bundle.user_memory, *bundle.context_memory)
    )
    return tuple(
        select(
            TurnInput(
                input=turn.input,
                workspace=turn.workspace,
                attachments=turn.attachments,
                recalled=Recalled(
                    messages=tuple(
                        Message(id=item.id or "", role=item.role, content=item.content, path=item.path)
                        for item in bundle.messages[: places.get(turn.after_message, 0)]
                    ),
                    user_memory=remembered,
                ),
                policy=turn.policy,
                local_preferences=turn.local_preferences,
                models=bundle.models,
                credentials=turn.credentials,
            )
        )
        for turn in bundle.turns
    )


@pytest.mark.parametrize("state", list(State))
def test_every_state_occurs(state: State) -> None:
    assert any(outcome.state_of(p) is state for outcome in outcomes() for p in range(len(outcome.reasons)))


@pytest.mark.parametrize("verdict", [v for v in Verdict if v is not Verdict.UNKNOWN_MODEL])
def test_every_verdict_but_a_misspelt_model_occurs(verdict: Verdict) -> None:
    assert any(attempt.verdict is verdict for outcome in outcomes() for attempt in outcome.attempts)


@pytest.mark.parametrize("cause", [Cause.REFERENCED, Cause.ROUTE_GLOB, Cause.INSTRUCTION, Cause.INVOKED_SKILL])
def test_every_cause_of_a_requirement_occurs(cause: Cause) -> None:
    assert any(cause in outcome.candidates.causes.values() for outcome in outcomes() if outcome.candidates)


@pytest.mark.parametrize("kind", list(Kind))
def test_every_kind_of_candidate_occurs(kind: Kind) -> None:
    assert any(
        candidate.kind is kind for outcome in outcomes() if outcome.candidates for candidate in outcome.candidates
    )


def test_a_window_that_is_too_small_walks_the_chain() -> None:
    verdicts = [attempt.verdict for attempt in outcomes()[8].attempts]
    assert verdicts[0] is Verdict.CONTEXT_WINDOW_EXCEEDED
    assert verdicts[-1] is Verdict.SELECTED


def test_a_remote_route_drops_the_secrets_that_nobody_required() -> None:
    outcome = outcomes()[3]
    assert outcome.model is not None
    assert not outcome.model.local
    assert outcome.reasons.count(Reason.RESTRICTED_REMOTE) >= 3


def test_the_large_session_is_large_and_the_same_every_time() -> None:
    bundle = large_session()
    assert len(bundle.messages) == 5_000
    assert bundle == large_session()
    assert bundle != large_session(seed=8)
