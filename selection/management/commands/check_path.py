"""Tell what a policy says of paths, given as arguments or piped in, a line each."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from selection.actions.check_paths import CheckedPath, check_paths, document_of, lines_of
from selection.documents.errors import InvalidDocument
from selection.documents.policy import read_policy_toml
from selection.management.ledger import visible
from selection.management.policies import UNREADABLE, read_policy_file


class Command(BaseCommand):
    """`manage.py check_path --policy POLICY.toml [PATH ...]`.

    The exit code is 0 where every path is free, 1 where one is restricted, 2 where the policy does not read.
    """

    help = "Tell for each path whether a policy restricts it, by which pattern, and what nearly matched. Paths come from standard input where none is given."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Ask for the policy and the paths."""
        parser.add_argument("paths", metavar="PATH", nargs="*")
        parser.add_argument("--policy", type=Path, required=True, help="a config.toml")
        parser.add_argument("--root", default="", help="the workspace root, which is stripped from paths")
        parser.add_argument("--json", action="store_true", help="print a JSON object for each path")

    def handle(self, *_: Any, **options: Any) -> None:
        """Test them."""
        text = read_policy_file(options["policy"])
        paths = options["paths"] or lines_of(sys.stdin.read())
        try:
            results = check_paths(read_policy_toml(text).policy, paths, root=options["root"], text=text)
        except InvalidDocument as refused:
            raise CommandError(str(refused.faults[0]), returncode=UNREADABLE) from None
        for result in results:
            for line in [json.dumps(document_of(result), ensure_ascii=False)] if options["json"] else _lines(result):
                self.stdout.write(line)
        if any(result.restricted for result in results):
            sys.exit(1)


def _lines(result: CheckedPath) -> Iterator[str]:
    verdict = "no path" if result.path is None else "restricted" if result.restricted else "free"
    decided = result.deciding
    by = f" by `{visible(decided.match.pattern)}`, {decided.match.place}, line {decided.line}" if decided else ""
    yield f"{visible(result.path or result.given)}: {verdict}{by}"
    for each in result.matches:
        if each is not decided:
            yield f"  also `{visible(each.match.pattern)}`, {each.match.place}, line {each.line}"
    for miss in result.near[:1]:
        yield f"  nearly `{visible(miss.pattern)}`: {visible(miss.sentence)}"
