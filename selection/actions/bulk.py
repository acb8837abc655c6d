"""Write many rows at little cost, beside the work that makes the next ones: statements of many rows on SQLite, COPY on PostgreSQL.

Both databases work while Python does something else; so what is handed to a `Pipe` runs on the connection of the transaction at hand, in another thread,
and the caller keeps off that connection until it has waited.
"""

import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Any, Self

from django.db import connection, models

# Takes the values of rows, one row after another.
Writes = Callable[[Sequence[Any]], None]


def writer_of(cursor: Any, model: type[models.Model], *columns: str) -> Writes:
    """Give what inserts rows of a model through a cursor, from whatever thread. It takes the values of all rows in one list, a value for each column.

    Values are given as the database takes them: keys as hexadecimal text, JSON as text.
    """
    quote, about = connection.ops.quote_name, model._meta  # noqa: SLF001 - the documented name of what a model says of itself
    named = {field.name: field.column for field in about.concrete_fields}
    into = f"{quote(about.db_table)} ({', '.join(quote(named[name]) for name in columns)})"
    return (
        _copier(cursor, into, len(columns))
        if connection.vendor == "postgresql"
        else _inserter(cursor, into, len(columns))
    )


def _copier(cursor: Any, into: str, width: int) -> Writes:
    statement = f"COPY {into} FROM STDIN"

    def write(values: Sequence[Any]) -> None:
        with cursor.copy(statement) as copy:
            for start in range(0, len(values), width):
                copy.write_row(values[start : start + width])

    return write


def _inserter(cursor: Any, into: str, width: int) -> Writes:
    most = max(1, _most_values() // width) * width
    marks = f"({', '.join(['%s'] * width)})"

    def write(values: Sequence[Any]) -> None:
        for start in range(0, len(values), most):
            some = values[start : start + most]
            statement = f"INSERT INTO {into} VALUES {', '.join([marks] * (len(some) // width))}"  # noqa: S608 - names of models
            cursor.execute(statement, some)

    return write


def _most_values() -> int:
    """Give how many values SQLite takes in one statement: each statement waits for Python's lock, so that few large ones are faster beside other work."""
    return int(connection.connection.getlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER))


class Pipe:
    """Runs one piece of work at a time beside the caller; an error in it is raised by the next call."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(max_workers=1)
        self._running: Future[None] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Wait for what runs, whatever came between."""
        try:
            if kind is None:
                self.wait()
        finally:
            self._threads.shutdown()

    def run(self, work: Callable[[], None]) -> None:
        """Begin a piece of work when the one before is done."""
        self.wait()
        self._running = self._threads.submit(work)

    def wait(self) -> None:
        """Wait until nothing runs."""
        running, self._running = self._running, None
        if running is not None:
            running.result()
