"""Recorded rows are never changed, and removed by retention alone: the database itself refuses everything else.

The guards are triggers, put up after every `migrate`, so that a migration that makes a table anew cannot lose them. They stop what is done by mistake and by
the app; whoever owns the database can take them down, and for that there is the chain.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

from django.db import connection, transaction

REFERENCES: Final = "session_context_reference"
ENTRIES: Final = "audit_entry"
# What is recorded of a run, children first: in this order rows can be removed.
RECORDED: Final = ("trace_event_content", "trace_event", "session_routing_decision", REFERENCES, "selection_run")
_OF_A_RUN: Final = {
    "trace_event": "run_id",
    "session_routing_decision": "run_id",
    REFERENCES: "run_id",
}
_NEVER: Final = "recorded rows are never changed"
_RETENTION: Final = "recorded rows are removed by retention alone"
_SEALED: Final = "nothing is added to a run that was recorded"
_removing: ContextVar[bool] = ContextVar("removing", default=False)


@contextmanager
def removal() -> Iterator[None]:
    """Let this block, which is one transaction, remove recorded rows."""
    with transaction.atomic():
        token = _removing.set(True)
        _tell_postgres(on=True)
        try:
            yield
        finally:
            _removing.reset(token)
        # After a failure the transaction is rolled back, and the setting with it.
        _tell_postgres(on=False)


def _tell_postgres(*, on: bool) -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('smista.removal', %s, true)", ["on" if on else "off"])


def is_removing() -> int:
    """Tell SQLite, which has no settings of a transaction, whether rows may be removed now."""
    return int(_removing.get())


def lend_functions(connection: Any, **_: Any) -> None:
    """Give a new connection to SQLite the function that the guards ask; without it, in another program, they refuse."""
    if connection.vendor == "sqlite":
        connection.connection.create_function("smista_removing", 0, is_removing)


def put_up_guards() -> None:
    """Put the guards up, whether they stand or not."""
    with transaction.atomic(), connection.cursor() as cursor:
        for statement in _on_postgres() if connection.vendor == "postgresql" else _on_sqlite():
            cursor.execute(statement)


def _on_sqlite() -> Iterator[str]:
    for table in (*RECORDED, ENTRIES):
        allowed = "" if table == ENTRIES else " WHEN smista_removing() = 0"
        yield from _trigger_of_sqlite(f"{table}_unchanged", f"BEFORE UPDATE ON {table}", _NEVER)
        yield from _trigger_of_sqlite(f"{table}_kept", f"BEFORE DELETE ON {table}{allowed}", _RETENTION)
    for table, column in _OF_A_RUN.items():
        recorded = f"WHEN EXISTS (SELECT 1 FROM {ENTRIES} WHERE run = NEW.{column})"  # noqa: S608 - names of our own
        yield from _trigger_of_sqlite(f"{table}_sealed", f"BEFORE INSERT ON {table} {recorded}", _SEALED)


def _trigger_of_sqlite(name: str, when: str, why: str) -> Iterator[str]:
    yield f"DROP TRIGGER IF EXISTS {name}"
    yield f"CREATE TRIGGER {name} {when} BEGIN SELECT RAISE(ABORT, '{why}'); END"


def _on_postgres() -> Iterator[str]:
    yield _function("smista_never", f"RAISE EXCEPTION '{_NEVER}' USING ERRCODE = 'restrict_violation';")
    yield _function("smista_kept", f"RAISE EXCEPTION '{_RETENTION}' USING ERRCODE = 'restrict_violation';")
    yield _function(
        "smista_sealed",
        f"IF EXISTS (SELECT 1 FROM added JOIN {ENTRIES} entry ON entry.run = added.run_id) THEN"  # noqa: S608 - names of our own
        f" RAISE EXCEPTION '{_SEALED}' USING ERRCODE = 'restrict_violation'; END IF; RETURN NULL;",
    )
    for table in (*RECORDED, ENTRIES):
        allowed = "" if table == ENTRIES else " WHEN (coalesce(current_setting('smista.removal', true), '') <> 'on')"
        each = f"ON {table} FOR EACH ROW"
        yield f"CREATE OR REPLACE TRIGGER unchanged BEFORE UPDATE {each} EXECUTE FUNCTION smista_never()"
        yield f"CREATE OR REPLACE TRIGGER kept BEFORE DELETE {each}{allowed} EXECUTE FUNCTION smista_kept()"
        yield from whole_table_guards(table)


def whole_table_guards(table: str) -> Iterator[str]:
    """Give the guards that PostgreSQL keeps for each table and each partition by itself: against TRUNCATE and against more rows of a recorded run."""
    allowed = "" if table == ENTRIES else " WHEN (coalesce(current_setting('smista.removal', true), '') <> 'on')"
    yield (
        f"CREATE OR REPLACE TRIGGER kept_whole BEFORE TRUNCATE ON {table} FOR EACH STATEMENT{allowed}"
        " EXECUTE FUNCTION smista_kept()"
    )
    if table in _OF_A_RUN or table.startswith(REFERENCES):
        yield (
            f"CREATE OR REPLACE TRIGGER sealed AFTER INSERT ON {table} REFERENCING NEW TABLE AS added"
            " FOR EACH STATEMENT EXECUTE FUNCTION smista_sealed()"
        )


def _function(name: str, body: str) -> str:
    return f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {body} END $$"
