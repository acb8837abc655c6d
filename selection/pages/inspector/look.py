"""One look at a turn: the turn of the user, the knobs and the view that the address asks for, and the selection that they give."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from uuid import UUID

from django.http import Http404, HttpRequest, QueryDict
from django_htmx.middleware import HtmxDetails

from selection import queries
from selection.actions.ask_what_if import Asked, ask, is_closed, outcome_under
from selection.actions.knobs import Knobs
from selection.actions.open_turn import OpenTurn, open_turn
from selection.engine import Outcome
from selection.engine.candidates import Candidate
from selection.models import SessionRunInput
from selection.pages.inspector.forms import KnobForm
from selection.pages.inspector.view_state import ViewState


class HtmxRequest(HttpRequest):
    """A request as the htmx middleware leaves it."""

    htmx: HtmxDetails


def turn_or_404(request: HttpRequest, turn_id: UUID) -> SessionRunInput:
    """Give a turn of the user; to everybody else it does not exist."""
    turn = queries.turn_of(request.user, turn_id)
    if turn is None:
        raise Http404
    return turn


Drafts = Callable[[str], str]


@dataclass(frozen=True)
class Look:
    """What an address asks of a turn: `knobs` are the changes that are valid, the form holds what is amiss with the others."""

    opened: OpenTurn
    form: KnobForm
    knobs: Knobs
    view: ViewState
    drafts: Drafts

    @cached_property
    def pinned(self) -> Knobs:
        """The changes of the pinned baseline; none: the turn as recorded."""
        return form_of(QueryDict(self.view.base), self.opened, self.drafts).knobs() if self.view.base else Knobs()

    @property
    def outcome(self) -> Outcome:
        """The selection under the knobs."""
        return outcome_under(self.opened, self.knobs)

    @property
    def baseline(self) -> Outcome:
        """The selection that it is compared with."""
        return outcome_under(self.opened, self.pinned)

    def is_closed(self, position: int) -> bool:
        """Tell whether content stays closed until it is revealed, as recorded or under the knobs."""
        return is_closed(self.opened.outcome, position) or is_closed(self.outcome, position)

    def ask(self) -> Asked:
        """Give both, and what moved between them."""
        return ask(self.opened, self.knobs, self.pinned)

    def candidate_or_404(self, position: int) -> Candidate:
        """Give one candidate of the turn."""
        candidates = self.outcome.candidates
        if candidates is None or position >= len(candidates):
            raise Http404
        return candidates[position]


def look_at(request: HttpRequest, row: SessionRunInput) -> Look:
    """Read an address against a turn that was asked of the database for its user."""
    opened = open_turn(row)
    drafts = partial(draft_or_404, request)
    form = form_of(request.GET, opened, drafts)
    return Look(opened, form, form.knobs(), ViewState.read(request.GET), drafts)


def form_of(query: QueryDict, opened: OpenTurn, drafts: Drafts) -> KnobForm:
    """Read the knobs of `query`, with the text of the draft that it names."""
    named = query.get("draft")
    return KnobForm(query, opened.prepared.turn, drafts(named) if named else None)


def draft_or_404(request: HttpRequest, named: str) -> str:
    """Give the text of a draft of the user; to everybody else it does not exist."""
    try:
        draft = queries.draft_of(request.user, UUID(named))
    except ValueError:
        draft = None
    if draft is None:
        raise Http404
    return draft.text
