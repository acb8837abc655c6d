"""Select a model: who may serve the turn, and the walk over the chain ("Select a model" in domain.md)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from selection.engine.candidates import CandidateSet
from selection.engine.codes import Auth, LocalCause, Mode, RouteSource, SelectionError, Verdict
from selection.engine.outcome import Attempt, LocalRequirement
from selection.engine.route import Route
from selection.engine.values import ModelDescriptor, TurnInput

UNBOUNDED_REPLY_RESERVE: Final = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The model that serves, or the error; with every attempt."""

    model: ModelDescriptor | None
    error: SelectionError | None
    attempts: tuple[Attempt, ...]


def reply_reserve(model: ModelDescriptor) -> int:
    """Tell how many tokens are kept for the reply: the model's bound, or 256 where it leaves the reply unbounded."""
    return UNBOUNDED_REPLY_RESERVE if model.max_output_tokens is None else model.max_output_tokens


def effective_budget(model: ModelDescriptor) -> int:
    """Tell how many tokens the context may take: the window less the reply reserve, never negative."""
    return max(0, model.max_context_tokens - reply_reserve(model))


def require_local(turn: TurnInput, route: Route, candidates: CandidateSet) -> LocalRequirement:
    """Tell whether only local models may serve, with every cause."""
    positions = tuple(position for position in candidates.required if position in candidates.restrictions)
    holds = {
        LocalCause.REQUIRED_RESTRICTED: bool(positions),
        LocalCause.RULE_LOCAL_ONLY: route.local_only,
        LocalCause.PREFERENCE_LOCAL_ONLY: turn.local_preferences.local_only,
        LocalCause.PREFERENCE_NO_NETWORK: turn.local_preferences.no_network,
        LocalCause.REMOTE_MODE_DENY: turn.policy.privacy.remote.mode is Mode.DENY,
    }
    causes = tuple(cause for cause, held in holds.items() if held)
    return LocalRequirement(required=bool(causes), causes=causes, positions=positions)


def choose_model(turn: TurnInput, route: Route, local: LocalRequirement, required_tokens: int) -> Choice:
    """Walk the chain to the first model that may and can serve; nothing is ever cut to make a model fit."""
    catalog = {model.name: model for model in reversed(turn.models)}
    if _is_refused_override(route, local, catalog):
        return Choice(model=None, error=SelectionError.OVERRIDE_NOT_ALLOWED, attempts=())
    attempts: list[Attempt] = []
    for name in route.chain:
        model = catalog.get(name)
        attempt = _attempt(name, model, turn, route, local, required_tokens)
        attempts.append(attempt)
        if attempt.verdict is Verdict.SELECTED:
            return Choice(model=model, error=None, attempts=tuple(attempts))
    return Choice(model=None, error=_error_of(route, attempts), attempts=tuple(attempts))


def _is_refused_override(route: Route, local: LocalRequirement, catalog: dict[str, ModelDescriptor]) -> bool:
    """A remote override is refused outright where only a local model may serve; nothing is tried."""
    model = catalog.get(route.chain[0])
    return route.source is RouteSource.OVERRIDE and local.required and model is not None and not model.local


def _attempt(
    name: str,
    model: ModelDescriptor | None,
    turn: TurnInput,
    route: Route,
    local: LocalRequirement,
    required_tokens: int,
) -> Attempt:
    if model is None:
        return Attempt(model=name, verdict=Verdict.UNKNOWN_MODEL)
    if model.auth is Auth.API_KEY and model.provider not in turn.credentials:
        return Attempt(model=name, verdict=Verdict.MISSING_PROVIDER_CREDENTIALS, missing=(model.provider,))
    if local.required and not model.local:
        return Attempt(model=name, verdict=Verdict.REMOTE_FORBIDDEN)
    missing = tuple(capability.value for capability in route.requires if not model.capabilities.get(capability))
    if missing:
        return Attempt(model=name, verdict=Verdict.MISSING_CAPABILITY, missing=missing)
    available = effective_budget(model)
    verdict = Verdict.CONTEXT_WINDOW_EXCEEDED if required_tokens > available else Verdict.SELECTED
    return Attempt(model=name, verdict=verdict, needed=required_tokens, available=available)


def _error_of(route: Route, attempts: Sequence[Attempt]) -> SelectionError:
    verdicts = [attempt.verdict for attempt in attempts if attempt.verdict is not Verdict.REMOTE_FORBIDDEN]
    if not verdicts:
        return SelectionError.NO_LOCAL_MODEL
    if set(verdicts) == {Verdict.CONTEXT_WINDOW_EXCEEDED}:
        return SelectionError.CONTEXT_WINDOW_EXCEEDED
    override = route.source is RouteSource.OVERRIDE
    return SelectionError(verdicts[0].value) if override else SelectionError.FALLBACK_EXHAUSTED
