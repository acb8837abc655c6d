"""The sessions of a user: the list, one session with its turns, and its deletion."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views import View

from selection import queries
from selection.actions.delete_session import delete_session
from selection.models import SelectionRun, Session, SessionRunInput
from selection.pages.figures import Figures, figures_of_run
from selection.pages.starting import StartingPolicy, starting_policy_of

_SESSIONS_A_PAGE, _TURNS_A_PAGE = 50, 50
_MOST_SEARCHED = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionsPage:
    """The list of sessions. Each has how many `turns` and `messages` it holds."""

    sessions: Page[Session]
    search: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One turn of the timeline, with its last recorded selection."""

    turn: SessionRunInput
    run: SelectionRun | None
    figures: Figures | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionPage:
    """One session with a page of its turns."""

    session: Session
    steps: tuple[Step, ...]
    turns: Page[SessionRunInput]
    starting: StartingPolicy | None


def session_or_404(request: HttpRequest, session_id: UUID) -> Session:
    """Give a session of the user; to everybody else it does not exist."""
    session = queries.session_of(request.user, session_id)
    if session is None:
        raise Http404
    return session


class SessionsView(View):
    """All sessions of the user."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """List and search."""
        search = request.GET.get("search", "").replace("\0", "").strip()[:_MOST_SEARCHED]
        pages = Paginator(queries.sessions_of(request.user, search), _SESSIONS_A_PAGE)
        page = SessionsPage(sessions=pages.get_page(request.GET.get("page")), search=search)
        return render(request, "selection/sessions/detail.html", {"page": page})


class SessionView(View):
    """One session: its turns as a timeline."""

    def get(self, request: HttpRequest, session_id: UUID) -> HttpResponse:
        """Show the turns."""
        session = session_or_404(request, session_id)
        pages = Paginator(queries.turns_of(request.user, session), _TURNS_A_PAGE)
        turns = pages.get_page(request.GET.get("page"))
        page = SessionPage(
            session=session, steps=_steps(turns), turns=turns, starting=starting_policy_of(request.user, session)
        )
        return render(request, "selection/session/detail.html", {"page": page})


def _steps(turns: Page[SessionRunInput]) -> tuple[Step, ...]:
    shown: list[Any] = list(turns)
    runs = SelectionRun.objects.in_bulk([turn.last_run for turn in shown if turn.last_run])
    return tuple(_step(turn, runs.get(turn.last_run)) for turn in shown)


def _step(turn: SessionRunInput, run: SelectionRun | None) -> Step:
    return Step(turn=turn, run=run, figures=figures_of_run(run) if run else None)


class DeleteView(View):
    """Delete a session, after a question."""

    def get(self, request: HttpRequest, session_id: UUID) -> HttpResponse:
        """Ask."""
        return render(request, "selection/session/delete.html", {"session": session_or_404(request, session_id)})

    def post(self, request: HttpRequest, session_id: UUID) -> HttpResponse:
        """Delete."""
        delete_session(session_or_404(request, session_id))
        messages.success(request, "The session and everything that was recorded of it are deleted.")
        return redirect("pages:sessions")
