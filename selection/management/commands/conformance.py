"""Run conformance vectors."""

import argparse
import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from selection.documents.conformance import Mismatch, check_case
from selection.documents.errors import InvalidDocument
from selection.management.ledger import visible


class Command(BaseCommand):
    """Run every case of the vector files and tell each field that differs."""

    help = "Run conformance vectors: prints each mismatch, then `N passed, M failed`."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Ask for the files."""
        parser.add_argument("paths", nargs="+", metavar="PATH", type=Path, help="a vector file, or a folder of them")

    def handle(self, *_: Any, **options: Any) -> None:
        """Run the cases."""
        results = [self._passes(case) for path in options["paths"] for case in _cases(path)]
        failed = results.count(False)
        self.stdout.write(f"{len(results) - failed} passed, {failed} failed")
        if failed or not results:
            raise SystemExit(1)

    def _passes(self, case: Any) -> bool:
        try:
            mismatches = check_case(case)
        except InvalidDocument as error:
            self.stdout.write("\n".join(f"{case.get('name')}: {fault}" for fault in error.faults))
            return False
        for mismatch in mismatches:
            self._tell(case.get("name"), mismatch)
        return not mismatches

    def _tell(self, name: object, mismatch: Mismatch) -> None:
        self.stdout.write(f"{visible(str(name))}: {mismatch.stage}.{mismatch.field}")
        self.stdout.write(f"  expected {json.dumps(mismatch.expected, default=str)}")
        self.stdout.write(f"  got      {json.dumps(mismatch.got, default=str)}")


def _cases(path: Path) -> list[Any]:
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    try:
        return [case for file in files for case in json.loads(file.read_bytes())]
    except OSError as error:
        raise CommandError(f"{path}: {(error.strerror or 'cannot be read').lower()}") from error
    except (ValueError, TypeError, RecursionError) as error:
        raise CommandError(f"{path}: not a JSON list of cases") from error
