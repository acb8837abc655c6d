"""Import a recorded session of any known format: read it, then store it, all or nothing."""

from dataclasses import dataclass
from typing import BinaryIO

from django.db import transaction

from selection.actions.import_bundle import import_bundle
from selection.importers import read_session
from selection.importers.report import Report
from selection.models import Owner, Session


@dataclass(frozen=True, slots=True)
class ImportedSession:
    """What an import made, and what it has to say."""

    session: Session
    report: Report


def import_session(user: Owner, name: str, file: BinaryIO, format_name: str | None = None) -> ImportedSession:
    """Store the session in `file`, called `name`, for `user`; its format is known by its content unless `format_name` says which.

    Raises `InvalidDocument` with every fault; then nothing is stored.
    """
    imported = read_session(name, file, format_name)
    with transaction.atomic():
        session = import_bundle(user, imported.bundle)
        session.import_report = imported.report.document
        session.save(update_fields=["import_report"])
    return ImportedSession(session, imported.report)
