"""Load the demo sessions."""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from selection import queries
from selection.actions.import_bundle import import_bundle
from selection.demo import large_session, story
from selection.documents.bundle import SessionBundle
from selection.keyholder import InvalidKey, SessionKey, read_key_file, seal_bundle, write_key_file
from selection.management.people import person

_SEALED_TITLE: Final = "Demo: the same, sealed"


class Command(BaseCommand):
    """Load the demo sessions for a user; one that is there already is left as it is."""

    help = "Load the demo sessions, one of them sealed, and print its key; a second call changes nothing."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Ask for whom."""
        parser.add_argument("--user", help="whose sessions they become; the local owner's unless given")

    def handle(self, *_: Any, **options: Any) -> None:
        """Load what is not there."""
        user = person(options["user"])
        key, path = self._key()
        known = set(queries.sessions_of(user).values_list("title", flat=True))
        for bundle in (large_session(), _sealed(key), story()):
            if bundle.session.title not in known:
                import_bundle(user, bundle)
                self.stdout.write(f"loaded `{bundle.session.title}`: {len(bundle.turns):,} turns")
        held = queries.sessions_of(user).filter(title=_SEALED_TITLE, key_id=key.key_id).exists()
        if held:
            self.stdout.write(f"the key of `{_SEALED_TITLE}`, also in {path}: {path.read_text().strip()}")
        else:
            self.stdout.write(
                f"the key of `{_SEALED_TITLE}` is gone; delete that session, and the next call makes another"
            )

    @staticmethod
    def _key() -> tuple[SessionKey, Path]:
        """Give the key of the sealed demo and its file, made at the first call: the client's file, which the server never reads."""
        path = settings.DATA_DIR / "keys" / "demo.key"
        try:
            if not path.exists():
                write_key_file(path, SessionKey.fresh())
            return read_key_file(path), path
        except InvalidKey as error:
            raise CommandError(str(error)) from error


def _sealed(key: SessionKey) -> SessionBundle:
    bundle = story()
    return seal_bundle(replace(bundle, session=replace(bundle.session, title=_SEALED_TITLE)), key)
