"""The chain: entries in one order, each with the digest of the one before, so that nothing recorded can be changed, taken out or put in quietly.

One lock orders those who append; it is the last thing that a transaction takes, and held until it ends, so that an entry is there exactly when its rows are.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, Final
from uuid import UUID

from django.db import connection, transaction
from django.utils import timezone

from selection.actions.audit.recorded import FORM, Covered
from selection.documents.canonical import digest
from selection.models import AuditEntry, AuditKind, Owner

# What the first entry names as the one before.
GENESIS: Final = "0" * 64
# Any number, as long as it is always the same: the name of the lock among those of PostgreSQL.
_LOCK: Final = 0x536D69737461


@dataclass(frozen=True, slots=True)
class Head:
    """The newest entry: how many there are, and the digest that stands for all of them."""

    sequence: int = 0
    digest: str = GENESIS


def head() -> Head:
    """Give the head of the chain."""
    last = AuditEntry.objects.order_by("-sequence").values_list("sequence", "digest").first()
    return Head(*last) if last else Head()


def note(
    kind: AuditKind, user: Owner | None, payload: Mapping[str, Any], *, session: UUID | None = None, by: str = ""
) -> AuditEntry:
    """Leave an entry that tells what somebody did; `by` names what did it where nobody is signed in."""
    return append(kind, user, payload, session=session, by=by)


def append(  # noqa: PLR0913 - an entry says all of this
    kind: AuditKind,
    user: Owner | None,
    payload: Mapping[str, Any],
    *,
    run: UUID | None = None,
    session: UUID | None = None,
    covered: Covered | None = None,
    by: str = "",
    at: datetime | None = None,
) -> AuditEntry:
    """Append an entry. Where it covers a run, in the transaction that stores the run's rows, and as the last thing in it."""
    with transaction.atomic():
        lock_chain()
        last = head()
        entry = AuditEntry(
            sequence=last.sequence + 1,
            kind=kind.value,
            created_at=at or timezone.now(),
            user_id=None if user is None else user.pk,
            actor=by if user is None else user.get_username(),
            run=run,
            session=session,
            rows=covered.rows if covered else 0,
            rows_digest=covered.rows_digest if covered else "",
            leaves=covered.leaves if covered else b"",
            payload=dict(payload),
            previous=last.digest,
        )
        entry.digest = digest_of(entry)
        entry.save(force_insert=True)
    return entry


def append_run(
    user: Owner | None, run: UUID, session: UUID, covered: Covered, at: datetime | None = None
) -> AuditEntry:
    """Append the entry of a run."""
    payload = {"form": FORM, "counts": dict(covered.counts)}
    return append(AuditKind.RUN, user, payload, run=run, session=session, covered=covered, at=at)


def lock_chain() -> None:
    """Wait until nobody else appends, and keep it so until this transaction ends. On SQLite whoever writes is alone anyway."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])


def digest_of(entry: AuditEntry) -> str:
    """Give the digest that an entry must carry: SHA-256 of the canonical JSON of all that it says, with the digest of the one before."""
    return digest(
        {
            "sequence": entry.sequence,
            "kind": entry.kind,
            "created_at": entry.created_at,
            "user": entry.user_id,
            "actor": entry.actor,
            "run": entry.run,
            "session": entry.session,
            "rows": entry.rows,
            "rows_digest": entry.rows_digest,
            "leaves": sha256(bytes(entry.leaves)).hexdigest(),
            "payload": entry.payload,
            "previous": entry.previous,
        }
    )
