"""The prompt, message by message, with tokens and provenance; restricted content only after it was revealed."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from selection.engine import Outcome, build_prompt
from selection.engine.codes import Status
from selection.engine.prompt import Piece, PromptMessage
from selection.engine.reasons import label_of

MESSAGES_A_PAGE: Final = 50
Closed = Callable[[int], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One piece of a message and where it came from; `position` is None for the user's own text, `text` empty where it is closed."""

    label: str
    position: int | None
    characters: int
    closed: bool
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """One message as it would be sent; tokens are the estimate of the whole text, headings included."""

    number: int
    role: str
    tokens: int
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptTab:
    """One page of the prompt. `closed` counts the candidates of it whose content is shown only after a reveal; `why_none` says why there is no prompt."""

    messages: tuple[Sent, ...]
    count: int
    tokens: int
    closed: int
    next_page: int | None
    why_none: str


def prompt_tab(outcome: Outcome, page: int, closed: Closed) -> PromptTab:
    """Give one page of the prompt of an outcome; what is `closed` is named and counted, not shown."""
    prompt = build_prompt(outcome)
    start = (page - 1) * MESSAGES_A_PAGE
    shown = prompt[start : start + MESSAGES_A_PAGE]
    return PromptTab(
        messages=tuple(_sent(outcome, number, message, closed) for number, message in enumerate(shown, start + 1)),
        count=len(prompt),
        tokens=sum(message.tokens for message in prompt),
        closed=sum(map(closed, outcome.included)),
        next_page=page + 1 if start + MESSAGES_A_PAGE < len(prompt) else None,
        why_none="" if prompt else _why_none(outcome),
    )


def _why_none(outcome: Outcome) -> str:
    if outcome.status is Status.AWAITING_DECRYPT:
        return "Sealed rows are part of this prompt; it exists once the client has opened them."
    return "No model serves this turn, so nothing would be sent."


def _sent(outcome: Outcome, number: int, message: PromptMessage, closed: Closed) -> Sent:
    return Sent(
        number=number,
        role=message.role.value,
        tokens=message.tokens,
        parts=tuple(_part(outcome, piece, closed) for piece in message.pieces),
    )


def _part(outcome: Outcome, piece: Piece, closed: Closed) -> Part:
    candidates, position = outcome.candidates, piece.position
    if candidates is None or position is None:
        return Part(label="the user's text", position=None, characters=len(piece.text), closed=False, text=piece.text)
    return Part(
        label=label_of(candidates, position),
        position=position,
        characters=len(piece.text),
        closed=closed(position),
        text="" if closed(position) else piece.text,
    )
