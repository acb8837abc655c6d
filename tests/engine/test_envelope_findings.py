"""Sealed rows that share a nonce are named, and rows that hold one envelope twice."""

from dataclasses import replace

from selection.engine import resume, sealed_records, select
from selection.engine.codes import Role
from selection.engine.findings import Finding, find
from selection.engine.values import (
    DefaultRoute,
    Envelope,
    Message,
    ModelDescriptor,
    PlainRecord,
    Policy,
    Recalled,
    RoutingPolicy,
    TurnInput,
    UserInput,
)

ENVELOPE = Envelope(version=1, algorithm="xchacha20poly1305", key_id="k", nonce="A" * 32, ciphertext="A" * 40)
OTHER = replace(ENVELOPE, ciphertext="B" * 40)


def turn(*envelopes: Envelope) -> TurnInput:
    model = ModelDescriptor(provider="ollama", model="m", local=True, max_context_tokens=9_000)
    return TurnInput(
        input=UserInput(text="go"),
        recalled=Recalled(
            messages=tuple(Message(id=f"m{n}", role=Role.USER, content=each) for n, each in enumerate(envelopes))
        ),
        policy=Policy(routing=RoutingPolicy(default=DefaultRoute(model=model.name))),
        models=(model,),
    )


def found(*envelopes: Envelope) -> dict[str, Finding]:
    told = {finding.code: finding for finding in find(select(turn(*envelopes)))}
    return {code: told[code] for code in told.keys() & {"nonce_reused", "envelope_copied"}}


def test_two_texts_under_one_nonce_are_named() -> None:
    apart = replace(ENVELOPE, nonce="B" * 32, ciphertext="C" * 40)
    told = found(ENVELOPE, OTHER, apart)
    assert set(told) == {"nonce_reused"}
    assert told["nonce_reused"].positions == (0, 1)


def test_an_envelope_that_occurs_twice_is_a_copy() -> None:
    told = found(ENVELOPE, replace(ENVELOPE, nonce="B" * 32, ciphertext="C" * 40), ENVELOPE)
    assert set(told) == {"envelope_copied"}
    assert told["envelope_copied"].positions == (0, 2)


def test_nonces_of_different_keys_do_not_meet() -> None:
    assert found(ENVELOPE, replace(OTHER, key_id="another")) == {}


def test_rows_that_were_opened_are_judged_as_they_are_stored() -> None:
    paused = select(turn(ENVELOPE, OTHER))
    records = [PlainRecord(record_id=each.record_id, plaintext=each.record_id) for each in sealed_records(paused)]
    codes = [finding.code for finding in find(resume(paused, records))]
    assert "nonce_reused" in codes
