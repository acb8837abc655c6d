"""The ledger: every candidate as a row, the required on a shelf, then the ranking with its cut line, then the copies; filtered and by pages."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from selection.engine import Outcome, explain
from selection.engine.candidates import KIND_OF, Candidate, CandidateSet, Score
from selection.engine.codes import Kind, State
from selection.engine.states import INCLUDED, WORDS, Movement

ROWS_A_PAGE: Final = 100
_EXCERPT: Final = 110


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """What the ledger is narrowed to; empty parts narrow nothing."""

    state: str = ""
    kind: str = ""
    search: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One candidate as the ledger shows it. `divider` names what stands above the row: the shelf, the ranking, the cut, the copies."""

    position: int
    kind: str
    role: str
    path: str | None
    more_paths: int
    label: str
    excerpt: str
    sealed: bool
    tokens: int
    score: Score
    rank: int | None
    state: str
    words: str
    included: bool
    required: bool
    reason: str
    pattern: str
    place: str
    moved: str
    divider: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """One page of rows. `counts` tells how many candidates each filter would show; the states add up to `total`."""

    rows: tuple[Row, ...]
    total: int
    shown: int
    page: int
    next_page: int | None
    counts: dict[str, int]
    kinds: dict[str, int]
    tokens_in: int
    tokens_out: int
    tokens_duplicate: int
    tokens_total: int


def ledger_of(outcome: Outcome, movement: Movement, narrowed: Filter, page: int) -> Ledger:
    """Give one page of the ledger."""
    candidates = outcome.candidates
    if candidates is None:
        return _empty(page)
    # Where no model serves the order is the same: what is required, then as ranked, then the copies.
    order = [*candidates.required, *candidates.ranking, *candidates.duplicates]
    kept = [position for position in order if _passes(candidates, movement, narrowed, position)]
    start = (page - 1) * ROWS_A_PAGE
    shown = kept[start : start + ROWS_A_PAGE]
    above = kept[start - 1] if 0 < start <= len(kept) else None
    tokens = _tokens(candidates, movement.now)
    return Ledger(
        rows=tuple(_rows(outcome, movement, shown, above)),
        total=len(order),
        shown=len(kept),
        page=page,
        next_page=page + 1 if start + ROWS_A_PAGE < len(kept) else None,
        counts=_counts(movement, candidates),
        kinds=_kinds(candidates),
        tokens_in=tokens["in"],
        tokens_out=tokens["out"],
        tokens_duplicate=tokens["duplicate"],
        tokens_total=sum(candidates.tokens),
    )


def _empty(page: int) -> Ledger:
    return Ledger(
        rows=(), total=0, shown=0, page=page, next_page=None, counts={}, kinds={},
        tokens_in=0, tokens_out=0, tokens_duplicate=0, tokens_total=0,
    )  # fmt: skip


def _passes(candidates: CandidateSet, movement: Movement, narrowed: Filter, position: int) -> bool:
    return (
        _has_state(candidates, movement, narrowed.state, position)
        and (not narrowed.kind or KIND_OF[candidates.columns.part_of(position)].value == narrowed.kind)
        and (not narrowed.search or _mentions(candidates, narrowed.search.casefold(), position))
    )


def _has_state(candidates: CandidateSet, movement: Movement, wanted: str, position: int) -> bool:
    state = movement.now[position]
    match wanted:
        case "":
            return True
        case "included":
            return state in INCLUDED
        case "excluded":
            return state not in INCLUDED
        case "moved":
            return position in movement.changed
        case "restricted":
            return candidates.survivors[position] in candidates.restrictions
        case _:
            return state is not None and state.value == wanted


def _mentions(candidates: CandidateSet, wanted: str, position: int) -> bool:
    content = candidates.content_of(position)
    return any(
        wanted in path.casefold() for path in (*candidates.paths_of(position), candidates.name_of(position))
    ) or (isinstance(content, str) and position not in candidates.restrictions and wanted in content.casefold())


def _counts(movement: Movement, candidates: CandidateSet) -> dict[str, int]:
    counts = Counter("undecided" if state is None else state.value for state in movement.now)
    included = sum(counts[state.value] for state in INCLUDED)
    return {
        "all": len(movement.now),
        "included": included,
        "excluded": len(movement.now) - included,
        "moved": len(movement.changed),
        "restricted": sum(1 for survivor in candidates.survivors if survivor in candidates.restrictions),
        **{state.value: counts[state.value] for state in State},
        "undecided": counts["undecided"],
    }


def _kinds(candidates: CandidateSet) -> dict[str, int]:
    counts: Counter[Kind] = Counter()
    for part, span in candidates.columns.spans:
        counts[KIND_OF[part]] += len(span)
    return {kind.value: counts[kind] for kind in Kind if counts[kind]}


def _tokens(candidates: CandidateSet, states: Sequence[State | None]) -> Counter[str]:
    tokens: Counter[str] = Counter()
    for position, state in enumerate(states):
        side = "duplicate" if state is State.DUPLICATE else "in" if state in INCLUDED else "out"
        tokens[side] += candidates.tokens[position]
    return tokens


def _rows(outcome: Outcome, movement: Movement, positions: Iterable[int], above: int | None) -> Iterator[Row]:
    last_in = _last_included(outcome)
    section = None if above is None else _section(outcome, movement, above, last_in)
    for position in positions:
        mine = _section(outcome, movement, position, last_in)
        yield row_of(outcome, movement, position, divider=mine if mine != section else "")
        section = mine


def _last_included(outcome: Outcome) -> int:
    """Give the rank of the last discardable that is in; 0 where none is."""
    candidates = outcome.candidates
    if candidates is None or not outcome.included:
        return 0
    return candidates.rank_of(outcome.included[-1]) or 0


def _section(outcome: Outcome, movement: Movement, position: int, last_in: int) -> str:
    candidates = outcome.candidates
    if candidates is None or movement.now[position] is State.DUPLICATE:
        return "copies"
    rank = candidates.rank_of(position)
    if rank is None:
        return "shelf"
    return "cut" if outcome.budget is not None and rank > last_in else "ranking"


def row_of(outcome: Outcome, movement: Movement, position: int, divider: str = "") -> Row:
    """Give one candidate as a row."""
    candidate, state = outcome.candidate(position), movement.now[position]
    explanation = explain(outcome, position)
    restriction = candidate.restriction
    return Row(
        position=position,
        kind=candidate.kind.value,
        role=candidate.role.value if candidate.role else "",
        path=candidate.path,
        more_paths=max(0, len(candidate.paths) - 1),
        label="working tree" if candidate.kind is Kind.DIFF else candidate.name,
        excerpt=_excerpt(outcome, candidate),
        sealed=candidate.sealed,
        tokens=candidate.tokens,
        score=candidate.score,
        rank=candidate.rank,
        state=state.value if state else "undecided",
        words=WORDS[state],
        included=state in INCLUDED,
        required=candidate.required,
        reason=explanation.sentence,
        pattern=restriction.pattern if restriction else explanation.evidence.cause_pattern or "",
        place=restriction.place if restriction else "",
        moved=movement.changed.get(position, ""),
        divider=divider,
    )


def _excerpt(outcome: Outcome, candidate: Candidate) -> str:
    """Give the start of a content; none of what is restricted or sealed."""
    candidates = outcome.candidates
    content = None if candidates is None or candidate.restricted else candidates.content_of(candidate.position)
    if not isinstance(content, str):
        return ""
    return content if len(content) <= _EXCERPT else f"{content[:_EXCERPT]}…"
