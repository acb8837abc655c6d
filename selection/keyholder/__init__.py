"""The client's side of a sealed session: what holds a session key, and seals and opens with it ("Sealed history" in domain.md).

The server never holds a key. Only commands, which a person runs where their key is, may import this package; no page, no action and no query does, and an
import contract keeps it so.
"""

from selection.keyholder.keys import InvalidKey, SessionKey, key_id_of, parse_key, read_key_file, write_key_file
from selection.keyholder.records import CannotOpen, Unopened, open_records
from selection.keyholder.sealing import seal_bundle, seal_text

__all__ = [
    "CannotOpen",
    "InvalidKey",
    "SessionKey",
    "Unopened",
    "key_id_of",
    "open_records",
    "parse_key",
    "read_key_file",
    "seal_bundle",
    "seal_text",
    "write_key_file",
]
