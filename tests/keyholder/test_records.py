"""Rows open with their own key and unchanged, or not at all; each refusal names its row."""

from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nacl.bindings import crypto_aead_xchacha20poly1305_ietf_encrypt as encrypt

from selection.engine.values import Envelope, SealedRecord
from selection.keyholder import CannotOpen, SessionKey, open_records, seal_text

KEY, OTHER = SessionKey(bytes(range(32))), SessionKey(bytes(32))
SEALED = seal_text("only the holder reads this", KEY)


def record(envelope: Envelope, name: str = "message:m1") -> SealedRecord:
    return SealedRecord(record_id=name, envelope=envelope)


def why(envelope: Envelope, key: SessionKey = KEY, key_id: str = KEY.key_id) -> str:
    with pytest.raises(CannotOpen) as refused:
        open_records([record(envelope)], key_id, key)
    assert "only the holder" not in str(refused.value)
    return refused.value.rows[0].why


@given(text=st.text(st.characters(exclude_categories=["Cs"])))
def test_what_was_sealed_opens_to_the_same(text: str) -> None:
    [opened] = open_records([record(seal_text(text, KEY))], KEY.key_id, KEY)
    assert opened.plaintext == text


def flipped(text: str, bit: int) -> str:
    data = bytearray(b64decode(text))
    data[bit // 8] ^= 1 << bit % 8
    return b64encode(data).decode()


def test_every_flipped_bit_of_nonce_ciphertext_and_tag_is_noticed() -> None:
    for bit in range(len(b64decode(SEALED.nonce)) * 8):
        assert "was changed" in why(replace(SEALED, nonce=flipped(SEALED.nonce, bit)))
    for bit in range(len(b64decode(SEALED.ciphertext)) * 8):
        assert "was changed" in why(replace(SEALED, ciphertext=flipped(SEALED.ciphertext, bit)))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda e: replace(e, version=2), "unknown version"),
        (lambda e: replace(e, algorithm="aes256gcm"), "unknown algorithm"),
        (lambda e: replace(e, key_id="kf_0123456789abcdef"), "another key"),
        (lambda e: replace(e, nonce="!" * 32), "nonce is not base64"),
        (lambda e: replace(e, ciphertext="%%%"), "ciphertext is not base64"),
        (lambda e: replace(e, nonce=e.nonce[:-4]), "cut short"),
        (lambda e: replace(e, ciphertext=b64encode(bytes(15)).decode()), "cut short"),
        (lambda e: replace(e, ciphertext=b64encode(b64decode(e.ciphertext)[:-1]).decode()), "was changed"),
        (lambda e: replace(e, ciphertext=b64encode(b64decode(e.ciphertext) + b"x").decode()), "was changed"),
    ],
    ids=["version", "algorithm", "key id", "nonce", "base64", "short nonce", "short text", "truncated", "longer"],
)
def test_what_is_not_as_it_was_sealed_is_refused(change: Callable[[Envelope], Envelope], says: str) -> None:
    assert says in why(change(SEALED))


def test_the_fingerprint_is_compared_before_anything_is_opened() -> None:
    assert why(SEALED, OTHER) == "is sealed with another key"


def test_a_key_that_a_router_names_in_its_own_way_is_judged_by_opening() -> None:
    theirs = replace(SEALED, key_id="team-key")
    [opened] = open_records([record(theirs)], "team-key", KEY)
    assert opened.plaintext == "only the holder reads this"
    assert "was changed" in why(theirs, OTHER, "team-key")


def test_what_is_not_text_is_refused() -> None:
    nonce = bytes(24)
    data = b64encode(encrypt(b"\xff\xfe", None, nonce, KEY.data)).decode()
    assert why(replace(SEALED, nonce=b64encode(nonce).decode(), ciphertext=data)) == "opens to what is not text"


def test_one_row_that_does_not_open_keeps_all_closed() -> None:
    rows = [
        record(SEALED, "message:m1"),
        record(replace(SEALED, version=9), "message:m2"),
        record(SEALED, "message:m3"),
    ]
    with pytest.raises(CannotOpen) as refused:
        open_records(rows, KEY.key_id, KEY)
    assert [row.record_id for row in refused.value.rows] == ["message:m2"]


def test_envelopes_of_one_key_that_changed_places_open_still() -> None:
    """The format binds no envelope to its row (no associated data): the README says so, a recorded run's digest tells."""
    first, second = seal_text("first", KEY), seal_text("second", KEY)
    opened = open_records([record(second, "message:m1"), record(first, "message:m2")], KEY.key_id, KEY)
    assert [row.plaintext for row in opened] == ["second", "first"]
