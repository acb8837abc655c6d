"""What somebody asks of the audit: a filter over the references, or over the runs, as plain values that an address, an export and an entry can say."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from hashlib import sha256
from typing import Any, Final
from uuid import UUID

from django.db.models import Q

from selection.models import Destination


class Match(StrEnum):
    """How a path is compared: as a whole, by its beginning, or by a part of it, whatever its case."""

    EXACT = "exact"
    PREFIX = "prefix"
    CONTAINS = "contains"


class Sent(StrEnum):
    """Whether the material was in a prompt that went somewhere, and where to."""

    REMOTE = Destination.REMOTE.value
    LOCAL = Destination.LOCAL.value
    ANYWHERE = "anywhere"
    NOT = "not"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A filter; what is `None` or empty is not asked. `since` and `until` are days in UTC, both of them included."""

    session: UUID | None = None
    user: int | None = None
    path: str = ""
    match: Match = Match.EXACT
    kind: str = ""
    included: bool | None = None
    reason: str = ""
    restricted: bool | None = None
    model: str = ""
    provider: str = ""
    version: UUID | None = None
    sent: Sent | None = None
    since: date | None = None
    until: date | None = None

    def without(self, *names: str) -> "Question":
        """Give the same with these not asked."""
        empty = Question()
        return replace(self, **{name: getattr(empty, name) for name in names})

    def document(self) -> dict[str, Any]:
        """Say it in a manifest or an address: what is asked, by name, as text."""
        said = {each.name: getattr(self, each.name) for each in fields(self)}
        return {
            name: _said(value)
            for name, value in said.items()
            if value not in {None, ""} and (name != "match" or self.path)
        }

    def noted(self) -> dict[str, Any]:
        """Say it in an entry, which outlives what it is about: a path by its digest."""
        said = self.document()
        if self.path:
            said["path"] = f"sha256:{sha256(self.path.encode('utf-8', 'surrogatepass')).hexdigest()}"
        return said

    @property
    def begins(self) -> datetime | None:
        """The first instant that is asked for."""
        return None if self.since is None else datetime.combine(self.since, time.min, UTC)

    @property
    def ends(self) -> datetime | None:
        """The first instant that is not asked for any more."""
        if self.until is None or self.until == date.max:
            return None
        return datetime.combine(self.until + timedelta(days=1), time.min, UTC)


def _said(value: object) -> Any:
    if isinstance(value, bool | int):
        return value
    return value.value if isinstance(value, StrEnum) else str(value)


def span_of(question: Question) -> Q:
    """Give the condition on the time."""
    span = Q()
    if question.begins is not None:
        span &= Q(created_at__gte=question.begins)
    if question.ends is not None:
        span &= Q(created_at__lt=question.ends)
    return span


def sent_of(sent: Sent | None) -> Q:
    """Give the condition on where the material went."""
    match sent:
        case None:
            return Q()
        case Sent.ANYWHERE:
            return Q(destination__isnull=False)
        case Sent.NOT:
            return Q(destination__isnull=True)
        case _:
            return Q(destination=sent.value)


# What a reference and the tally of references say alike.
PROPERTIES: Final[Mapping[str, str]] = {
    "kind": "kind",
    "included": "included",
    "reason": "reason_code",
    "restricted": "restricted",
    "model": "model",
}


def properties_of(question: Question) -> Q:
    """Give the condition on what a reference and the tally say alike; the provider is a matter of which models there are."""
    said = {column: getattr(question, name) for name, column in PROPERTIES.items()}
    return Q(**{column: value for column, value in said.items() if value not in {None, ""}})
