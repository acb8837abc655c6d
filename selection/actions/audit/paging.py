"""Pages of long lists without counting them: what comes after a place, or before it. A place is the time and the key of a row."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar
from uuid import UUID

from django.db.models import Model, Q, QuerySet

Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a page begins: behind this row, towards the older ones, or `newer` towards the newer ones."""

    at: datetime
    key: UUID
    newer: bool = False

    def __str__(self) -> str:
        """Write it as an address does."""
        return f"{'newer' if self.newer else 'older'}~{self.at.isoformat()}~{self.key}"


def read_place(written: str) -> Place | None:
    """Read a place; what is none is the beginning."""
    way, _, rest = written.partition("~")
    at, _, key = rest.partition("~")
    try:
        place = Place(datetime.fromisoformat(at), UUID(key), newer=way == "newer")
    except ValueError:
        return None
    return place if place.at.tzinfo is not None and way in {"older", "newer"} else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice(Generic[Row]):
    """One page, the newest row first, with the places of its neighbours, where there are any."""

    rows: Sequence[Row]
    older: Place | None
    newer: Place | None


def slice_of(rows: QuerySet[Row], place: Place | None, most: int) -> Slice[Row]:
    """Give the page of `rows`, which have a time and a key, that begins at a place."""
    newer = place is not None and place.newer
    order = ("created_at", "id") if newer else ("-created_at", "-id")
    found = list(rows.filter(beyond(place)).order_by(*order)[: most + 1])
    more, shown = len(found) > most, found[:most]
    if newer:
        shown.reverse()
    return Slice(
        rows=shown,
        older=_at(shown[-1:]) if more or newer else None,
        newer=_at(shown[:1], newer=True) if (more if newer else place is not None) else None,
    )


def beyond(place: Place | None) -> Q:
    """Give the condition for what comes behind a place. The time is said on its own as well: by it partitions are left out, and indexes entered."""
    if place is None:
        return Q()
    if place.newer:
        return Q(created_at__gte=place.at) & (Q(created_at__gt=place.at) | Q(id__gt=place.key))
    return Q(created_at__lte=place.at) & (Q(created_at__lt=place.at) | Q(id__lt=place.key))


def _at(rows: Sequence[Any], *, newer: bool = False) -> Place | None:
    return Place(rows[0].created_at, rows[0].pk, newer=newer) if rows else None
