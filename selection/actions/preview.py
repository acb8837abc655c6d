"""Preview a turn that is not stored: the request brings its own part, history, memory and catalog come from the session."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from selection.actions.gather_turn import models_of, recalled_of
from selection.documents.pushes import ExecuteRequest
from selection.engine import Outcome, explain, select
from selection.engine.choose import reply_reserve
from selection.engine.tokens import estimate_tokens
from selection.engine.values import TurnInput
from selection.models import Session, SessionMessage, SessionRunInput

_MILLION: Final = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What the call would cost, as decimal text: `least` for what goes in, `most` with a reply as long as the reserve."""

    least: str
    most: str
    currency: str = "USD"


def preview_turn(session: Session, request: ExecuteRequest, credentials: Iterable[str]) -> Outcome:
    """Select the turn that `request` would be, after all that the session holds. Nothing is stored."""
    last = SessionMessage.objects.filter(session=session).order_by("position").last()
    place = SessionRunInput(session=session, after_message=last)
    return select(
        TurnInput(
            input=request.input,
            workspace=request.workspace,
            attachments=request.attachments,
            recalled=recalled_of(place),
            policy=request.policy,
            local_preferences=request.local_preferences,
            models=models_of(session.pk),
            credentials=tuple(credentials),
        )
    )


def cost_of(outcome: Outcome) -> Cost | None:
    """Estimate the cost of a call; None where no model serves, or it has no prices."""
    model, budget = outcome.model, outcome.budget
    if model is None or budget is None or model.input_cost_per_million is None or model.output_cost_per_million is None:
        return None
    sent = budget.used + estimate_tokens(outcome.text)
    least = Decimal(model.input_cost_per_million) * sent / _MILLION
    most = least + Decimal(model.output_cost_per_million) * reply_reserve(model) / _MILLION
    return Cost(least=f"{least:f}", most=f"{most:f}")


def context_lines(outcome: Outcome, positions: Iterable[int]) -> list[str]:
    """Give a line for each candidate, as a person reads it: its key and its reason."""
    return [f"{outcome.candidate(position).key}: {explain(outcome, position).sentence}" for position in positions]
