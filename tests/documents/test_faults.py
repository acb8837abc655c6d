"""Every fault of a document is told, with its place, and with none of the content."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from selection.documents.bundles import read_bundle
from selection.documents.errors import Fault, Faults, InvalidDocument
from selection.documents.turn import read_turn

SEALED = {
    "encrypted": {
        "version": 1,
        "algorithm": "xchacha20poly1305",
        "key_id": "k",
        "nonce": "A" * 32,
        "ciphertext": "A" * 22,
    }
}
SAID = {"role": "user", "content": "x"}
TIMES = ["2026-01-02T03:04:05Z", "2026-01-02 03:04:05.123456+02:00", "2026-01-02T03:04:05,5-0130", "2026-01-02T03:04"]
NO_TIMES = [
    "",
    "today",
    "2026-13-02T03:04:05Z",
    "2026-02-30T03:04:05Z",
    "2026-01-02",
    "\N{ARABIC-INDIC DIGIT TWO}026-01-02T03:04:05Z",
    "2026-01-02T03:04Z\n",
]


def turn(**parts: Any) -> dict[str, Any]:
    return {"input": {"text": "x"}, **parts}


def bundle(**parts: Any) -> str:
    return json.dumps({"format": "smista.session/1", **parts})


def envelope(**fields: Any) -> dict[str, Any]:
    return turn(input={"text": {"encrypted": {**SEALED["encrypted"], **fields}}})


def faults_of(read: Callable[[Any], object], document: Any) -> list[str]:
    with pytest.raises(InvalidDocument) as refused:
        read(document)
    return [str(fault) for fault in refused.value.faults]


@pytest.mark.parametrize("nonce", ["A" * 32, "-_" * 16, "+/" * 16])
@pytest.mark.parametrize("ciphertext", ["A" * 22, "A" * 22 + "==", "A" * 24, "-" * 23 + "="])
def test_base64_is_read_in_both_alphabets_with_and_without_padding(nonce: str, ciphertext: str) -> None:
    read = read_turn(envelope(nonce=nonce, ciphertext=ciphertext)).input.text
    assert not isinstance(read, str)
    assert (read.nonce, read.ciphertext) == (nonce, ciphertext)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("version", 0, "is less than 1"),
        ("version", True, "is not a whole number"),
        ("version", "1", "is not a whole number"),
        ("algorithm", "aes256gcm", "is not `xchacha20poly1305`"),
        ("key_id", None, "is not text"),
        ("nonce", "A" * 31, "is not 24 bytes long"),
        ("nonce", "A" * 34, "is not 24 bytes long"),
        ("nonce", "A" * 31 + "\n", "is not base64"),
        ("nonce", "é" * 32, "is not base64"),
        ("ciphertext", "", "is shorter than its tag of 16 bytes"),
        ("ciphertext", "A" * 21, "is not base64"),
        ("ciphertext", "A" * 22 + "=", "is not base64"),
        ("ciphertext", "A" * 22 + "====", "is not base64"),
        ("ciphertext", "A" * 22 + "==AA", "is not base64"),
    ],
)
def test_a_fault_in_an_envelope_names_its_field(field: str, value: object, message: str) -> None:
    assert faults_of(read_turn, envelope(**{field: value})) == [f"input.text.encrypted.{field}: {message}"]


def test_each_field_of_an_envelope_has_its_own_fault() -> None:
    faults = faults_of(read_turn, envelope(version=-1, algorithm="", nonce="", ciphertext="*"))
    assert [fault.split(":")[0].rsplit(".")[-1] for fault in faults] == ["version", "algorithm", "nonce", "ciphertext"]


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (None, "recalled.messages[0].content: is neither text nor `plaintext` nor `encrypted`"),
        ([], "recalled.messages[0].content: is neither text nor `plaintext` nor `encrypted`"),
        ({}, "recalled.messages[0].content: is neither text nor `plaintext` nor `encrypted`"),
        ({"plaintext": "x", **SEALED}, "recalled.messages[0].content: is neither text nor `plaintext` nor `encrypted`"),
        ({"plaintext": 1}, "recalled.messages[0].content.plaintext: is not text"),
        ({"plaintext": "x", "cost": 1}, "recalled.messages[0].content.cost: is not known here"),
        ({"encrypted": "x"}, "recalled.messages[0].content.encrypted: is not an object"),
    ],
)
def test_content_of_no_form_has_one_fault(content: object, fault: str) -> None:
    document = turn(recalled={"messages": [{"id": "m", "role": "user", "content": content}]})
    assert faults_of(read_turn, document) == [fault]


@pytest.mark.parametrize("price", ["0", "2.50", "1000000.000001"])
def test_a_price_is_a_decimal_text(price: str) -> None:
    model = {"provider": "p", "model": "m", "max_context_tokens": 1, "output_cost_per_million": price}
    assert read_turn(turn(models=[model])).models[0].output_cost_per_million == price


@pytest.mark.parametrize(
    "price", ["", "-1", "1e3", "1,5", ".5", "5.", "NaN", "1\n", "\N{ARABIC-INDIC DIGIT ONE}", "$1"]
)
def test_what_is_no_decimal_text_is_no_price(price: str) -> None:
    model = {"provider": "p", "model": "m", "max_context_tokens": 1, "input_cost_per_million": price}
    assert faults_of(read_turn, turn(models=[model])) == [
        "models[0].input_cost_per_million: is not a decimal number such as `2.50`"
    ]


@pytest.mark.parametrize("time", TIMES)
def test_a_time_is_kept_as_it_was_written(time: str) -> None:
    assert read_bundle(bundle(session={"archived_at": time})).session.archived_at == time


@pytest.mark.parametrize("time", NO_TIMES)
def test_a_time_that_no_calendar_has_is_refused(time: str) -> None:
    document = bundle(messages=[{**SAID, "created_at": time}])
    assert faults_of(read_bundle, document) == ["messages[0].created_at: is not an ISO 8601 time"]


def test_the_faults_of_all_parts_of_a_bundle_are_told_at_once() -> None:
    document = bundle(
        session={"title": 1},
        messages=[SAID, {"role": "robot", "content": "x"}, {**SAID, "id": "m"}, {**SAID, "id": "m"}],
        context_memory=[{"content": SEALED, "key": "k"}, {"content": "x", "key": "k"}],
        turns=[{"input": {"text": "x"}, "extra": 1}],
        colour="red",
    )
    assert faults_of(read_bundle, document) == [
        "messages[1].role: is none of `system`, `user`, `assistant`, `tool`",
        "turns[0].extra: is not known here",
        "session.title: is not text",
        "colour: is not known here",
        "messages[3].id: `m` appears twice",
        "context_memory[1].key: `k` appears twice",
    ]


def test_a_turn_is_not_blamed_for_a_message_that_cannot_be_read() -> None:
    document = bundle(messages=[{"id": "m", "role": "user"}], turns=[turn(after_message="m")])
    assert faults_of(read_bundle, document) == ["messages[0].content: is missing"]


@pytest.mark.parametrize("named", [{}, {"format": None}, {"format": "smista.session/2", "novelty": []}, {"format": 1}])
def test_of_an_unknown_format_nothing_else_is_said(named: dict[str, Any]) -> None:
    assert faults_of(read_bundle, json.dumps({"messages": [1], **named})) == ["format: is not `smista.session/1`"]


def test_content_under_another_key_than_the_session_s_is_refused() -> None:
    document = bundle(session={"key_id": "mine"}, messages=[{"role": "user", "content": SEALED}])
    assert faults_of(read_bundle, document) == ["messages[0].content.encrypted.key_id: is not the key of the session"]


def test_every_content_of_a_turn_is_sealed_where_the_session_is() -> None:
    attached = {
        "files": [{"path": "a", "content": "x"}],
        "instructions": [{"source": "a", "content": "x"}],
        "invoked_skills": [{"name": "a", "content": "x"}],
        "available_skills": [{"name": "a", "content": "x"}],
    }
    document = bundle(
        session={"key_id": "k"}, turns=[turn(workspace={"git_diff": "x"}, attachments=attached, after_message=None)]
    )
    assert [fault.removesuffix(": is not sealed, but the session names a `key_id`") for fault in faults_of(read_bundle, document)] == [
        "turns[0].input.text",
        "turns[0].workspace.git_diff",
        *(f"turns[0].attachments.{name}[0].content" for name in attached),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "not JSON: line 1, column 1: expecting value"),
        ("[]", "the document is not an object"),
        ('{"format": "smista.session/1"', "not JSON: line 1, column 30: expecting `,`"),
        ('{"format": "smista.session/1"} {', "not JSON: line 1, column 32: extra data"),
        ('{"format"\n 1}', "not JSON: line 2, column 2: expecting `:`"),
        ("{format: 1}", "not JSON: line 1, column 2: expecting property name enclosed in double quotes"),
        ('{"messages": [1,\n]}', "not JSON: line 2, column 1: expecting value"),
        ('{"messages": [1 2]}', "not JSON: line 1, column 17: expecting `,`"),
        ('{"messages": [}', "not JSON: line 1, column 15: expecting value"),
        ('{"messages": [], "messages": []}', "the key `messages` appears twice in one object"),
        ('{"turns": [' + "[" * 100_000, "nested too deeply"),
        ('{"turns": [' + "9" * 5_000 + "]}", "holds a number that is too large"),
    ],
)
def test_a_bundle_that_is_no_json_says_where(text: str, fault: str) -> None:
    assert faults_of(read_bundle, text) == [fault]


@pytest.mark.parametrize(
    ("item", "message"),
    [
        (b'{"role": "user", "role": "tool", "content": "x"}', "the key `role` appears twice in one object"),
        (b'{"role": "user", "content": NaN}', "`NaN` is not a number of JSON"),
        (b'{"role": "user", "content": "\xff"}', "not UTF-8: byte 29"),
        (b"[]", "is not an object"),
    ],
)
def test_an_item_that_cannot_be_parsed_says_which_one_it_is(item: bytes, message: str) -> None:
    document = b'{"format": "smista.session/1", "messages": [{"role": "user", "content": "x"}, ' + item + b"]}"
    assert faults_of(read_bundle, document) == [f"messages[1]: {message}"]


def test_faults_beyond_the_bound_are_counted_across_the_parts() -> None:
    faults = faults_of(read_bundle, bundle(messages=[{}] * 80, turns=[{"input": 1}] * 21))
    assert len(faults) == 101
    assert faults[-1] == "81 more faults are not shown"


def test_one_fault_beyond_the_bound_is_one_fault() -> None:
    gathered = Faults()
    gathered.take(Fault("a", "b") for _ in range(101))
    assert str(gathered.refusal().faults[-1]) == "1 more fault is not shown"


def test_faults_without_number_are_not_listed() -> None:
    assert faults_of(read_turn, turn(credentials=[0] * 20_000)) == ["20,000 faults, too many to list"]


def test_no_fault_tells_content() -> None:
    secret = "hunter2-is-the-password"  # noqa: S105
    documents = [
        turn(recalled={"messages": [{"id": "m", "role": secret, "content": {"plaintext": secret, "encrypted": secret}}]}),
        envelope(nonce=secret, ciphertext=secret, algorithm=secret),
        turn(input={"text": secret, "command": secret}, models=[{"max_context_tokens": secret, "auth": secret}]),
        f'{{"input": {{"text": "{secret}',
    ]  # fmt: skip
    assert secret not in str([faults_of(read_turn, document) for document in documents])
