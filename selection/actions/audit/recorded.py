"""The rows of a recorded run as the chain covers them: which columns, in which order, and the digest of each ("What is recorded" in domain.md).

The digest of a row is the SHA-256 of a JSON array: the name of its table, then its columns in the order below; keys as text, times in UTC, JSON with its keys
sorted, as UTF-8 without spaces. The rows of a run are the run, its routing decision, its references by position, and its trace events by position, each event
with its payload. An entry that says `form` 1 was made so; whoever adds a column begins another form.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final
from uuid import UUID

import msgspec
from django.apps import apps
from django.db.models import Model

FORM: Final = 1
LEAF_BYTES: Final = 8
_OWNED: Final = ("id", "user_id", "session_id", "created_at")
RUN: Final = (
    *_OWNED, "run_input_id", "idempotency_key", "status", "opened", "error", "model", "destination", "window",
    "reply_reserve", "effective_budget", "required_tokens", "used_tokens", "attempts", "policy_version_id",
    "policy_digest", "input_digest", "catalog_digest", "engine_version",
)  # fmt: skip
DECISION: Final = (
    *_OWNED, "run_id", "task_type", "provider", "model", "matched_rule", "fallback_used", "override_used", "reason",
)  # fmt: skip
REFERENCE: Final = (
    *_OWNED, "run_id", "position", "rank", "path", "kind", "included", "required", "restricted", "estimated_tokens",
    "score", "reason_code", "reason", "duplicate_of_id", "model", "destination",
)  # fmt: skip
EVENT: Final = (
    *_OWNED, "run_id", "position", "event_type", "task_type", "provider", "model", "matched_rule",
)  # fmt: skip

Values = tuple[Any, ...]
ModelOf = Callable[[str], type[Model]]
_encode: Final = msgspec.json.Encoder(order="sorted").encode


def leaf_of(table: str, values: Values) -> bytes:
    """Give the digest of one row: 32 bytes."""
    return sha256(_encode((table, *values))).digest()


@dataclass(slots=True)
class RecordedRows:
    """The values of the rows of one run; each of the lists may be longer or shorter than it should be."""

    runs: list[Values] = field(default_factory=list)
    decisions: list[Values] = field(default_factory=list)
    references: list[Values] = field(default_factory=list)
    events: list[Values] = field(default_factory=list)

    def sections(self) -> Iterator[tuple[str, list[Values]]]:
        """Give the tables with their rows, in the order of the leaves."""
        yield "selection_run", self.runs
        yield "session_routing_decision", self.decisions
        yield "session_context_reference", self.references
        yield "trace_event", self.events


@dataclass(frozen=True, slots=True, kw_only=True)
class Covered:
    """What an entry says of the rows of a run: how many of each table, the digest over all of them, and the beginnings of theirs."""

    counts: Mapping[str, int]
    rows_digest: str
    leaves: bytes

    @property
    def rows(self) -> int:
        """How many rows are covered."""
        return len(self.leaves) // LEAF_BYTES


def cover(rows: RecordedRows) -> Covered:
    """Give what an entry says of these rows."""
    leaves = [leaf_of(table, values) for table, held in rows.sections() for values in held]
    return Covered(
        counts={table: len(held) for table, held in rows.sections()},
        rows_digest=sha256(b"".join(leaves)).hexdigest(),
        leaves=b"".join(leaf[:LEAF_BYTES] for leaf in leaves),
    )


def values_of(row: Model, columns: Sequence[str]) -> Values:
    """Give the values of a row that was just made, as they will be read."""
    return tuple(getattr(row, column) for column in columns)


def _model(name: str) -> type[Model]:
    return apps.get_model("selection", name)


def read_recorded(runs: Iterable[UUID], model_of: ModelOf = _model) -> dict[UUID, RecordedRows]:
    """Read the rows of runs, by run; a run without any has empty lists."""
    found = {run: RecordedRows() for run in runs}
    keys = list(found)
    for name, key, columns, order in _READ:
        rows: Any = model_of(name)._default_manager.filter(**{f"{key}__in": keys})  # noqa: SLF001 - the documented default
        place = columns.index(key)
        for values in rows.order_by(*order).values_list(*columns).iterator(chunk_size=5_000):
            _list_of(found[values[place]], name).append(values)
    return found


_READ: Final = (
    ("SelectionRun", "id", RUN, ("id",)),
    ("SessionRoutingDecision", "run_id", DECISION, ("run_id", "id")),
    ("SessionContextReference", "run_id", REFERENCE, ("run_id", "position", "id")),
    ("TraceEvent", "run_id", (*EVENT, "content__payload"), ("run_id", "position", "id")),
)


def _list_of(rows: RecordedRows, name: str) -> list[Values]:
    match name:
        case "SelectionRun":
            return rows.runs
        case "SessionRoutingDecision":
            return rows.decisions
        case "SessionContextReference":
            return rows.references
        case _:
            return rows.events
