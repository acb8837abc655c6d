"""Delete a session with all its rows; the user's memory survives ("Storage entities" in domain.md)."""

from selection.actions.audit.retention import Scope, apply_retention
from selection.models import Session


def delete_session(session: Session) -> None:
    """Delete `session` and everything of it, on behalf of its owner: what was recorded goes by retention, and leaves its digests in the chain."""
    apply_retention(session.user, Scope(sessions=(session.pk,)))
