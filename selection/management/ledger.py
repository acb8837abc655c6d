"""The ledger as lines of text, as a person reads it in a terminal."""

import re
from collections.abc import Iterable, Iterator

from selection.engine import Outcome, attempt_sentence, decision_sentence, explain
from selection.engine.candidates import Candidate

_MOST_NAMED = 60
# A terminal obeys control characters and turns text around: what a recording says is shown, never obeyed.
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")


def ledger_lines(outcome: Outcome) -> Iterator[str]:
    """Give the decision, the budget, and every candidate with its reason."""
    yield visible(decision_sentence(outcome))
    yield f"status: {outcome.status.value}"
    for attempt in outcome.attempts:
        yield f"  {attempt.verdict.value:<29} {visible(attempt.model)}  {visible(attempt_sentence(attempt))}"
    budget = outcome.budget
    if budget is not None:
        yield (
            f"window {budget.window:,} - reply reserve {budget.reply_reserve:,} = effective budget {budget.effective:,}; "
            f"required {budget.required:,}, used {budget.used:,}, free {budget.free:,}"
        )
    candidates = outcome.candidates
    if candidates is not None:
        yield from _section(
            outcome, "included" if outcome.model else "required", outcome.included or candidates.required
        )
        yield from _section(outcome, "excluded" if outcome.model else "ranked", outcome.excluded or _undecided(outcome))
        yield from _section(outcome, "duplicates", candidates.duplicates)


def _undecided(outcome: Outcome) -> Iterable[int]:
    return () if outcome.model or outcome.candidates is None else outcome.candidates.ranking


def _section(outcome: Outcome, title: str, positions: Iterable[int]) -> Iterator[str]:
    held = list(positions)
    if held:
        yield ""
        yield f"{title} ({len(held):,})"
    for position in held:
        candidate = outcome.candidate(position)
        yield f"  {_name(candidate):<{_MOST_NAMED}} {candidate.tokens:>9,}  {visible(explain(outcome, position).sentence)}"


def _name(candidate: Candidate) -> str:
    name = visible(candidate.key)
    return name if len(name) <= _MOST_NAMED else f"{name[: _MOST_NAMED - 1]}…"


def visible(text: str) -> str:
    """Show each character that a terminal would obey as its code point."""
    return _UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
