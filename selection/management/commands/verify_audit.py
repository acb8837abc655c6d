"""Verify the audit: walk the chain and name the first break."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from selection.actions.audit.tally import recount
from selection.actions.audit.verify import Anchor, note_verification, verify_audit
from selection.keyholder import InvalidKey
from selection.keyholder.signing import check_public_part
from selection.management.anchors import BadAnchor, read_anchors
from selection.management.policies import UNREADABLE

_BY = "verify_audit"


class Command(BaseCommand):
    """`manage.py verify_audit [--anchors FILE] [--public-key KEY] [--all]`.

    The exit code is 1 where anything is not as it was recorded, 2 where an anchor cannot be read.
    """

    help = "Walk the audit's chain, and name the first row or entry that is not as it was recorded."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Ask for anchors."""
        parser.add_argument("--anchors", type=Path, nargs="+", default=[], help="files that anchor_audit wrote")
        parser.add_argument("--public-key", help="every anchor must be signed by the key with this public part")
        parser.add_argument("--all", action="store_true", help="name up to 1,000 breaks, not only the first")
        parser.add_argument("--recount", action="store_true", help="count the tallies of the pages again before")

    def handle(self, *_: Any, **options: Any) -> None:
        """Walk."""
        anchors = self._anchors(options)
        if options["recount"]:
            recount()
        found = verify_audit(anchors, most=1_000 if options["all"] else 1)
        note_verification(None, found, by=_BY)
        self.stdout.write(
            f"{found.entries:,} entries, {found.runs:,} runs with {found.rows:,} rows; {found.removed:,} runs removed by "
            f"retention; {found.anchors:,} anchors met; head {found.head.sequence:,} {found.head.digest}"
        )
        if found.whole:
            self.stdout.write(self.style.SUCCESS("verified"))
            if not anchors:
                self.stdout.write("Without an anchor it cannot be told whether the newest entries were taken off.")
            return
        for each in found.breaks:
            self.stdout.write(self.style.ERROR(str(each)))
        raise CommandError("the audit is not as it was recorded")

    @staticmethod
    def _anchors(options: dict[str, Any]) -> list[Anchor]:
        try:
            public = options["public_key"] and check_public_part(options["public_key"])
            return [anchor for path in options["anchors"] for anchor in read_anchors(path, public)]
        except (BadAnchor, InvalidKey) as error:
            raise CommandError(str(error), returncode=UNREADABLE) from None
        except OSError as error:
            raise CommandError(
                f"{error.filename}: {(error.strerror or 'cannot be read').lower()}", returncode=UNREADABLE
            ) from error
