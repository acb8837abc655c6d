"""Whatever a stranger sends is read or refused: quickly, and never with a traceback."""

import json
from collections.abc import Callable
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from selection.documents.bundles import read_bundle
from selection.documents.errors import InvalidDocument
from selection.documents.policy import read_policy_json, read_policy_toml
from selection.documents.turn import read_turn, write_turn
from selection.engine.values import TurnInput
from tests.documents.strategies import TURNS

ANYTHING: Final = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
LONG: Final = 10_000_000
PLACES: Final = (
    "messages[0].content",
    "messages[0].path",
    "context_memory[0].key",
    "session.title",
    "turns[0].input.explicit_model",
    "turns[0].policy.privacy.restricted_paths[0]",
    "turns[0].credentials[0]",
)


@settings(max_examples=150, deadline=None)
@given(TURNS, ANYTHING, st.data())
def test_any_value_in_any_place_is_read_or_refused(turn: TurnInput, value: object, data: st.DataObject) -> None:
    document = write_turn(turn)
    held, name = data.draw(st.sampled_from(_places(document)))
    held[name] = value
    assert _read_or_refused(read_turn, json.dumps(document))


@settings(max_examples=150, deadline=None)
@given(ANYTHING)
def test_any_json_at_all_is_no_bundle(value: object) -> None:
    with pytest.raises(InvalidDocument):
        read_bundle(json.dumps(value))


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=40))
def test_any_bytes_at_all_are_refused(data: bytes) -> None:
    for read in (read_bundle, read_turn):
        with pytest.raises(InvalidDocument):
            read(data)


@settings(max_examples=150, deadline=None)
@given(st.text("[]{}.=\"'a1,\n#\\ -:T", max_size=40))
def test_any_toml_at_all_is_read_or_refused(text: str) -> None:
    assert _read_or_refused(read_policy_toml, text)


@pytest.mark.parametrize(
    ("escape", "why"),
    [
        ("\\u0000", "holds a NUL character"),
        ("\\ud800", "holds a lone surrogate"),
        ("\\udfff", "holds a lone surrogate"),
    ],
)
@pytest.mark.parametrize("place", PLACES)
def test_text_that_cannot_be_stored_is_refused_wherever_it_stands(escape: str, why: str, place: str) -> None:
    with pytest.raises(InvalidDocument) as refused:
        read_bundle(_bundle({**dict.fromkeys(PLACES, "x"), place: f"a{escape}b"}))
    assert [str(fault) for fault in refused.value.faults] == [f"{place}: {why}, which cannot be stored"]


def test_a_surrogate_pair_is_a_character() -> None:
    assert read_turn('{"input": {"text": "\\ud83e\\udd80"}}').input.text == "🦀"


@pytest.mark.parametrize("name", ["a\0", "\ud800", "<text>" * 99, "\u202e", "\x1b[31m"])
def test_a_key_is_told_bounded_and_printable(name: str) -> None:
    with pytest.raises(InvalidDocument) as refused:
        read_turn(json.dumps({"input": {"text": "x"}, name: 1}))
    told = str(refused.value)
    assert told.isprintable()
    assert len(told) < 100


def test_a_text_of_ten_million_characters_is_read() -> None:
    text = "é" * LONG
    assert read_turn(json.dumps({"input": {"text": text}})).input.text == text
    assert read_bundle(_bundle({"messages[0].content": text})).messages[0].content == text


@pytest.mark.parametrize("document", [{"x" * LONG: 1}, {"input": {"text": "x", "command": "x" * LONG}}], ids=["key", "code"])  # fmt: skip
def test_a_fault_about_ten_million_characters_is_short(document: dict[str, Any]) -> None:
    with pytest.raises(InvalidDocument) as refused:
        read_turn(json.dumps(document))
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize("depth", [200, 900, 100_000])
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}"), ('{"encrypted":', "}")])
def test_depth_is_refused(depth: int, opening: str, closing: str) -> None:
    nested = opening * depth + "1" + closing * depth
    for text in (nested, f'{{"input": {nested}}}', f'{{"input": {{"text": {nested}}}}}'):
        for read in (read_turn, read_policy_json, read_bundle):
            with pytest.raises(InvalidDocument):
                read(text)


