"""Check a policy text: its faults with their spots, the doubts about its patterns, and the policy where there is one."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from selection.documents.errors import InvalidDocument
from selection.documents.policy import read_policy_toml
from selection.documents.policy_text.places import places_of, spot_of
from selection.documents.toml import read_toml
from selection.engine.globs import fault_of, pattern_warnings
from selection.engine.privacy import privacy_lists_of
from selection.engine.values import Policy

LONGEST_TEXT: Final = 200_000
_MOST_FAULTS: Final = 50
_SYNTAX: Final = re.compile(r"not TOML: (?:line (\d+), column (\d+)|end of document): (.*)", re.DOTALL)
_STATEMENT: Final = re.compile(r"\s*(?:\[|[\w\"'.-]+[ \t]*(?:\.[ \t]*[\w\"'-]+[ \t]*)*=)")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedFault:
    """One fault or doubt: line and column from 1, the place where it has one. A `warning` is legal, and probably not meant."""

    line: int
    column: int
    place: str
    message: str
    warning: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedPolicy:
    """The policy where the text is one, everything that is wrong with it in the order of its lines, and the tables that are no policy."""

    policy: Policy | None
    faults: tuple[PlacedFault, ...]
    ignored: tuple[str, ...] = ()

    @property
    def valid(self) -> bool:
        """Whether the text is a policy, doubtful or not."""
        return self.policy is not None


def check_policy_toml(text: str) -> CheckedPolicy:
    """Check the router's configuration as somebody types it; nothing is raised, whatever the text."""
    if len(text) > LONGEST_TEXT:
        message = f"the text is longer than {LONGEST_TEXT:,} characters"
        return CheckedPolicy(policy=None, faults=(PlacedFault(line=1, column=1, place="", message=message),))
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    syntax, readable = _syntax_faults(text)
    spots = places_of(readable)
    try:
        read = read_policy_toml(readable)
    except InvalidDocument as refused:
        schema = [_placed(spots, fault.place, fault.message) for fault in refused.faults]
        return CheckedPolicy(policy=None, faults=_in_order([*syntax, *schema]))
    doubts = [_placed(spots, place, message, warning=True) for place, message in _doubts(read.policy)]
    policy = None if syntax else read.policy
    return CheckedPolicy(policy=policy, faults=_in_order([*syntax, *doubts]), ignored=read.ignored)


def _in_order(faults: list[PlacedFault]) -> tuple[PlacedFault, ...]:
    return tuple(sorted(faults, key=lambda fault: (fault.line, fault.column, fault.warning))[: 2 * _MOST_FAULTS])


def _placed(spots: dict[str, tuple[int, int]], place: str, message: str, *, warning: bool = False) -> PlacedFault:
    line, column = spot_of(spots, place)
    return PlacedFault(line=line, column=column, place=place, message=message, warning=warning)


def _syntax_faults(text: str) -> tuple[list[PlacedFault], str]:
    """Give the faults of the syntax, and the text with the statements that hold them blanked; nothing is left of one that has no end of faults."""
    faults: list[PlacedFault] = []
    lines = text.split("\n")
    while len(faults) < _MOST_FAULTS:
        message = _syntax_fault("\n".join(lines))
        if message is None:
            return faults, "\n".join(lines)
        found = _SYNTAX.fullmatch(message)
        if found is None:
            return [*faults, PlacedFault(line=1, column=1, place="", message=message)], ""
        line, column = (int(found[1]), int(found[2])) if found[1] else (len(lines), 1)
        faults.append(PlacedFault(line=line, column=column, place="", message=f"not TOML: {found[3]}"))
        _blank(lines, line - 1)
    return faults, ""


def _syntax_fault(text: str) -> str | None:
    try:
        read_toml(text)
    except InvalidDocument as refused:
        return str(refused.faults[0])
    return None


def _blank(lines: list[str], at: int) -> None:
    """Blank the statement around a line: back to where it begins, on to where the next one does."""
    first = at
    while first > 0 and not _STATEMENT.match(lines[first]):
        first -= 1
    end = first + 1
    while end < len(lines) and not _STATEMENT.match(lines[end]):
        end += 1
    for number in range(first, max(end, at + 1) if at < end else end):
        lines[number] = ""
    if lines[at]:
        lines[at] = ""


def _doubts(policy: Policy) -> Iterator[tuple[str, str]]:
    lists = [(held.place, held.patterns, "restricts every path") for held in privacy_lists_of(policy)]
    lists += [
        (f"routing.rules[{index}].paths", rule.paths, "makes its list match nothing")
        for index, rule in enumerate(policy.routing.rules)
        if not rule.local_only
    ]
    for place, patterns, effect in lists:
        for index, pattern in enumerate(patterns):
            fault = fault_of(pattern, policy.dialect)
            if fault is not None:
                yield f"{place}[{index}]", f"`{pattern}` is invalid, {fault}: it {effect}"
        for doubt in pattern_warnings(patterns, policy.dialect):
            yield f"{place}[{doubt.index}]", f"`{patterns[doubt.index]}`: {doubt.sentence}"
