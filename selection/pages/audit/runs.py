"""What the pages of runs may read: the runs that a question names, and one run with its proof."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.http import HttpRequest

from selection.actions.audit.breaks import Break
from selection.actions.audit.paging import read_place, slice_of
from selection.actions.audit.recorded import EVENT, REFERENCE
from selection.actions.audit.search import runs_of
from selection.actions.audit.verify import Proof, prove_run
from selection.models import AuditEntry, PolicyVersion, SelectionRun, SessionContextReference
from selection.pages.audit.addresses import PLACE, address_of, asked_by
from selection.pages.audit.forms import QuestionForm
from selection.pages.audit.rows import ReferenceRow, RunRow, names_of, reference_row, run_row, run_rows

ROWS_A_PAGE: Final = 100
_REFERENCES_A_PAGE: Final = 500
# What is asked of runs; of single references runs know nothing.
FIELDS: Final = ("version", "model", "provider", "sent", "user", "session", "since", "until")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunsPage:
    """The runs that a question names, newest first."""

    form: QuestionForm
    version: PolicyVersion | None
    rows: tuple[RunRow, ...]
    older: str
    newer: str
    newest: str
    fields: tuple[str, ...] = FIELDS


def runs_page(request: HttpRequest) -> RunsPage:
    """Give them."""
    asked = {name: value for name, value in asked_by(request.GET).items() if name in FIELDS}
    form = QuestionForm(asked)
    newest = address_of("audit_runs", asked)
    if not form.is_valid():
        return RunsPage(form=form, version=None, rows=(), older="", newer="", newest=newest)
    question = form.question()
    found = slice_of(runs_of(question), read_place(request.GET.get(PLACE, "")), ROWS_A_PAGE)
    return RunsPage(
        form=form,
        version=_version(question.version),
        rows=run_rows(found.rows),
        older=address_of("audit_runs", asked, **{PLACE: found.older}) if found.older else "",
        newer=address_of("audit_runs", asked, **{PLACE: found.newer}) if found.newer else "",
        newest=newest,
    )


def _version(key: UUID | None) -> PolicyVersion | None:
    if key is None:
        return None
    return PolicyVersion.objects.select_related("policy", "user").defer("text").filter(pk=key).first()


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPage:
    """One run as it is recorded; `run` is None where retention removed it and its entry alone is left. `mine` where its turn is the reader's own."""

    key: UUID
    run: RunRow | None
    entry: AuditEntry | None
    broken: Break | None
    removed: bool
    version: PolicyVersion | None
    decision: Mapping[str, Any] | None
    references: tuple[ReferenceRow, ...]
    events: tuple[Mapping[str, Any], ...]
    count: int
    before: int | None
    after: int | None
    mine: bool


def run_page(request: HttpRequest, key: UUID) -> tuple[RunPage, Sequence[SessionContextReference]] | None:
    """Give the page of a run, and the references that it shows; None where nothing was ever recorded under this key."""
    proof = prove_run(key)
    run = SelectionRun.objects.filter(pk=key).select_related("routing_decision").first()
    if run is None and proof.entry is None:
        return None
    begins = _number(request.GET.get("from", ""))
    rows = [_reference(values) for values in proof.rows.references[begins : begins + _REFERENCES_A_PAGE]]
    return _run_page(request, key, run, proof, rows, begins), rows


def _run_page(
    request: HttpRequest,
    key: UUID,
    run: SelectionRun | None,
    proof: Proof,
    rows: Sequence[SessionContextReference],
    begins: int,
) -> RunPage:
    users = {row.user_id for row in rows} | ({run.user_id} if run else set())
    names = names_of(users)
    count, after = len(proof.rows.references), begins + _REFERENCES_A_PAGE
    return RunPage(
        key=key,
        run=run_row(run, names.get(run.user_id, "")) if run else None,
        entry=proof.entry,
        broken=proof.broken,
        removed=proof.removed,
        version=_version(run.policy_version_id) if run else None,
        decision=_decision(run),
        references=tuple(reference_row(row, names.get(row.user_id, "")) for row in rows),
        events=tuple(
            dict(zip((*EVENT, "payload"), values, strict=True)) for values in proof.rows.events[:_REFERENCES_A_PAGE]
        ),
        count=count,
        before=max(0, begins - _REFERENCES_A_PAGE) if begins else None,
        after=after if after < count else None,
        mine=run is not None and run.user_id == request.user.pk,
    )


def _decision(run: SelectionRun | None) -> Any:
    """A run that was tampered with may have lost its decision."""
    return getattr(run, "routing_decision", None)


def _reference(values: Sequence[Any]) -> SessionContextReference:
    return SessionContextReference(**dict(zip(REFERENCE, values, strict=True)))


def _number(written: str) -> int:
    return int(written) if written.isascii() and written.isdigit() and len(written) < 10 else 0  # noqa: PLR2004 - more rows than any run has
