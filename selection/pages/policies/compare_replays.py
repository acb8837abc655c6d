"""Two replays beside each other: what each kind of change comes to, and the lines that only one of them has."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views import View

from selection import policy_queries
from selection.models import Replay
from selection.pages.policies.replay_context import WORDS, Line, line_of

_MOST_READ: Final = 10_000
_MOST_SHOWN: Final = 100
_KEY: Final = ("change", "path", "pattern")


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One replay, how many of its turns change, and the lines that the other one does not have; `more` are not shown."""

    replay: Replay
    tally: policy_queries.Tally
    lines: tuple[Line, ...]
    more: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplaysPage:
    """Two replays; `bounded` when one of them has more lines than were compared."""

    left: Side
    right: Side
    kinds: tuple[tuple[str, int, int], ...]
    bounded: bool
    same_turns: bool


class CompareReplaysView(View):
    """Compare a replay with another."""

    def get(self, request: HttpRequest, replay_id: UUID, other_id: UUID) -> HttpResponse:
        """Show what differs."""
        left, right = _replay(request, replay_id), _replay(request, other_id)
        response = render(request, "selection/replay/compare.html", {"page": _page(left, right)})
        response["Cache-Control"] = "private, no-store"
        return response


def _replay(request: HttpRequest, replay_id: UUID) -> Replay:
    replay = policy_queries.replay_of(request.user, replay_id)
    if replay is None:
        raise Http404
    return replay


def _page(left: Replay, right: Replay) -> ReplaysPage:
    ours, theirs = _lines(left), _lines(right)
    before, after = policy_queries.change_counts(left), policy_queries.change_counts(right)
    return ReplaysPage(
        left=_side(left, ours, _keys(theirs)),
        right=_side(right, theirs, _keys(ours)),
        kinds=tuple((words, before.get(code, (0, 0))[0], after.get(code, (0, 0))[0]) for code, words in WORDS.items()),
        bounded=_MOST_READ in {len(ours), len(theirs)},
        same_turns=left.chosen == right.chosen and left.turns == right.turns,
    )


def _lines(replay: Replay) -> list[Mapping[str, Any]]:
    return list(policy_queries.lines_of(policy_queries.changes_of(replay))[:_MOST_READ])


def _keys(lines: Iterable[Mapping[str, Any]]) -> set[tuple[str, ...]]:
    return {tuple(line[name] for name in _KEY) for line in lines}


def _side(replay: Replay, lines: list[Mapping[str, Any]], other: set[tuple[str, ...]]) -> Side:
    alone = [line for line in lines if tuple(line[name] for name in _KEY) not in other]
    return Side(
        replay=replay,
        tally=policy_queries.tally_of(replay),
        lines=tuple(line_of(replay, line) for line in alone[:_MOST_SHOWN]),
        more=max(0, len(alone) - _MOST_SHOWN),
    )
