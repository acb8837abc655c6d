"""Patterns that `globset` takes but that probably mean something else: each looks like a habit from git's dialect."""

from collections.abc import Iterator
from typing import Final

from selection.engine.globs.globset.reading import fault_of_globset

_SPECIAL: Final = frozenset("*?[{/")


def globset_doubts(pattern: str) -> Iterator[tuple[str, str]]:
    """Give the code of each doubt about a valid pattern, and a sentence that follows the pattern and a colon."""
    if fault_of_globset(pattern) is not None:
        return
    if not pattern.strip():
        yield "blank", "a blank line is a pattern here, and matches no path."
    elif pattern.startswith("!"):
        yield "negation", "`!` is part of the name here: it lifts nothing."
    elif pattern.startswith("#"):
        yield "comment", "`#` is part of the name here: this is no comment."
    elif pattern.startswith("/"):
        yield "leading_slash", "paths have no `/` at their beginning, so it matches nothing in the workspace."
    elif pattern.endswith("/"):
        yield (
            "trailing_slash",
            f"paths of files do not end in `/`, so it matches nothing; write `{pattern}**` for what is in the folder.",
        )
    elif not _SPECIAL & set(pattern):
        yield "root_only", f"it matches at the workspace root alone; write `**/{pattern}` for every depth."
