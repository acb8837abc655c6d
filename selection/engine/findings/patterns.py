"""Patterns that do not do what their author meant: invalid, matching nothing here, shadowed, or looking mistaken ("Findings")."""

from collections.abc import Iterator, Sequence
from typing import Final

from selection.engine.candidates import CandidateSet
from selection.engine.codes import Dialect, Severity
from selection.engine.findings.finding import Finding, counted
from selection.engine.globs import InvalidPattern, compile_routing, pattern_warnings
from selection.engine.outcome import Outcome
from selection.engine.paths import PathNormaliser, lies_outside
from selection.engine.pipeline import routing_paths
from selection.engine.privacy import PolicyList, PrivacyLists

# Patterns times paths that are tried at most; the paths beyond are said.
_MOST_TRIALS: Final = 500_000


def find_pattern_traps(outcome: Outcome) -> Iterator[Finding]:
    """Find patterns of the privacy lists and of the rules that want a look."""
    candidates = outcome.candidates
    if candidates is None:
        return
    paths = _paths_here(outcome, candidates)
    yield from _outside(candidates)
    for held in candidates.privacy.lists:
        yield from _of_list(held, candidates.privacy, paths, outcome.turn.policy.dialect)
        yield from _with_root(held, outcome.turn.workspace.root)
    yield from _of_rules(outcome)


def _paths_here(outcome: Outcome, candidates: CandidateSet) -> list[str]:
    """Every path that this turn knows of: the candidates', the referenced, the active file's, the diff's."""
    normaliser = PathNormaliser(outcome.turn.workspace.root)
    own = (path for path in candidates.columns.paths if path is not None)
    return list(dict.fromkeys((*own, *routing_paths(outcome.turn, normaliser))))


def _outside(candidates: CandidateSet) -> Iterator[Finding]:
    positions = tuple(p for p, path in enumerate(candidates.columns.paths) if path is not None and lies_outside(path))
    if positions:
        yield Finding(
            code="path_outside_workspace",
            severity=Severity.LOW,
            sentence=f"{counted(len(positions), 'candidate')} with a path outside the workspace root: patterns that are anchored to the root never match them.",
            advice="Check the workspace root, or restrict them by a name that matches at every depth.",
            positions=positions,
        )


def _of_list(held: PolicyList, privacy: PrivacyLists, paths: Sequence[str], dialect: Dialect) -> Iterator[Finding]:
    invalid = privacy.invalid_patterns(held)
    for fault in invalid:
        yield _invalid(held, fault, "until it is mended, every path counts as restricted")
    for warning in pattern_warnings(held.patterns, dialect):
        yield Finding(
            code=f"pattern_{warning.code}",
            severity=Severity.MEDIUM,
            sentence=f"`{held.patterns[warning.index]}`: {warning.sentence}",
            advice="Correct the pattern if that is not what it means.",
            places=(f"{held.place}[{warning.index}]",),
        )
    if not invalid:
        yield from _idle(held, privacy, paths)


def _with_root(held: PolicyList, root: str) -> Iterator[Finding]:
    """Find patterns that repeat the workspace root, as paths of a machine do."""
    prefix = root.replace("\\", "/").rstrip("/") + "/"
    for index, pattern in enumerate(held.patterns):
        if prefix != "/" and pattern.removeprefix("!").startswith(prefix):
            yield Finding(
                code="pattern_repeats_root",
                severity=Severity.MEDIUM,
                sentence=f"`{pattern}`: a leading `/` means the workspace root, so this looks for the root once more inside itself.",
                advice="Take the workspace root off its beginning.",
                places=(f"{held.place}[{index}]",),
            )


def _invalid(held: PolicyList, fault: InvalidPattern, consequence: str) -> Finding:
    return Finding(
        code="pattern_invalid",
        severity=Severity.HIGH,
        sentence=f"`{held.patterns[fault.index]}` is not a valid pattern: {fault.why}; {consequence}.",
        advice="Mend or remove the pattern.",
        places=(f"{held.place}[{fault.index}]",),
    )


def _idle(held: PolicyList, privacy: PrivacyLists, paths: Sequence[str]) -> Iterator[Finding]:
    most = max(1, _MOST_TRIALS // len(held.patterns))
    hits, decisions = privacy.usage(held, paths[:most])
    seen = counted(len(paths), "path") if len(paths) <= most else f"first {most:,} of {len(paths):,} paths"
    for index in range(len(held.patterns)):
        if not hits[index] and privacy.is_pattern(held, index):
            yield _idle_finding("pattern_matches_nothing", held, index, f"matches none of the {seen} of this turn")
        elif hits[index] and not decisions[index]:
            times = counted(hits[index], "path")
            yield _idle_finding(
                "pattern_shadowed",
                held,
                index,
                f"matches {times} of this turn and decides none: other patterns of its list do",
            )


def _idle_finding(code: str, held: PolicyList, index: int, what: str) -> Finding:
    return Finding(
        code=code,
        severity=Severity.LOW,
        sentence=f"`{held.patterns[index]}` {what}.",
        advice="Check its spelling against the paths, or leave it for other turns.",
        places=(f"{held.place}[{index}]",),
    )


def _of_rules(outcome: Outcome) -> Iterator[Finding]:
    for number, rule in enumerate(outcome.turn.policy.routing.rules):
        for fault in compile_routing(rule.paths, outcome.turn.policy.dialect).invalid:
            place = f"routing.rules[{number}].paths[{fault.index}]"
            yield Finding(
                code="pattern_invalid",
                severity=Severity.HIGH,
                sentence=f"`{rule.paths[fault.index]}` is not a valid pattern: {fault.why}; until it is mended, the rule `{rule.name}` matches nothing.",
                advice="Mend or remove the pattern.",
                places=(place,),
            )