def test_a_value_that_holds_itself_is_refused() -> None:
    itself: dict[str, Any] = {}
    itself["input"] = itself
    with pytest.raises(InvalidDocument):
        read_turn(itself)


def test_a_key_that_comes_back_after_a_hundred_thousand_others_is_found() -> None:
    pairs = ",".join(f'"k{number}":1' for number in range(100_000))
    with pytest.raises(InvalidDocument, match="the key `k99999` appears twice"):
        read_turn(f'{{{pairs},"k99999":1}}')


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (".".join(["a"] * 100_000) + " = 1", "nested too deeply"),
        (f"[{'.'.join(['a'] * 100_000)}]", "nested too deeply"),
        ("\n'" + "'.'".join(["a"] * 100_000) + "' = 1", "nested too deeply"),
        ("a = " + "[" * 100_000, "nested too deeply"),
        ("a = " + "{b = " * 10_000, "nested too deeply"),
        ("version = " + "9" * 5_000, "holds a number or a time that is out of range"),
        ("version = nan", "version: is not a whole number"),
        ("version = 2026-01-02", "version: is not a whole number"),
        ("[privacy]\n[privacy]", "not TOML: line 2, column 9: cannot declare a key twice"),
        ('a = "' + '\\"' * 100_000, "not TOML: end of document: unterminated string"),
        ("#" * 1_000_001, "the document is longer than 1,000,000 characters"),
        ('[privacy]\nrestricted_paths = ["\\u0000"]', "privacy.restricted_paths[0]: holds a NUL character, which cannot be stored"),
    ],
    ids=lambda text: text[:12],
)  # fmt: skip
def test_hostile_toml_is_refused(text: str, fault: str) -> None:
    with pytest.raises(InvalidDocument) as refused:
        read_policy_toml(text)
    assert [str(found) for found in refused.value.faults] == [fault]


def test_dots_within_quotes_and_comments_are_no_depth() -> None:
    patterns = [f"src/**/*.{number}.py" for number in range(200)]
    text = f"\ufeff# {'.' * 200}\n[privacy]\nrestricted_paths = {json.dumps(patterns)} # {'.' * 200}\n"
    assert read_policy_toml(text).policy.privacy.restricted_paths == tuple(patterns)


def _read_or_refused(read: Callable[[str], object], text: str) -> bool:
    """Tell whether a value came of it, or faults with something to say; anything else is raised."""
    try:
        return read(text) is not None
    except InvalidDocument as refused:
        return bool(refused.faults) and all(fault.message for fault in refused.faults)


def _places(document: Any) -> list[tuple[Any, Any]]:
    """Give every place of a document, as what holds it and under which name."""
    items = list(document.items()) if isinstance(document, dict) else list(enumerate(document))
    inner = [place for _, item in items if isinstance(item, dict | list) for place in _places(item)]
    return [(document, name) for name, _ in items] + inner


def _bundle(texts: dict[str, str]) -> str:
    """Write a bundle whose texts are given as JSON writes them."""
    say = {place: f'"{text}"' for place, text in texts.items()}.get
    return f"""{{
        "format": "smista.session/1",
        "session": {{"title": {say("session.title", "null")}}},
        "messages": [{{"role": "user", "content": {say("messages[0].content", '"x"')}, "path": {say("messages[0].path", "null")}}}],
        "context_memory": [{{"content": "x", "key": {say("context_memory[0].key", "null")}}}],
        "turns": [{{
            "input": {{"text": "x", "explicit_model": {say("turns[0].input.explicit_model", "null")}}},
            "policy": {{"privacy": {{"restricted_paths": [{say("turns[0].policy.privacy.restricted_paths[0]", "")}]}}}},
            "credentials": [{say("turns[0].credentials[0]", "")}]
        }}]
    }}"""
