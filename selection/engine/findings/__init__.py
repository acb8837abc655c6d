"""Findings: what an inspector adds to a selection; they never change a decision ("Findings" in domain.md)."""

from collections.abc import Callable, Iterator
from typing import Final

from selection.engine.codes import Severity
from selection.engine.findings.budget import find_budget_traps
from selection.engine.findings.envelopes import find_shared_nonces
from selection.engine.findings.finding import Finding
from selection.engine.findings.instructions import find_instruction_traps
from selection.engine.findings.leaks import find_leaks
from selection.engine.findings.pairs import find_torn_pairs
from selection.engine.findings.patterns import find_pattern_traps
from selection.engine.findings.routes import find_route_traps
from selection.engine.findings.sizes import find_undercounted
from selection.engine.outcome import Outcome

__all__ = ["Finding", "find"]

_FINDERS: Final[tuple[Callable[[Outcome], Iterator[Finding]], ...]] = (
    find_leaks,
    find_shared_nonces,
    find_torn_pairs,
    find_budget_traps,
    find_undercounted,
    find_pattern_traps,
    find_route_traps,
    find_instruction_traps,
)
_ORDER: Final = {severity: place for place, severity in enumerate(Severity)}


def find(outcome: Outcome) -> tuple[Finding, ...]:
    """Give every finding about a selection, most severe first; equal outcomes give equal findings."""
    found = [finding for finder in _FINDERS for finding in finder(outcome)]
    return tuple(sorted(found, key=lambda finding: _ORDER[finding.severity]))
