"""Every pattern of a policy that matches a path, and which of them decides; asked on demand, one path at a time ("Globs" in domain.md)."""

from collections.abc import Iterator
from dataclasses import dataclass

from selection.engine.globs import PrivacyGlobs, RoutingGlobs, compile_privacy, compile_routing
from selection.engine.privacy import privacy_lists_of
from selection.engine.values import Policy


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedMatch:
    """One pattern that matches `path`: where it stands, which part of the path it hit, and whether it decides what its list says.

    `restricts` tells lists of privacy from those that only route; `rule` names the routing rule of a list that stands in one.
    """

    path: str
    place: str
    pattern: str
    part: str
    negated: bool
    decides: bool
    restricts: bool
    rule: str | None


def matches_in(policy: Policy, path: str) -> Iterator[ListedMatch]:
    """Give every match of `path`, a normalised one, in every list: first what restricts, then what routes."""
    for held in privacy_lists_of(policy):
        if held.patterns:
            compiled = compile_privacy(held.patterns, policy.dialect)
            yield from _matches(path, held.place, held.patterns, compiled, restricts=True, rule=held.rule)
    for index, rule in enumerate(policy.routing.rules):
        if rule.paths and not rule.local_only:
            place = f"routing.rules[{index}].paths"
            routes = compile_routing(rule.paths, policy.dialect)
            yield from _matches(path, place, rule.paths, routes, restricts=False, rule=rule.name)


def _matches(
    path: str,
    place: str,
    patterns: tuple[str, ...],
    compiled: PrivacyGlobs | RoutingGlobs,
    *,
    restricts: bool,
    rule: str | None,
) -> Iterator[ListedMatch]:
    matching = compiled.all_matches(path)
    deciding = compiled.deciding(path)
    # A negation that comes last decides too: it lifts the path.
    decides = deciding if deciding >= 0 or compiled.invalid or not matching else matching[-1].index
    parts = {match.index: (match.part, match.negated) for match in matching}
    if deciding >= 0:
        parts.setdefault(deciding, (path, False))
    for index, (part, negated) in sorted(parts.items()):
        yield ListedMatch(
            path=path,
            place=f"{place}[{index}]",
            pattern=patterns[index],
            part=part,
            negated=negated,
            decides=index == decides,
            restricts=restricts,
            rule=rule,
        )
