"""What is asked of one candidate, or of the prompt: why, what would flip it, its content, and the prompt as a file."""

import json
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views import View

from selection.actions.ask_what_if import is_closed, select_under
from selection.actions.flips import flips_of
from selection.actions.reveal_content import reveal_content
from selection.engine import Outcome, build_prompt, chat_completions
from selection.engine.candidates import Candidate
from selection.pages.inspector.address import query_of
from selection.pages.inspector.flips_panel import flips_panel
from selection.pages.inspector.look import HtmxRequest, Look, look_at, turn_or_404
from selection.pages.inspector.sealed_views import TakesAnswers
from selection.pages.inspector.why import why_of


def _private(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "private, no-store"
    return response


def _page_address(look: Look, position: int) -> str:
    turn = reverse("pages:turn", args=[look.opened.row.pk])
    query = query_of(look.knobs, **look.view.with_(row=position, page=look.view.page))
    return f"{turn}{query}"


class WhyView(TakesAnswers):
    """The why panel of one candidate; a browser without script gets the page with the panel open."""

    def get(self, request: HtmxRequest, turn_id: UUID, position: int) -> HttpResponse:
        """Explain the candidate under the knobs of the address."""
        look = look_at(request, turn_or_404(request, turn_id))
        look.candidate_or_404(position)
        address = _page_address(look, position)
        if not request.htmx:
            return redirect(address)
        view = replace(look.view, row=position)
        context = {
            "why": why_of(look.outcome, look.baseline, position, closed=look.is_closed),
            "turn_id": turn_id,
            "row_query": query_of(look.knobs, **view.with_(row=None, page=view.page)),
            "knob_query": query_of(look.knobs, **view.with_()),
        }
        response = render(request, "selection/inspector/_why.html", context)
        response["HX-Push-Url"] = address
        return _private(response)

    def post(self, request: HtmxRequest, turn_id: UUID, position: int) -> HttpResponse:
        """Explain the candidate with the rows opened that the client sends along."""
        return self.get(request, turn_id, position)


class FlipsView(View):
    """What would flip one candidate: every claim a what-if that was run for it."""

    def get(self, request: HtmxRequest, turn_id: UUID, position: int) -> HttpResponse:
        """Run the what-ifs and show what they did."""
        look = look_at(request, turn_or_404(request, turn_id))
        look.candidate_or_404(position)
        outcome, turn = look.outcome, reverse("pages:turn", args=[turn_id])
        flips = flips_of(outcome, position, look.knobs, lambda knobs: select_under(look.opened.prepared, knobs))
        panel = flips_panel(
            outcome, flips, lambda knobs: f"{turn}{query_of(knobs, **look.view.with_(row=flips.position, tab=''))}"
        )
        template = "_flips.html" if request.htmx else "flips.html"
        context = {"flips": panel, "turn_id": turn_id, "back": _page_address(look, position)}
        return _private(render(request, f"selection/inspector/{template}", context))


class ContentView(TakesAnswers):
    """The content of one candidate, on demand: what is restricted only after an explicit reveal, what is sealed never."""

    def get(self, request: HtmxRequest, turn_id: UUID, position: int) -> HttpResponse:
        """Show the content where nothing restricts it."""
        look = look_at(request, turn_or_404(request, turn_id))
        candidate = look.candidate_or_404(position)
        return self._answer(request, look, candidate, shown=not look.is_closed(position))

    def post(self, request: HtmxRequest, turn_id: UUID, position: int) -> HttpResponse:
        """Reveal restricted content, and leave a trace of it."""
        row = turn_or_404(request, turn_id)
        look = look_at(request, row)
        candidate = look.candidate_or_404(position)
        if look.is_closed(position) and not candidate.sealed:
            reveal_content(request.user, row, _closing(look, position), [position], "shown")
        return self._answer(request, look, candidate, shown=True)

    @staticmethod
    def _answer(request: HtmxRequest, look: Look, candidate: Candidate, *, shown: bool) -> HttpResponse:
        candidates = look.outcome.candidates
        content = candidates.content_of(candidate.position) if candidates is not None and shown else None
        context: dict[str, Any] = {
            "content": content if isinstance(content, str) else None,
            "candidate": candidate,
            "turn_id": look.opened.row.pk,
            "knob_query": query_of(look.knobs),
        }
        template = "_content.html" if request.htmx else "content.html"
        return _private(render(request, f"selection/inspector/{template}", context))


def _closing(look: Look, position: int) -> Outcome:
    """Give the selection that restricts a candidate: the one as recorded where it does."""
    return look.opened.outcome if is_closed(look.opened.outcome, position) else look.outcome


def _closed_in_prompt(look: Look) -> tuple[int, ...]:
    return tuple(position for position in look.outcome.included if look.is_closed(position))


class PromptView(TakesAnswers):
    """The prompt in the common chat-completions shape, as a file; with restricted content in it only by an explicit reveal."""

    def get(self, request: HttpRequest, turn_id: UUID) -> HttpResponse:
        """Give the file; where it holds restricted content, ask first."""
        look = look_at(request, turn_or_404(request, turn_id))
        if _closed_in_prompt(look):
            return redirect(f"{reverse('pages:turn', args=[turn_id])}{query_of(look.knobs, tab='prompt')}")
        return self._file(look)

    def post(self, request: HttpRequest, turn_id: UUID) -> HttpResponse:
        """Give the file with everything that is in it, and leave a trace of the restricted part."""
        row = turn_or_404(request, turn_id)
        look = look_at(request, row)
        closed = _closed_in_prompt(look)
        if closed:
            reveal_content(request.user, row, _closing(look, closed[0]), closed, "downloaded")
        return self._file(look)

    @staticmethod
    def _file(look: Look) -> HttpResponse:
        outcome = look.outcome
        model = outcome.model.name if outcome.model else ""
        prompt = chat_completions(build_prompt(outcome), model)
        response = JsonResponse(
            prompt, json_dumps_params={"ensure_ascii": False, "indent": 2}, encoder=json.JSONEncoder
        )
        response["Content-Disposition"] = f'attachment; filename="turn-{look.opened.row.position + 1}-prompt.json"'
        return _private(response)
