"""The what-if knobs: what can be changed, as the address says it.

A knob that says what the turn itself says is no change, so that an address holds only what differs and reads as the what-if that it is.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any, Final

from selection.documents.policy import read_policy_toml
from selection.engine import Outcome
from selection.engine.codes import Mode, Verdict
from selection.engine.values import ModelDescriptor, Policy, TurnInput

_POLICY: Final = frozenset({"policy", "draft"})
# Every link of a page holds the whole what-if, and servers on the way refuse long addresses: a longer list or policy belongs in a draft.
MOST_CHARACTERS: Final = 1_500


@dataclass(frozen=True, slots=True, kw_only=True)
class Knobs:
    """What is changed; None: as the turn says. `window` and `reserve` are tokens, of the model that serves as the other knobs stand.

    `policy` is a text as the router's configuration, in place of the turn's policy; `draft` the id of the saved draft that it was read from.
    """

    policy: str | None = None
    draft: str | None = None
    model: str | None = None
    window: int | None = None
    reserve: int | None = None
    remote: Mode | None = None
    local_only: bool | None = None
    no_network: bool | None = None
    credentials: tuple[str, ...] | None = None
    referenced: tuple[str, ...] | None = None
    restricted: tuple[str, ...] | None = None
    blocked: tuple[str, ...] | None = None

    def changed(self) -> Iterator[tuple[str, Any]]:
        """Give each knob that is changed."""
        for field in fields(self):
            value = getattr(self, field.name)
            if value is not None:
                yield field.name, value

    def without(self, name: str) -> "Knobs":
        """Take one change back; a draft goes with its policy."""
        return replace(self, policy=None, draft=None) if name in _POLICY else replace(self, **{name: None})

    @property
    def beside_policy(self) -> "Knobs":
        """The knobs but for those that change the policy."""
        return replace(self, policy=None, draft=None, restricted=None, blocked=None, remote=None)

    @property
    def beside_budget(self) -> "Knobs":
        """The knobs but for the two that only change how much fits."""
        return replace(self, window=None, reserve=None)


def knobs_of(turn: TurnInput) -> Knobs:
    """Give the knobs as the turn itself sets them; the budget's two are set by whichever model serves."""
    policy, preferences = turn.policy, turn.local_preferences
    return Knobs(
        model=turn.input.explicit_model or "",
        remote=policy.privacy.remote.mode or Mode.ASK,
        local_only=preferences.local_only,
        no_network=preferences.no_network,
        credentials=tuple(sorted(set(turn.credentials))),
        referenced=turn.workspace.referenced_paths,
        restricted=policy.privacy.restricted_paths,
        blocked=policy.privacy.remote.blocked_paths,
    )


@lru_cache(maxsize=64)
def _policy_of(text: str) -> Policy:
    return read_policy_toml(text).policy


def with_policy(turn: TurnInput, knobs: Knobs) -> TurnInput:
    """Put the policy that the knobs bring in place of the turn's; the text was checked when the address was read."""
    return turn if knobs.policy is None else replace(turn, policy=_policy_of(knobs.policy))


def apply_knobs(turn: TurnInput, knobs: Knobs) -> TurnInput:
    """Change `turn` as the knobs say, but for window and reserve; what no knob changes stays the same object."""
    turn = with_policy(turn, knobs)
    return replace(
        turn,
        input=turn.input if knobs.model is None else replace(turn.input, explicit_model=knobs.model or None),
        workspace=turn.workspace
        if knobs.referenced is None
        else replace(turn.workspace, referenced_paths=knobs.referenced),
        policy=turn.policy if _keeps_privacy(knobs) else replace(turn.policy, privacy=_privacy(turn, knobs)),
        local_preferences=replace(
            turn.local_preferences, **_given(local_only=knobs.local_only, no_network=knobs.no_network)
        ),
        credentials=turn.credentials if knobs.credentials is None else knobs.credentials,
    )


def _keeps_privacy(knobs: Knobs) -> bool:
    return knobs.remote is None and knobs.restricted is None and knobs.blocked is None


def _privacy(turn: TurnInput, knobs: Knobs) -> Any:
    privacy = turn.policy.privacy
    remote = replace(privacy.remote, **_given(mode=knobs.remote, blocked_paths=knobs.blocked))
    return replace(privacy, remote=remote, **_given(restricted_paths=knobs.restricted))


def _given(**values: object) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def budget_model(outcome: Outcome) -> ModelDescriptor | None:
    """Give the model whose window and reserve the budget knobs change, of the selection without those two: the one that serves, else the first too small."""
    if outcome.model is not None:
        return outcome.model
    too_small = (attempt.model for attempt in outcome.attempts if attempt.verdict is Verdict.CONTEXT_WINDOW_EXCEEDED)
    return next((model for name in too_small if (model := _known(outcome.turn, name))), None)


def sized_model(beside: Outcome, outcome: Outcome) -> ModelDescriptor | None:
    """Give that model as `outcome` sizes it; `beside` is the selection under the same knobs but for window and reserve."""
    model = budget_model(beside)
    return None if model is None else _known(outcome.turn, model.name)


def _known(turn: TurnInput, name: str) -> ModelDescriptor | None:
    return next((model for model in turn.models if model.name == name), None)


def resize(turn: TurnInput, model: ModelDescriptor, knobs: Knobs) -> TurnInput:
    """Give `model` another window or reply reserve in the catalog of `turn`."""
    resized = replace(model, **_given(max_context_tokens=knobs.window, max_output_tokens=knobs.reserve))
    return replace(turn, models=tuple(resized if known.name == model.name else known for known in turn.models))


def pairs_of(knobs: Knobs) -> list[tuple[str, str]]:
    """Give each changed knob as an address or a form carries it: of a saved draft its id, not its text."""
    return [(name, _written(value)) for name, value in knobs.changed() if name != "policy" or knobs.draft is None]


def _written(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return "\n".join(value) if isinstance(value, tuple) else str(value)


def is_writable(lines: tuple[str, ...]) -> bool:
    """Tell whether an address carries a list of lines unharmed: short enough, and no value that is more than a line."""
    return sum(map(len, lines)) + len(lines) <= MOST_CHARACTERS and not any(
        "\n" in line or "\r" in line for line in lines
    )
