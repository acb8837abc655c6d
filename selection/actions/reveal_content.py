"""Reveal restricted content to the person who asks, and leave a trace of it ("What is recorded" in domain.md).

The trace says who, when, which candidates and which policy lines restrict them; neither a name nor content.
"""

from collections.abc import Sequence

from django.db import transaction

from selection.engine import Outcome
from selection.models import EventType, Owner, SessionRunInput, TraceEvent, TraceEventContent
from selection.models.base import key_of


def reveal_content(
    user: Owner, run_input: SessionRunInput, outcome: Outcome, positions: Sequence[int], how: str
) -> None:
    """Record that `user` was shown the content of the candidates at `positions`; `how` is `shown` or `downloaded`."""
    candidates = outcome.candidates
    held = [] if candidates is None else [candidates.restriction_of(position) for position in positions]
    payload = {
        "action": "reveal_content",
        "how": how,
        "run_input": str(run_input.pk),
        "positions": list(positions),
        "restricted_by": sorted({restriction.place for restriction in held if restriction is not None}),
    }
    with transaction.atomic():
        event = TraceEvent.objects.create(
            user_id=key_of(user), session_id=run_input.session_id, position=0, event_type=EventType.APPROVAL.value
        )
        TraceEventContent.objects.create(event=event, payload=payload)
