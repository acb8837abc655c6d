"""Route: which model a turn asks for, and the chain behind it ("Route" in domain.md)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from selection.engine.classify import Classification
from selection.engine.codes import Capability, Dialect, RouteSource
from selection.engine.globs import RoutingGlobs, compile_routing
from selection.engine.values import RoutingRule, TurnInput


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """The route of a turn: `chain` holds the model and its fallbacks in order; `rule` is the name and `index` the place of the rule that won."""

    source: RouteSource
    chain: tuple[str, ...]
    rule: str | None = None
    index: int | None = None
    local_only: bool = False
    driving_globs: tuple[str, ...] = ()
    requires: tuple[Capability, ...] = ()
    matched_path: str | None = None
    dialect: Dialect = Dialect.GITIGNORE

    @property
    def compiled(self) -> RoutingGlobs:
        """The route-driving globs, compiled; compiling is remembered."""
        return compile_routing(self.driving_globs, self.dialect)


def choose_route(turn: TurnInput, classification: Classification, candidate_paths: Sequence[str]) -> Route | None:
    """Tell the route of `turn`: an override, else the first rule that matches, else the default; None means `no_route`.

    `candidate_paths` are the normalised paths that routing looks at: referenced, active, attached, touched by the diff.
    """
    if turn.input.explicit_model is not None:
        return Route(source=RouteSource.OVERRIDE, chain=(turn.input.explicit_model,))
    dialect = turn.policy.dialect
    for index, rule in rules_in_order(turn.policy.routing.rules):
        matched, path = _match(rule, classification, candidate_paths, dialect)
        if matched:
            return _route_of(rule, index, path, dialect)
    default = turn.policy.routing.default
    if default is None:
        return None
    return Route(source=RouteSource.DEFAULT, chain=(default.model, *default.fallbacks))


def rules_in_order(rules: Iterable[RoutingRule]) -> list[tuple[int, RoutingRule]]:
    """Order rules as they are tried: priority, then the more specific, then as configured; each with its place in the policy."""
    return sorted(enumerate(rules), key=lambda pair: (pair[1].priority, -specificity(pair[1])))


def specificity(rule: RoutingRule) -> int:
    """Tell how specific a rule is: path and intent 3, path 2, intent 1, neither 0."""
    return 2 * bool(rule.paths) + (rule.intent is not None)


def _match(
    rule: RoutingRule, classification: Classification, paths: Sequence[str], dialect: Dialect
) -> tuple[bool, str | None]:
    if rule.intent is not None and rule.intent != classification.intent:
        return False, None
    if not rule.paths:
        return True, None
    globs = compile_routing(rule.paths, dialect)
    path = next((path for path in paths if globs.matches(path)), None)
    return path is not None, path


def _route_of(rule: RoutingRule, index: int, path: str | None, dialect: Dialect) -> Route:
    return Route(
        source=RouteSource.RULE,
        chain=(rule.model, *rule.fallbacks),
        rule=rule.name,
        index=index,
        local_only=rule.local_only,
        driving_globs=rule.paths,
        requires=tuple(Capability(name) for name, wanted in rule.requires_capabilities.items() if wanted),
        matched_path=path,
        dialect=dialect,
    )
