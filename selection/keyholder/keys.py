"""Session keys: 32 bytes, named by a fingerprint, kept in a file that its owner alone can read.

`key_id` is `kf_` and the first 16 hex digits of SHA-256 over the bytes `smista.session-key/1`, a zero byte, and the key.
"""

import os
import re
import secrets
import stat
from base64 import b64encode
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Final

from selection.documents.envelopes import decode_base64

KEY_BYTES: Final = 32
PREFIX: Final = b"smista.session-key/1\0"
_FINGERPRINT: Final = re.compile(r"kf_[0-9a-f]{16}")
_HEX: Final = re.compile(r"[0-9a-fA-F]{64}")
# A key in any spelling is shorter; what is longer is another file.
_MOST_READ: Final = 4_096


class InvalidKey(Exception):
    """A key that cannot be used, or a file that holds none; what is said never holds any of it."""


@dataclass(frozen=True, slots=True)
class SessionKey:
    """A session key. It does not show itself."""

    data: bytes = field(repr=False)

    @property
    def key_id(self) -> str:
        """The fingerprint that sessions and envelopes name."""
        return key_id_of(self.data)

    @classmethod
    def fresh(cls) -> "SessionKey":
        """Make a key."""
        return cls(secrets.token_bytes(KEY_BYTES))


def key_id_of(data: bytes) -> str:
    """Give the fingerprint of a key's bytes."""
    return f"kf_{sha256(PREFIX + data).hexdigest()[:16]}"


def names_another(key_id: str, key: SessionKey) -> bool:
    """Tell whether `key_id` is the fingerprint of another key. A router may name keys in its own way; then opening alone tells."""
    return _FINGERPRINT.fullmatch(key_id) is not None and key_id != key.key_id


def parse_key(text: str) -> SessionKey:
    """Read a key: 32 bytes as hex or as base64 of either alphabet, padded or not; space around it is nothing. Raises `InvalidKey`."""
    bare = text.strip()
    try:
        data = bytes.fromhex(bare) if _HEX.fullmatch(bare) else decode_base64(bare)
    except ValueError:
        data = b""
    if len(data) != KEY_BYTES:
        raise InvalidKey(f"not a session key: {KEY_BYTES} bytes as base64 or hex")
    return SessionKey(data)


def write_key_file(path: Path, key: SessionKey) -> None:
    """Write a new file (0600) in a folder that is its owner's alone (0700, made when it is missing). Raises `InvalidKey`; nothing is overwritten."""
    _require_private_folder(path.parent)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise InvalidKey(f"{path}: exists already; a key is never overwritten") from None
    except OSError as error:
        raise _unusable(path, error) from error
    with os.fdopen(handle, "wb") as file:
        os.fchmod(handle, 0o600)
        file.write(b64encode(key.data) + b"\n")


def _require_private_folder(folder: Path) -> None:
    try:
        if not folder.exists():
            folder.mkdir(parents=True, mode=0o700)
            folder.chmod(0o700)
        mode = folder.stat().st_mode
    except OSError as error:
        raise _unusable(folder, error) from error
    if not stat.S_ISDIR(mode):
        raise InvalidKey(f"{folder}: is not a folder")
    if mode & 0o077:
        raise InvalidKey(f"{folder}: is open to others; give a folder of mode 700, or one that does not exist yet")


def read_key_file(path: Path) -> SessionKey:
    """Read a key file. Raises `InvalidKey` where it cannot be read, holds no key, or can be read by others."""
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            data = file.read(_MOST_READ)
    except OSError as error:
        raise _unusable(path, error) from error
    if stat.S_ISREG(mode) and mode & 0o077:
        raise InvalidKey(f"{path}: can be read by others; make it 600")
    try:
        return parse_key(data.decode("ascii", "replace"))
    except InvalidKey as error:
        raise InvalidKey(f"{path}: {error}") from None


def _unusable(path: Path, error: OSError) -> InvalidKey:
    return InvalidKey(f"{path}: {(error.strerror or 'cannot be used').lower()}")
