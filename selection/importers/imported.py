"""What an importer gives."""

from dataclasses import dataclass

from selection.documents.bundle import SessionBundle
from selection.importers.report import Report


@dataclass(frozen=True, slots=True)
class Imported:
    """A session, and what there is to say about its reading."""

    bundle: SessionBundle
    report: Report
