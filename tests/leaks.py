"""Look for texts in all that is at rest: every row of every table, and the files of the database."""

import json
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterable, Iterator
from pathlib import Path

from django.apps import apps
from django.db import connection


def spellings_of_key(data: bytes) -> set[str]:
    """Give the ways in which a key could be written down."""
    ways = {data.hex(), data.hex().upper(), data.decode("latin-1"), repr(data)[2:-1], str(list(data))}
    for shift in range(3):
        # Within a larger base64 text a key may begin at any of three places; the edges depend on its neighbours.
        inner = b64encode(bytes(shift) + data).decode()[4:-4]
        ways |= {inner, inner.replace("+", "-").replace("/", "_")}
    return ways | {b64encode(data).decode().rstrip("="), urlsafe_b64encode(data).decode().rstrip("=")}


def spellings_of_text(text: str) -> set[str]:
    """Give the ways in which a text could be written down: as it is, as JSON, in base64 and hex."""
    data = text.encode()
    ways = {text, json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1], data.hex()}
    return ways | {b64encode(bytes(shift) + data).decode()[4:-4] for shift in range(3)}


def rows_at_rest() -> Iterator[str]:
    """Give every row of every table as text, Django's own sessions and log among them."""
    tables = {model._meta.db_table for model in apps.get_models(include_auto_created=True)}
    with connection.cursor() as cursor:
        for table in sorted(tables):
            cursor.execute(f'SELECT * FROM "{table}"')  # noqa: S608 - our own tables
            for row in cursor.fetchall():
                yield f"{table}: " + " | ".join(str(value) for value in row)


def found_at_rest(spellings: Iterable[str]) -> list[str]:
    """Give the places at which any of the spellings stands, without what stands there."""
    wanted = [each for each in spellings if len(each) > 7]
    assert wanted
    places = [row.split(":")[0] for row in rows_at_rest() if any(each in row for each in wanted)]
    return places + list(_found_in_files(wanted))


def _found_in_files(wanted: Iterable[str]) -> Iterator[str]:
    """Look in the files of SQLite too, its log of writes among them; PostgreSQL's hold what its tables hold."""
    name = str(connection.settings_dict["NAME"])
    if connection.vendor != "sqlite" or ":memory:" in name or "mode=memory" in name:
        return
    for path in Path(name).parent.glob(f"{Path(name).name}*"):
        data = path.read_bytes()
        if any(each.encode() in data for each in wanted):
            yield path.name
