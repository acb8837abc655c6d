"""Commit a large import on SQLite without making whoever waits for it wait for the tidying up as well."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.db import connection

# SQLite's own bound, in pages of the log.
_PAGES: Final = 1_000


@contextmanager
def checkpoint_beside(*, large: bool) -> Iterator[None]:
    """Keep the commits within from copying the write-ahead log into the database, which for a large one takes as long as a third of the import.

    It is copied right after, in another thread, while everybody reads and writes on; a process that ends meanwhile loses nothing, since the log stays.
    """
    if not large or connection.vendor != "sqlite" or _in_memory():
        yield
        return
    _copy_after(0)
    try:
        yield
    finally:
        _copy_after(_PAGES)
        threading.Thread(target=_checkpoint, daemon=True).start()


def _in_memory() -> bool:
    return "mode=memory" in str(connection.settings_dict["NAME"]) or connection.settings_dict["NAME"] == ":memory:"


def _copy_after(pages: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA wal_autocheckpoint={pages:d}")


def _checkpoint() -> None:
    try:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(PASSIVE)")
    finally:
        connection.close()
