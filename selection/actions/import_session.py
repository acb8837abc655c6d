"""Import a recorded session of any known format: read it, then store it, all or nothing; the same file twice is one session."""

import hashlib
from dataclasses import dataclass
from typing import BinaryIO

from django.db import IntegrityError, transaction

from selection.actions.import_bundle import import_bundle
from selection.importers import Imported, read_session
from selection.models import Owner, Session

_CHUNK = 1 << 20
_AGAIN = "This file was imported before: nothing was stored anew."


@dataclass(frozen=True, slots=True)
class ImportedSession:
    """What an import made, and what it has to say; `again` when the same file had made it before."""

    session: Session
    lines: tuple[str, ...]
    again: bool = False


def import_session(user: Owner, name: str, file: BinaryIO, format_name: str | None = None) -> ImportedSession:
    """Store the session in `file`, called `name`, for `user`; its format is known by its content unless `format_name` says which.

    Raises `InvalidDocument` with every fault; then nothing is stored.
    """
    digest = _digest_of(file)
    known = _known(user, digest)
    if known is not None:
        return known
    imported = read_session(name, file, format_name)
    try:
        session = _store(user, imported, digest)
    except IntegrityError:
        known = _known(user, digest)
        if known is None:
            raise
        return known
    return ImportedSession(session, imported.report.lines)


def _digest_of(file: BinaryIO) -> str:
    digest = hashlib.sha256()
    while chunk := file.read(_CHUNK):
        digest.update(chunk)
    file.seek(0)
    return digest.hexdigest()


def _known(user: Owner, digest: str) -> ImportedSession | None:
    session = Session.objects.owned_by(user).filter(source_digest=digest).first()
    if session is None:
        return None
    return ImportedSession(session, (_AGAIN, *session.import_report.get("lines", ())), again=True)


@transaction.atomic
def _store(user: Owner, imported: Imported, digest: str) -> Session:
    session = import_bundle(user, imported.bundle)
    session.import_report, session.source_digest = imported.report.document, digest
    session.save(update_fields=["import_report", "source_digest"])
    return session
