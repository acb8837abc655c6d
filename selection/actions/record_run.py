"""Record a selection: the run, its references, the routing decision and a trace, in one transaction ("What is recorded" in domain.md).

Nothing that is written here holds content. Asked twice with the same key, the first recording stands.
"""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction

from selection.actions.policies import version_of
from selection.actions.trace import trace_events
from selection.documents.canonical import digest
from selection.engine import Outcome, decision_sentence, explain
from selection.engine.codes import Mode, RouteSource
from selection.models import (
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


def record_run(user: Owner, run_input: SessionRunInput, outcome: Outcome, key: UUID) -> SelectionRun:
    """Record `outcome`, the selection of `run_input`. A `key` that was used before gives the run that it recorded."""
    with transaction.atomic():
        run, fresh = SelectionRun.objects.get_or_create(
            user_id=user.pk, idempotency_key=key, defaults=_placed(user, run_input, outcome) | run_columns(outcome)
        )
        if fresh:
            _Recording(run, outcome, frozenset(outcome.included)).store()
    return run


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
    run: SelectionRun
    outcome: Outcome
    included: frozenset[int]

    def store(self) -> None:
        self._store_references()
        SessionRoutingDecision.objects.create(**self._shared(), **_decision_columns(self.outcome))
        self._store_trace()

    def _shared(self) -> dict[str, Any]:
        run = self.run
        return {"run": run, "session_id": run.session_id, "user_id": run.user_id, "created_at": run.created_at}

    def _store_references(self) -> None:
        """Store the survivors first, so that a duplicate can point at its own."""
        candidates = self.outcome.candidates
        if candidates is None:
            return
        rows: dict[int, SessionContextReference] = {}
        copies = frozenset(candidates.duplicates)
        order = sorted(range(len(candidates)), key=lambda position: (position in copies, position))
        for position in order:
            rows[position] = self._reference(position, rows)
        SessionContextReference.objects.bulk_create(rows.values(), batch_size=_AT_ONCE)

    def _reference(self, position: int, rows: dict[int, SessionContextReference]) -> SessionContextReference:
        columns = reference_columns(self.outcome, position, included=position in self.included)
        survivor = columns.pop("duplicate_of")
        return SessionContextReference(
            **self._shared(), **columns, duplicate_of=None if survivor is None else rows[survivor]
        )

    def _store_trace(self) -> None:
        rows, contents = [], []
        for position, event in enumerate(trace_events(self.outcome)):
            row = TraceEvent(**self._shared(), position=position, event_type=event.kind.value, **event.columns)
            rows.append(row)
            contents.append(TraceEventContent(event=row, payload=event.payload))
        TraceEvent.objects.bulk_create(rows)
        TraceEventContent.objects.bulk_create(contents)


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
