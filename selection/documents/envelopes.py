"""Check an envelope's fields ("Sealed history" in domain.md); what is inside stays closed."""

from base64 import b64decode
from typing import Final

from pydantic_core import PydanticCustomError

ALGORITHM: Final = "xchacha20poly1305"
VERSION: Final = 1
NONCE_BYTES, TAG_BYTES = 24, 16
# A row of more than 8 MiB of text is refused: it has to be opened and sent back in one piece.
MOST_PLAIN_BYTES: Final = 8 * 1024 * 1024
MOST_CIPHERTEXT: Final = -(-(MOST_PLAIN_BYTES + TAG_BYTES) // 3) * 4
_QUANTUM: Final = 4
_STANDARD: Final = str.maketrans("-_", "+/")


def check_algorithm(text: str) -> str:
    """Refuse an algorithm that is not known."""
    return _checked(text, text == ALGORITHM, f"is not `{ALGORITHM}`")


def check_nonce(text: str) -> str:
    """Refuse a nonce that is not 24 bytes of base64."""
    return _checked(text, len(_decode(text)) == NONCE_BYTES, f"is not {NONCE_BYTES} bytes long")


def check_ciphertext(text: str) -> str:
    """Refuse a ciphertext that could not even hold its tag."""
    return _checked(text, len(_decode(text)) >= TAG_BYTES, f"is shorter than its tag of {TAG_BYTES} bytes")


def decode_base64(text: str) -> bytes:
    """Decode base64 of either alphabet, padded or not. Raises `ValueError`."""
    bare = text.rstrip("=")
    padding = "=" * (-len(bare) % _QUANTUM)
    if text not in {bare, bare + padding}:
        raise ValueError("padded wrongly")
    return b64decode(bare.translate(_STANDARD) + padding, validate=True)


def _decode(text: str) -> bytes:
    try:
        return decode_base64(text)
    except ValueError:
        raise _refused("is not base64") from None


def _checked(text: str, right: bool, why: str) -> str:  # noqa: FBT001 - the judgement that `why` explains
    if not right:
        raise _refused(why)
    return text


def _refused(why: str) -> PydanticCustomError:
    return PydanticCustomError("envelope", "{why}", {"why": why})
