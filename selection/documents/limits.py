"""What a field must keep to beyond its type: what a database can index, what a time, a price and an envelope look like."""

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Final

from pydantic_core import PydanticCustomError

from selection.documents.envelopes import (
    MOST_CIPHERTEXT,
    MOST_PLAIN_BYTES,
    VERSION,
    check_algorithm,
    check_ciphertext,
    check_nonce,
)

# A field, as the name of its value and its own.
Spot = tuple[str, str]

# The largest whole number that every reader of JSON keeps exact.
MOST_NUMBER: Final = 2**53 - 1

_TIME: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.,][0-9]{1,9})?)?(Z|[+-][0-9]{2}:?[0-9]{2})?"
)
_PRICE: Final = re.compile(r"[0-9]{1,12}(\.[0-9]{1,12})?")


def check_time(text: str) -> str:
    """Refuse what is no ISO 8601 time of the calendar; the text is kept as it came."""
    try:
        if not _TIME.fullmatch(text):
            raise _refused("is not an ISO 8601 time")
        datetime.fromisoformat(text)
    except ValueError:
        raise _refused("is not an ISO 8601 time") from None
    return text


def check_price(text: str) -> str:
    """Refuse what is not a decimal number such as `2.50`."""
    if not _PRICE.fullmatch(text):
        raise _refused("is not a decimal number such as `2.50`")
    return text


def _refused(why: str) -> PydanticCustomError:
    return PydanticCustomError("written", "{why}", {"why": why})


LENGTHS: Final[Mapping[Spot, int]] = {
    ("SessionInfo", "title"): 500,
    ("SessionInfo", "key_id"): 200,
    ("BundleMemory", "key"): 500,
    ("ModelDescriptor", "provider"): 300,
    ("ModelDescriptor", "model"): 300,
    ("Envelope", "ciphertext"): MOST_CIPHERTEXT,
    ("PlainRecord", "plaintext"): MOST_PLAIN_BYTES,
}
LEAST: Final[Mapping[Spot, int]] = {
    ("ModelDescriptor", "max_context_tokens"): 0,
    ("ModelDescriptor", "max_output_tokens"): 0,
    ("Policy", "version"): 0,
    ("Envelope", "version"): VERSION,
}
MOST: Final[Mapping[Spot, int]] = {("Envelope", "version"): VERSION}
CHECKS: Final[Mapping[Spot, Callable[[str], str]]] = {
    ("Envelope", "algorithm"): check_algorithm,
    ("Envelope", "nonce"): check_nonce,
    ("Envelope", "ciphertext"): check_ciphertext,
    ("ModelDescriptor", "input_cost_per_million"): check_price,
    ("ModelDescriptor", "output_cost_per_million"): check_price,
    **{("SessionInfo", name): check_time for name in ("created_at", "updated_at", "archived_at")},
    **{("BundleMemory", name): check_time for name in ("created_at", "updated_at")},
    ("BundleMessage", "created_at"): check_time,
    ("BundleTurn", "created_at"): check_time,
}
