"""Open sealed rows: XChaCha20-Poly1305 by libsodium, the key's fingerprint compared before anything is opened.

The format binds an envelope to its key and to nothing else (no associated data): that two rows of one session changed places cannot be told from the
envelopes. It shows where a recorded run names another input, and a pause refuses an answer to rows that changed since they were asked for.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from nacl.bindings import crypto_aead_xchacha20poly1305_ietf_decrypt as decrypt
from nacl.exceptions import CryptoError

from selection.documents.envelopes import ALGORITHM, NONCE_BYTES, TAG_BYTES, VERSION, decode_base64
from selection.engine.values import Envelope, PlainRecord, SealedRecord
from selection.keyholder.keys import SessionKey, names_another


@dataclass(frozen=True, slots=True)
class Unopened:
    """A row that does not open, and why."""

    record_id: str
    why: str


class CannotOpen(Exception):
    """Rows that do not open: each of them, with its reason. None of the others is to be used."""

    def __init__(self, rows: tuple[Unopened, ...]) -> None:
        """Keep the rows."""
        self.rows = rows
        super().__init__("; ".join(f"`{row.record_id}`: {row.why}" for row in rows))


OTHER_KEY: Final = "is sealed with another key"
DAMAGED: Final = "does not open: the key is not the one that sealed it, or the row was changed"


def open_records(records: Iterable[SealedRecord], key_id: str, key: SessionKey) -> tuple[PlainRecord, ...]:
    """Open every record of a session whose key is called `key_id`. Raises `CannotOpen` with all that do not open; then none of them is to be used."""
    opened: list[PlainRecord] = []
    failed: list[Unopened] = []
    for record in records:
        try:
            opened.append(
                PlainRecord(record_id=record.record_id, plaintext=open_envelope(record.envelope, key_id, key))
            )
        except ValueError as error:
            failed.append(Unopened(record.record_id, str(error)))
    if failed:
        raise CannotOpen(tuple(failed))
    return tuple(opened)


def open_envelope(envelope: Envelope, key_id: str, key: SessionKey) -> str:
    """Give the text of one envelope. Raises `ValueError` with the reason, which holds none of it."""
    if envelope.version != VERSION:
        raise ValueError("is of an unknown version")
    if envelope.algorithm != ALGORITHM:
        raise ValueError("is sealed with an unknown algorithm")
    if envelope.key_id != key_id or names_another(key_id, key):
        raise ValueError(OTHER_KEY)
    nonce, ciphertext = _bytes(envelope.nonce, "nonce"), _bytes(envelope.ciphertext, "ciphertext")
    if len(nonce) != NONCE_BYTES or len(ciphertext) < TAG_BYTES:
        raise ValueError("is cut short")
    try:
        return decrypt(ciphertext, None, nonce, key.data).decode()
    except CryptoError:
        raise ValueError(DAMAGED) from None
    except UnicodeDecodeError:
        raise ValueError("opens to what is not text") from None


def _bytes(text: str, name: str) -> bytes:
    try:
        return decode_base64(text)
    except ValueError:
        raise ValueError(f"its {name} is not base64") from None
