"""Seal a plain session bundle."""

import argparse
import os
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from selection.documents.bundle import SessionBundle
from selection.documents.bundles import read_bundle, write_bundle
from selection.documents.errors import InvalidDocument
from selection.keyholder import InvalidKey, read_key_file, seal_bundle
from selection.management.bytes_out import Bytes


class Command(BaseCommand):
    """Read a plain bundle, seal every content in it, and write the sealed one."""

    help = "Seal a session bundle with a key; writes the sealed bundle to standard output or a file."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Ask for the bundle, the key, and where it goes."""
        parser.add_argument("bundle", type=Path, metavar="BUNDLE")
        parser.add_argument("--key", type=Path, required=True, help="a key file, as `keygen` writes it")
        parser.add_argument("--output", type=Path, help="a file to write (mode 600); standard output unless given")

    def handle(self, *_: Any, **options: Any) -> None:
        """Seal it."""
        sealed = self._seal(options["bundle"], options["key"])
        if options["output"] is None:
            write_bundle(sealed, Bytes(self.stdout))
        else:
            self._write(sealed, options["output"])
        self.stderr.write(
            f"sealed with {sealed.session.key_id}; in clear stay the title, roles, names, paths, times, models and policies,"
            f" and {len(sealed.user_memory):,} remembered of the user"
        )

    @staticmethod
    def _seal(path: Path, key_path: Path) -> SessionBundle:
        try:
            return seal_bundle(read_bundle(path.read_bytes()), read_key_file(key_path))
        except OSError as error:
            raise CommandError(f"{path}: {(error.strerror or 'cannot be read').lower()}") from error
        except InvalidDocument as error:
            raise CommandError("\n".join(f"{path}: {fault}" for fault in error.faults)) from error
        except InvalidKey as error:
            raise CommandError(str(error)) from error
        except ValueError as error:
            raise CommandError(f"{path}: {error}") from error

    @staticmethod
    def _write(sealed: SessionBundle, path: Path) -> None:
        try:
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        except OSError as error:
            raise CommandError(f"{path}: {(error.strerror or 'cannot be written').lower()}") from error
        with os.fdopen(handle, "wb") as file:
            write_bundle(sealed, file)
