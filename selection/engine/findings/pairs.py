"""A tool's result without the message that called for it, or the other way round ("Findings").

A message does not say which call it answers: the caller of a result is the nearest assistant message before it, with nothing but other results in between.
"""

from collections.abc import Iterator, Sequence

from selection.engine.candidates import CandidateSet
from selection.engine.codes import Part, Role, Severity
from selection.engine.findings.finding import Finding, counted
from selection.engine.outcome import Outcome
from selection.engine.values import Message


def find_torn_pairs(outcome: Outcome) -> Iterator[Finding]:
    """Find calls and results of which only one goes in."""
    candidates = outcome.candidates
    if candidates is None or outcome.fitted is None:
        return
    included = frozenset(outcome.included)
    held = [candidates.survivors[p] in included for p in candidates.columns.span(Part.MESSAGES)]
    pairs = list(_pairs(candidates))
    yield from _results_alone([result for result, call in pairs if held[result] and (call is None or not held[call])])
    yield from _calls_alone(
        sorted({call for result, call in pairs if call is not None and held[call] and not held[result]})
    )


def _pairs(candidates: CandidateSet) -> Iterator[tuple[int, int | None]]:
    """Pair each tool result with its caller, both as positions; None where there is none."""
    caller: int | None = None
    for position in candidates.columns.span(Part.MESSAGES):
        origin = candidates.columns.origins[position]
        role = origin.role if isinstance(origin, Message) else Role.USER
        if role is Role.TOOL:
            yield position, caller
        else:
            caller = position if role is Role.ASSISTANT else None


def _results_alone(positions: Sequence[int]) -> Iterator[Finding]:
    if positions:
        yield Finding(
            code="result_without_call",
            severity=Severity.MEDIUM,
            sentence=f"{counted(len(positions), 'tool result')} went in while the message that called for it is out: the model sees an answer to nothing.",
            advice="A larger budget brings the call in; results travel as user text, so the request stays valid.",
            positions=tuple(positions),
        )


def _calls_alone(positions: Sequence[int]) -> Iterator[Finding]:
    if positions:
        yield Finding(
            code="call_without_result",
            severity=Severity.LOW,
            sentence=f"{counted(len(positions), 'message')} went in while a tool result that answers it is out: the model sees a call that nothing answers.",
            advice="A larger budget, or a smaller result, brings it in.",
            positions=tuple(positions),
        )
