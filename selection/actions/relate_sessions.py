"""Tell where a recording goes on from another: tools copy the rows so far into a new file when a session is resumed or forked."""

import re
from itertools import takewhile
from typing import Final

from selection.models import Session, SessionMessage

# Names that an importer gives where the recording has none say nothing of another recording.
_OURS: Final = re.compile(r"message-\d+(?:#\d+)?\Z")
_MOST_NAME: Final = 300
_MOST_SESSIONS: Final = 10
_MOST_COMPARED: Final = 20_000


def relate(session: Session) -> str | None:
    """Set which session of the same person this one goes on from, the one with which it shares most; give a note of it. The caller saves."""
    session.begins_with = _begins_with(session)
    if session.begins_with is None:
        return None
    others = Session.objects.filter(user_id=session.user_id, begins_with=session.begins_with).exclude(pk=session.pk)
    names = _names(session)
    shared = [(_shared(names, _names(other)), other) for other in others.order_by("-pk")[:_MOST_SESSIONS]]
    most, nearest = max(shared, key=lambda each: each[0], default=(0, None))
    session.continues, session.shared_messages = nearest, most
    return (
        f"Its first {most:,} messages are also in a session that was imported before; it goes on from there."
        if most
        else None
    )


def _begins_with(session: Session) -> str | None:
    first = (
        SessionMessage.objects.filter(session=session)
        .order_by("position")
        .values_list("recorded_id", flat=True)
        .first()
    )
    return None if not first or len(first) > _MOST_NAME or _OURS.match(first) else first


def _names(session: Session) -> list[str | None]:
    rows = SessionMessage.objects.filter(session=session).order_by("position")
    return list(rows.values_list("recorded_id", flat=True)[:_MOST_COMPARED])


def _shared(names: list[str | None], others: list[str | None]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(names, others, strict=False)))
