"""Select the context of a turn document."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from selection.documents.errors import InvalidDocument
from selection.documents.outcome import outcome_document
from selection.documents.turn import read_turn
from selection.engine import select
from selection.management.ledger import ledger_lines


class Command(BaseCommand):
    """Print what goes into the prompt of a turn, what stays out, and why."""

    help = "Select the context of a turn document; `-` reads standard input."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Ask for the document and how to print."""
        parser.add_argument("turn", metavar="TURN.json", type=Path)
        parser.add_argument(
            "--json", action="store_true", help="print the outcome as JSON, as the conformance vectors do"
        )

    def handle(self, *_: Any, **options: Any) -> None:
        """Select and print."""
        outcome = select(self._read(options["turn"]))
        if options["json"]:
            self.stdout.write(json.dumps(outcome_document(outcome), ensure_ascii=False, indent=2))
            return
        for line in ledger_lines(outcome):
            self.stdout.write(line)

    def _read(self, path: Path) -> Any:
        try:
            return read_turn(sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes())
        except OSError as error:
            raise CommandError(f"{path}: {(error.strerror or 'cannot be read').lower()}") from error
        except InvalidDocument as error:
            raise CommandError("\n".join(f"{path}: {fault}" for fault in error.faults)) from error
