"""Restricted material that reaches a remote model although no rule is broken: a diff, or a candidate without a path, carries it ("Findings")."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from selection.engine.candidates import CandidateSet
from selection.engine.codes import Part, Severity
from selection.engine.diffs import diff_hunks
from selection.engine.findings.finding import Finding, counted
from selection.engine.outcome import Outcome
from selection.engine.paths import PathNormaliser
from selection.engine.pipeline import touched_paths

# What is shorter than this is in many texts by chance.
_SHORTEST_QUOTE: Final = 6
# Characters that one look for quotes or mentions reads at most; what is beyond is said, not dropped in silence.
_MOST_CHARACTERS: Final = 200_000_000
# Paths stand at the head of what a tool prints, or in the command; a megabyte of log is not read for them.
_MENTION_CHARACTERS: Final = 20_000
_PATH_WORD: Final = re.compile(r"[A-Za-z]:[\\/][\w.\\/@+-]{1,400}|[\w.~@+/-]{0,400}[./][\w.@+-]{1,200}")


def find_leaks(outcome: Outcome) -> Iterator[Finding]:
    """Find what a remote model would see of restricted paths."""
    if outcome.candidates is None:
        return
    yield from _mixed_copies(outcome.candidates)
    if outcome.model is None or outcome.model.local:
        return
    yield from _diff_leak(outcome, outcome.candidates)
    pathless = _pathless_included(outcome, outcome.candidates)
    yield from _quotes(outcome.candidates, pathless)
    yield from _mentions(outcome, outcome.candidates, pathless)


def _diff_leak(outcome: Outcome, candidates: CandidateSet) -> Iterator[Finding]:
    span = candidates.columns.span(Part.DIFF)
    diff = outcome.turn.workspace.git_diff
    if not span or span.start not in outcome.included or not candidates.privacy.lists:
        return
    normaliser = PathNormaliser(outcome.turn.workspace.root)
    marks = [
        mark
        for path in normaliser.each(touched_paths(outcome.turn))
        if path and (mark := candidates.privacy.mark(path))
    ]
    if not marks:
        return
    hunks = tuple(_restricted_hunks(diff, normaliser, candidates)) if isinstance(diff, str) else ()
    places = tuple(dict.fromkeys(candidates.privacy.restriction(mark).place for mark in marks))
    detail = f" in {counted(len(hunks), 'hunk')}" if hunks else ""
    yield Finding(
        code="diff_discloses_restricted",
        severity=Severity.HIGH,
        sentence=f"The diff touches {counted(len(marks), 'restricted path')}{detail} and goes to a remote model: a diff has no path, so no rule stops it.",
        advice="Leave those files out of the diff, or serve the turn locally.",
        positions=(span.start,),
        places=places,
        details=hunks,
    )


def _restricted_hunks(diff: str, normaliser: PathNormaliser, candidates: CandidateSet) -> Iterator[str]:
    """Judge the diff hunk by hunk: name each whose file is restricted, and what restricts it."""
    for number, hunk in enumerate(diff_hunks(diff), 1):
        marks = (candidates.privacy.mark(path) for path in normaliser.each(hunk.paths) if path)
        mark = next((mark for mark in marks if mark is not None), None)
        if mark is not None:
            held = candidates.privacy.restriction(mark)
            lines = counted(hunk.text.count("\n") + 1, "line")
            yield f"Hunk {number:,}, {lines} of `{held.path}`: `{held.pattern}` ({held.place}) restricts it."


def _pathless_included(outcome: Outcome, candidates: CandidateSet) -> list[int]:
    held = candidates.columns
    included = frozenset(outcome.included) - frozenset(held.span(Part.DIFF))
    return [p for p in sorted(included) if held.contents[p].__class__ is str and not candidates.paths_of(p)]


@dataclass(frozen=True, slots=True)
class _Quotes:
    positions: tuple[int, ...]
    sources: tuple[int, ...]
    complete: bool


def _quotes(candidates: CandidateSet, pathless: list[int]) -> Iterator[Finding]:
    found = _look_for_quotes(candidates, pathless)
    if found.positions:
        rows = counted(len(found.positions), "candidate")
        files = counted(len(found.sources), "restricted file")
        yield Finding(
            code="quotes_restricted_file",
            severity=Severity.HIGH,
            sentence=f"{rows} without a path, holding the whole content of {files}, would go to a remote model.",
            advice="A candidate without a path is never restricted: leave the quoted text out, or serve the turn locally.",
            positions=found.positions,
            places=_places(candidates, found.sources),
        )
    if not found.complete:
        yield Finding(
            code="quotes_not_all_examined",
            severity=Severity.LOW,
            sentence="The history is too large to look for every restricted file in every candidate; only a part was examined.",
            advice="Narrow the history, or restrict fewer files.",
        )


def _look_for_quotes(candidates: CandidateSet, pathless: list[int]) -> _Quotes:
    contents = candidates.columns.contents
    files = candidates.columns.span(Part.FILES)
    sources = {p: _core(contents[p]) for p in candidates.restrictions if p in files}
    positions: dict[int, None] = {}
    quoted: dict[int, None] = {}
    left = _MOST_CHARACTERS
    for position in pathless:
        content = contents[position]
        for source, core in sources.items():
            left -= len(content) if isinstance(content, str) else 0
            if left < 0:
                return _Quotes(tuple(positions), tuple(quoted), complete=False)
            if core and isinstance(content, str) and core in content:
                positions[position] = quoted[source] = None
    return _Quotes(tuple(positions), tuple(sorted(quoted)), complete=True)


def _core(content: object) -> str:
    """The content less the white space around it; nothing where it is sealed or too short to be recognised."""
    core = content.strip() if isinstance(content, str) else ""
    return core if len(core) >= _SHORTEST_QUOTE else ""


def _mentions(outcome: Outcome, candidates: CandidateSet, pathless: list[int]) -> Iterator[Finding]:
    if not candidates.privacy.lists:
        return
    normaliser = PathNormaliser(outcome.turn.workspace.root)
    places: dict[str, None] = {}
    positions = [p for p in pathless if _mention(candidates, p, normaliser, places)]
    if positions:
        yield Finding(
            code="mentions_restricted_path",
            severity=Severity.MEDIUM,
            sentence=f"{counted(len(positions), 'candidate')} without a path, naming a restricted one, would go to a remote model: see what they tell.",
            advice="Look at the rows: a command that printed the file may have left its content there.",
            positions=tuple(positions),
            places=tuple(places),
        )


def _mention(candidates: CandidateSet, position: int, normaliser: PathNormaliser, places: dict[str, None]) -> bool:
    content = candidates.columns.contents[position]
    words = _PATH_WORD.findall(content[:_MENTION_CHARACTERS]) if isinstance(content, str) else ()
    marks = [
        mark for path in normaliser.each(list(dict.fromkeys(words))) if path and (mark := candidates.privacy.mark(path))
    ]
    for mark in marks:
        restriction = candidates.privacy.restriction(mark)
        if not restriction.invalid:
            places[restriction.place] = None
            return True
    return False


def _mixed_copies(candidates: CandidateSet) -> Iterator[Finding]:
    """Copies whose marks differ: the same content stands under an open and under a restricted path."""
    mixed = tuple(p for p in candidates.restrictions if p in candidates.copies and _differs(candidates, p))
    if mixed:
        yield Finding(
            code="marks_differ_among_copies",
            severity=Severity.LOW,
            sentence=f"{counted(len(mixed), 'restricted candidate')} merged copies whose own paths are open: the restriction covers all of them.",
            advice="Restrict the other copies too, or ask why the same content lies in an open place.",
            positions=mixed,
            places=_places(candidates, mixed),
        )


def _differs(candidates: CandidateSet, position: int) -> bool:
    marks = {candidates.privacy.mark(path) is None for path in candidates.paths_of(position)}
    return len(marks) > 1


def _places(candidates: CandidateSet, positions: tuple[int, ...]) -> tuple[str, ...]:
    found = (candidates.restriction_of(position) for position in positions)
    return tuple(dict.fromkeys(restriction.place for restriction in found if restriction is not None))
