"""Export a session as a bundle."""

import argparse
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from selection import queries
from selection.actions.audit.exported import exported
from selection.actions.export_bundle import export_bundle
from selection.documents.bundles import write_bundle
from selection.management.bytes_out import Bytes
from selection.management.people import person


class Command(BaseCommand):
    """Write a session as one JSON document, to standard output or a file."""

    help = "Export a session as a bundle (smista.session/1)."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Ask for the session, whose it is, and where it goes."""
        parser.add_argument("id", type=UUID)
        parser.add_argument("--user", help="whose session it is; the local owner's unless given")
        parser.add_argument("--output", type=Path, help="a file to write; standard output unless given")

    def handle(self, *_: Any, **options: Any) -> None:
        """Write the bundle."""
        session = queries.session_of(person(options["user"]), options["id"])
        if session is None:
            raise CommandError(f"no session `{options['id']}`")
        exported(session.user, "session", "json", {"by": "export_session"}, session=session.pk)
        bundle = export_bundle(session)
        if options["output"] is None:
            write_bundle(bundle, Bytes(self.stdout))
            return
        with options["output"].open("wb") as file:
            write_bundle(bundle, file)
