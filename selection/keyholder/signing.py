"""The key that signs anchors of the audit: Ed25519, kept in a file that its owner alone can read. The server never needs it; who anchors does."""

from base64 import b64decode, b64encode
from binascii import Error
from pathlib import Path
from typing import Final

from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey

from selection.keyholder.keys import InvalidKey, SessionKey, read_key_file, write_key_file

# What anchors are signed with.
AnchorKey = SigningKey
_PUBLIC_BYTES: Final = 32


def make_signing_key(path: Path) -> str:
    """Write a new key to a new file of mode 600; give its public part, as base64. Raises `InvalidKey`."""
    key = SigningKey.generate()
    write_key_file(path, SessionKey(bytes(key)))
    return _written(bytes(key.verify_key))


def read_signing_key(path: Path) -> AnchorKey:
    """Read a key. Raises `InvalidKey` where it cannot be read, is none, or can be read by others."""
    return SigningKey(read_key_file(path).data)


def public_part(key: AnchorKey) -> str:
    """Give what verifies, as base64."""
    return _written(bytes(key.verify_key))


def sign(key: AnchorKey, message: bytes) -> str:
    """Sign a message; give the signature as base64."""
    return _written(key.sign(message).signature)


def is_signed(message: bytes, signature: str, public: str) -> bool:
    """Tell whether `signature` is that of `message` by the key whose public part is given. What cannot be read is none."""
    try:
        VerifyKey(b64decode(public, validate=True)).verify(message, b64decode(signature, validate=True))
    except (BadSignatureError, Error, ValueError, TypeError):
        return False
    return True


def check_public_part(text: str) -> str:
    """Give a public part as it is written. Raises `InvalidKey` where it is none."""
    try:
        data = b64decode(text.strip(), validate=True)
    except (Error, ValueError):
        data = b""
    if len(data) != _PUBLIC_BYTES:
        raise InvalidKey("not a public key: 32 bytes as base64")
    return text.strip()


def _written(data: bytes) -> str:
    return b64encode(data).decode()
