"""Retention: the one way in which what was recorded goes, by age or with its session; previewed, and itself recorded ("Storage entities" in domain.md).

Of a run that goes its entry stays, with the digests of rows that are no more; the entry of the retention names it, so that the chain verifies as before. What
is remembered of a user is no session's, and stays.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Count, Max, Min, Q, QuerySet

from selection.actions.audit.chain import lock_chain, note
from selection.actions.audit.guards import removal
from selection.actions.audit.tally import add_to_tally, forget_empty, forget_paths, sums_of_rows
from selection.models import (
    AuditEntry,
    AuditKind,
    Owner,
    SelectionRun,
    Session,
    SessionContextReference,
    SessionRoutingDecision,
    TraceEvent,
)
from selection.models.base import new_id

# So many runs go in one transaction: recording waits for no longer than that.
_RUNS_AT_ONCE: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What goes: what was recorded `before` an instant, or whole `sessions` with all that was recorded of them."""

    before: datetime | None = None
    sessions: tuple[UUID, ...] = ()

    def document(self) -> dict[str, Any]:
        """Say it in an entry."""
        if self.before is not None:
            return {"before": self.before.isoformat()}
        return {"sessions": [str(key) for key in self.sessions]}


def scope_of(said: Mapping[str, Any]) -> Scope:
    """Give the scope that `Scope.document` said."""
    if "before" in said:
        return Scope(before=datetime.fromisoformat(said["before"]))
    return Scope(sessions=tuple(UUID(key) for key in said["sessions"]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Extent:
    """How much is in a scope. `first` and `last` are times of runs."""

    sessions: int = 0
    runs: int = 0
    references: int = 0
    decisions: int = 0
    events: int = 0
    first: datetime | None = None
    last: datetime | None = None

    @property
    def rows(self) -> int:
        """All recorded rows."""
        return self.runs + self.references + self.decisions + self.events


@dataclass(eq=False)
class ExtentChanged(Exception):
    """What would go is not what was previewed; nothing went."""

    now: Extent

    def __str__(self) -> str:
        """Say so."""
        return f"what would go has changed since it was previewed: {self.now.rows:,} rows now"


def preview_retention(scope: Scope) -> Extent:
    """Count what `scope` would remove."""
    runs = _runs_in(scope)
    span = runs.aggregate(count=Count("pk"), first=Min("created_at"), last=Max("created_at"))
    sessions = Session.objects.filter(pk__in=scope.sessions).count() if scope.sessions else 0
    return Extent(
        sessions=sessions,
        runs=span["count"],
        references=SessionContextReference.objects.filter(_where(scope)).count(),
        decisions=SessionRoutingDecision.objects.filter(_where(scope)).count(),
        events=TraceEvent.objects.filter(_where(scope)).count(),
        first=span["first"],
        last=span["last"],
    )


def apply_retention(user: Owner, scope: Scope, expected: int | None = None, by: str = "") -> Extent:
    """Remove what is in `scope` and leave entries that say so; give how much it was. Raises `ExtentChanged` where it is not as many rows as `expected`.

    By age it goes a batch after another, each with an entry of its own, so that recording goes on meanwhile and what was begun can be begun again. Sessions go
    one by one, each at once or not at all.
    """
    found = preview_retention(scope)
    if expected is not None and found.rows != expected:
        raise ExtentChanged(found)
    work = _Removing(user, scope, new_id(), by)
    if scope.before is not None:
        while work.next_batch():
            pass
    for key in scope.sessions:
        work.session(key)
    work.end()
    return Extent(**{name: work.gone[name] for name in _COUNTED}, first=found.first, last=found.last)


_COUNTED: Final = ("sessions", "runs", "references", "decisions", "events")


def _runs_in(scope: Scope) -> QuerySet[SelectionRun]:
    return SelectionRun.objects.filter(_where(scope)).order_by("created_at", "id")


def _where(scope: Scope) -> Q:
    """What is recorded of a run carries its time and its session."""
    return Q(session__in=scope.sessions) if scope.before is None else Q(created_at__lt=scope.before)


class _Removing:
    """One retention at work; `gone` counts what it removed."""

    def __init__(self, user: Owner, scope: Scope, key: UUID, by: str) -> None:
        self.gone = dict.fromkeys(_COUNTED, 0)
        self._user, self._scope, self._key, self._by = user, scope, key, by
        self._paths: set[str] = set()

    def next_batch(self) -> bool:
        """Remove the oldest runs of the scope; tell whether there were any."""
        with removal():
            keys = self._oldest(_runs_in(self._scope))
            if keys:
                self._remove(keys, self._scope.document())
        return bool(keys)

    def session(self, key: UUID) -> None:
        """Remove a session with everything that is of it."""
        with removal():
            row = Session.objects.select_for_update().filter(pk=key).first()
            if row is None:
                return
            while keys := self._oldest(_runs_in(Scope(sessions=(key,)))):
                self._remove(keys, {"sessions": [str(key)]}, session=key)
            row.delete()
            self.gone["sessions"] += 1
            note(
                AuditKind.RETENTION, self._user, self._told({"sessions": [str(key)]}, {"sessions": 1}, []), session=key
            )

    def end(self) -> None:
        """Forget the paths that nothing names any more."""
        with transaction.atomic():
            lock_chain()
            forget_paths(sorted(self._paths))
            forget_empty()

    @staticmethod
    def _oldest(runs: QuerySet[SelectionRun]) -> list[UUID]:
        return list(runs.select_for_update().values_list("pk", flat=True)[:_RUNS_AT_ONCE])

    def _remove(self, keys: Sequence[UUID], scope: Mapping[str, Any], session: UUID | None = None) -> None:
        references = SessionContextReference.objects.filter(_of(keys))
        sums = sums_of_rows(references)
        self._paths.update(references.filter(path__isnull=False).values_list("path", flat=True).distinct())  # type: ignore[arg-type]
        went = _delete(keys)
        for name, count in went.items():
            self.gone[name] += count
        lock_chain()
        entries = AuditEntry.objects.filter(run__in=keys).order_by("sequence").values_list("sequence", flat=True)
        note(AuditKind.RETENTION, self._user, self._told(scope, went, entries), session=session)
        add_to_tally(sums, sign=-1)

    def _told(self, scope: Mapping[str, Any], went: Mapping[str, int], entries: Iterable[int]) -> dict[str, Any]:
        told = {"retention": str(self._key), "scope": dict(scope), "went": dict(went), "entries": _ranges(entries)}
        return told | ({"by": self._by} if self._by else {})


def _of(keys: Sequence[UUID]) -> Q:
    """Say the time as well: it is what the references are partitioned by."""
    span = SelectionRun.objects.filter(pk__in=keys).aggregate(first=Min("created_at"), last=Max("created_at"))
    return Q(run__in=keys, created_at__gte=span["first"], created_at__lte=span["last"])


def _delete(keys: Sequence[UUID]) -> dict[str, int]:
    """Delete children first. Not by the models, which would read every row to find what hangs on it."""
    return dict(_deleted(keys))


def _deleted(keys: Sequence[UUID]) -> Iterator[tuple[str, int]]:
    marks = ", ".join(["%s"] * len(keys))
    given = [key if connection.vendor == "postgresql" else key.hex for key in keys]
    span = SelectionRun.objects.filter(pk__in=keys).aggregate(first=Min("created_at"), last=Max("created_at"))
    times = [connection.ops.adapt_datetimefield_value(span[name]) for name in ("first", "last")]
    with connection.cursor() as cursor:
        events = f"SELECT id FROM trace_event WHERE run_id IN ({marks})"  # noqa: S608 - marks for parameters
        cursor.execute(f"DELETE FROM trace_event_content WHERE event_id IN ({events})", given)  # noqa: S608 - as above
        for name, table, column in _TABLES:
            within = " AND created_at >= %s AND created_at <= %s"
            cursor.execute(f"DELETE FROM {table} WHERE {column} IN ({marks}){within}", [*given, *times])  # noqa: S608 - as above
            yield name, cursor.rowcount


_TABLES: Final = (
    ("events", "trace_event", "run_id"),
    ("decisions", "session_routing_decision", "run_id"),
    ("references", "session_context_reference", "run_id"),
    ("runs", "selection_run", "id"),
)


def _ranges(numbers: Iterable[int]) -> list[list[int]]:
    """Write numbers in ascending order as ranges, each with its first and its last."""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and ranges[-1][1] == number - 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    return ranges
