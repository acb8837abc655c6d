"""Import recorded sessions from files, folders and archives."""

import argparse
from collections import Counter
from itertools import chain
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from selection.actions.import_sources import Result, Source, import_sources, sources_in
from selection.actions.watch import Progress, Watch
from selection.documents.errors import shown
from selection.importers import FORMATS
from selection.management.people import person

_WIDTH = 79


class Command(BaseCommand):
    """Import each file as a session of its own; a file with a fault is told and leaves nothing behind."""

    help = (
        "Import recorded sessions of coding agents; a file's format is known by its content. Of a folder or a zip archive all files are tried. "
        "A file that was imported before is not stored again, and a session that grew goes on where it ended."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Ask for the files and whose they become."""
        parser.add_argument("paths", nargs="+", metavar="PATH", type=Path, help="a file, a folder or a zip archive")
        parser.add_argument(
            "--format", choices=sorted(FORMATS), help="read every file as this format, whatever it looks like"
        )
        parser.add_argument("--user", help="whose sessions they become; the local owner's unless given")

    def handle(self, *_: Any, **options: Any) -> None:
        """Import the files one after another; Ctrl-C leaves nothing of the one at hand."""
        user = person(options["user"])
        sources = chain.from_iterable(sources_in(path, settings.MAX_IMPORT_BYTES) for path in options["paths"])
        told: Counter[str] = Counter()
        failed = 0
        try:
            for result in import_sources(user, sources, options["format"], self._watch):
                self._quiet()
                failed += result.imported is None and not result.source.loose
                told[self._tell(result)] += 1
        except KeyboardInterrupt:
            self._quiet()
            raise CommandError("called off: nothing of the file at hand was stored", returncode=130) from None
        if told.total() > 1:
            self.stdout.write(", ".join(f"{count:,} {what}" for what, count in told.items()))
        if failed or not told.total() - told["refused"]:
            raise CommandError(f"{told['refused']:,} of {told.total():,} files were not imported")

    def _watch(self, source: Source) -> Watch:
        """Show how far a file is on a terminal, in one line that is written over."""

        def tell(progress: Progress) -> None:
            line = (
                f"{shown(source.name)}: {progress.phase}, {progress.percent} % of {progress.size / 1_000_000:,.0f} MB"
            )
            self.stderr.write(f"\r{line[:_WIDTH]:{_WIDTH}}", ending="")

        return Watch(tell) if self.stderr.isatty() else Watch()

    def _quiet(self) -> None:
        if self.stderr.isatty():
            self.stderr.write(f"\r{'':{_WIDTH}}\r", ending="")

    def _tell(self, result: Result) -> str:
        name, imported = shown(result.source.name), result.imported
        if imported is None:
            for fault in result.faults:
                self.stderr.write(f"{name}: {fault}")
            return "refused"
        self.stdout.write(f"{name}: session {imported.session.pk}")
        for line in imported.lines:
            self.stdout.write(f"  {line}")
        return "known" if imported.again else "grown" if imported.grown else "imported"
