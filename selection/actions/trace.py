"""The trace of one selection: an event for each stage, in order, with numbers, codes and sentences, never content."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from selection.documents.continuations import Decision
from selection.engine import Outcome, decision_sentence
from selection.engine.codes import Status
from selection.engine.values import Envelope
from selection.models import EventType


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One event before it is a row."""

    kind: EventType
    payload: dict[str, Any]
    columns: dict[str, Any]


def trace_events(outcome: Outcome) -> Iterator[Event]:
    """Give the events of a selection: the prompt, its classification, the routing decision, the selection, and the pause if one follows."""
    known = {"task_type": outcome.classification.intent.value}
    routed = known | _route_columns(outcome)
    yield Event(kind=EventType.MESSAGE, payload=_message(outcome), columns={})
    yield Event(kind=EventType.CLASSIFICATION, payload=_classification(outcome), columns=known)
    yield Event(kind=EventType.ROUTING_DECISION, payload=_routing(outcome), columns=routed)
    if outcome.candidates is not None:
        yield Event(kind=EventType.CONTEXT_SELECTION, payload=_selection(outcome), columns=routed)
    if outcome.status in {Status.AWAITING_APPROVAL, Status.AWAITING_DECRYPT}:
        yield Event(kind=EventType.APPROVAL, payload=_pause(outcome), columns=routed)


def decision_event(decision: Decision | None) -> Iterator[Event]:
    """Give the event of how a disclosure was decided, where somebody decided."""
    if decision is not None:
        yield Event(kind=EventType.APPROVAL, payload={"decision": decision.value}, columns={})


def _route_columns(outcome: Outcome) -> dict[str, Any]:
    model, route = outcome.model, outcome.route
    return {
        "provider": model.provider if model else None,
        "model": model.model if model else None,
        "matched_rule": route.rule if route else None,
    }


def _message(outcome: Outcome) -> dict[str, Any]:
    text = outcome.turn.input.text
    characters = None if isinstance(text, Envelope) else len(text)
    return {"role": "user", "sealed": characters is None, "characters": characters}


def _classification(outcome: Outcome) -> dict[str, Any]:
    known = outcome.classification
    return {
        "intent": known.intent.value,
        "source": known.source.value,
        "matched_rule": known.matched_rule,
        "confidence": known.confidence.value if known.confidence else None,
    }


def _routing(outcome: Outcome) -> dict[str, Any]:
    local = outcome.local
    return {
        "source": outcome.route.source.value if outcome.route else None,
        "attempts": [{"model": attempt.model, "verdict": attempt.verdict.value} for attempt in outcome.attempts],
        "local_required": [cause.value for cause in local.causes] if local else [],
        "error": outcome.error.value if outcome.error else None,
        "reason": decision_sentence(outcome, withhold_names=True),
    }


def _selection(outcome: Outcome) -> dict[str, Any]:
    budget = outcome.budget
    return {
        "included": len(outcome.included),
        "excluded": len(outcome.excluded),
        "duplicates": len(outcome.candidates.duplicates) if outcome.candidates else 0,
        "used_tokens": budget.used if budget else None,
        "effective_budget": budget.effective if budget else None,
        "status": outcome.status.value,
    }


def _pause(outcome: Outcome) -> dict[str, Any]:
    sealed = outcome.status is Status.AWAITING_DECRYPT
    return {"waits_for": outcome.status.value, "rows": len(outcome.to_decrypt if sealed else outcome.included)}
