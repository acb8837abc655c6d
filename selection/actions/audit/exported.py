"""That something was exported, or that restricted names were read, stands in the chain; an export may say where."""

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from selection.actions.audit.chain import note
from selection.models import AuditKind, Owner, SessionContextReference


def exported(
    user: Owner, what: str, form: str, about: Mapping[str, Any], *, session: UUID | None = None
) -> dict[str, Any]:
    """Leave an entry that `user` exports `what`; give the head of the chain that the entry makes. `about` names things by key and holds no content."""
    entry = note(AuditKind.EXPORT, user, {"what": what, "form": form, **about}, session=session)
    return {"sequence": entry.sequence, "digest": entry.digest}


def ended(user: Owner, manifest: Mapping[str, Any], began: int) -> None:
    """Leave an entry that an export was given to its end: its count and its digest, by which it is known again; `began` is the entry of its beginning."""
    said = {"began": began, "count": manifest["count"], "sha256": manifest["sha256"]}
    note(AuditKind.EXPORT_ENDED, user, said)


def read_restricted(user: Owner, rows: Iterable[SessionContextReference]) -> None:
    """Leave an entry where `rows`, which `user` is shown, name restricted paths: which rows, by key, never what they name."""
    named = [str(row.pk) for row in rows if row.restricted and row.path is not None]
    if named:
        note(AuditKind.READ_RESTRICTED, user, {"references": named})
