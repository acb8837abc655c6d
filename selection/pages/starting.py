"""The policy that an imported session begins with, and what it might restrict: each suggestion is a link that tries it on the last turn."""

from dataclasses import dataclass
from typing import Final

from django.urls import reverse

from selection import queries
from selection.actions.knobs import Knobs, is_writable
from selection.engine.sensitive import Suggestion, suggest_for
from selection.importers.conversation import RECORDED_POLICY
from selection.models import Owner, Session
from selection.pages.inspector.address import query_of

_MOST_SHOWN: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestedPatterns:
    """Lines for `restricted_paths`, what they are for, and some of the session's paths that they would restrict."""

    suggestion: Suggestion
    shown: tuple[str, ...]
    more: int
    href: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StartingPolicy:
    """A policy that nobody wrote: the route of the last turn, and what it might restrict."""

    route: str
    policy_href: str
    suggestions: tuple[SuggestedPatterns, ...]


def starting_policy_of(user: Owner, session: Session) -> StartingPolicy | None:
    """Give the policy that an import made up for a session; None where its turns have one that was recorded, or there is none."""
    turn = queries.last_turn_of(user, session) if session.import_report else None
    if turn is None or turn.policy.get("source") != RECORDED_POLICY:
        return None
    address = reverse("pages:turn", args=[turn.pk])
    default = turn.policy.get("routing", {}).get("default") or {}
    return StartingPolicy(
        route=str(default.get("model", "")),
        policy_href=f"{address}?tab=policy",
        suggestions=tuple(_shown(suggestion, address) for suggestion in suggest_for(queries.paths_of(user, session))),
    )


def _shown(suggestion: Suggestion, address: str) -> SuggestedPatterns:
    knobs = Knobs(restricted=suggestion.patterns)
    return SuggestedPatterns(
        suggestion=suggestion,
        shown=suggestion.paths[:_MOST_SHOWN],
        more=max(0, len(suggestion.paths) - _MOST_SHOWN),
        href=f"{address}{query_of(knobs)}" if is_writable(suggestion.patterns) else "",
    )
