"""What the page says of sealed rows: which of them would be opened and why, and, once they are, what that changed ("Sealed history" in domain.md)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from selection.actions.ask_what_if import Asked
from selection.engine import Outcome, explain
from selection.engine.codes import Reason, Status
from selection.engine.reasons import label_of
from selection.engine.values import Envelope

_MOST_LISTED: Final = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedRow:
    """A sealed candidate that would be opened: where it stands, what it is called, and why it is in; `tokens` is its upper bound."""

    position: int
    label: str
    tokens: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """What opening the rows changed: sizes became exact, equal texts merged, and what a larger text than announced pushed out. Tokens are of what is in."""

    rows: int
    tokens_before: int
    tokens_after: int
    merged: int
    dropped: int
    withheld: int
    model_changed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedPart:
    """The sealed rows of a turn. While it `waits`, `rows` are the first of those that the client would be asked for, and `asked` counts them all.

    `of` counts the sealed candidates, `plain_memory` what is remembered of the user; `prompt` tells whether the user's own text is sealed too. After the
    client's answer there is an `opening`.
    """

    waits: bool
    asked: int
    of: int
    prompt: bool
    plain_memory: int
    rows: tuple[AskedRow, ...]
    opening: Opening | None
    href: str


def sealed_part(asked: Asked, href: Callable[..., str]) -> SealedPart | None:
    """Tell of the sealed rows; None where neither a candidate nor the prompt came sealed."""
    shown = asked.paused or asked.outcome
    sealed = shown.candidates.sealed if shown.candidates else 0
    prompt = isinstance(shown.turn.input.text, Envelope)
    if not sealed and not prompt:
        return None
    waits = asked.outcome.status is Status.AWAITING_DECRYPT
    return SealedPart(
        waits=waits,
        asked=len(shown.to_decrypt),
        of=sealed,
        prompt=prompt,
        plain_memory=len(shown.turn.recalled.user_memory),
        rows=_rows(asked.outcome) if waits else (),
        opening=_opening(asked.paused, asked.outcome) if asked.paused else None,
        href=href(tab="", mark="sealed", state="included"),
    )


def _rows(outcome: Outcome) -> tuple[AskedRow, ...]:
    candidates = outcome.candidates
    if candidates is None:
        return ()
    return tuple(
        AskedRow(
            position=position,
            label=label_of(candidates, position),
            tokens=candidates.tokens[position],
            reason=explain(outcome, position).sentence,
        )
        for position in outcome.to_decrypt[:_MOST_LISTED]
    )


def _opening(before: Outcome, after: Outcome) -> Opening:
    return Opening(
        rows=len(before.to_decrypt),
        tokens_before=before.budget.used if before.budget else 0,
        tokens_after=after.budget.used if after.budget else 0,
        merged=_newly(before, after, Reason.DUPLICATE),
        dropped=_newly(before, after, Reason.OVER_BUDGET),
        withheld=_newly(before, after, Reason.RESTRICTED_REMOTE),
        model_changed=before.model != after.model,
    )


def _newly(before: Outcome, after: Outcome, reason: Reason) -> int:
    return sum(now is reason and was is not reason for was, now in zip(before.reasons, after.reasons, strict=True))
