"""Do what nobody should: change recorded rows as somebody would who owns the database, with the guards down."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

from selection.actions.audit.guards import put_up_guards


@contextmanager
def without_guards() -> Iterator[None]:
    """Take the guards down, and put them up again afterwards."""
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET LOCAL session_replication_role = replica")
            yield
            with connection.cursor() as cursor:
                cursor.execute("SET LOCAL session_replication_role = DEFAULT")
            return
        with connection.cursor() as cursor:
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
            for (name,) in cursor.fetchall():
                cursor.execute(f"DROP TRIGGER {name}")
        yield
        put_up_guards()
