"""Check a policy file, and tell what it would do to recorded sessions."""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from selection import queries
from selection.actions.ask_what_if import select_under
from selection.actions.knobs import Knobs
from selection.actions.open_turn import open_turn
from selection.documents.policy_text import check_policy_toml
from selection.engine.codes import EffectCode
from selection.engine.effects import Effect, effects_of
from selection.management.ledger import visible
from selection.management.people import person
from selection.management.policies import UNREADABLE, fault_lines, text_of
from selection.models import Owner, Session

_GRAVE = frozenset({EffectCode.DISCLOSED, EffectCode.FAILS, EffectCode.MOVED_REMOTE, EffectCode.SILENT})


class Command(BaseCommand):
    """`manage.py check_policy FILE.toml [--against SESSION ...]`.

    The exit code is 0 where all is well, 1 where the policy would disclose more or fail a turn, 2 where it does not read.
    """

    help = "Check a policy file; with --against tell what it would change in every turn of recorded sessions."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Ask for the file and the sessions."""
        parser.add_argument("policy", metavar="FILE.toml", type=Path)
        parser.add_argument("--against", metavar="SESSION", nargs="+", default=[], help="ids of sessions, or `all`")
        parser.add_argument("--user", help="whose sessions; the local owner's unless given")

    def handle(self, *_: Any, **options: Any) -> None:
        """Check it."""
        path: Path = options["policy"]
        text = text_of(path)
        checked = check_policy_toml(text)
        for line in fault_lines(path, checked):
            self.stdout.write(line)
        if not checked.valid:
            raise CommandError("no policy", returncode=UNREADABLE)
        grave = sum(self._compare(session, text) for session in self._sessions(options))
        if grave:
            self.stdout.write(f"{grave:,} turns disclose more, or fail")
            sys.exit(1)
        self.stdout.write(self.style.SUCCESS("ok"))

    @staticmethod
    def _sessions(options: dict[str, Any]) -> list[Session]:
        if not options["against"]:
            return []
        user: Owner = person(options["user"])
        if options["against"] == ["all"]:
            return list(queries.sessions_of(user))
        found = []
        for name in options["against"]:
            try:
                session = queries.session_of(user, UUID(name))
            except ValueError:
                session = None
            if session is None:
                raise CommandError(f"no session `{visible(name)}`", returncode=UNREADABLE)
            found.append(session)
        return found

    def _compare(self, session: Session, text: str) -> int:
        """Tell the effects on every turn of a session; give the number of turns with a grave one."""
        grave = 0
        for row in queries.turns_of(session.user, session).select_related("session"):
            opened = open_turn(row)
            effects = effects_of(opened.outcome, select_under(opened.prepared, Knobs(policy=text)))
            grave += any(effect.code in _GRAVE for effect in effects)
            for effect in effects:
                self._tell(session, row.position, effect)
        return grave

    def _tell(self, session: Session, position: int, effect: Effect) -> None:
        line = f"{visible(session.title or str(session.pk))}, turn {position + 1}: {effect.code}: {visible(effect.sentence)}"
        self.stdout.write(self.style.ERROR(line) if effect.code in _GRAVE else line)
