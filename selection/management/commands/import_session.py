"""Import recorded sessions from files."""

import argparse
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from selection.actions.import_session import import_session
from selection.documents.errors import InvalidDocument
from selection.importers import FORMATS
from selection.management.people import person


class Command(BaseCommand):
    """Import each file as a session of its own; a file with a fault is told and leaves nothing behind."""

    help = "Import recorded sessions of coding agents; a file's format is known by its content."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Ask for the files and whose they become."""
        parser.add_argument("files", nargs="+", metavar="FILE", type=Path)
        parser.add_argument(
            "--format", choices=sorted(FORMATS), help="read every file as this format, whatever it looks like"
        )
        parser.add_argument("--user", help="whose sessions they become; the local owner's unless given")

    def handle(self, *_: Any, **options: Any) -> None:
        """Import the files one after another."""
        user = person(options["user"])
        failed = [path for path in options["files"] if not self._import(user, path, options["format"])]
        if failed:
            raise CommandError(f"{len(failed):,} of {len(options['files']):,} files were not imported")

    def _import(self, user: Any, path: Path, format_name: str | None) -> bool:
        try:
            with path.open("rb") as file:
                imported = import_session(user, path.name, file, format_name)
        except OSError as error:
            self.stderr.write(f"{path}: {(error.strerror or 'cannot be read').lower()}")
            return False
        except InvalidDocument as error:
            for fault in error.faults:
                self.stderr.write(f"{path}: {fault}")
            return False
        self.stdout.write(f"{path}: session {imported.session.pk}")
        for line in imported.lines:
            self.stdout.write(f"  {line}")
        return True
