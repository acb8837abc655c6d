"""Import a recorded session of any known format: read it, then store it, all or nothing; the same file twice is one session."""

import hashlib
from dataclasses import dataclass
from typing import BinaryIO

from django.db import IntegrityError, transaction

from selection.actions.import_bundle import import_bundle
from selection.actions.store_recording import store_recording
from selection.importers import Imported, Recording, open_session
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
    opened = open_session(name, file, format_name)
    try:
        session = _store(user, opened, digest)
    except IntegrityError:
        known = _known(user, digest)
        if known is None:
            raise
        return known
    return ImportedSession(session, opened.report.lines)


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
def _store(user: Owner, opened: Recording | Imported, digest: str) -> Session:
    if isinstance(opened, Recording):  # noqa: SIM108 - the types are told apart so
        session = store_recording(user, opened.parts)
    else:
        session = import_bundle(user, opened.bundle)
    session.import_report, session.source_digest = opened.report.document, digest
    session.save(update_fields=["import_report", "source_digest"])
    return session
