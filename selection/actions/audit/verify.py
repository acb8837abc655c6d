"""Walk the chain: every entry against the one before, every recorded row against the entry that covers it, and what is counted against the rows.

What this cannot detect, and the page says so: that somebody who owns the database made the chain anew from some entry on, or took the newest entries off
together with their rows, unless a head was anchored outside after them; and that something was never recorded.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC
from itertools import islice
from typing import Any, Final
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, QuerySet, Sum
from django.db.models.functions import TruncDate
from django.utils import timezone

from selection.actions.audit.breaks import Break, breaks_of_removed, breaks_of_run
from selection.actions.audit.chain import Head, digest_of, note
from selection.actions.audit.recorded import RecordedRows, read_recorded
from selection.actions.audit.snapshot import snapshot
from selection.models import (
    EVERYBODY,
    AuditEntry,
    AuditKind,
    AuditTally,
    Owner,
    SelectionRun,
    SessionContextReference,
    SessionRoutingDecision,
    TraceEvent,
    TraceEventContent,
)

_ENTRIES_AT_ONCE: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """A head as it was written down outside the database; `place` says where."""

    sequence: int
    digest: str
    place: str


@dataclass(slots=True)
class Verified:
    """What came of a walk: how many entries, runs and rows it covered, how many runs retention had removed, how many anchors it met, and the breaks."""

    entries: int = 0
    runs: int = 0
    rows: int = 0
    removed: int = 0
    anchors: int = 0
    head: Head = field(default_factory=Head)
    breaks: list[Break] = field(default_factory=list)

    @property
    def whole(self) -> bool:
        """Whether nothing is broken."""
        return not self.breaks


def verify_audit(anchors: Sequence[Anchor] = (), most: int = 1) -> Verified:
    """Walk the whole chain as it is at one moment, and stop after so many breaks."""
    found = Verified()
    with snapshot():
        found.breaks = list(islice(_breaks(found, anchors), most))
    return found


def note_verification(user: Owner | None, found: Verified, by: str = "") -> AuditEntry:
    """Leave an entry of a walk, from which the page tells when the last one was."""
    payload = {
        "entries": found.entries,
        "runs": found.runs,
        "rows": found.rows,
        "removed": found.removed,
        "anchors": found.anchors,
        "head": {"sequence": found.head.sequence, "digest": found.head.digest},
        "first_break": str(found.breaks[0]) if found.breaks else "",
        "at": timezone.now().isoformat(),
    }
    return note(AuditKind.VERIFICATION, user, payload, by=by)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """A run against its entry: the rows as they are, and the first that is not as the entry says, unless retention `removed` them."""

    entry: AuditEntry | None
    rows: RecordedRows
    broken: Break | None
    removed: bool = False


def prove_run(run: UUID) -> Proof:
    """Hold a run against its entry; the rest of the chain is not looked at."""
    entry = AuditEntry.objects.filter(run=run).first()
    rows = read_recorded([run])[run]
    if entry is None:
        return Proof(entry=None, rows=rows, broken=Break(sequence=0, what=f"the run {run} stands in no entry"))
    if digest_of(entry) != entry.digest:
        return Proof(entry=entry, rows=rows, broken=Break(sequence=entry.sequence, what="the entry was changed"))
    removed = not rows.runs and _is_removed(entry)
    breaks = breaks_of_removed(entry, rows) if removed else breaks_of_run(entry, rows)
    return Proof(entry=entry, rows=rows, broken=next(breaks, None), removed=removed)


def _is_removed(entry: AuditEntry) -> bool:
    later = AuditEntry.objects.filter(kind=AuditKind.RETENTION.value, sequence__gt=entry.sequence)
    told = later.order_by("sequence").values_list("payload", flat=True)
    return any(
        first <= entry.sequence <= last for payload in told.iterator() for first, last in payload.get("entries", ())
    )


def _breaks(found: Verified, anchors: Sequence[Anchor]) -> Iterator[Break]:
    removed = _removed_entries()
    waiting: dict[int, list[Anchor]] = {}
    for anchor in anchors:
        waiting.setdefault(anchor.sequence, []).append(anchor)
    for entry, broken, rows in _entries(found):
        if broken:
            yield Break(sequence=entry.sequence, what=broken)
        elif rows is not None:
            yield from _of_rows(found, entry, rows, gone=removed.get(entry.sequence, 0) > entry.sequence)
        yield from _against(found, entry, waiting.pop(entry.sequence, []))
    yield from _beyond(found, waiting)
    yield from _uncovered()
    yield from _miscounted()


def _removed_entries() -> dict[int, int]:
    """Give the entries whose runs retention removed, each with the entry that says so."""
    told = AuditEntry.objects.filter(kind=AuditKind.RETENTION.value).order_by("sequence")
    removed: dict[int, int] = {}
    for sequence, payload in told.values_list("sequence", "payload").iterator():
        for first, last in payload.get("entries", ()):
            removed |= dict.fromkeys(range(first, last + 1), sequence)
    return removed


def _entries(found: Verified) -> Iterator[tuple[AuditEntry, str, RecordedRows | None]]:
    """Give the entries in order, each with what is wrong with its link, and with the rows of its run as they are."""
    before = found.head
    while some := list(AuditEntry.objects.filter(sequence__gt=before.sequence).order_by("sequence")[:_ENTRIES_AT_ONCE]):
        runs = read_recorded(entry.run for entry in some if entry.run is not None)
        for entry in some:
            broken = _broken_link(before, entry)
            before = found.head = Head(entry.sequence, entry.digest)
            found.entries += 1
            yield entry, broken, None if entry.run is None else runs[entry.run]


def _broken_link(before: Head, entry: AuditEntry) -> str:
    missing = entry.sequence - before.sequence - 1
    if missing:
        return f"the {missing:,} entries before it are missing" if missing > 1 else "the entry before it is missing"
    if digest_of(entry) != entry.digest:
        return "the entry was changed"
    return "" if entry.previous == before.digest else "the entry before it is not the one that it was chained to"


def _of_rows(found: Verified, entry: AuditEntry, rows: RecordedRows, *, gone: bool) -> Iterator[Break]:
    if gone:
        found.removed += 1
        yield from breaks_of_removed(entry, rows)
        return
    found.runs += 1
    found.rows += entry.rows
    yield from breaks_of_run(entry, rows)


def _against(found: Verified, entry: AuditEntry, anchors: Sequence[Anchor]) -> Iterator[Break]:
    for anchor in anchors:
        found.anchors += 1
        if anchor.digest != entry.digest:
            yield Break(sequence=entry.sequence, what=f"its digest is not the one that was anchored at {anchor.place}")


def _beyond(found: Verified, waiting: dict[int, list[Anchor]]) -> Iterator[Break]:
    ends = found.head.sequence
    for sequence, anchors in sorted(waiting.items()):
        what = f"the chain ends at entry {ends:,}, and entry {sequence:,} was anchored at {anchors[0].place}: the newest entries are gone"
        yield Break(
            sequence=0,
            what=what if sequence > ends else f"entry {sequence:,}, anchored at {anchors[0].place}, is missing",
        )


def _uncovered() -> Iterator[Break]:
    """Rows that no entry covers: a run without one, and what is of no run."""
    chained = AuditEntry.objects.filter(run=OuterRef("pk"))
    for key in _first_keys(SelectionRun.objects.filter(~Exists(chained))):
        yield Break(sequence=0, what=f"the run {key} stands in no entry: it was added")
    runs = SelectionRun.objects.filter(pk=OuterRef("run_id"))
    for word, rows in (
        ("reference", SessionContextReference.objects.filter(~Exists(runs))),
        ("routing decision", SessionRoutingDecision.objects.filter(~Exists(runs))),
        ("trace event", TraceEvent.objects.filter(~Exists(runs))),
    ):
        for key in _first_keys(rows):
            yield Break(sequence=0, what=f"the {word} {key} is of no run: it was added, or its run was taken out")
    events = TraceEvent.objects.filter(pk=OuterRef("event_id"))
    for key in _first_keys(TraceEventContent.objects.filter(~Exists(events))):
        yield Break(
            sequence=0, what=f"the payload {key} is of no trace event: it was added, or its event was taken out"
        )


def _first_keys(rows: "QuerySet[Any]") -> "QuerySet[Any]":
    return rows.order_by().values_list("pk", flat=True)[:100]


_COUNTED: Final = ("model", "destination", "kind", "included", "reason_code", "restricted")


def _miscounted() -> Iterator[Break]:
    """What the pages count, against the rows: what is counted wrongly is no evidence, so it is told after all that is."""
    rows = SessionContextReference.objects.order_by().values(*_COUNTED, day=TruncDate("created_at", tzinfo=UTC))
    counted = rows.annotate(many=Count("pk"), tokens=Sum("estimated_tokens"), paths=Count("path"))
    true = {
        (row["day"], *(row[name] or "" for name in _COUNTED)): (row["many"], row["tokens"], row["paths"])
        for row in counted.iterator()
    }
    told = AuditTally.objects.filter(user_id=EVERYBODY).exclude(references=0)
    said = {
        (row.day, *(getattr(row, name) or "" for name in _COUNTED)): (row.references, row.tokens, row.paths)
        for row in told.iterator()
    }
    for key in sorted({*true, *said}, key=str):
        if true.get(key) != said.get(key):
            yield Break(
                sequence=0,
                what=f"the tally of {key[0]} does not add up; `manage.py verify_audit --recount` counts it again",
            )
