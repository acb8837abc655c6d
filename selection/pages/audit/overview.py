"""What the first page of the audit may read: the state of the chain, the month, and the questions that are ready."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date
from typing import Any, Final

from django.http import HttpRequest
from django.utils import timezone

from selection.actions.audit.picture import Day, Picture, picture_of
from selection.actions.audit.search import known_models
from selection.actions.times import month_after, month_before
from selection.models import AuditView, PolicyVersion
from selection.pages.audit.access import RETAIN
from selection.pages.audit.state import ChainState, chain_state
from selection.pages.bars import Chart, chart_of

_MOST_VERSIONS: Final = 100
_MOST_VIEWS: Final = 100
_MONTH: Final = "%Y-%m"


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthPage:
    """The month as two drawings and a table; addresses of its neighbours are empty where there is none."""

    picture: Picture
    tokens: Chart
    paths: Chart
    totals: Day
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OverviewPage:
    """The first page."""

    chain: ChainState
    month: MonthPage
    models: tuple[str, ...]
    versions: tuple[PolicyVersion, ...]
    views: tuple[AuditView, ...]
    retains: bool


def overview_page(request: HttpRequest) -> OverviewPage:
    """Give it."""
    user: Any = request.user
    versions = PolicyVersion.objects.select_related("policy", "user").defer("text").order_by("-created_at", "-id")
    return OverviewPage(
        chain=chain_state(),
        month=_month(_read_month(request.GET.get("month", ""))),
        models=tuple(known_models()),
        versions=tuple(versions[:_MOST_VERSIONS]),
        views=tuple(AuditView.objects.owned_by(request.user)[:_MOST_VIEWS]),
        retains=user.has_perm(RETAIN),
    )


def _read_month(written: str) -> date:
    try:
        return date.fromisoformat(f"{written}-01")
    except ValueError:
        return timezone.now().astimezone(UTC).date().replace(day=1)


def _month(month: date) -> MonthPage:
    picture = picture_of(month)
    this = timezone.now().astimezone(UTC).date().replace(day=1)
    return MonthPage(
        picture=picture,
        tokens=chart_of(_bars(picture, "tokens")),
        paths=chart_of(_bars(picture, "paths")),
        totals=Day(
            day=picture.month,
            **{name: picture.total(name) for name in ("remote_tokens", "remote_paths", "local_tokens", "local_paths")},
        ),
        before=f"{month_before(month):{_MONTH}}" if month > date(1, 1, 1) else "",
        after=f"{month_after(month):{_MONTH}}" if month < this else "",
    )


def _bars(picture: Picture, what: str) -> Iterator[tuple[tuple[str, int], ...]]:
    for day in picture.days:
        yield (("local", getattr(day, f"local_{what}")), ("remote", getattr(day, f"remote_{what}")))
