"""Rules and chains that can never do what they say ("Findings")."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from selection.engine.choose import effective_budget
from selection.engine.classify import can_match
from selection.engine.codes import Auth, Dialect, Severity
from selection.engine.findings.finding import Finding
from selection.engine.globs import compile_routing
from selection.engine.outcome import Outcome
from selection.engine.paths import PathNormaliser
from selection.engine.pipeline import routing_paths
from selection.engine.route import specificity
from selection.engine.values import ModelDescriptor, Policy, RoutingRule


def find_route_traps(outcome: Outcome) -> Iterator[Finding]:
    """Find fallbacks that repeat or can never serve, rules that overlap, and keywords that can never match."""
    policy = outcome.turn.policy
    catalog = {model.name: model for model in reversed(outcome.turn.models)}
    for place, chain in _chains(policy):
        yield from _in_chain(place, chain, catalog)
    yield from _overlaps(outcome)
    yield from _dead_keywords(policy)


def _chains(policy: Policy) -> Iterator[tuple[str, tuple[str, ...]]]:
    for index, rule in enumerate(policy.routing.rules):
        yield f"routing.rules[{index}]", (rule.model, *rule.fallbacks)
    if policy.routing.default is not None:
        yield "routing.default", (policy.routing.default.model, *policy.routing.default.fallbacks)


def _in_chain(place: str, chain: Sequence[str], catalog: dict[str, ModelDescriptor]) -> Iterator[Finding]:
    for index, name in enumerate(chain[1:], 1):
        where = f"{place}.fallbacks[{index - 1}]"
        if name in chain[:index]:
            yield _chain_finding(
                "fallback_repeats",
                where,
                f"`{name}` stands earlier in its chain: the second time it can only fail as it did the first.",
            )
            continue
        stronger = next(
            (other for other in chain[:index] if _serves_whenever(catalog.get(other), catalog.get(name))), None
        )
        if stronger is not None:
            yield _chain_finding(
                "fallback_never_reached",
                where,
                f"`{name}` can never serve: whenever it could, `{stronger}` before it does.",
            )


def _chain_finding(code: str, place: str, sentence: str) -> Finding:
    return Finding(
        code=code, severity=Severity.LOW, sentence=sentence, advice="Remove it, or move it up.", places=(place,)
    )


def _serves_whenever(earlier: ModelDescriptor | None, later: ModelDescriptor | None) -> bool:
    """Tell whether `earlier` passes every check that `later` passes, whatever the turn."""
    if earlier is None or later is None:
        return False
    needs_less = earlier.auth is not Auth.API_KEY or (later.auth is Auth.API_KEY and later.provider == earlier.provider)
    can_more = all(earlier.capabilities.get(name) for name, held in later.capabilities.items() if held)
    return (
        needs_less
        and (earlier.local or not later.local)
        and can_more
        and effective_budget(earlier) >= effective_budget(later)
    )


def _overlaps(outcome: Outcome) -> Iterator[Finding]:
    paths = routing_paths(outcome.turn, PathNormaliser(outcome.turn.workspace.root))
    ranked: dict[tuple[int, int], list[tuple[int, RoutingRule]]] = {}
    for index, rule in enumerate(outcome.turn.policy.routing.rules):
        ranked.setdefault((rule.priority, specificity(rule)), []).append((index, rule))
    for equals in ranked.values():
        for (first, one), (second, other) in combinations(equals, 2):
            if _overlap(one, other, paths, outcome.turn.policy.dialect):
                yield Finding(
                    code="rules_overlap",
                    severity=Severity.MEDIUM,
                    sentence=f"The rules `{one.name}` and `{other.name}` have equal priority and specificity and both can match: only their order decides.",
                    advice="Give one of them a lower priority number.",
                    places=(f"routing.rules[{first}]", f"routing.rules[{second}]"),
                )


def _overlap(one: RoutingRule, other: RoutingRule, paths: Sequence[str], dialect: Dialect) -> bool:
    if one.intent != other.intent:
        return False
    if not one.paths or set(one.paths) & set(other.paths):
        return True
    ours, theirs = compile_routing(one.paths, dialect), compile_routing(other.paths, dialect)
    return any(ours.matches(path) and theirs.matches(path) for path in paths)


def _dead_keywords(policy: Policy) -> Iterator[Finding]:
    for index, rule in enumerate(policy.classification.rules):
        for number, keyword in enumerate(rule.keywords):
            if not can_match(keyword):
                yield Finding(
                    code="keyword_never_matches",
                    severity=Severity.MEDIUM,
                    sentence=f"The keyword `{keyword}` can never match: tokens are runs of letters and digits, and it holds a space.",
                    advice="Give each word as a keyword of its own.",
                    places=(f"classification.rules[{index}].keywords[{number}]",),
                )
