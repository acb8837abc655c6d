"""The figures of one selection on one line: who serves, how much of the budget is used, where the turn stands."""

from dataclasses import dataclass

from selection.engine import Outcome
from selection.models import SelectionRun


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Tokens, and the share of the budget in hundredths; `model` is empty and `error` says why where no model serves."""

    model: str
    status: str
    error: str
    used: int
    effective: int

    @property
    def percent(self) -> int:
        """How full the budget is."""
        return min(100, self.used * 100 // self.effective) if self.effective else 0


def figures_of_run(run: SelectionRun) -> Figures:
    """Give the figures of a recorded selection."""
    return Figures(
        model=run.model or "",
        status=run.status,
        error=run.error or "",
        used=run.used_tokens or 0,
        effective=run.effective_budget or 0,
    )


def figures_of(outcome: Outcome) -> Figures:
    """Give the figures of a selection that was just made."""
    budget = outcome.budget
    return Figures(
        model=outcome.model.name if outcome.model else "",
        status=outcome.status.value,
        error=outcome.error.value if outcome.error else "",
        used=budget.used if budget else 0,
        effective=budget.effective if budget else 0,
    )
