"""Reveal restricted content to the person who asks, and leave an entry in the chain ("What is recorded" in domain.md).

The entry says who, when, which candidates and which policy lines restrict them; neither a name nor content.
"""

from collections.abc import Sequence

from selection.actions.audit.chain import note
from selection.engine import Outcome
from selection.models import AuditKind, Owner, SessionRunInput


def reveal_content(
    user: Owner, run_input: SessionRunInput, outcome: Outcome, positions: Sequence[int], how: str
) -> None:
    """Record that `user` was shown the content of the candidates at `positions`; `how` is `shown` or `downloaded`."""
    candidates = outcome.candidates
    held = [] if candidates is None else [candidates.restriction_of(position) for position in positions]
    payload = {
        "how": how,
        "run_input": str(run_input.pk),
        "positions": list(positions),
        "restricted_by": sorted({restriction.place for restriction in held if restriction is not None}),
    }
    note(AuditKind.REVEAL, user, payload, session=run_input.session_id)
