"""The budget strip: what takes how many tokens of the window. Every number of the page that is about the budget comes from here."""

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from typing import Final

from selection.engine import Outcome
from selection.engine.candidates import KIND_OF
from selection.engine.codes import Kind

_NAMES: Final = {
    Kind.FILE: "files",
    Kind.DIFF: "diff",
    Kind.MESSAGE: "history",
    Kind.MEMORY: "memory",
    Kind.SKILL: "skills",
    Kind.INSTRUCTION: "instructions",
}
WIDTH: Final = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """One part of the strip, in tokens; `x` and `width` are thousandths of the window."""

    code: str
    name: str
    tokens: int
    x: float
    width: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Strip:
    """The window of the serving model, from its required candidates to the reply reserve; the segments add up to `whole`."""

    window: int
    reply_reserve: int
    effective: int
    required: int
    used: int
    free: int
    whole: int
    segments: tuple[Segment, ...]


def strip_of(outcome: Outcome) -> Strip | None:
    """Give the strip of an outcome; None where no model serves."""
    budget = outcome.budget
    if budget is None:
        return None
    parts = [("required", "required", budget.required)]
    parts += [(kind.value, _NAMES[kind], tokens) for kind, tokens in _by_kind(outcome)]
    parts += [("free", "free", budget.free), ("reserve", "reply reserve", budget.reply_reserve)]
    shown = [part for part in parts if part[2]]
    # Invariant: a reserve larger than the window leaves an effective budget of 0, and the strip is as long as the reserve.
    whole = sum(tokens for _, _, tokens in shown)
    return Strip(
        window=budget.window,
        reply_reserve=budget.reply_reserve,
        effective=budget.effective,
        required=budget.required,
        used=budget.used,
        free=budget.free,
        whole=whole,
        segments=_laid_out(shown, whole),
    )


def _by_kind(outcome: Outcome) -> list[tuple[Kind, int]]:
    candidates = outcome.candidates
    if candidates is None:
        return []
    # What is required is a part of its own; the rest lies in the spans of its parts, so that no candidate is asked for its kind.
    ranked = sorted(outcome.included[len(candidates.required) :])
    sums: Counter[Kind] = Counter()
    for part, span in candidates.columns.spans:
        held = ranked[bisect_left(ranked, span.start) : bisect_left(ranked, span.stop)]
        sums[KIND_OF[part]] += sum(map(candidates.tokens.__getitem__, held))
    return [(kind, sums[kind]) for kind in _NAMES]


def _laid_out(parts: list[tuple[str, str, int]], whole: int) -> tuple[Segment, ...]:
    segments, x = [], 0.0
    for code, name, tokens in parts:
        width = tokens * WIDTH / whole
        segments.append(Segment(code=code, name=name, tokens=tokens, x=round(x, 2), width=round(width, 2)))
        x += width
    return tuple(segments)
