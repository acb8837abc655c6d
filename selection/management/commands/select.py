"""Select the context of a turn document."""

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from selection.actions.ask_what_if import select_under
from selection.actions.knobs import Knobs, budget_model
from selection.documents.errors import InvalidDocument
from selection.documents.outcome import outcome_document
from selection.documents.selection import ledger_document
from selection.documents.turn import read_turn
from selection.engine import Outcome, Prepared, explain, prepare
from selection.engine.choose import effective_budget, reply_reserve
from selection.engine.locate import Located, locate
from selection.engine.sweep import plotted, sweep
from selection.management.ledger import ledger_lines, visible
from selection.management.policies import UNREADABLE, read_policy_file

NOT_IN = 1


class Command(BaseCommand):
    """Print what goes into the prompt of a turn, what stays out, and why.

    The exit code is 0 where a model serves (and with --why, where the path is in), 1 where none does (or it is out), 2 where something cannot be read.
    """

    help = "Select the context of a turn document; `-` reads standard input. Exit code 1: no model serves, or --why is out; 2: unreadable."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Ask for the document, the what-if, and how to print."""
        parser.add_argument("turn", metavar="TURN.json", type=Path)
        parser.add_argument("--budget", type=int, metavar="TOKENS", help="an effective budget in place of the model's")
        parser.add_argument("--model", metavar="PROVIDER/MODEL", help="ask for a model by name")
        parser.add_argument("--policy", type=Path, metavar="FILE.toml", help="a policy in place of the turn's")
        parser.add_argument("--why", metavar="PATH", help="tell about this path or name alone")
        parser.add_argument("--sweep", action="store_true", help="print what is in at each of many budgets")
        parser.add_argument("--format", choices=["table", "json", "ndjson"], default="table")
        parser.add_argument("--json", action="store_const", const="json", dest="format", help="as --format json")

    def handle(self, *_: Any, **options: Any) -> None:
        """Select and print."""
        try:
            outcome = self._select(options)
        except InvalidDocument as error:
            told = "\n".join(f"{options['turn']}: {fault}" for fault in error.faults)
            raise CommandError(told, returncode=UNREADABLE) from error
        found = locate(outcome, options["why"]) if options["why"] else None
        for line in self._lines(outcome, found, options):
            self.stdout.write(line)
        is_in = found is None or any(position in outcome.included for position in found.rows)
        if outcome.model is None or not is_in:
            sys.exit(NOT_IN)

    def _select(self, options: dict[str, Any]) -> Outcome:
        prepared = prepare(read_turn(self._data(options["turn"])))
        policy = None if options["policy"] is None else read_policy_file(options["policy"])
        return self._sized(prepared, Knobs(policy=policy, model=options["model"]), options["budget"])

    @staticmethod
    def _sized(prepared: Prepared, knobs: Knobs, budget: int | None) -> Outcome:
        outcome = select_under(prepared, knobs)
        model = budget_model(outcome)
        if budget is None or model is None:
            return outcome
        return select_under(prepared, replace(knobs, window=max(0, budget) + reply_reserve(model)))

    @staticmethod
    def _data(path: Path) -> bytes:
        try:
            return sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
        except OSError as error:
            raise CommandError(
                f"{path}: {(error.strerror or 'cannot be read').lower()}", returncode=UNREADABLE
            ) from error

    def _lines(self, outcome: Outcome, found: Located | None, options: dict[str, Any]) -> Iterator[str]:
        form = options["format"]
        if options["sweep"]:
            yield from _sweep_lines(outcome, form)
        elif found is not None:
            yield from self._why_lines(outcome, found, form)
        elif form == "json":
            yield json.dumps(outcome_document(outcome), ensure_ascii=False, indent=2)
        elif form == "ndjson":
            yield from (json.dumps(row, ensure_ascii=False) for row in ledger_document(outcome))
        else:
            yield from self._coloured(ledger_lines(outcome))

    def _coloured(self, lines: Iterator[str]) -> Iterator[str]:
        """Colour the sections, where a terminal shows colours."""
        for line in lines:
            heading = line[:1].isalpha() and line.endswith(")")
            yield self.style.MIGRATE_HEADING(line) if heading else line

    def _why_lines(self, outcome: Outcome, found: Located, form: str) -> Iterator[str]:
        if form != "table":
            rows = [row for row in ledger_document(outcome) if row["position"] in found.rows]
            parts = {"text": found.text, "rows": rows, "missing": list(found.missing), "close": list(found.close)}
            yield json.dumps(parts, ensure_ascii=False, indent=2 if form == "json" else None)
            return
        for position in found.rows:
            state = "in" if position in outcome.included else "out"
            style = self.style.SUCCESS if state == "in" else self.style.WARNING
            key = outcome.candidate(position).key
            yield f"{style(state):<4} {visible(key)}: {visible(explain(outcome, position).sentence)}"
        yield from (visible(sentence) for sentence in found.missing)
        if found.close:
            yield f"close to it: {visible(', '.join(found.close))}"


def _sweep_lines(outcome: Outcome, form: str) -> Iterator[str]:
    model, candidates = budget_model(outcome), outcome.candidates
    if model is None or candidates is None:
        return
    remote = not model.local
    now = effective_budget(model)
    points = sweep(candidates, {*plotted(candidates, remote=remote), now}, remote=remote)
    rows = [{"budget": each.budget, "tokens": each.tokens, "candidates": each.candidates} for each in points]
    if form == "json":
        yield json.dumps({"model": model.name, "effective": now, "points": rows}, ensure_ascii=False, indent=2)
    elif form == "ndjson":
        yield from map(json.dumps, rows)
    else:
        yield f"{'budget':>12} {'tokens in':>12} {'candidates in':>14}"
        for each in points:
            mark = "  now" if each.budget == now else ""
            yield f"{each.budget:>12,} {each.tokens:>12,} {each.candidates:>14,}{mark}"
