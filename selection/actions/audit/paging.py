"""Pages of long lists without counting them: what comes after a place, or before it. A place is the key of a row, after its time where the order is by that."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Generic, TypeVar
from uuid import UUID

from django.db.models import Model, Q, QuerySet

Row = TypeVar("Row", bound=Model)
# A number in an address has no more of them; what is longer is the key of a row.
_DIGITS: Final = 18


@dataclass(frozen=True, slots=True)
class Place:
    """Where a page begins: behind this row, towards the older ones, or `newer` towards the newer ones."""

    at: datetime | None
    key: UUID | int
    newer: bool = False

    def __str__(self) -> str:
        """Write it as an address does."""
        return f"{'newer' if self.newer else 'older'}~{self.at.isoformat() if self.at else ''}~{self.key}"


def read_place(written: str, *, timed: bool = True) -> Place | None:
    """Read a place in an order by time, or by the key alone; what is none is the beginning."""
    way, _, rest = written.partition("~")
    at, _, key = rest.partition("~")
    if way not in {"older", "newer"} or bool(at) != timed:
        return None
    try:
        place = Place(datetime.fromisoformat(at) if timed else None, _key(key), newer=way == "newer")
    except ValueError:
        return None
    return None if place.at is not None and place.at.tzinfo is None else place


def _key(written: str) -> UUID | int:
    if len(written) > _DIGITS:
        return UUID(written)
    if not (written.isascii() and written.isdigit()):
        raise ValueError(written)
    return int(written)


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice(Generic[Row]):
    """One page, the newest row first, with the places of its neighbours, where there are any."""

    rows: Sequence[Row]
    older: Place | None
    newer: Place | None


def slice_of(rows: QuerySet[Row], place: Place | None, most: int, *, timed: bool = True) -> Slice[Row]:
    """Give the page of `rows` that begins at a place, in the order of their times, and of their keys, or of these alone."""
    newer = place is not None and place.newer
    order = ("created_at", "pk") if timed else ("pk",)
    found = list(rows.filter(beyond(place)).order_by(*(name if newer else f"-{name}" for name in order))[: most + 1])
    more, shown = len(found) > most, found[:most]
    if newer:
        shown.reverse()
    return Slice(
        rows=shown,
        older=_at(shown[-1:], timed=timed) if more or newer else None,
        newer=_at(shown[:1], timed=timed, newer=True) if (more if newer else place is not None) else None,
    )


def beyond(place: Place | None) -> Q:
    """Give the condition for what comes behind a place. The time is said on its own as well: by it partitions are left out, and indexes entered."""
    if place is None:
        return Q()
    side = "gt" if place.newer else "lt"
    behind = Q(**{f"pk__{side}": place.key})
    if place.at is None:
        return behind
    return Q(**{f"created_at__{side}e": place.at}) & (Q(**{f"created_at__{side}": place.at}) | behind)


def _at(rows: Sequence[Any], *, timed: bool, newer: bool = False) -> Place | None:
    return Place(rows[0].created_at if timed else None, rows[0].pk, newer=newer) if rows else None
