"""Record a selection: the run, its references, the routing decision and a trace, in one transaction ("What is recorded" in domain.md).

Nothing that is written here holds content. Asked twice with the same key, the first recording stands. The last thing written is the entry of the chain that
covers the rest: after it nothing is added to the run.
"""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction

from selection.actions.audit.chain import append_run, lock_chain
from selection.actions.audit.recorded import DECISION, EVENT, REFERENCE, RUN, RecordedRows, cover, values_of
from selection.actions.audit.tally import Counted, add_to_tally, remember_paths, sums_of
from selection.actions.policies import version_of
from selection.actions.trace import decision_event, trace_events
from selection.documents.canonical import digest
from selection.documents.continuations import Decision
from selection.engine import Outcome, decision_sentence, explain
from selection.engine.codes import Mode, RouteSource, Status
from selection.models import (
    Destination,
    Owner,
    SelectionRun,
    SessionContextReference,
    SessionRoutingDecision,
    SessionRunInput,
    TraceEvent,
    TraceEventContent,
)
from selection.version import ENGINE_VERSION

_AT_ONCE = 1_000


def record_run(
    user: Owner,
    run_input: SessionRunInput,
    outcome: Outcome,
    key: UUID,
    decision: Decision | None = None,
    *,
    broken: bool = False,
) -> SelectionRun:
    """Record `outcome`, the selection of `run_input`, how its disclosure was decided where that was asked, and whether the run was broken off.

    A `key` that was used before gives the run that it recorded.
    """
    columns = run_columns(outcome) | {"destination": None if broken else _destination(outcome, decision)}
    with transaction.atomic():
        run, fresh = SelectionRun.objects.get_or_create(
            user_id=user.pk, idempotency_key=key, defaults=_placed(user, run_input, outcome) | columns
        )
        if fresh:
            _Recording(user, run, outcome, frozenset(outcome.included), decision).store()
    return run


def _destination(outcome: Outcome, decision: Decision | None) -> str | None:
    """A prompt goes out when it was selected, or allowed; while a run waits, or when it was denied, it goes nowhere."""
    allowed = outcome.status is Status.AWAITING_APPROVAL and decision is Decision.ALLOW
    gone = decision is not Decision.DENY and (outcome.status is Status.SELECTED or allowed)
    if outcome.model is None or not gone:
        return None
    return (Destination.LOCAL if outcome.model.local else Destination.REMOTE).value


def _placed(user: Owner, run_input: SessionRunInput, outcome: Outcome) -> dict[str, Any]:
    version = version_of(user, outcome.turn.policy)
    return {"session_id": run_input.session_id, "run_input": run_input, "policy_version": version}


def run_columns(outcome: Outcome) -> dict[str, Any]:
    """Give what the run of an outcome says of it."""
    turn, budget = outcome.turn, outcome.budget
    return {
        "status": outcome.status.value,
        "opened": outcome.resumed,
        "error": outcome.error.value if outcome.error else None,
        "model": outcome.model.name if outcome.model else None,
        "window": budget.window if budget else None,
        "reply_reserve": budget.reply_reserve if budget else None,
        "effective_budget": budget.effective if budget else None,
        "required_tokens": budget.required if budget else None,
        "used_tokens": budget.used if budget else None,
        "attempts": [
            {
                "model": attempt.model,
                "verdict": attempt.verdict.value,
                "needed": attempt.needed,
                "available": attempt.available,
            }
            for attempt in outcome.attempts
        ],
        "policy_digest": digest(turn.policy),
        "input_digest": digest(turn),
        "catalog_digest": digest(turn.models),
        "engine_version": ENGINE_VERSION,
    }


