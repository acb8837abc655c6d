"""Verify an export against its manifest."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from selection.actions.exports import verify_export
from selection.management.ledger import visible


class Command(BaseCommand):
    """`manage.py verify_export FILE.zip ...`: exit code 1 where one is not as it was made."""

    help = "Verify exports: the rows against the digest, the count and the columns of their manifest."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Ask for the files."""
        parser.add_argument("exports", metavar="FILE.zip", type=Path, nargs="+")

    def handle(self, *_: Any, **options: Any) -> None:
        """Verify them all before any of them fails the command."""
        broken = 0
        for path in options["exports"]:
            manifest, wrong = verify_export(path)
            if wrong:
                broken += 1
                self.stdout.write(self.style.ERROR(f"{path}: {visible(wrong)}"))
                continue
            told = visible(json.dumps(manifest.get("filter", {}), ensure_ascii=False))
            self.stdout.write(
                f"{path}: verified, {manifest['count']:,} rows, filter {told}, sha256 {visible(str(manifest['sha256']))}"
            )
        if broken:
            raise CommandError(f"{broken:,} of {len(options['exports']):,} exports are not as they were made")
