"""Go on with a turn whose sealed rows have been opened ("Sealed history" in domain.md).

Sizes become exact, included candidates with equal content collapse, nothing that was excluded comes back, and if a client lied about sizes the lowest-ranked
discardables are dropped until the set fits. An opened row that equals a withheld one is withheld with it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from selection.engine.candidates import CandidateSet, Columns
from selection.engine.choose import Choice, choose_model, effective_budget, require_local
from selection.engine.codes import SelectionError, Status, Verdict
from selection.engine.collapse import collapse_opened
from selection.engine.disclosure import status_of
from selection.engine.errors import InvalidAnswer
from selection.engine.fit import budget_of, required_tokens_of, withheld_among
from selection.engine.outcome import Attempt, Fitted, LocalRequirement, Outcome
from selection.engine.privacy import mark_restricted
from selection.engine.route import Route
from selection.engine.sealed import texts_by_position
from selection.engine.tokens import estimate_tokens
from selection.engine.values import Content, ModelDescriptor, PlainRecord, TurnInput


def resume(outcome: Outcome, opened: Iterable[PlainRecord]) -> Outcome:
    """Decide a paused turn with its rows opened.

    Raises `InvalidAnswer` unless `opened` holds each row that was asked for exactly once.
    """
    texts, prompt = texts_by_position(outcome, opened)
    if outcome.candidates is None or outcome.fitted is None or outcome.model is None or outcome.route is None:
        raise InvalidAnswer(record_id="", why="this turn waits for no rows")
    turn = outcome.turn
    scope = sorted({*outcome.fitted.included, *outcome.fitted.withheld})
    candidates = _open(outcome.candidates, texts, scope)
    local = require_local(turn, outcome.route, candidates)
    choice = _choose_again(turn, outcome.route, local, outcome.model, outcome.attempts, required_tokens_of(candidates))
    decided = replace(
        outcome,
        candidates=candidates,
        local=local,
        attempts=choice.attempts,
        to_decrypt=(),
        resumed=True,
        prompt=prompt,
    )
    if choice.model is None:
        return replace(decided, model=None, error=choice.error, status=Status.ERROR, budget=None, fitted=None)
    fitted = _fit_again(candidates, choice.model, outcome.fitted, outcome.candidates.ranking)
    status = status_of(turn, choice.model, sealed=False)
    return replace(decided, model=choice.model, status=status, budget=budget_of(choice.model, fitted), fitted=fitted)


def _open(candidates: CandidateSet, texts: Mapping[int, str], scope: Sequence[int]) -> CandidateSet:
    columns = _opened_columns(candidates.columns, texts)
    survivors, copies = collapse_opened(columns, candidates.survivors, candidates.copies, scope)
    restrictions = mark_restricted(columns.paths, survivors, candidates.privacy)
    ranking = [position for position in candidates.ranking if survivors[position] == position]
    return CandidateSet(columns, survivors, copies, restrictions, ranking, candidates.privacy)


def _opened_columns(columns: Columns, texts: Mapping[int, str]) -> Columns:
    contents: list[Content] = list(columns.contents)
    tokens = list(columns.tokens)
    for position, text in texts.items():
        contents[position], tokens[position] = text, estimate_tokens(text)
    return replace(columns, contents=contents, tokens=tokens)


def _choose_again(
    turn: TurnInput,
    route: Route,
    local: LocalRequirement,
    model: ModelDescriptor,
    attempts: tuple[Attempt, ...],
    needed: int,
) -> Choice:
    """Keep the model, unless what was opened forbids it: a required row turned out restricted, or the required no longer fit."""
    if local.required and not model.local:
        return choose_model(turn, route, local, needed)
    available = effective_budget(model)
    if needed <= available:
        return Choice(model=model, error=None, attempts=attempts)
    exceeded = Attempt(model=model.name, verdict=Verdict.CONTEXT_WINDOW_EXCEEDED, needed=needed, available=available)
    return Choice(model=None, error=SelectionError.CONTEXT_WINDOW_EXCEEDED, attempts=(*attempts[:-1], exceeded))


def _fit_again(candidates: CandidateSet, model: ModelDescriptor, before: Fitted, ranking_before: list[int]) -> Fitted:
    """Keep what was included and still may be, in ranked order, as far down as it fits."""
    withheld = frozenset() if model.local else withheld_among(candidates)
    was_included = frozenset(before.included)
    standing = [p for p in candidates.ranking if p in was_included and p not in withheld]
    required_tokens = required_tokens_of(candidates)
    kept, lefts = _keep_prefix(candidates.tokens, standing, effective_budget(model) - required_tokens)
    lefts = dict(zip(ranking_before, before.left_before, strict=True)) | lefts
    return Fitted(
        included=(*candidates.required, *kept),
        excluded=tuple(p for p in candidates.ranking if p not in kept),
        left_before=tuple(-1 if p in withheld else lefts[p] for p in candidates.ranking),
        withheld=withheld,
        required_tokens=required_tokens,
        used=required_tokens + sum(candidates.tokens[p] for p in kept),
    )


def _keep_prefix(tokens: Sequence[int], standing: Sequence[int], left: int) -> tuple[dict[int, None], dict[int, int]]:
    """Drop the lowest-ranked until the rest fits: the longest prefix that does, and what was left when each one's turn came."""
    kept: dict[int, None] = {}
    lefts: dict[int, int] = {}
    dropping = False
    for position in standing:
        lefts[position] = left
        dropping = dropping or tokens[position] > left
        if not dropping:
            kept[position] = None
            left -= tokens[position]
    return kept, lefts