@dataclass(frozen=True, slots=True)
class _Recording:
    user: Owner
    run: SelectionRun
    outcome: Outcome
    included: frozenset[int]
    decision: Decision | None

    def store(self) -> None:
        references = self._store_references()
        decision = SessionRoutingDecision.objects.create(**self._shared(), **_decision_columns(self.outcome))
        rows = RecordedRows(
            runs=[values_of(self.run, RUN)],
            decisions=[values_of(decision, DECISION)],
            references=[values_of(row, REFERENCE) for row in references],
            events=[(*values_of(row, EVENT), payload) for row, payload in self._store_trace()],
        )
        covered, sums = cover(rows), sums_of(map(_counted, references))
        lock_chain()
        append_run(self.user, self.run.pk, self.run.session_id, covered)
        add_to_tally(sums)
        remember_paths(row.path for row in references if row.path is not None)

    def _shared(self) -> dict[str, Any]:
        run = self.run
        return {"run": run, "session_id": run.session_id, "user_id": run.user_id, "created_at": run.created_at}

    def _store_references(self) -> list[SessionContextReference]:
        """Store the survivors first, so that a duplicate can point at its own. Gives all by position."""
        candidates = self.outcome.candidates
        if candidates is None:
            return []
        rows: dict[int, SessionContextReference] = {}
        copies = frozenset(candidates.duplicates)
        order = sorted(range(len(candidates)), key=lambda position: (position in copies, position))
        for position in order:
            rows[position] = self._reference(position, rows)
        SessionContextReference.objects.bulk_create(rows.values(), batch_size=_AT_ONCE)
        return [rows[position] for position in range(len(candidates))]

    def _reference(self, position: int, rows: dict[int, SessionContextReference]) -> SessionContextReference:
        columns = reference_columns(self.outcome, position, included=position in self.included)
        survivor = columns.pop("duplicate_of")
        return SessionContextReference(
            **self._shared(),
            **columns,
            duplicate_of_id=None if survivor is None else rows[survivor].pk,
            model=self.run.model,
            destination=self.run.destination if self._was_in(position) else None,
        )

    def _was_in(self, position: int) -> bool:
        """Tell whether the material of a candidate was in: its own, or under the name of what it merged into."""
        while position not in self.included:
            survivor = self.outcome.candidate(position).survivor
            if survivor is None:
                return False
            position = survivor
        return True

    def _store_trace(self) -> list[tuple[TraceEvent, dict[str, Any]]]:
        told = [*trace_events(self.outcome), *decision_event(self.decision)]
        events = [
            (
                TraceEvent(**self._shared(), position=position, event_type=event.kind.value, **event.columns),
                event.payload,
            )
            for position, event in enumerate(told)
        ]
        TraceEvent.objects.bulk_create(row for row, _ in events)
        TraceEventContent.objects.bulk_create(TraceEventContent(event=row, payload=payload) for row, payload in events)
        return events


def _counted(row: SessionContextReference) -> Counted:
    return Counted(
        user_id=row.user_id,
        created_at=row.created_at,
        model=row.model,
        destination=row.destination,
        kind=row.kind,
        included=row.included,
        reason_code=row.reason_code,
        restricted=row.restricted,
        tokens=row.estimated_tokens,
        path=row.path,
    )


def reference_columns(outcome: Outcome, position: int, *, included: bool) -> dict[str, Any]:
    """Give what the reference of one candidate says; `duplicate_of` is the position of its survivor."""
    candidate = outcome.candidate(position)
    allowed = records_restricted(outcome)
    explanation = explain(outcome, position, withhold_names=not allowed)
    return {
        "position": position,
        "rank": candidate.rank,
        "path": None if candidate.restricted and not allowed else candidate.path,
        "kind": candidate.kind.value,
        "included": included,
        "required": candidate.required,
        "restricted": candidate.restricted,
        "estimated_tokens": candidate.tokens,
        "score": candidate.score.total,
        "reason_code": explanation.code.value if explanation.code else None,
        "reason": explanation.sentence,
        "duplicate_of": candidate.survivor,
    }


def _decision_columns(outcome: Outcome) -> dict[str, Any]:
    route = outcome.route
    return {
        "task_type": outcome.classification.intent.value,
        "provider": outcome.model.provider if outcome.model else None,
        "model": outcome.model.model if outcome.model else None,
        "matched_rule": route.rule if route else None,
        "fallback_used": outcome.fallback_used,
        "override_used": route is not None and route.source is RouteSource.OVERRIDE,
        "reason": decision_sentence(outcome, withhold_names=not records_restricted(outcome)),
    }


def records_restricted(outcome: Outcome) -> bool:
    """Tell whether the policy lets recorded rows name restricted paths."""
    return outcome.turn.policy.privacy.record_restricted is Mode.ALLOW
