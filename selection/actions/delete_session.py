"""Delete a session with all its rows; the user's memory survives ("Storage entities" in domain.md)."""

from django.db import transaction

from selection.models import Session


@transaction.atomic
def delete_session(session: Session) -> None:
    """Delete `session` and everything that belongs to it."""
    session.delete()
