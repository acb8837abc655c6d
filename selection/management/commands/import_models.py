"""Bring a list of models into this server's catalog."""

import argparse
from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from selection.actions.catalog import import_models
from selection.documents.errors import InvalidDocument


class Command(BaseCommand):
    """Import windows, prices and capabilities of models, all or nothing."""

    help = "Import a JSON list of models in the price-and-window format of LLM proxies; sessions that are imported later take their windows from it."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Ask for the list, and where it is from."""
        parser.add_argument("list", metavar="FILE.json", type=Path)
        parser.add_argument("--source", help="where the figures are from; the file's name unless given")
        parser.add_argument(
            "--as-of", type=date.fromisoformat, metavar="YYYY-MM-DD", help="when they were right; today unless given"
        )

    def handle(self, *_: Any, **options: Any) -> None:
        """Import it, and tell what changed."""
        path: Path = options["list"]
        try:
            done = import_models(
                path.read_bytes(), options["source"] or path.name, options["as_of"] or timezone.localdate()
            )
        except OSError as error:
            raise CommandError(f"{path}: {(error.strerror or 'cannot be read').lower()}") from error
        except InvalidDocument as error:
            raise CommandError("\n".join(f"{path}: {fault}" for fault in error.faults)) from error
        self.stdout.write(
            f"{done.added:,} models added, {done.changed:,} changed, {done.same:,} as they were, {done.left_out:,} entries left out"
        )
