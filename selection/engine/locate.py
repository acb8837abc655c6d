"""Why is it not there? Find a path or a text among the candidates ("Candidates" in domain.md).

Where no candidate is it, tell which source would have had to bring it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from rapidfuzz import fuzz, process

from selection.engine.candidates import CandidateSet
from selection.engine.near_misses import NearMiss, near_misses
from selection.engine.outcome import Outcome
from selection.engine.paths import PathNormaliser, lies_outside
from selection.engine.pipeline import touched_paths
from selection.engine.privacy import Restriction

_MOST_ROWS: Final = 20
_CLOSE: Final = 65
_LONGEST: Final = 300
_MOST_CLOSE: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """Where a text stands in a turn.

    `rows` are the positions that bear it as path or name, `mentions` those whose content holds it (neither restricted nor sealed ones are read), `restrictions`
    what every list says of it as a path, `missing` why no candidate is it, as sentences; `close` the paths of candidates that resemble it.
    """

    text: str
    path: str | None
    rows: tuple[int, ...]
    mentions: tuple[int, ...]
    missing: tuple[str, ...]
    restrictions: tuple[Restriction, ...]
    near: tuple[NearMiss, ...]
    close: tuple[str, ...]


def locate(outcome: Outcome, text: str) -> Located:
    """Find `text`, a path in any spelling or some words, among the candidates of `outcome`."""
    candidates = outcome.candidates
    path = PathNormaliser(outcome.turn.workspace.root).normalise(text)
    rows = tuple(_rows(candidates, text, path)) if candidates else ()
    marks = candidates.privacy.marks(path) if candidates and path else ()
    restrictions = tuple(candidates.privacy.restriction(mark) for mark in marks) if candidates else ()
    return Located(
        text=text,
        path=path,
        rows=rows[:_MOST_ROWS],
        mentions=() if rows or candidates is None else tuple(_mentions(candidates, text)),
        missing=() if rows else tuple(_missing(outcome, path)),
        restrictions=restrictions,
        near=() if restrictions or path is None else near_misses(outcome.turn.policy, path),
        close=() if rows or candidates is None else _close(candidates, path or text),
    )


def _rows(candidates: CandidateSet, text: str, path: str | None) -> Iterator[int]:
    """Give the candidates of that path, themselves or by a copy, and those of that name."""
    paths = candidates.columns.paths
    for position in range(len(candidates)):
        if (path is not None and paths[position] == path) or candidates.name_of(position) == text:
            yield position


def _mentions(candidates: CandidateSet, text: str) -> Iterator[int]:
    found = 0
    for position, content in enumerate(candidates.columns.contents):
        open_text = isinstance(content, str) and candidates.survivors[position] not in candidates.restrictions
        if open_text and isinstance(content, str) and text in content:
            yield position
            found += 1
            if found == _MOST_ROWS:
                return


def _missing(outcome: Outcome, path: str | None) -> Iterator[str]:
    turn = outcome.turn
    normaliser = PathNormaliser(turn.workspace.root)
    if outcome.candidates is None:
        yield "No candidate was ever built: without a route the turn ends before that."
    if path is None:
        yield "It names no path, and no candidate bears it as a name."
        return
    if path in normaliser.each(turn.workspace.referenced_paths):
        yield "It is referenced, but a reference brings no content: the client must attach the file."
    if turn.workspace.active_file is not None and normaliser.normalise(turn.workspace.active_file) == path:
        yield "It is the active file, which routes the turn and alone brings nothing: the client must attach it."
    if path in normaliser.each(touched_paths(turn)):
        yield "The diff touches it: what changed of it is in the diff, which is a candidate of its own, without a path."
    if lies_outside(path):
        yield "It lies outside the workspace root."
    yield "The client attached no file of this path, and no message of the history carries it."
    yield "To be one it would have to come as an attached file (`attachments.files`), or as a tool's result with this path in the history."


def _close(candidates: CandidateSet, wanted: str) -> tuple[str, ...]:
    if len(wanted) > _LONGEST:
        return ()
    known = dict.fromkeys(path for path in candidates.columns.paths if path is not None and len(path) <= _LONGEST)
    found = process.extract(wanted, known.keys(), scorer=fuzz.ratio, limit=_MOST_CLOSE, score_cutoff=_CLOSE)
    return tuple(path for path, _, _ in found)
