"""That something was exported stands in the chain, and the export may say where."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from selection.actions.audit.chain import note
from selection.models import AuditKind, Owner


def exported(
    user: Owner, what: str, form: str, about: Mapping[str, Any], *, session: UUID | None = None
) -> dict[str, Any]:
    """Leave an entry that `user` exports `what`; give the head of the chain that the entry makes. `about` names things by key and holds no content."""
    entry = note(AuditKind.EXPORT, user, {"what": what, "form": form, **about}, session=session)
    return {"sequence": entry.sequence, "digest": entry.digest}
