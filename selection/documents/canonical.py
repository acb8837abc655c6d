"""The canonical JSON of a value, and its digest: equal values give equal bytes, whatever order their maps were written in."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Final

import msgspec

# A policy in the dialect that all policies had before there were two keeps the digest that it had then. Invariant: no text holds this, whose quotes would be
# escaped in it, and another key always follows in a policy's sorted fields.
_UNSAID: Final = b'"dialect":"gitignore",'


def canonical_json(value: object) -> bytes:
    """Give the JSON of a value: UTF-8, keys sorted, no spaces, every field written but a dialect that need not be said."""
    return msgspec.json.encode(value, order="sorted", enc_hook=_mapping).replace(_UNSAID, b"")


def digest(value: object) -> str:
    """Give the SHA-256 of a value's canonical JSON, in hex."""
    return sha256(canonical_json(value)).hexdigest()


def _mapping(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise NotImplementedError
