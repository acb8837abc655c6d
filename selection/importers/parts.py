"""A recording part by part, in its order: what a session of any length is read as, so that none need stand in memory whole.

A turn begins where the history before it ends, and is told when everything that belongs to it is known; what stands between the two came after the turn began.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from selection.documents.bundle import BundleMessage, BundleTurn, SessionBundle, SessionInfo
from selection.engine.values import ModelDescriptor, Policy


@dataclass(frozen=True, slots=True)
class TurnBegins:
    """A turn begins: its history is what was said up to here."""


@dataclass(frozen=True, slots=True)
class Unanswered:
    """How many of the first turns nobody answered, and the route that they take: that of the first to answer."""

    count: int
    policy: Policy
    credentials: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ending:
    """What is known of a session only when all of it was read."""

    session: SessionInfo
    models: tuple[ModelDescriptor, ...]
    unanswered: Unanswered


Part = BundleMessage | TurnBegins | BundleTurn | Ending


def collect(parts: Iterable[Part]) -> SessionBundle:
    """Give the parts of a recording as one bundle."""
    messages: list[BundleMessage] = []
    turns: list[BundleTurn] = []
    ending: Ending | None = None
    for part in parts:
        match part:
            case BundleMessage():
                messages.append(part)
            case BundleTurn():
                turns.append(part)
            case Ending():
                ending = part
    if ending is None:
        raise ValueError("the recording has no ending")
    late = ending.unanswered
    for place in range(late.count):
        turns[place] = replace(turns[place], policy=late.policy, credentials=late.credentials)
    return SessionBundle(session=ending.session, messages=tuple(messages), models=ending.models, turns=tuple(turns))
