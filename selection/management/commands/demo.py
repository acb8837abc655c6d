"""Load the demo sessions."""

import argparse
from typing import Any

from django.core.management.base import BaseCommand

from selection import queries
from selection.actions.import_bundle import import_bundle
from selection.demo import large_session, story
from selection.management.people import person


class Command(BaseCommand):
    """Load the demo sessions for a user; one that is there already is left as it is."""

    help = "Load the demo sessions; a second call changes nothing."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Ask for whom."""
        parser.add_argument("--user", help="whose sessions they become; the local owner's unless given")

    def handle(self, *_: Any, **options: Any) -> None:
        """Load what is not there."""
        user = person(options["user"])
        known = set(queries.sessions_of(user).values_list("title", flat=True))
        for make in (large_session, story):
            bundle = make()
            if bundle.session.title not in known:
                import_bundle(user, bundle)
                self.stdout.write(f"loaded `{bundle.session.title}`: {len(bundle.turns):,} turns")
