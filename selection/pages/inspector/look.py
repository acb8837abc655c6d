"""One look at a turn: the turn of the user, the knobs and the view that the address asks for, and the selection that they give."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from uuid import UUID

from django.http import Http404, HttpRequest, QueryDict
from django_htmx.middleware import HtmxDetails

from selection import queries
from selection.actions.ask_what_if import Asked, ask, is_closed, outcome_under, with_rows_opened
from selection.actions.decrypt_pause import answer_pause
from selection.actions.knobs import Knobs
from selection.actions.open_turn import OpenTurn, open_turn
from selection.documents.answer import Answer, read_answer
from selection.engine import Outcome
from selection.engine.candidates import Candidate
from selection.models import Owner, SessionRunInput
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
    """What an address asks of a turn: `knobs` are the changes that are valid, the form holds what is amiss with the others.

    `answer` is what a client opened of a sealed turn, where it sent that along; it is gone with the request.
    """

    user: Owner
    opened: OpenTurn
    form: KnobForm
    knobs: Knobs
    view: ViewState
    drafts: Drafts
    answer: Answer | None = None

    @cached_property
    def pinned(self) -> Knobs:
        """The changes of the pinned baseline; none: the turn as recorded."""
        return form_of(QueryDict(self.view.base), self.opened, self.drafts).knobs() if self.view.base else Knobs()

    @property
    def paused(self) -> Outcome:
        """The selection under the knobs, before any row is opened."""
        return outcome_under(self.opened, self.knobs)

    @property
    def is_kept(self) -> bool:
        """Whether a pause is stored: that of the turn as its rows say, never that of a what-if."""
        return self.knobs == Knobs()

    @cached_property
    def outcome(self) -> Outcome:
        """The selection under the knobs, with its rows opened where the client sent them. Raises `AnswerRefused`."""
        if self.answer is None:
            return self.paused
        return answer_pause(self.user, self.opened.row, self.paused, self.answer, keep=self.is_kept)

    @property
    def baseline(self) -> Outcome:
        """The selection that it is compared with."""
        return outcome_under(self.opened, self.pinned)

    def is_closed(self, position: int) -> bool:
        """Tell whether content stays closed until it is revealed, as recorded or under the knobs."""
        return is_closed(self.opened.outcome, position) or is_closed(self.outcome, position)

    def ask(self) -> Asked:
        """Give both, and what moved between them."""
        asked = ask(self.opened, self.knobs, self.pinned)
        return asked if self.answer is None else with_rows_opened(asked, self.outcome)

    def candidate_or_404(self, position: int) -> Candidate:
        """Give one candidate of the turn."""
        candidates = self.outcome.candidates
        if candidates is None or position >= len(candidates):
            raise Http404
        return candidates[position]


def look_at(request: HttpRequest, row: SessionRunInput) -> Look:
    """Read an address against a turn that was asked of the database for its user. Raises `InvalidDocument` for an answer that cannot be read."""
    opened = open_turn(row)
    drafts = partial(draft_or_404, request)
    form = form_of(request.GET, opened, drafts)
    given = request.POST.get("answer") if request.method == "POST" else None
    answer = None if given is None else read_answer(given)
    return Look(request.user, opened, form, form.knobs(), ViewState.read(request.GET), drafts, answer)


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
