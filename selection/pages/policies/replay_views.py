"""The addresses of a replay: how far it is and what changes, the rows behind every number, and their export."""

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views import View

from selection import policy_queries
from selection.actions.audit.exported import exported
from selection.actions.exports import FORMATS, Columns, stream_export
from selection.actions.replays import cancel_replay
from selection.models import Replay
from selection.pages.inspector.look import HtmxRequest
from selection.pages.policies.replay_context import (
    decisions_of,
    decisions_page,
    paths_page,
    replay_page,
    turns_page,
)

_AT_ONCE: Final = 2_000
_PAGES: Final = {"decisions": decisions_page, "turns": turns_page, "paths": paths_page}


def _replay(request: HttpRequest, replay_id: UUID) -> Replay:
    replay = policy_queries.replay_of(request.user, replay_id)
    if replay is None:
        raise Http404
    return replay


class ReplayView(View):
    """One replay."""

    def get(self, request: HtmxRequest, replay_id: UUID) -> HttpResponse:
        """Show how far it is and what changes."""
        return _private(
            request, "selection/replay/detail.html", {"page": replay_page(request, _replay(request, replay_id))}
        )

    def post(self, request: HttpRequest, replay_id: UUID) -> HttpResponse:
        """Call it off."""
        cancel_replay(_replay(request, replay_id))
        return redirect("pages:replay", replay_id)


class ReplayRowsView(View):
    """The rows behind a number."""

    what = "decisions"

    def get(self, request: HttpRequest, replay_id: UUID) -> HttpResponse:
        """List them."""
        page = _PAGES[self.what](request, _replay(request, replay_id))
        return _private(request, f"selection/replay/{self.what}.html", {"page": page})


def _private(request: HttpRequest, template: str, context: Mapping[str, Any]) -> HttpResponse:
    response = render(request, template, dict(context))
    response["Cache-Control"] = "private, no-store"
    return response


_DECISIONS: Final[Columns] = {
    "change": lambda row: row.change,
    "path": lambda row: row.path,
    "pattern": lambda row: row.pattern,
    "place": lambda row: row.place,
    "kind": lambda row: row.kind,
    "position": lambda row: row.position,
    "tokens": lambda row: row.tokens,
    "turn": lambda row: str(row.run_input_id),
    "session": lambda row: str(row.session_id),
    "happened_at": lambda row: row.happened_at.isoformat(),
}
_TURNS: Final[Columns] = {
    "turn": lambda row: str(row.run_input_id),
    "session": lambda row: str(row.session_id),
    "happened_at": lambda row: row.happened_at.isoformat(),
    "verdict": lambda row: row.verdict,
    "why": lambda row: row.why,
    "changes": lambda row: row.changes,
    "model_before": lambda row: row.model_before,
    "model_after": lambda row: row.model_after,
    "remote_tokens": lambda row: row.remote_tokens,
    "local_tokens": lambda row: row.local_tokens,
    "withheld_tokens": lambda row: row.withheld_tokens,
}
_PATHS: Final[Columns] = {
    "path": lambda row: row["path"],
    "fate": lambda row: row["fate"],
    "turns": lambda row: row["seen"],
    "tokens": lambda row: row["size"],
}


class ReplayExportView(View):
    """Everything that a list shows, with a manifest."""

    def get(self, request: HttpRequest, replay_id: UUID, what: str, form: str) -> HttpResponseBase:
        """Send it."""
        replay = _replay(request, replay_id)
        if what not in _PAGES or form not in FORMATS:
            raise Http404
        asked = {
            name: str(value)
            for name, value in request.GET.items()
            if name in {"change", "path", "pattern", "verdict", "why", "fate"}
        }
        rows, columns = _exported(replay, what, asked)
        about = {
            "of": what,
            "replay": str(replay.pk),
            "filter": asked,
            "turns_chosen": replay.chosen,
            "policy_digest": replay.digest,
            "engine_version": replay.engine_version,
            "state": replay.state,
            "made_at": timezone.now().isoformat(),
            "chain_head": exported(request.user, f"replay {what}", form, {"replay": str(replay.pk)}),
        }
        pieces = stream_export(what, form, rows.iterator(chunk_size=_AT_ONCE), columns, about)
        response = StreamingHttpResponse(pieces, content_type="application/zip")
        response["Content-Disposition"] = f'attachment; filename="replay-{what}-{form}.zip"'
        response["Cache-Control"] = "private, no-store"
        return response


def _exported(replay: Replay, what: str, asked: Mapping[str, str]) -> tuple[Any, Columns]:
    match what:
        case "decisions":
            return decisions_of(replay, asked), _DECISIONS
        case "turns":
            return policy_queries.turns_with(replay, asked.get("verdict", ""), asked.get("why", "")), _TURNS
        case _:
            return policy_queries.paths_exposed(replay, asked.get("fate", "")), _PATHS
