"""Find the last rule of several that matches: one expression tries them all, the last of the list first."""

import re
from collections.abc import Sequence
from functools import cached_property

from selection.engine.globs.rule import Rule


class LastMatch:
    """Rules with stars, joined; the expressions are compiled when they are first needed."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        """Take the rules in list order."""
        self._of_folders = rules[::-1]
        self._of_files = [rule for rule in self._of_folders if not rule.folders_only]

    def find(self, subject: str, *, is_folder: bool) -> Rule | None:
        """Give the last rule that matches a folder or a file: its name, or its path where the rules are anchored."""
        if is_folder:
            return _find(self._folders, subject, self._of_folders)
        return _find(self._files, subject, self._of_files)

    def reaches(self, path: str) -> bool:
        """Tell whether any of the rules, which are anchored, matches `path` or a folder above it."""
        return self._reaching.fullmatch(path) is not None

    @cached_property
    def _reaching(self) -> re.Pattern[str]:
        sources = "|".join(rule.reaching_source for rule in self._of_folders)
        return re.compile(sources, re.DOTALL)

    @cached_property
    def _folders(self) -> re.Pattern[str]:
        return _joined(self._of_folders)

    @cached_property
    def _files(self) -> re.Pattern[str]:
        return _joined(self._of_files)


def _joined(rules: Sequence[Rule]) -> re.Pattern[str]:
    """Invariant: the source of a rule captures nothing, so the number of the group is that of the rule."""
    return re.compile("|".join(f"({rule.source})" for rule in rules), re.DOTALL)


def _find(expression: re.Pattern[str], subject: str, rules: Sequence[Rule]) -> Rule | None:
    found = expression.fullmatch(subject)
    return rules[found.lastindex - 1] if found and found.lastindex else None
