"""The decision of a turn in one sentence: who serves it and why, or why nobody does ("Select a model" in domain.md)."""

from selection.engine.codes import LocalCause, RouteSource, SelectionError, Verdict
from selection.engine.outcome import Attempt, LocalRequirement, Outcome
from selection.engine.reasons import label_of
from selection.engine.route import Route


def decision_sentence(outcome: Outcome, *, withhold_names: bool = False) -> str:
    """Say in one sentence which model serves the turn and what decided it, or which error stands and why.

    `withhold_names` keeps the paths of restricted candidates out, as recorded rows must.
    """
    if outcome.model is not None:
        return f"`{outcome.model.name}` serves this turn, {_because(outcome, withhold_names=withhold_names)}."
    return f"No model serves this turn: {_refusal(outcome, withhold_names=withhold_names)}."


def _because(outcome: Outcome, *, withhold_names: bool) -> str:
    local, route = outcome.local, outcome.route
    barred = [attempt for attempt in outcome.attempts if attempt.verdict is Verdict.REMOTE_FORBIDDEN]
    if local is not None and local.required and (barred or local.positions):
        because = f"because {_local_cause(outcome, local, withhold_names=withhold_names)}"
        return (
            f"{because}: no remote model may see {'it' if len(local.positions) == 1 else 'them'}"
            if local.positions
            else because
        )
    if outcome.fallback_used:
        return f"because {_attempt_sentence(outcome.attempts[-2])}"
    return f"{_route_cause(route)}" if route is not None else ""


def _route_cause(route: Route) -> str:
    match route.source:
        case RouteSource.OVERRIDE:
            return "as the user asked for it by name"
        case RouteSource.RULE:
            return f"as the rule `{route.rule}` says"
        case RouteSource.DEFAULT:
            return "as the default route says"


def _local_cause(outcome: Outcome, local: LocalRequirement, *, withhold_names: bool) -> str:
    if local.positions and outcome.candidates is not None:
        first = label_of(outcome.candidates, local.positions[0], withhold_names=withhold_names)
        others = len(local.positions) - 1
        named = first if not others else f"{first} and {others:,} more"
        return f"{named} {'is' if not others else 'are'} required and restricted"
    rule = outcome.route.rule if outcome.route else None
    return {
        LocalCause.REQUIRED_RESTRICTED: "a required candidate is restricted",
        LocalCause.RULE_LOCAL_ONLY: f"the rule `{rule}` is local only",
        LocalCause.PREFERENCE_LOCAL_ONLY: "the preferences say local only",
        LocalCause.PREFERENCE_NO_NETWORK: "the preferences say no network",
        LocalCause.REMOTE_MODE_DENY: "the policy denies remote models",
    }[local.causes[0]]


def attempt_sentence(attempt: Attempt) -> str:
    """Say what became of one model of the chain, and what it lacked."""
    return f"{_attempt_sentence(attempt)[0].upper()}{_attempt_sentence(attempt)[1:]}." if attempt.model else ""


def _attempt_sentence(attempt: Attempt) -> str:
    missing = ", ".join(f"`{name}`" for name in attempt.missing)
    return {
        Verdict.UNKNOWN_MODEL: f"`{attempt.model}` is not in the catalog",
        Verdict.MISSING_PROVIDER_CREDENTIALS: f"no credential was supplied for {missing}",
        Verdict.REMOTE_FORBIDDEN: f"`{attempt.model}` is remote and only a local model may serve",
        Verdict.MISSING_CAPABILITY: f"`{attempt.model}` lacks {missing}",
        Verdict.CONTEXT_WINDOW_EXCEEDED: (
            f"the required candidates need {attempt.needed or 0:,} tokens and `{attempt.model}` has {attempt.available or 0:,}"
        ),
        Verdict.SELECTED: f"`{attempt.model}` may and can serve",
    }[attempt.verdict]


def _refusal(outcome: Outcome, *, withhold_names: bool) -> str:
    if outcome.error is SelectionError.NO_ROUTE:
        return "no rule matches and there is no default route"
    local = outcome.local
    if outcome.error is SelectionError.OVERRIDE_NOT_ALLOWED and local is not None and outcome.route is not None:
        return (
            f"`{outcome.route.chain[0]}` is remote, and {_local_cause(outcome, local, withhold_names=withhold_names)}"
        )
    if outcome.error is SelectionError.NO_LOCAL_MODEL and local is not None:
        return f"{_local_cause(outcome, local, withhold_names=withhold_names)}, and no model of the chain is local"
    if outcome.error is SelectionError.FALLBACK_EXHAUSTED:
        return f"none of the {len(outcome.attempts):,} models of the chain may and can serve"
    return _attempt_sentence(outcome.attempts[-1]) if outcome.attempts else f"`{outcome.error}`"
