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


class Table:
    """The table of a model, and the columns that are written. Values are given as the database takes them: keys as hexadecimal text, JSON as text."""

    def __init__(self, model: type[models.Model], *columns: str) -> None:
        self.columns = columns
        quote, about = connection.ops.quote_name, model._meta  # noqa: SLF001 - the documented name of what a model says of itself
        self._name = quote(about.db_table)
        named = {field.name: field.column for field in about.concrete_fields}
        self._columns = ", ".join(quote(named[name]) for name in columns)
        self._row = f"({', '.join(['%s'] * len(columns))})"

    def write(self, rows: Sequence[Sequence[Any]]) -> None:
        """Insert rows, each with a value for each column."""
        with connection.cursor() as cursor:
            self.writer(cursor)(rows)

    def writer(self, cursor: Any) -> Callable[[Sequence[Sequence[Any]]], None]:
        """Give what inserts rows through a cursor, from whatever thread."""
        return self._copier(cursor) if connection.vendor == "postgresql" else self._inserter(cursor)

    def _copier(self, cursor: Any) -> Callable[[Sequence[Sequence[Any]]], None]:
        statement = f"COPY {self._name} ({self._columns}) FROM STDIN"

        def write(rows: Sequence[Sequence[Any]]) -> None:
            with cursor.copy(statement) as copy:
                for row in rows:
                    copy.write_row(row)

        return write

    def _inserter(self, cursor: Any) -> Callable[[Sequence[Sequence[Any]]], None]:
        most = max(1, _most_values() // len(self.columns))

        def write(rows: Sequence[Sequence[Any]]) -> None:
            for start in range(0, len(rows), most):
                some = rows[start : start + most]
                values = ", ".join([self._row] * len(some))
                statement = f"INSERT INTO {self._name} ({self._columns}) VALUES {values}"  # noqa: S608 - names of models
                cursor.execute(statement, [value for row in some for value in row])

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
