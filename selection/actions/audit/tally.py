"""Keep count of what is recorded while it is recorded, so that a facet or a picture of the month reads sums and no rows."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from hashlib import sha256
from itertools import islice
from typing import Any, Final
from uuid import UUID

import msgspec
from django.db import connection, transaction
from django.db.models import Count, Exists, OuterRef, QuerySet, Sum
from django.db.models.functions import Left, TruncDate

from selection.actions.audit.chain import lock_chain
from selection.models import EVERYBODY, INDEXED_PATH, AuditTally, RecordedPath, SessionContextReference

_AT_ONCE: Final = 500
_MEASURES: Final = ("references", "tokens", "paths")
_COLUMNS: Final = (
    "id", "day", "user_id", "model", "destination", "kind", "included", "reason_code", "restricted", *_MEASURES,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Counted:
    """What of a reference is counted."""

    user_id: int
    created_at: datetime
    model: str | None
    destination: str | None
    kind: str
    included: bool
    reason_code: str | None
    restricted: bool
    tokens: int
    path: str | None


# The properties that make a row of the tally, in the order of the columns.
Key = tuple[date, int, str, str, str, bool, str, bool]
Sums = dict[Key, list[int]]


def sums_of(references: Iterable[Counted]) -> Sums:
    """Give the sums of references: for each set of properties how many there are, their tokens, and how many name a path; of their user, and of everybody."""
    sums: Sums = {}
    for row in references:
        for user in (row.user_id, EVERYBODY):
            held = sums.setdefault(_key(row, user), [0, 0, 0])
            held[0] += 1
            held[1] += row.tokens
            held[2] += row.path is not None
    return sums


def _key(row: Counted, user: int) -> Key:
    day = row.created_at.astimezone(UTC).date()
    return (
        day, user, row.model or "", row.destination or "", row.kind, row.included, row.reason_code or "", row.restricted,
    )  # fmt: skip


def add_to_tally(sums: Mapping[Key, Iterable[int]], sign: int = 1) -> None:
    """Add sums to the tally, or take them out with `sign` -1; who calls holds the lock of the chain."""
    rows = [(_id_of(key), *key, *(sign * number for number in numbers)) for key, numbers in sums.items()]
    if not rows:
        return
    quote = connection.ops.quote_name
    table = quote(AuditTally._meta.db_table)  # noqa: SLF001 - the documented name of what a model says of itself
    grown = ", ".join(f"{quote(name)} = {table}.{quote(name)} + excluded.{quote(name)}" for name in _MEASURES)
    marks = f"({', '.join(['%s'] * len(_COLUMNS))})"
    with connection.cursor() as cursor:
        for some in _batches(rows):
            cursor.execute(
                f"INSERT INTO {table} ({', '.join(map(quote, _COLUMNS))}) VALUES {', '.join([marks] * len(some))}"  # noqa: S608 - names of our own
                f" ON CONFLICT (id) DO UPDATE SET {grown}",
                [_written(value) for row in some for value in row],
            )


def forget_empty() -> None:
    """Take out what nothing is left of."""
    AuditTally.objects.filter(references=0).delete()


def _id_of(key: Key) -> UUID:
    return UUID(bytes=sha256(msgspec.json.encode(key)).digest()[:16])


def _written(value: Any) -> Any:
    return value.hex if isinstance(value, UUID) else value


def path_id(path: str) -> UUID:
    """Give the key of a path."""
    return UUID(bytes=sha256(path.encode()).digest()[:16])


def remember_paths(paths: Iterable[str]) -> None:
    """Remember paths that references name; who calls holds the lock of the chain."""
    rows = [RecordedPath(id=path_id(path), path=path) for path in sorted(set(paths))]
    RecordedPath.objects.bulk_create(rows, ignore_conflicts=True, batch_size=_AT_ONCE)


def forget_paths(paths: Iterable[str]) -> None:
    """Forget those of `paths` that no reference names any more; who calls holds the lock of the chain."""
    held = list(paths)
    named = SessionContextReference.objects.alias(head=Left("path", INDEXED_PATH)).filter(
        path=OuterRef("path"), head=Left(OuterRef("path"), INDEXED_PATH)
    )
    for start in range(0, len(held), _AT_ONCE):
        keys = [path_id(path) for path in held[start : start + _AT_ONCE]]
        RecordedPath.objects.filter(~Exists(named), pk__in=keys).delete()


@transaction.atomic
def recount() -> None:
    """Count everything again."""
    lock_chain()
    AuditTally.objects.all().delete()
    rows = SessionContextReference.objects.order_by("created_at", "id")
    add_to_tally(sums_of_rows(rows))


def sums_of_rows(rows: QuerySet[SessionContextReference]) -> Sums:
    """Give the sums of rows that the database holds, as `sums_of` does of those in hand."""
    grouped = rows.order_by().values(
        "user_id", "model", "destination", "kind", "included", "reason_code", "restricted",
        day=TruncDate("created_at", tzinfo=UTC),
    )  # fmt: skip
    sums: Sums = {}
    for row in grouped.annotate(many=Count("pk"), tokens=Sum("estimated_tokens"), paths=Count("path")):
        for user in (row["user_id"], EVERYBODY):
            key = (
                row["day"], user, row["model"] or "", row["destination"] or "", row["kind"], row["included"],
                row["reason_code"] or "", row["restricted"],
            )  # fmt: skip
            held = sums.setdefault(key, [0, 0, 0])
            for place, name in enumerate(("many", "tokens", "paths")):
                held[place] += row[name]
    return sums


def _batches(rows: list[tuple[Any, ...]]) -> Iterator[list[tuple[Any, ...]]]:
    held = iter(rows)
    while some := list(islice(held, _AT_ONCE)):
        yield some
