"""Apply retention to what was recorded."""

from argparse import ArgumentParser
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from selection.actions.audit.partitions import keep_partitions
from selection.actions.audit.retention import Extent, Scope, apply_retention, preview_retention
from selection.management.people import person
from selection.management.policies import UNREADABLE


class Command(BaseCommand):
    """`manage.py retain (--before DAY | --older-than DAYS | --sessions ID …) [--apply]`: says what would go; with `--apply` it goes."""

    help = "Remove what was recorded before a day, or sessions with all that is of them; without --apply only say what would go."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Ask for the scope."""
        scope = parser.add_mutually_exclusive_group(required=True)
        scope.add_argument("--before", type=date.fromisoformat, metavar="DAY", help="what was recorded before this day")
        scope.add_argument("--older-than", type=int, metavar="DAYS", help="what was recorded before so many days")
        scope.add_argument("--sessions", type=UUID, nargs="+", metavar="ID", help="these sessions, whole")
        parser.add_argument("--apply", action="store_true", help="remove it")
        parser.add_argument("--user", help="who does it; the local owner unless given")

    def handle(self, *_: Any, **options: Any) -> None:
        """Preview, and apply where asked."""
        scope = _scope(options)
        user = person(options["user"])
        extent = preview_retention(scope)
        if not options["apply"]:
            self.stdout.write(f"would remove {_told(extent)}")
            return
        keep_partitions()
        self.stdout.write(f"removed {_told(apply_retention(user, scope, extent.rows, by='retain'))}")


def _scope(options: dict[str, Any]) -> Scope:
    if options["sessions"]:
        return Scope(sessions=tuple(options["sessions"]))
    days = options["older_than"]
    if days is not None and days < 1:
        raise CommandError(f"--older-than: `{days}` is not a number of days", returncode=UNREADABLE)
    try:
        day = options["before"] or timezone.now().astimezone(UTC).date() - timedelta(days=days)
    except OverflowError:
        raise CommandError(f"--older-than: `{days}` days are too many", returncode=UNREADABLE) from None
    return Scope(before=datetime.combine(day, time(), tzinfo=UTC))


def _told(extent: Extent) -> str:
    when = f", recorded from {extent.first:%Y-%m-%d} to {extent.last:%Y-%m-%d}" if extent.first and extent.last else ""
    whole = f"{extent.sessions:,} sessions, " if extent.sessions else ""
    return (
        f"{whole}{extent.runs:,} runs with {extent.references:,} references, {extent.decisions:,} decisions and "
        f"{extent.events:,} events{when}"
    )
