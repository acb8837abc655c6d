"""The knob panel: each knob as the turn or the address sets it, with what a form needs to show it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from selection.actions.ask_what_if import Asked
from selection.actions.knobs import knobs_of
from selection.engine import Outcome
from selection.engine.codes import Mode
from selection.engine.privacy import PolicyList
from selection.engine.values import TurnInput
from selection.pages.inspector.forms import KnobForm

_LINES_SHOWN = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One choice of a knob."""

    value: str
    label: str
    chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternLine:
    """One pattern of a privacy list: how many of the turn's candidates it decides, or why it is invalid."""

    pattern: str
    decides: int
    invalid: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KnobPanel:
    """Everything that the form shows. `window` and `reserve` are what the address says; the `own_` ones what the model says."""

    models: tuple[Choice, ...]
    budget_model: str
    window: int | None
    reserve: int | None
    own_window: int
    own_reserve: int
    window_shown: int
    reserve_shown: int
    widest: int
    remote: tuple[Choice, ...]
    local_only: tuple[Choice, ...]
    no_network: tuple[Choice, ...]
    credentials: tuple[Choice, ...]
    referenced: str
    restricted: str
    blocked: str
    restricted_lines: tuple[PatternLine, ...]
    blocked_lines: tuple[PatternLine, ...]
    errors: Mapping[str, Sequence[str]]


def panel_of(asked: Asked, form: KnobForm) -> KnobPanel:
    """Give the panel of what the address asks, beside what was recorded."""
    turn, knobs, model = asked.outcome.turn, asked.knobs, asked.sized
    own = knobs_of(turn)
    unresized = next((known for known in asked.recorded.turn.models if model and known.name == model.name), None)
    own_window = unresized.max_context_tokens if unresized else 0
    own_reserve = (256 if unresized.max_output_tokens is None else unresized.max_output_tokens) if unresized else 0
    window = own_window if knobs.window is None else knobs.window
    reserve = own_reserve if knobs.reserve is None else knobs.reserve
    return KnobPanel(
        models=_models(turn, own.model or ""),
        budget_model=model.name if model else "",
        window=knobs.window,
        reserve=knobs.reserve,
        own_window=own_window,
        own_reserve=own_reserve,
        window_shown=window,
        reserve_shown=reserve,
        widest=max(window, min(2 * own_window, _everything(asked.outcome) + own_reserve), 1),
        remote=tuple(_choice(mode.value, own.remote == mode) for mode in Mode),
        local_only=_switch(on=bool(own.local_only)),
        no_network=_switch(on=bool(own.no_network)),
        credentials=_credentials(turn, own.credentials or ()),
        referenced="\n".join(own.referenced or ()),
        restricted="\n".join(own.restricted or ()),
        blocked="\n".join(own.blocked or ()),
        restricted_lines=_lines(asked.outcome, "privacy.restricted_paths"),
        blocked_lines=_lines(asked.outcome, "privacy.remote.blocked_paths"),
        errors={name: tuple(map(str, errors)) for name, errors in form.errors.items()},
    )


def _everything(outcome: Outcome) -> int:
    return sum(outcome.candidates.tokens) if outcome.candidates else 0


def _choice(value: str, chosen: bool, label: str = "") -> Choice:  # noqa: FBT001 - private, and always named by its place
    return Choice(value=value, label=label or value, chosen=chosen)


def _switch(*, on: bool) -> tuple[Choice, ...]:
    return _choice("off", not on), _choice("on", on)


def _models(turn: TurnInput, chosen: str) -> tuple[Choice, ...]:
    names = dict.fromkeys(model.name for model in turn.models)
    if chosen:
        names[chosen] = None
    return _choice("", not chosen, "as the route says"), *(_choice(name, name == chosen) for name in names)


def _credentials(turn: TurnInput, held: Sequence[str]) -> tuple[Choice, ...]:
    providers = dict.fromkeys([*(model.provider for model in turn.models if not model.local), *held])
    return tuple(_choice(provider, provider in held) for provider in sorted(providers))


def _lines(outcome: Outcome, place: str) -> tuple[PatternLine, ...]:
    candidates = outcome.candidates
    lists = candidates.privacy.lists if candidates else ()
    held = next((each for each in lists if each.place == place), None)
    if held is None or candidates is None:
        return ()
    decided = _decided(outcome, held)
    invalid = {fault.index: fault.why for fault in candidates.privacy.invalid_patterns(held)}
    return tuple(
        PatternLine(pattern=pattern, decides=decided[index], invalid=invalid.get(index, ""))
        for index, pattern in enumerate(held.patterns[:_LINES_SHOWN])
    )


def _decided(outcome: Outcome, held: PolicyList) -> Counter[int]:
    """Count, for each pattern of a list, the candidates whose mark names it."""
    candidates = outcome.candidates
    if candidates is None:
        return Counter()
    number = candidates.privacy.lists.index(held)
    return Counter(index for _, of, index in candidates.restrictions.values() if of == number)
