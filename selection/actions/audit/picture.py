"""The picture of a month: by day, how many tokens and how many named paths went to remote models, and to local ones."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db.models import Sum

from selection.actions.times import month_after
from selection.models import EVERYBODY, AuditTally, Destination


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """One day in UTC. A path that was in several prompts counts in each."""

    day: date
    remote_tokens: int = 0
    remote_paths: int = 0
    local_tokens: int = 0
    local_paths: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A month, day by day."""

    month: date
    days: tuple[Day, ...]

    def total(self, name: str) -> int:
        """Add up one of the measures."""
        return sum(getattr(day, name) for day in self.days)


def picture_of(month: date) -> Picture:
    """Give the picture of the month that a day is in."""
    first, last = month.replace(day=1), month_after(month) - timedelta(days=1)
    rows = AuditTally.objects.filter(user_id=EVERYBODY, day__gte=first, day__lte=last).exclude(destination="")
    sums = rows.values("day", "destination").annotate(size=Sum("tokens"), named=Sum("paths"))
    held: dict[date, dict[str, Any]] = {}
    for row in sums.order_by("day", "destination"):
        held.setdefault(row["day"], {}).update(_measures(row))
    days = (first + timedelta(days=number) for number in range(last.day))
    return Picture(month=first, days=tuple(Day(day=day, **held.get(day, {})) for day in days))


def _measures(row: Mapping[str, Any]) -> dict[str, int]:
    name = Destination(row["destination"]).value
    return {f"{name}_tokens": row["size"], f"{name}_paths": row["named"]}
