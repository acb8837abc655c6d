"""How a router goes on with a turn that waits: `{"type", "data"}`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from selection.documents.parsing import read_json
from selection.documents.reading import validate
from selection.engine.values import PlainRecord


class ContinuationType(StrEnum):
    """The ways to go on."""

    DECRYPTED = "decrypted"
    APPROVAL_DECISIONS = "approval_decisions"
    SEALED = "sealed"
    BREAK = "break"


class Decision(StrEnum):
    """What was decided about a disclosure."""

    ALLOW = "allow"
    DENY = "deny"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContinuationData:
    """What comes with a continuation: opened rows as `plain_records` or as a map `plaintext`, and the `decision` about a disclosure.

    `asked` names the pause that the rows answer; without it the one that waits now.
    """

    asked: str | None = None
    plain_records: tuple[PlainRecord, ...] = ()
    plaintext: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    decision: Decision | None = None

    @property
    def records(self) -> tuple[PlainRecord, ...]:
        """The opened rows, however they came."""
        mapped = (PlainRecord(record_id=name, plaintext=text) for name, text in self.plaintext.items())
        return (*self.plain_records, *mapped)


@dataclass(frozen=True, slots=True, kw_only=True)
class Continuation:
    """How to go on."""

    type: ContinuationType
    data: ContinuationData = field(default_factory=ContinuationData)


def read_continuation(data: bytes | str) -> Continuation:
    """Read a continuation. Raises `InvalidDocument` with every fault and its place, and nothing of what was opened."""
    return validate(Continuation, read_json(data))
