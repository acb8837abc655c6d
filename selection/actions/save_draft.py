"""Save a policy draft under a name: a name that the user has already is written over."""

from hashlib import sha256

from selection.models import Owner, PolicyDraft
from selection.models.base import key_of


def save_draft(user: Owner, name: str, text: str) -> PolicyDraft:
    """Save `text` as the draft `name` of the user; the caller has bounded both."""
    draft, _ = PolicyDraft.objects.update_or_create(
        user_id=key_of(user), name=name, defaults={"text": text, "kept": True}
    )
    return draft


def save_applied(user: Owner, text: str) -> PolicyDraft:
    """Save a text that was applied and is too long for an address: the same text is the same draft."""
    name = f"applied {sha256(text.encode()).hexdigest()}"
    draft, _ = PolicyDraft.objects.get_or_create(
        user_id=key_of(user), name=name, defaults={"text": text, "kept": False}
    )
    return draft
