"""Check pinned expectations, so that a policy can be tested wherever commands run: exit code 1 when any of them does not hold."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from selection import queries
from selection.actions.expectations import Checked, check_expectation
from selection.management.people import person
from selection.management.policies import read_policy_file


class Command(BaseCommand):
    """`manage.py check_expectations [--user NAME] [--session ID] [--policy FILE] [--json]`."""

    help = "Check pinned expectations; exit code 1 when any does not hold."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Name the arguments."""
        parser.add_argument("--user", help="whose expectations; the local owner's unless given")
        parser.add_argument("--session", help="only those of this session")
        parser.add_argument(
            "--policy", type=Path, help="a config.toml that stands in place of the policies they were pinned with"
        )
        parser.add_argument("--json", action="store_true", help="print the result as JSON")

    def handle(self, *_: Any, **options: Any) -> None:
        """Check them all."""
        policy = None if options["policy"] is None else read_policy_file(options["policy"])
        try:
            session = UUID(options["session"]) if options["session"] else None
        except ValueError:
            raise CommandError(f"`{options['session']}` is no id of a session") from None
        rows = queries.expectations_of(person(options["user"]), session)
        checked = [check_expectation(row, policy) for row in rows]
        failed = sum(not each.holds for each in checked)
        if options["json"]:
            self.stdout.write(json.dumps([_document(each) for each in checked], ensure_ascii=False, indent=2))
        else:
            self._print(checked)
            self.stdout.write(f"{len(checked) - failed:,} held, {failed:,} failed")
        if failed:
            sys.exit(1)

    def _print(self, checked: Iterable[Checked]) -> None:
        for each in checked:
            self.stdout.write(f"{'held  ' if each.holds else 'FAILED'} {each.expectation.name}")
            if each.unchecked:
                self.stdout.write(f"  cannot be checked: {each.unchecked}")
            for difference in each.differences:
                self.stdout.write(f"  - {difference.subject}: {difference.expected}")
                self.stdout.write(f"  + {difference.subject}: {difference.got}. {difference.why}".rstrip(". ") + ".")


def _document(checked: Checked) -> dict[str, Any]:
    return {
        "name": checked.expectation.name,
        "holds": checked.holds,
        "unchecked": checked.unchecked or None,
        "differences": [
            {"subject": each.subject, "expected": each.expected, "got": each.got, "why": each.why}
            for each in checked.differences
        ],
    }
