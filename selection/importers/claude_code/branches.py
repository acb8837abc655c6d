"""Which rows belong to the conversation as it went on: a prompt that was taken back, and sub-agents' own talk, do not."""

from collections.abc import Sequence

from selection.importers.claude_code.prompts import is_prompt
from selection.importers.lines import Row
from selection.importers.reading import text_of
from selection.importers.report import Report


def follow(rows: Sequence[Row], report: Report) -> list[Row]:
    """Give the rows of the conversation in file order; what is left out is counted."""
    own = [row for row in rows if row.data.get("isSidechain") is not True]
    if not any(text_of(row.data, "type") in {"user", "assistant"} for row in own):
        own = list(rows)
    _count(report, "rows of sub-agents", len(rows) - len(own))
    _note_parents(own, report)
    left = _left_behind(own)
    kept = [row for row in own if text_of(row.data, "uuid") not in left]
    _count(report, "rows on a branch that was left", len(own) - len(kept))
    return kept


def _note_parents(rows: Sequence[Row], report: Report) -> None:
    """Tell of rows whose parents run in a ring, or are not in the file; neither changes the order."""
    parents = {uuid: text_of(row.data, "parentUuid") for row in rows if (uuid := text_of(row.data, "uuid"))}
    lost = sum(1 for parent in parents.values() if parent and parent not in parents)
    ringed = _in_rings(parents)
    if lost:
        report.note(f"{lost:,} rows name a parent that is not in the file; the order of the file stands.")
    if ringed:
        report.note(f"The parents of {ringed:,} rows run in a ring; the order of the file stands.")


def _in_rings(parents: dict[str, str | None]) -> int:
    """Count the rows that are their own ancestors; each row is walked once."""
    settled: set[str] = set()
    ringed = 0
    for start in parents:
        path: dict[str, int] = {}
        uuid: str | None = start
        while uuid in parents and uuid not in settled and uuid not in path:
            path[uuid] = len(path)
            uuid = parents[uuid]
        if uuid in path:
            ringed += len(path) - path[uuid]
        settled |= path.keys()
    return ringed


def _count(report: Report, name: str, count: int) -> None:
    if count:
        report.left_out[name] += count


def _left_behind(rows: Sequence[Row]) -> set[str]:
    """Give the ids of rows below a prompt that a later prompt with the same parent replaced."""
    last: dict[str, str] = {}
    replaced: set[str] = set()
    for row in rows:
        parent, mine = text_of(row.data, "parentUuid"), text_of(row.data, "uuid")
        if parent and mine and is_prompt(row.data):
            if parent in last and last[parent] != mine:
                replaced.add(last[parent])
            last[parent] = mine
    return _below(rows, replaced) if replaced else set()


def _below(rows: Sequence[Row], roots: set[str]) -> set[str]:
    """Give `roots` and all that descends from them; a parent that comes after its child, or in a ring, ends nothing."""
    children: dict[str, list[str]] = {}
    for row in rows:
        parent, mine = text_of(row.data, "parentUuid"), text_of(row.data, "uuid")
        if parent and mine:
            children.setdefault(parent, []).append(mine)
    found: set[str] = set()
    waiting = list(roots)
    while waiting:
        uuid = waiting.pop()
        if uuid not in found:
            found.add(uuid)
            waiting += children.get(uuid, ())
    return found
