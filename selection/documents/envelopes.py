"""Check an envelope's shape ("Sealed history" in domain.md); what is inside stays closed."""

import binascii
from base64 import b64decode
from typing import Final

from pydantic_core import PydanticCustomError

from selection.engine.values import Envelope

ALGORITHM: Final = "xchacha20poly1305"
_NONCE, _TAG = 24, 16
_STANDARD = str.maketrans("-_", "+/")


def check_envelope(envelope: Envelope) -> Envelope:
    """Refuse an algorithm that is not known, and a nonce or ciphertext of the wrong size."""
    if envelope.algorithm != ALGORITHM:
        raise _refused(f"the algorithm is not `{ALGORITHM}`")
    if len(_decode(envelope.nonce, "nonce")) != _NONCE:
        raise _refused(f"the nonce is not {_NONCE} bytes long")
    if len(_decode(envelope.ciphertext, "ciphertext")) < _TAG:
        raise _refused(f"the ciphertext is shorter than its tag of {_TAG} bytes")
    return envelope


def _decode(text: str, name: str) -> bytes:
    """Decode base64 of either alphabet, padded or not."""
    plain = text.rstrip("=").translate(_STANDARD)
    try:
        return b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except (binascii.Error, ValueError) as error:
        raise _refused(f"the {name} is not base64") from error


def _refused(why: str) -> PydanticCustomError:
    return PydanticCustomError("envelope", "{why}", {"why": why})
