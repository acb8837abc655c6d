"""One side of a comparison, as its address names it: `turn:<id>`, `turn:<id>?<knobs>`, or `run:<id>`."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from django.http import Http404, HttpRequest, QueryDict
from django.urls import reverse

from selection import queries
from selection.actions.ask_what_if import outcome_under
from selection.actions.knobs import Knobs
from selection.actions.open_turn import open_turn
from selection.documents.canonical import digest
from selection.engine import Outcome
from selection.engine.codes import Reason, State
from selection.engine.compare import Entry, entries_of, identities
from selection.engine.reasons import label_of
from selection.models import SelectionRun, SessionContextReference, SessionRunInput
from selection.pages.inspector.address import query_of
from selection.pages.inspector.look import draft_or_404, form_of, turn_or_404

_MOST_WRITTEN = 8_000
_INCLUDED = frozenset({Reason.REQUIRED.value, Reason.FITS.value})


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One side: what it is, where it opens, who serves, and its candidates; tokens of the budget are None where nobody serves."""

    written: str
    title: str
    href: str
    model: str
    status: str
    used: int | None
    effective: int | None
    entries: tuple[Entry, ...]
    turn: SessionRunInput


def side_of(request: HttpRequest, written: str) -> Side:
    """Read one side of the user; what names nothing of theirs does not exist."""
    kind, _, rest = written[:_MOST_WRITTEN].partition(":")
    key, _, query = rest.partition("?")
    try:
        identity = UUID(key)
    except ValueError:
        raise Http404 from None
    if kind == "run":
        return _run_side(request, written, identity)
    if kind == "turn":
        return _turn_side(request, written, identity, query)
    raise Http404


def _turn_side(request: HttpRequest, written: str, key: UUID, query: str) -> Side:
    row = turn_or_404(request, key)
    opened = open_turn(row)
    knobs = form_of(QueryDict(query), opened, partial(draft_or_404, request)).knobs() if query else Knobs()
    outcome = outcome_under(opened, knobs)
    changed = "" if knobs == Knobs() else ", under a what-if"
    return Side(
        written=written,
        title=f"Turn {row.position + 1:,}{changed}",
        href=f"{reverse('pages:turn', args=[row.pk])}{query_of(knobs).removesuffix('?')}",
        model=outcome.model.name if outcome.model else "",
        status=outcome.status.value,
        used=outcome.budget.used if outcome.budget else None,
        effective=outcome.budget.effective if outcome.budget else None,
        entries=entries_of(outcome),
        turn=row,
    )


def _run_side(request: HttpRequest, written: str, key: UUID) -> Side:
    run = queries.run_of(request.user, key)
    if run is None:
        raise Http404
    row = run.run_input
    return Side(
        written=written,
        title=f"Turn {row.position + 1:,}, recorded {run.created_at:%Y-%m-%d %H:%M:%S}",
        href=f"{reverse('pages:turn', args=[row.pk])}?tab=recorded",
        model=run.model or "",
        status=run.status,
        used=run.used_tokens,
        effective=run.effective_budget,
        entries=tuple(_recorded_entries(run)),
        turn=row,
    )


def _recorded_entries(run: SelectionRun) -> Iterator[Entry]:
    """Give the recorded rows in ledger order. Their names come from the turn as long as it is the one that was recorded; the rows hold none."""
    rows = list(run.references.order_by("position"))
    outcome = open_turn(run.run_input).outcome
    same = digest(outcome.turn) == run.input_digest
    names = _names(outcome, len(rows)) if same else None
    fallback = identities(f"{row.kind}:{row.path or row.position}" for row in rows)
    rows.sort(key=lambda row: (row.reason_code == Reason.DUPLICATE.value, row.rank or 0, row.position))
    for row in rows:
        identity, label = (
            names[row.position] if names else (fallback[row.position], row.path or f"candidate {row.position + 1:,}")
        )
        yield Entry(
            identity=identity,
            label=label if names else f"`{label}`",
            position=row.position,
            included=row.reason_code in _INCLUDED,
            state=_state(run, row),
            rank=row.rank,
            tokens=row.estimated_tokens,
        )


def _state(run: SelectionRun, row: SessionContextReference) -> str | None:
    """A row tells over budget; that no budget of this model could take it is plain from the numbers of its run."""
    most = (run.effective_budget or 0) - (run.required_tokens or 0)
    too_large = row.reason_code == Reason.OVER_BUDGET.value and row.estimated_tokens > most
    return State.TOO_LARGE.value if too_large else row.reason_code


def _names(outcome: Outcome, count: int) -> list[tuple[str, str]] | None:
    candidates = outcome.candidates
    if candidates is None or len(candidates) != count:
        return None
    keys = identities(candidates.key_of(position) for position in range(count))
    return [(key, label_of(candidates, position)) for position, key in enumerate(keys)]
