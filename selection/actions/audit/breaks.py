"""Where the rows of a run are not those that its entry covers: each is named that was changed, taken out or put in."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from selection.actions.audit.recorded import EVENT, LEAF_BYTES, REFERENCE, RecordedRows, Values, leaf_of
from selection.models import AuditEntry

_WORDS: Final = {
    "selection_run": "the run",
    "session_routing_decision": "the routing decision",
    "session_context_reference": "reference",
    "trace_event": "trace event",
}
# Of the rows of a run that have a place, where it stands among their values.
_POSITION: Final = {
    "session_context_reference": REFERENCE.index("position"),
    "trace_event": EVENT.index("position"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Break:
    """Where what is there is not what was recorded: the `sequence` of the entry, 0 where none covers it, and what is wrong in words."""

    sequence: int
    what: str

    def __str__(self) -> str:
        """Say it."""
        return f"entry {self.sequence:,}: {self.what}" if self.sequence else self.what


def breaks_of_run(entry: AuditEntry, rows: RecordedRows) -> Iterator[Break]:
    """Give each row of a run that is not as its entry says."""
    start, whole, named = 0, [], False
    for table, held in rows.sections():
        end = start + LEAF_BYTES * int(entry.payload["counts"].get(table, 0))
        expected = [bytes(entry.leaves[place : place + LEAF_BYTES]) for place in range(start, end, LEAF_BYTES)]
        leaves = [leaf_of(table, values) for values in held]
        for what in _differences(table, expected, held, leaves):
            named = True
            yield Break(sequence=entry.sequence, what=f"{what}, of run {entry.run}")
        whole += leaves
        start = end
    if not named and sha256(b"".join(whole)).hexdigest() != entry.rows_digest:
        yield Break(sequence=entry.sequence, what=f"a row was changed, of run {entry.run}")


def breaks_of_removed(entry: AuditEntry, rows: RecordedRows) -> Iterator[Break]:
    """Give each row that is there although retention removed its run."""
    for table, held in rows.sections():
        for values in held:
            what = f"{_name(table, values)} is there, although retention removed it, of run {entry.run}"
            yield Break(sequence=entry.sequence, what=what)


def _differences(
    table: str, expected: Sequence[bytes], held: Sequence[Values], leaves: Sequence[bytes]
) -> Iterator[str]:
    if [leaf[:LEAF_BYTES] for leaf in leaves] == list(expected):
        return
    there: dict[int, list[tuple[Values, bytes]]] = {}
    for values, leaf in zip(held, leaves, strict=True):
        there.setdefault(_place(table, values), []).append((values, leaf[:LEAF_BYTES]))
    for place, leaf in enumerate(expected):
        yield from _at_place(table, place, leaf, there.pop(place, []))
    for added in there.values():
        yield from (f"{_name(table, values)} was added" for values, _ in added)


def _at_place(table: str, place: int, expected: bytes, held: Sequence[tuple[Values, bytes]]) -> Iterator[str]:
    if not held:
        yield f"{_numbered(table, place)} is missing"
        return
    as_it_was = next((values for values, leaf in held if leaf == expected), None)
    changed = held[0][0] if as_it_was is None else None
    for values, _ in held:
        if values is changed:
            yield f"{_name(table, values)} was changed"
        elif values is not as_it_was:
            yield f"{_name(table, values)} was added"


def _place(table: str, values: Values) -> int:
    return int(values[_POSITION[table]]) if table in _POSITION else 0


def _name(table: str, values: Values) -> str:
    return f"{_numbered(table, _place(table, values))} ({values[0]})"


def _numbered(table: str, place: int) -> str:
    return f"{_WORDS[table]} {place + 1:,}" if table in _POSITION else _WORDS[table]
