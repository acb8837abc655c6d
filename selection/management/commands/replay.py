"""Replay a policy file over recorded turns, so that a change of policy can be checked wherever commands run."""

import sys
from argparse import ArgumentParser, ArgumentTypeError
from datetime import date
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from selection import policy_queries
from selection.actions.replays import Chosen, make_replay, work_on
from selection.engine.codes import EffectCode
from selection.management.ledger import visible
from selection.management.people import person
from selection.management.policies import UNREADABLE, read_policy_file
from selection.models import Replay, ReplayVerdict

# What `--fail-on` calls a kind of change.
NAMES: Final = {
    "disclosed": EffectCode.DISCLOSED,
    "fails": EffectCode.FAILS,
    "remote": EffectCode.MOVED_REMOTE,
    "withheld": EffectCode.WITHHELD,
    "local": EffectCode.MOVED_LOCAL,
    "model": EffectCode.MODEL,
    "asks": EffectCode.ASKS,
    "silent": EffectCode.SILENT,
    "works": EffectCode.WORKS,
    "lost": EffectCode.LOST,
    "gained": EffectCode.GAINED,
}
_MOST_LINES: Final = 50


class Command(BaseCommand):
    """`manage.py replay POLICY.toml [--sessions ID ...] [--fail-on disclosed,fails]`.

    The exit code is 0 where all is well, 1 where a change that `--fail-on` names was found, 2 where the policy or a filter cannot be read.
    """

    help = "Replay a policy over recorded turns and tell only the decisions that change."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Ask for the file, the turns, and what is a failure."""
        parser.add_argument("policy", metavar="POLICY.toml", type=Path)
        parser.add_argument("--user", help="whose turns; the local owner's unless given")
        parser.add_argument("--sessions", metavar="ID", nargs="+", default=[], help="only turns of these sessions")
        parser.add_argument("--last", type=int, help="only the last so many turns")
        parser.add_argument("--since", type=date.fromisoformat, help="only turns from this day on, such as 2026-01-31")
        parser.add_argument("--until", type=date.fromisoformat, help="only turns up to this day")
        parser.add_argument("--model", help="only turns that this model served when they were last recorded")
        parser.add_argument("--sample", type=int, help="of these turns only so many, drawn the same way each time")
        parser.add_argument(
            "--fail-on", type=_codes, default=(), help=f"of {', '.join(NAMES)}: exit code 1 where any is found"
        )

    def handle(self, *_: Any, **options: Any) -> None:
        """Replay."""
        path: Path = options["policy"]
        text = read_policy_file(path)
        replay = make_replay(person(options["user"]), path.name, text, _chosen(options))
        for _turns in work_on(replay):
            pass
        self._tell(replay)
        found = policy_queries.change_counts(replay)
        failed = [code.value for code in options["fail_on"] if code.value in found]
        if failed:
            self.stdout.write(self.style.ERROR(f"failed: {', '.join(failed)}"))
            sys.exit(1)

    def _tell(self, replay: Replay) -> None:
        tally = policy_queries.tally_of(replay)
        counts = ", ".join(f"{tally.counts.get(verdict, 0):,} {verdict.value}" for verdict in ReplayVerdict)
        when = f", from {tally.first:%Y-%m-%d} to {tally.last:%Y-%m-%d}" if tally.first and tally.last else ""
        self.stdout.write(f"{tally.examined:,} turns examined{when}: {counts}")
        for why, turns in tally.unknown.items():
            self.stdout.write(f"  cannot tell: {turns:,}, {why}")
        lines = policy_queries.lines_of(policy_queries.changes_of(replay))
        for line in lines[:_MOST_LINES]:
            self.stdout.write(_written(line))
        more = max(0, lines.count() - _MOST_LINES)
        if more:
            self.stdout.write(f"  and {more:,} lines more")


def _written(line: dict[str, Any]) -> str:
    pattern = f" by `{visible(line['pattern'])}`" if line["pattern"] else ""
    path = visible(line["path"]) or "(no path)"
    return f"  {line['change']:<15} {path}{pattern}: {line['turns']:,} turns of {line['sessions']:,} sessions"


def _codes(raw: str) -> tuple[EffectCode, ...]:
    names = [name.strip() for name in raw.split(",") if name.strip()]
    unknown = next((name for name in names if name not in NAMES), None)
    if unknown is not None:
        raise ArgumentTypeError(f"`{unknown}` is none of {', '.join(NAMES)}")
    return tuple(NAMES[name] for name in names)


def _chosen(options: dict[str, Any]) -> Chosen:
    for name in ("last", "sample"):
        if options[name] is not None and options[name] < 1:
            raise CommandError(f"--{name}: `{options[name]}` is not a number of turns", returncode=UNREADABLE)
    try:
        sessions = tuple(UUID(name) for name in options["sessions"])
    except ValueError:
        raise CommandError("--sessions: not an id of a session", returncode=UNREADABLE) from None
    picked = {name: options[name] for name in ("last", "since", "until", "model", "sample")}
    return Chosen(sessions=sessions, **picked)
