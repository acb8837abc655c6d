"""What holds of every selection, whatever the turn."""

import json
from dataclasses import replace
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from selection.documents.canonical import canonical_json
from selection.documents.outcome import outcome_document
from selection.documents.turn import read_turn, write_turn
from selection.engine import Outcome, build_prompt, resume, sealed_records, select
from selection.engine.codes import Reason, State, Status
from selection.engine.values import PlainRecord, TurnInput
from tests.engine.turns import TURNS


def bytes_of(outcome: Outcome) -> bytes:
    return canonical_json(outcome_document(outcome))


def answered(outcome: Outcome, text: str) -> Outcome:
    return resume(
        outcome, [PlainRecord(record_id=record.record_id, plaintext=text) for record in sealed_records(outcome)]
    )


def is_answerable(outcome: Outcome) -> bool:
    names = [record.record_id for record in sealed_records(outcome)]
    return outcome.status is Status.AWAITING_DECRYPT and len(names) == len(set(names))


@given(TURNS)
def test_every_candidate_ends_in_exactly_one_state(turn: TurnInput) -> None:
    outcome = select(turn)
    assert outcome.candidates is not None
    states = [outcome.state_of(position) for position in range(len(outcome.candidates))]
    if outcome.model is None:
        assert set(states) <= {None, State.DUPLICATE}
        return
    assert None not in states
    held = [*outcome.included, *outcome.excluded, *outcome.candidates.duplicates]
    assert sorted(held) == list(range(len(states)))


@given(TURNS)
def test_tokens_add_up(turn: TurnInput) -> None:
    outcome = select(turn)
    if outcome.budget is None or outcome.candidates is None:
        return
    tokens, budget = outcome.candidates.tokens, outcome.budget
    assert budget.used == sum(tokens[position] for position in outcome.included)
    assert budget.required == sum(tokens[position] for position in outcome.candidates.required)
    assert budget.required <= budget.used <= budget.effective == max(0, budget.window - budget.reply_reserve)
    assert budget.used + budget.free == budget.effective


@given(TURNS)
def test_no_required_candidate_is_ever_excluded(turn: TurnInput) -> None:
    outcome = select(turn)
    assert outcome.candidates is not None
    assert not set(outcome.candidates.required) & set(outcome.excluded)
    if outcome.model is not None:
        assert set(outcome.candidates.required) <= set(outcome.included)


@given(TURNS)
def test_nothing_restricted_is_included_on_a_remote_route(turn: TurnInput) -> None:
    outcome = select(turn)
    if outcome.model is None or outcome.model.local or outcome.candidates is None:
        return
    assert not any(outcome.candidates[position].restricted for position in outcome.included)


@given(TURNS, st.integers(0, 300))
def test_a_larger_budget_is_never_worse_in_rank_order(turn: TurnInput, more: int) -> None:
    small = select(turn)
    assume(small.model is not None)
    assert small.model is not None
    wider = replace(small.model, max_context_tokens=small.model.max_context_tokens + more)
    large = select(replace(turn, models=tuple(wider if model == small.model else model for model in turn.models)))
    assume(large.model == wider)
    assert large.candidates is not None
    for position in large.candidates.ranking:
        ours, theirs = position in small.included, position in large.included
        if ours != theirs:
            assert theirs
            break


@given(TURNS)
def test_equal_turns_give_equal_bytes(turn: TurnInput) -> None:
    again = read_turn(json.dumps(write_turn(turn)))
    assert again == turn
    assert bytes_of(select(again)) == bytes_of(select(turn))


@given(TURNS, st.randoms(use_true_random=False))
def test_an_order_without_meaning_changes_nothing(turn: TurnInput, chance: Any) -> None:
    rules = turn.policy.routing.rules
    assume(len({rule.priority for rule in rules}) == len(rules))
    privacy = turn.policy.privacy
    assume(not any(pattern.startswith("!") for pattern in (*privacy.restricted_paths, *privacy.remote.blocked_paths)))

    def mixed(items: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(chance.sample(items, len(items)))

    other = replace(
        turn,
        credentials=mixed((*turn.credentials, "nobody")),
        models=mixed(turn.models),
        policy=replace(
            turn.policy,
            routing=replace(turn.policy.routing, rules=mixed(rules)),
            privacy=replace(privacy, restricted_paths=mixed(privacy.restricted_paths)),
        ),
    )
    assert bytes_of(select(other)) == bytes_of(select(turn))


@given(TURNS, st.sampled_from(["", "opened", "same text"]))
def test_an_answer_brings_back_nothing_that_was_excluded(turn: TurnInput, text: str) -> None:
    before = select(turn)
    assume(is_answerable(before))
    after = answered(before, text)
    assert set(after.included) <= set(before.included)
    assert not after.to_decrypt
    if after.budget is not None:
        assert after.budget.used <= after.budget.effective


@given(TURNS)
def test_an_answer_that_lies_about_sizes_still_fits(turn: TurnInput) -> None:
    before = select(turn)
    assume(is_answerable(before))
    after = answered(before, "longer than it was sealed " * 40)
    if after.budget is not None and after.candidates is not None:
        assert after.budget.used <= after.budget.effective
        assert set(after.candidates.required) <= set(after.included)


@given(TURNS)
def test_the_prompt_holds_what_is_included_and_nothing_else(turn: TurnInput) -> None:
    marked = mark_contents(turn)
    outcome = select(marked)
    prompt = "\n".join(message.content for message in build_prompt(outcome))
    if outcome.status in {Status.AWAITING_DECRYPT, Status.ERROR}:
        assert prompt == ""
        return
    assert outcome.candidates is not None
    for position, reason in enumerate(outcome.reasons):
        content = outcome.candidates.content_of(position)
        if isinstance(content, str) and content and reason is not Reason.DUPLICATE:
            assert (content in prompt) == (position in outcome.included)


def mark_contents(turn: TurnInput) -> TurnInput:
    """Give every plain text of a turn a mark of its own."""
    recalled = turn.recalled
    messages = tuple(
        replace(m, content=f"<message {n}>") if isinstance(m.content, str) else m
        for n, m in enumerate(recalled.messages)
    )
    files = tuple(
        replace(f, content=f"<file {n}>") if isinstance(f.content, str) else f
        for n, f in enumerate(turn.attachments.files)
    )
    memory = tuple(replace(m, content=f"<memory {n}>") for n, m in enumerate(recalled.user_memory))
    return replace(
        turn,
        recalled=replace(recalled, messages=messages, user_memory=memory),
        attachments=replace(turn.attachments, files=files, instructions=(), invoked_skills=(), available_skills=()),
        workspace=replace(turn.workspace, git_diff=None),
    )
