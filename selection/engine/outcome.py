"""What a selection says: the decision, every candidate's state and the evidence for it ("Select a model", "Fit", "What is recorded" in domain.md).

Candidates are held as columns (one list per attribute, indexed by position in candidate order), because a turn may have a hundred thousand of them: the
stages read whole columns, and a `Candidate` object is made only for the rows that somebody looks at.
"""

from dataclasses import dataclass
from functools import cached_property

from selection.engine.candidates import Candidate, CandidateSet
from selection.engine.classify import Classification
from selection.engine.codes import LocalCause, Reason, SelectionError, State, Status, Verdict
from selection.engine.route import Route
from selection.engine.values import Content, ModelDescriptor, TurnInput


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One model of the chain and what became of it; `needed` and `available` are tokens, given where the window decided."""

    model: str
    verdict: Verdict
    needed: int | None = None
    available: int | None = None
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The window of the chosen model and what is in it, in tokens: `window - reply_reserve = effective`, `used + free = effective`."""

    window: int
    reply_reserve: int
    effective: int
    required: int
    used: int

    @property
    def free(self) -> int:
        """Tokens of the effective budget that nothing takes."""
        return self.effective - self.used


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalRequirement:
    """Whether only local models may serve, why, and which required restricted candidates (positions) say so."""

    required: bool
    causes: tuple[LocalCause, ...] = ()
    positions: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """The walk over the ranking. `left_before` runs beside `CandidateSet.ranking`: tokens left when each one's turn came (-1: not walked, withheld)."""

    included: tuple[int, ...]
    excluded: tuple[int, ...]
    left_before: tuple[int, ...]
    withheld: frozenset[int]
    required_tokens: int
    used: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A turn up to its ranking: all that does not depend on which model serves and how large it is. Kept, it answers every budget."""

    turn: TurnInput
    classification: Classification
    route: Route | None
    candidates: CandidateSet | None
    required_tokens: int = 0


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """One selection. A refusal is a value: `error` and `attempts` tell it; before candidates exist (`no_route`) there are none.

    `turn` is what was selected from, as it came; `prompt` is its text where that came sealed and has been opened.

    Positions are places in candidate order. `included` and `excluded` hold required candidates in candidate order, then discardables as ranked.
    """

    turn: TurnInput
    classification: Classification
    route: Route | None
    candidates: CandidateSet | None
    local: LocalRequirement | None
    attempts: tuple[Attempt, ...]
    model: ModelDescriptor | None
    error: SelectionError | None
    status: Status
    budget: Budget | None
    fitted: Fitted | None
    to_decrypt: tuple[int, ...] = ()
    resumed: bool = False
    prompt: str | None = None

    @property
    def text(self) -> Content:
        """The user's own text: as it came, or opened."""
        return self.turn.input.text if self.prompt is None else self.prompt

    @property
    def fallback_used(self) -> bool:
        """Whether another model than the route's first serves the turn."""
        return self.model is not None and len(self.attempts) > 1

    @property
    def included(self) -> tuple[int, ...]:
        """Positions of what goes into the prompt."""
        return self.fitted.included if self.fitted else ()

    @property
    def excluded(self) -> tuple[int, ...]:
        """Positions of the survivors that stay out."""
        return self.fitted.excluded if self.fitted else ()

    @cached_property
    def reasons(self) -> tuple[Reason | None, ...]:
        """The reason code of every candidate, by position; None where no model serves and the candidate is not a duplicate."""
        candidates, fitted = self.candidates, self.fitted
        if candidates is None:
            return ()
        codes: list[Reason | None] = [None] * len(candidates)
        if fitted is not None:
            self._mark_fitted(codes, candidates, fitted)
        for position in candidates.duplicates:
            codes[position] = Reason.DUPLICATE
        return tuple(codes)

    @staticmethod
    def _mark_fitted(codes: list[Reason | None], candidates: CandidateSet, fitted: Fitted) -> None:
        for position in fitted.included:
            codes[position] = Reason.FITS
        for position in candidates.causes:
            if codes[position] is Reason.FITS:
                codes[position] = Reason.REQUIRED
        for position in fitted.excluded:
            codes[position] = Reason.OVER_BUDGET
        for position in fitted.withheld:
            codes[position] = Reason.RESTRICTED_REMOTE

    def state_of(self, position: int) -> State | None:
        """Tell the one state of a candidate; None where no model serves the turn."""
        reason = self.reasons[position]
        if reason is Reason.OVER_BUDGET and self._is_too_large(position):
            return State.TOO_LARGE
        return None if reason is None else State(reason.value)

    def _is_too_large(self, position: int) -> bool:
        if self.candidates is None or self.budget is None:
            return False
        return self.candidates.tokens[position] > self.budget.effective - self.budget.required

    def left_before(self, position: int) -> int | None:
        """Tell the tokens left when a ranked discardable's turn came; None for what was not walked."""
        if self.candidates is None or self.fitted is None:
            return None
        rank = self.candidates.rank_of(position)
        left = -1 if rank is None else self.fitted.left_before[rank - 1]
        return None if left < 0 else left

    def candidate(self, position: int) -> Candidate:
        """Give one candidate as an object."""
        if self.candidates is None:
            message = f"no candidate at {position}"
            raise IndexError(message)
        return self.candidates[position]
