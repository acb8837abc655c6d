"""What is written reads back equal; equal values give equal bytes."""

import json
from dataclasses import replace
from io import BytesIO
from types import MappingProxyType
from typing import Any

from hypothesis import HealthCheck, given, settings

from selection.documents.bundle import SessionBundle
from selection.documents.bundles import read_bundle, write_bundle
from selection.documents.canonical import canonical_json, digest
from selection.documents.plain import from_plain, to_plain
from selection.documents.policy import read_policy_json, read_policy_toml, write_policy_toml
from selection.documents.turn import read_turn, write_turn
from selection.engine.codes import Capability, Mode
from selection.engine.values import (
    AttachedFile,
    Attachments,
    ModelDescriptor,
    Policy,
    ToolsPolicy,
    TurnInput,
    UserInput,
)
from tests.documents.strategies import POLICIES, TURNS, bundles

often = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@often
@given(TURNS)
def test_a_turn_reads_back_equal(turn: TurnInput) -> None:
    assert read_turn(write_turn(turn)) == turn
    assert read_turn(json.dumps(write_turn(turn))) == turn


@often
@given(TURNS)
def test_a_turn_comes_back_from_storage_equal(turn: TurnInput) -> None:
    assert from_plain(TurnInput, json.loads(json.dumps(to_plain(turn)))) == turn


@often
@given(bundles())
def test_a_bundle_reads_back_equal(bundle: SessionBundle) -> None:
    assert read_bundle(_written(bundle)) == bundle


@often
@given(bundles())
def test_a_bundle_may_be_written_by_any_json_writer(bundle: SessionBundle) -> None:
    document = json.loads(_written(bundle))
    turned = dict(reversed(document.items()))
    assert read_bundle(json.dumps(document, indent=1)) == bundle
    assert read_bundle(BytesIO(b"\xef\xbb\xbf" + json.dumps(turned).encode())) == bundle


@often
@given(POLICIES)
def test_a_policy_reads_back_equal_from_toml_and_json(policy: Policy) -> None:
    assert read_policy_toml(write_policy_toml(policy)).policy == policy
    assert read_policy_json(canonical_json(policy)) == policy


@often
@given(TURNS)
def test_null_says_what_absence_says(turn: TurnInput) -> None:
    assert read_turn(_without_nulls(write_turn(turn))) == turn


def test_null_stands_for_a_default_too() -> None:
    document = {"input": {"text": "x", "command": None}, "policy": None, "workspace": {"root": None}, "models": None}
    assert read_turn(document) == TurnInput(input=UserInput(text="x"))


def test_both_forms_of_plain_content_read_alike() -> None:
    plain = {"input": {"text": {"plaintext": "x"}, "command": None}, "workspace": {"git_diff": {"plaintext": "y"}}}
    assert read_turn(plain) == read_turn({"input": {"text": "x"}, "workspace": {"git_diff": "y"}})


def test_equal_bundles_give_equal_bytes_however_their_maps_were_made() -> None:
    first, second = (
        {Capability.TOOLS: True, Capability.IMAGES: False},
        {Capability.IMAGES: False, Capability.TOOLS: True},
    )
    bundle, turned = (
        SessionBundle(models=(ModelDescriptor(provider="a", model="b", max_context_tokens=1, capabilities=held),))
        for held in (first, second)
    )
    assert bundle == turned
    assert _written(bundle) == _written(turned)


def test_a_written_bundle_keeps_text_as_it_is() -> None:
    text = "crème 🦀 \u2028 </script>"
    turn = TurnInput(input=UserInput(text=text))
    bundle = read_bundle(json.dumps({"format": "smista.session/1", "turns": [{"input": {"text": text}}]}))
    assert text.encode() in _written(bundle)
    assert read_turn(write_turn(turn)).input.text == text


def test_a_digest_sees_values_and_not_how_they_were_written() -> None:
    permissions = {"shell": Mode.ASK, "file_read": Mode.ALLOW}
    first = Policy(tools=ToolsPolicy(permissions=permissions))
    second = Policy(tools=ToolsPolicy(permissions=MappingProxyType(dict(reversed(permissions.items())))))
    assert canonical_json(first) == canonical_json(second)
    assert digest(first) == digest(
        read_policy_json('{"tools": {"permissions": {"file_read": "allow", "shell": "ask"}}}')
    )
    assert digest(first) != digest(Policy())
    assert len(digest(first)) == 64


def test_a_digest_sees_a_single_character() -> None:
    turn = TurnInput(input=UserInput(text="x"), attachments=Attachments(files=(AttachedFile(path="a", content="1"),)))
    other = replace(turn, attachments=Attachments(files=(AttachedFile(path="a", content="2"),)))
    assert digest(turn) == digest(replace(turn))
    assert digest(turn) != digest(other)


def test_canonical_json_is_sorted_and_bare() -> None:
    assert canonical_json({"b": "é", "a": (1, None)}) == '{"a":[1,null],"b":"é"}'.encode()


def _written(bundle: SessionBundle) -> bytes:
    file = BytesIO()
    write_bundle(bundle, file)
    return file.getvalue()


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_nulls(item) for name, item in value.items() if item is not None}
    return [_without_nulls(item) for item in value] if isinstance(value, list) else value
