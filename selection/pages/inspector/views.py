"""The inspector's addresses: the page and its fragments, and the recording of a turn."""

from uuid import UUID, uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views import View

from selection import queries
from selection.actions.open_turn import open_turn
from selection.actions.record_run import record_run
from selection.models import SessionRunInput
from selection.pages.figures import figures_of
from selection.pages.inspector.context import Beside, InspectorPage, Place, page_of
from selection.pages.inspector.look import HtmxRequest, Look, look_at, turn_or_404
from selection.pages.inspector.panel import panel_of
from selection.pages.inspector.policy_tab import Typed, policy_tab
from selection.pages.inspector.sealed_views import TakesAnswers

_RUNS_SHOWN = 50


class InspectorView(TakesAnswers):
    """One turn: the page, or for htmx what changed of it."""

    def get(self, request: HtmxRequest, turn_id: UUID) -> HttpResponse:
        """Show the turn as the address asks."""
        row = turn_or_404(request, turn_id)
        look = look_at(request, row)
        return show(request, look, status=422 if look.form.errors else 200)

    def post(self, request: HtmxRequest, turn_id: UUID) -> HttpResponse:
        """Show the turn with the rows opened that the client sends along."""
        return self.get(request, turn_id)


def show(request: HtmxRequest, look: Look, typed: Typed | None = None, status: int = 200) -> HttpResponse:
    """Show a look at a turn; `typed` is what stands in the policy editor where the address does not hold it."""
    row, asked, view = look.opened.row, look.ask(), look.view
    runs = tuple(queries.runs_of(request.user, row)[:_RUNS_SHOWN]) if view.tab == "recorded" else ()
    policy = policy_tab(request.user, look, typed) if view.tab == "policy" else None
    beside = Beside(runs=runs, policy=policy)
    page = page_of(_place(request, row), asked, panel_of(asked, look.form), view, beside)
    return _answer(request, page, status=status)


def _place(request: HttpRequest, row: SessionRunInput) -> Place:
    before, after, number = queries.neighbours_of(request.user, row)
    return Place(
        turn_id=row.pk,
        number=row.position + 1,
        of=number,
        before=before,
        after=after,
        session_id=row.session_id,
        session_title=row.session.title or "",
        key_id=row.session.key_id or "",
    )


_FRAGMENTS = {"answer": "selection/inspector/_update.html", "more": "selection/inspector/_more.html"}


def _answer(request: HtmxRequest, page: InspectorPage, status: int) -> HttpResponse:
    wanted = request.htmx.target if request.htmx and not request.htmx.history_restore_request else None
    template = _FRAGMENTS.get(wanted or "", "selection/inspector/detail.html")
    response = render(request, template, {"page": page, "answer": page.answer}, status=status)
    if wanted == "answer" and status == HttpResponse.status_code:
        address = f"{request.path}{page.answer.address}".removesuffix("?")
        if request.htmx.current_url_abs_path != address:
            response["HX-Push-Url"] = address
    response["Cache-Control"] = "private, no-store"
    patch_vary_headers(response, ["HX-Request", "HX-Target"])
    return response


class SummaryView(View):
    """The figures of one turn, for the timeline of its session."""

    def get(self, request: HttpRequest, turn_id: UUID) -> HttpResponse:
        """Select the turn and show who serves it, and how much of the budget is used."""
        outcome = open_turn(turn_or_404(request, turn_id)).outcome
        return render(request, "selection/session/_figures.html", {"figures": figures_of(outcome)})


class RecordView(TakesAnswers):
    """Record the selection of a turn as its rows say, with its sealed rows opened where the client sends them; a what-if is never recorded."""

    def post(self, request: HttpRequest, turn_id: UUID) -> HttpResponse:
        """Record, once for each key that a page was given."""
        row = turn_or_404(request, turn_id)
        look = look_at(request, row)
        outcome = look.outcome if look.is_kept else look.opened.outcome
        run = record_run(request.user, row, outcome, _key(request))
        said = f"Recorded: {run.references.count():,} references."
        if look.answer is not None:
            return JsonResponse({"said": said})
        messages.success(request, said)
        return redirect(f"{reverse('pages:turn', args=[row.pk])}?tab=recorded")


def _key(request: HttpRequest) -> UUID:
    try:
        return UUID(request.POST.get("key", ""))
    except ValueError:
        return uuid4()
