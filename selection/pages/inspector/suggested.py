"""Suggestions for a policy, each a link that tries it on this turn."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from selection.actions.ask_what_if import Asked
from selection.actions.knobs import Knobs, is_writable
from selection.engine.sensitive import Suggestion, suggest
from selection.engine.values import Policy

_MOST_SHOWN = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestedLine:
    """One suggestion; `href` is empty where the list would be too long for an address."""

    suggestion: Suggestion
    shown: tuple[str, ...]
    more: int
    href: str


def suggestions_of(asked: Asked, address: Callable[[Knobs], str]) -> tuple[SuggestedLine, ...]:
    """Give the suggestions for the policy as the knobs leave it."""
    return tuple(
        line_of(suggestion, asked.knobs, asked.outcome.turn.policy, address) for suggestion in suggest(asked.outcome)
    )


def line_of(suggestion: Suggestion, knobs: Knobs, policy: Policy, address: Callable[[Knobs], str]) -> SuggestedLine:
    """Give a suggestion with the address that tries it beside what `policy` restricts already."""
    more = tuple(dict.fromkeys((*policy.privacy.restricted_paths, *suggestion.patterns)))
    return SuggestedLine(
        suggestion=suggestion,
        shown=suggestion.paths[:_MOST_SHOWN],
        more=max(0, len(suggestion.paths) - _MOST_SHOWN),
        href=address(replace(knobs, restricted=more)) if is_writable(more) else "",
    )
