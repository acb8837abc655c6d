"""Instructions that are not what they seem: a file name instead of text, an import that is not in the record, a source that is restricted."""

import re
from collections.abc import Iterator
from posixpath import dirname, join, normpath
from typing import Final

from selection.engine.candidates import CandidateSet
from selection.engine.codes import Part, Severity
from selection.engine.findings.finding import Finding
from selection.engine.outcome import Outcome
from selection.engine.paths import PathNormaliser
from selection.engine.values import Instruction

_LONGEST_NAME: Final = 200
_FILE_NAME: Final = re.compile(r"[\w./\\-]{1,200}\.\w{1,8}")
_IMPORT: Final = re.compile(r"(?m)^@([\w./~-]{1,200})[ \t]*$")


def find_instruction_traps(outcome: Outcome) -> Iterator[Finding]:
    """Find instructions whose text is only a name, that import what is not there, or that come from a restricted file."""
    candidates = outcome.candidates
    if candidates is None:
        return
    for position in candidates.columns.span(Part.INSTRUCTIONS):
        origin = candidates.columns.origins[position]
        if isinstance(origin, Instruction):
            yield from _restricted_source(outcome, candidates, position, origin)
            if isinstance(origin.content, str):
                yield from _only_a_name(position, origin.content)
                yield from _missing_imports(candidates, position, origin.source, origin.content)


def _restricted_source(
    outcome: Outcome, candidates: CandidateSet, position: int, origin: Instruction
) -> Iterator[Finding]:
    path = PathNormaliser(outcome.turn.workspace.root).each([origin.source])[0]
    mark = candidates.privacy.mark(path) if path else None
    if mark is None or candidates.restriction_of(position) is not None:
        return
    yield Finding(
        code="instruction_from_restricted_file",
        severity=Severity.HIGH if outcome.model is not None and not outcome.model.local else Severity.LOW,
        sentence="An instruction is named like a restricted path, but an instruction has no path: no rule stops it.",
        advice="Attach the file as a file instead, or take its path off the restricted ones.",
        positions=(position,),
        places=(candidates.privacy.restriction(mark).place,),
    )


def _only_a_name(position: int, content: str) -> Iterator[Finding]:
    text = content.strip()
    if len(text) <= _LONGEST_NAME and _FILE_NAME.fullmatch(text):
        yield Finding(
            code="instruction_is_a_file_name",
            severity=Severity.MEDIUM,
            sentence="The whole text of an instruction is a file name: likely a symbolic link that was stored as text.",
            advice="Attach the document that it points at.",
            positions=(position,),
        )


def _missing_imports(candidates: CandidateSet, position: int, source: str, content: str) -> Iterator[Finding]:
    known = {normpath(origin.source) for origin in candidates.columns.origins if isinstance(origin, Instruction)}
    folder = dirname(source)
    missing = [name for name in _IMPORT.findall(content) if normpath(join(folder, name)) not in known]
    if missing:
        yield Finding(
            code="instruction_imports_missing",
            severity=Severity.MEDIUM,
            sentence=f"An instruction imports `{missing[0]}`, which is not among the instructions beside it: its text did not come along.",
            advice="An import is resolved against the folder of the file that holds it; attach the document or correct the name.",
            positions=(position,),
        )
