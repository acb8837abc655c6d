"""The policy that an imported session begins with, and what it might restrict: each suggestion is a link that tries it on the last turn."""

from dataclasses import dataclass

from django.urls import reverse

from selection import queries
from selection.actions.knobs import Knobs
from selection.documents.plain import from_plain
from selection.engine.sensitive import suggest_for
from selection.engine.values import Policy
from selection.importers.conversation import RECORDED_POLICY
from selection.models import Owner, Session
from selection.pages.inspector.address import query_of
from selection.pages.inspector.suggested import SuggestedLine, line_of


@dataclass(frozen=True, slots=True, kw_only=True)
class StartingPolicy:
    """A policy that nobody wrote: the route of the last turn, and what it might restrict."""

    route: str
    policy_href: str
    suggestions: tuple[SuggestedLine, ...]


def starting_policy_of(user: Owner, session: Session) -> StartingPolicy | None:
    """Give the policy that an import made up for a session; None where its turns have one that was recorded, or there is none."""
    turn = queries.last_turn_of(user, session) if session.import_report else None
    if turn is None or turn.policy.get("source") != RECORDED_POLICY:
        return None
    address = reverse("pages:turn", args=[turn.pk])
    policy = from_plain(Policy, turn.policy)

    def tried(knobs: Knobs) -> str:
        return f"{address}{query_of(knobs)}"

    suggestions = suggest_for(queries.paths_of(user, session))
    return StartingPolicy(
        route=policy.routing.default.model if policy.routing.default else "",
        policy_href=f"{address}?tab=policy",
        suggestions=tuple(line_of(suggestion, Knobs(), policy, tried) for suggestion in suggestions),
    )
