"""Make a session key."""

import argparse
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError

from selection.keyholder import InvalidKey, SessionKey, write_key_file

FOLDER: Final = Path("~/.smista/keys")


class Command(BaseCommand):
    """Make a key, write it to a file that its owner alone can read, and print what it is called."""

    help = "Make a session key: a file of mode 600 in a folder of mode 700. Prints the key's id, never the key."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Ask where it goes."""
        parser.add_argument("--output", type=Path, help=f"the file to write ({FOLDER}/<key id>.key unless given)")

    def handle(self, *_: Any, **options: Any) -> None:
        """Make it."""
        key = SessionKey.fresh()
        path = options["output"] or FOLDER.expanduser() / f"{key.key_id}.key"
        try:
            write_key_file(path, key)
        except InvalidKey as error:
            raise CommandError(str(error)) from error
        self.stdout.write(key.key_id)
        self.stderr.write(f"written to {path}; whoever loses it cannot open what it sealed")
