"""Check an envelope's fields ("Sealed history" in domain.md); what is inside stays closed."""

import binascii
from base64 import b64decode
from typing import Final

from pydantic_core import PydanticCustomError

ALGORITHM: Final = "xchacha20poly1305"
_NONCE, _TAG = 24, 16
_QUANTUM: Final = 4
_STANDARD: Final = str.maketrans("-_", "+/")


def check_algorithm(text: str) -> str:
    """Refuse an algorithm that is not known."""
    return _checked(text, text == ALGORITHM, f"is not `{ALGORITHM}`")


def check_nonce(text: str) -> str:
    """Refuse a nonce that is not 24 bytes of base64."""
    return _checked(text, len(_decode(text)) == _NONCE, f"is not {_NONCE} bytes long")


def check_ciphertext(text: str) -> str:
    """Refuse a ciphertext that could not even hold its tag."""
    return _checked(text, len(_decode(text)) >= _TAG, f"is shorter than its tag of {_TAG} bytes")


def _decode(text: str) -> bytes:
    """Decode base64 of either alphabet, padded or not."""
    bare = text.rstrip("=")
    padding = "=" * (-len(bare) % _QUANTUM)
    try:
        if text not in {bare, bare + padding}:
            raise _refused("is not base64")
        return b64decode(bare.translate(_STANDARD) + padding, validate=True)
    except (binascii.Error, ValueError):
        raise _refused("is not base64") from None


def _checked(text: str, right: bool, why: str) -> str:  # noqa: FBT001 - the judgement that `why` explains
    if not right:
        raise _refused(why)
    return text


def _refused(why: str) -> PydanticCustomError:
    return PydanticCustomError("envelope", "{why}", {"why": why})
