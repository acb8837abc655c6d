"""What an importer gives: a recording to be read part by part, or a session that had to be read whole."""

from collections.abc import Iterator
from dataclasses import dataclass

from selection.documents.bundle import SessionBundle
from selection.importers.parts import Part, collect
from selection.importers.report import Report


@dataclass(frozen=True, slots=True)
class Imported:
    """A session, and what there is to say about its reading."""

    bundle: SessionBundle
    report: Report


@dataclass(frozen=True, slots=True)
class Recording:
    """A recording that is read while its parts are taken; the report is complete when they are."""

    parts: Iterator[Part]
    report: Report

    def collected(self) -> Imported:
        """Read it whole. Raises `InvalidDocument` when it holds no message of a conversation."""
        return Imported(collect(self.parts), self.report)
