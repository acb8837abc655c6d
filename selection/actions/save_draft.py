"""Save a policy draft under a name: a name that the user has already is written over."""

from selection.models import Owner, PolicyDraft
from selection.models.base import key_of


def save_draft(user: Owner, name: str, text: str) -> PolicyDraft:
    """Save `text` as the draft `name` of the user; the caller has bounded both."""
    draft, _ = PolicyDraft.objects.update_or_create(user_id=key_of(user), name=name, defaults={"text": text})
    return draft
