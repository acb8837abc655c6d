"""Anchors of the audit: heads of the chain, written down line by line in a file that should be kept where the database's owner cannot write.

A line is a JSON object: `sequence` and `digest` of the head, `at`, and where a key was configured `public_key` and `signature`, which is over the canonical
JSON of the first three.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from selection.actions.audit.chain import Head
from selection.actions.audit.verify import Anchor
from selection.documents.canonical import canonical_json
from selection.keyholder.signing import AnchorKey, is_signed, public_part, sign

_SIGNED: Final = ("sequence", "digest", "at")
_MOST_LINE: Final = 4_096


@dataclass(eq=False)
class BadAnchor(Exception):
    """A line that is no anchor, or one whose signature does not hold: where, and why."""

    place: str
    why: str

    def __str__(self) -> str:
        """Say where and why."""
        return f"{self.place}: {self.why}"


def anchor_line(head: Head, at: datetime, key: AnchorKey | None) -> str:
    """Write a head down, signed where there is a key."""
    told: dict[str, Any] = {"sequence": head.sequence, "digest": head.digest, "at": at.isoformat()}
    if key is not None:
        told |= {"public_key": public_part(key), "signature": sign(key, canonical_json(told))}
    return json.dumps(told)


def read_anchors(path: Path, public: str | None = None) -> Iterator[Anchor]:
    """Give the anchors of a file; with a `public` key each must be signed by it. Raises `BadAnchor`, and `OSError` where the file cannot be read."""
    with path.open(encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(iter(lambda: file.readline(_MOST_LINE), ""), 1):
            if line.strip():
                yield _anchor(f"{path}:{number}", line, public)


def _anchor(place: str, line: str, public: str | None) -> Anchor:
    try:
        told = json.loads(line)
        anchor = Anchor(sequence=int(told["sequence"]), digest=str(told["digest"]), place=place)
    except (ValueError, KeyError, TypeError):
        raise BadAnchor(place, "is no anchor") from None
    signature, by = told.get("signature"), public or told.get("public_key")
    if public is not None and signature is None:
        raise BadAnchor(place, "is not signed")
    if signature is not None and not is_signed(
        canonical_json({name: told.get(name) for name in _SIGNED}), signature, by
    ):
        raise BadAnchor(place, "the signature does not hold")
    return anchor
