"""Write the head of the audit's chain down outside the database."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from selection.actions.audit.chain import head
from selection.keyholder import InvalidKey
from selection.keyholder.signing import make_signing_key, read_signing_key
from selection.management.anchors import anchor_line


class Command(BaseCommand):
    """`manage.py anchor_audit [--file FILE]`: prints the head and appends it to a file; signed where `SMISTA_AUDIT_KEY` names a key."""

    help = "Print the head of the audit's chain and append it to a file, signed with Ed25519 where a key is configured."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Ask for the file, or for a new key."""
        parser.add_argument("--file", type=Path, help="append the anchor to this file, best kept on another machine")
        parser.add_argument(
            "--make-key", metavar="FILE", type=Path, help="make a key instead, and print its public part"
        )

    def handle(self, *_: Any, **options: Any) -> None:
        """Anchor the head."""
        try:
            if options["make_key"] is not None:
                self.stdout.write(make_signing_key(options["make_key"]))
                return
            named = settings.AUDIT_KEY
            key = read_signing_key(Path(named)) if named else None
        except InvalidKey as error:
            raise CommandError(str(error)) from None
        line = anchor_line(head(), timezone.now(), key)
        if options["file"] is not None:
            try:
                with options["file"].open("a", encoding="utf-8") as file:
                    file.write(f"{line}\n")
            except OSError as error:
                raise CommandError(f"{options['file']}: {(error.strerror or 'cannot be written').lower()}") from error
        self.stdout.write(line)
