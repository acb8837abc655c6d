"""The answer of the "why not" box: where a path or a text stands, and why it is nowhere where it is nowhere."""

from collections.abc import Callable
from dataclasses import dataclass

from selection.engine import Outcome, explain
from selection.engine.locate import locate
from selection.engine.near_misses import NearMiss
from selection.engine.privacy import Restriction
from selection.engine.reasons import label_of
from selection.engine.states import WORDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One candidate that the answer is about."""

    position: int
    label: str
    words: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Close:
    """A path that resembles the one asked for, and the address that asks for it."""

    path: str
    href: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LocatedBox:
    """The whole answer; `path` is what the text names as a path, where it names one."""

    text: str
    path: str | None
    hits: tuple[Hit, ...]
    mentions: tuple[Hit, ...]
    missing: tuple[str, ...]
    restrictions: tuple[Restriction, ...]
    near: tuple[NearMiss, ...]
    close: tuple[Close, ...]


def located_box(outcome: Outcome, text: str, href: Callable[..., str]) -> LocatedBox | None:
    """Answer the box; None where it was not asked."""
    if not text:
        return None
    located = locate(outcome, text)
    return LocatedBox(
        text=text,
        path=located.path,
        hits=tuple(_hit(outcome, position) for position in located.rows),
        mentions=tuple(_hit(outcome, position) for position in located.mentions),
        missing=located.missing,
        restrictions=located.restrictions,
        near=located.near,
        close=tuple(Close(path=path, href=href(ask=path)) for path in located.close),
    )


def _hit(outcome: Outcome, position: int) -> Hit:
    candidates = outcome.candidates
    return Hit(
        position=position,
        label="" if candidates is None else label_of(candidates, position),
        words=WORDS[outcome.state_of(position)],
        reason=explain(outcome, position).sentence,
    )
