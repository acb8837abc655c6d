"""Open a sealed turn in the terminal, as a client would: the key stays in this process."""

import argparse
import json
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from django.core.management.base import BaseCommand, CommandError

from selection import queries
from selection.actions.decrypt_pause import AnswerRefused, answer_pause, begin_pause
from selection.actions.open_turn import open_turn
from selection.actions.record_run import record_run
from selection.documents.answer import Answer
from selection.engine import Outcome, build_prompt, chat_completions
from selection.keyholder import CannotOpen, InvalidKey, open_records, read_key_file
from selection.management.ledger import ledger_lines, visible
from selection.management.people import person
from selection.models import Owner, SessionRunInput


class Command(BaseCommand):
    """Answer the pause of a sealed turn, and print what the opened rows make of it."""

    help = "Open the sealed rows that a turn selected, with a key file, and print its ledger, or its prompt as JSON."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Ask for the turn, the key, and what to do."""
        parser.add_argument("id", type=UUID, help="the turn's id, as in its address")
        parser.add_argument("--key", type=Path, required=True, help="a key file, as `keygen` writes it")
        parser.add_argument("--user", help="whose turn it is; the local owner's unless given")
        parser.add_argument("--prompt", action="store_true", help="print the prompt as chat-completions JSON instead")
        parser.add_argument("--record", action="store_true", help="record the selection; only references are kept")

    def handle(self, *_: Any, **options: Any) -> None:
        """Open and print."""
        user = person(options["user"])
        row = queries.turn_of(user, options["id"])
        if row is None:
            raise CommandError(f"no turn `{options['id']}`")
        outcome = self._open(user, row, options["key"])
        if options["prompt"]:
            model = outcome.model.name if outcome.model else ""
            prompt = chat_completions(build_prompt(outcome), model)
            self.stdout.write(json.dumps(prompt, ensure_ascii=False, indent=2))
        else:
            for line in ledger_lines(outcome):
                self.stdout.write(line)
        if options["record"]:
            run = record_run(user, row, outcome, uuid4())
            self.stderr.write(f"recorded {run.references.count():,} references as run {run.pk}")

    def _open(self, user: Owner, row: SessionRunInput, key_path: Path) -> Outcome:
        paused = open_turn(row).outcome
        pause = begin_pause(user, row, paused, keep=True)
        if pause is None:
            raise CommandError("this turn waits for no rows")
        try:
            records = open_records(pause.records, pause.key_id, read_key_file(key_path))
            self.stderr.write(f"opened {len(records):,} rows")
            return answer_pause(user, row, paused, Answer(asked=pause.asked, records=records), keep=True)
        except CannotOpen as error:
            told = "\n".join(f"  {visible(unopened.record_id)}: {unopened.why}" for unopened in error.rows)
            raise CommandError(f"{len(error.rows):,} of {len(pause.records):,} rows do not open:\n{told}") from None
        except (InvalidKey, AnswerRefused) as error:
            raise CommandError(str(error)) from None
