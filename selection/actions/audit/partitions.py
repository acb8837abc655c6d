"""On PostgreSQL `session_context_reference` is partitioned by the month of `created_at`; on SQLite it is one table, and all of this does nothing.

Months are made ahead. What falls outside of them is kept in one partition more, so that nothing is ever refused for want of a month, and goes where it belongs
when its month is made.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime
from typing import Any, Final

from django.db import connection, transaction
from django.utils import timezone

from selection.actions.audit.guards import REFERENCES, removal, whole_table_guards
from selection.actions.times import month_after

AHEAD: Final = 12
_OTHER: Final = f"{REFERENCES}_other"


def keep_partitions(ahead: int = AHEAD) -> list[str]:
    """Make the partitions of this month, of so many to come, and of those that rows wait for; give the names of the new ones."""
    if connection.vendor != "postgresql":
        return []
    with transaction.atomic(), connection.cursor() as cursor:
        return make_partitions({*_months_ahead(ahead), *_months_waiting(cursor)})


def make_partitions(days: Iterable[date]) -> list[str]:
    """Make the partitions of the months of `days`, on PostgreSQL and in a transaction; give the names of the new ones."""
    with connection.cursor() as cursor:
        there = set(_partitions(cursor))
        months = sorted({date(day.year, day.month, 1) for day in days})
        missing = [month for month in months if partition_of(month) not in there]
        for month in missing:
            _make(cursor, month)
    return [partition_of(month) for month in missing]


def partition_of(month: date) -> str:
    """Give the name of the partition of a month."""
    return f"{REFERENCES}_{month:%Y_%m}"


def partition_table(cursor: Any) -> None:
    """Make the plain table of earlier versions a partitioned one, with all its rows. Only on PostgreSQL, and before it has the indexes of the questions."""
    plain = f"{REFERENCES}_plain"
    cursor.execute(f"ALTER TABLE {REFERENCES} RENAME TO {plain}")
    like = f"(LIKE {plain} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)"
    cursor.execute(f"CREATE TABLE {REFERENCES} {like} PARTITION BY RANGE (created_at)")
    # Searched by its beginning: in the order of code points that is a part of the index.
    cursor.execute(f'ALTER TABLE {REFERENCES} ALTER COLUMN path TYPE text COLLATE "C"')
    cursor.execute(f"CREATE TABLE {_OTHER} PARTITION OF {REFERENCES} DEFAULT")
    cursor.execute(f"SELECT DISTINCT date_trunc('month', created_at AT TIME ZONE 'UTC') FROM {plain}")  # noqa: S608 - names of our own
    for month in sorted({*(row[0].date() for row in cursor.fetchall()), *_months_ahead(AHEAD)}):
        cursor.execute(f"CREATE TABLE {partition_of(month)} PARTITION OF {REFERENCES} {_bounds(month)}")
    cursor.execute(f"INSERT INTO {REFERENCES} SELECT * FROM {plain}")  # noqa: S608 - names of our own
    cursor.execute(f"DROP TABLE {plain}")
    cursor.execute(f"ALTER TABLE {REFERENCES} ADD PRIMARY KEY (id, created_at)")
    cursor.execute(
        f"ALTER TABLE {REFERENCES} ADD CONSTRAINT context_reference_of_run FOREIGN KEY (run_id)"
        " REFERENCES selection_run (id) DEFERRABLE INITIALLY DEFERRED"
    )


def _make(cursor: Any, month: date) -> None:
    """Make a partition beside the table and attach it, which lets recording go on; rows that waited for it move in before."""
    name, begins, ends = partition_of(month), _instant(month), _instant(month_after(month))
    cursor.execute(f"CREATE TABLE {name} (LIKE {REFERENCES} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)")
    waiting = f"{_OTHER} WHERE created_at >= %s AND created_at < %s"
    cursor.execute(f"INSERT INTO {name} SELECT * FROM {waiting}", [begins, ends])  # noqa: S608 - names of our own
    with removal():
        cursor.execute(f"DELETE FROM {waiting}", [begins, ends])  # noqa: S608 - names of our own
    cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    cursor.execute(f"ALTER TABLE {REFERENCES} ATTACH PARTITION {name} {_bounds(month)}")
    for statement in whole_table_guards(name):
        cursor.execute(statement)


def _partitions(cursor: Any) -> Iterator[str]:
    cursor.execute(
        "SELECT child.relname FROM pg_inherits JOIN pg_class child ON child.oid = inhrelid WHERE inhparent = %s::regclass",
        [REFERENCES],
    )
    return (row[0] for row in cursor.fetchall())


def guard_partitions() -> None:
    """Put the guards of whole tables on every partition."""
    if connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            for name in sorted(_partitions(cursor)):
                for statement in whole_table_guards(name):
                    cursor.execute(statement)


def _months_waiting(cursor: Any) -> Iterator[date]:
    cursor.execute(f"SELECT DISTINCT date_trunc('month', created_at AT TIME ZONE 'UTC') FROM {_OTHER}")  # noqa: S608 - a name of our own
    return (row[0].date() for row in cursor.fetchall())


def _months_ahead(ahead: int) -> Iterator[date]:
    month = timezone.now().astimezone(UTC).date().replace(day=1)
    for _ in range(ahead + 1):
        yield month
        month = month_after(month)


def _instant(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def _bounds(month: date) -> str:
    return f"FOR VALUES FROM ('{_instant(month).isoformat()}') TO ('{_instant(month_after(month)).isoformat()}')"
