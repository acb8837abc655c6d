"""Write many rows at little cost: statements of many rows on SQLite, COPY on PostgreSQL."""

import sqlite3
from collections.abc import Callable, Sequence
from typing import Any

from django.db import connection, models

# Takes the values of rows, one row after another.
Writes = Callable[[Sequence[Any]], None]


def writer_of(cursor: Any, model: type[models.Model], *columns: str) -> Writes:
    """Give what inserts rows of a model through a cursor. It takes the values of all rows in one list, a value for each column.

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
    """Give how many values SQLite takes in one statement."""
    return int(connection.connection.getlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER))
