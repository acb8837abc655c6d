"""Import a recorded session of any known format: read it and store it, all or nothing.

The same file twice is one session. A recording that grew since it was imported goes on where its session ends, which keeps its turns and recorded runs.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import BinaryIO, Final, cast

from django.db import IntegrityError, transaction

from selection.actions.catalog import catalog_here
from selection.actions.checkpoint import checkpoint_beside
from selection.actions.collector import collector_relaxed
from selection.actions.held import Diverged
from selection.actions.import_bundle import import_bundle
from selection.actions.relate_sessions import relate
from selection.actions.store_recording import Stored, store_recording
from selection.actions.watch import Watch, WatchedFile
from selection.importers import Imported, Recording, open_session
from selection.importers.parts import Part
from selection.models import Owner, Session

_CHUNK: Final = 1 << 20
_LARGE: Final = 8_000_000
_AGAIN: Final = "This file was imported before: nothing was stored anew."
_ELSE: Final = "An earlier import of this session has another history, so this one stands beside it."
_MOST_ID: Final = 300


@dataclass(frozen=True, slots=True)
class ImportedSession:
    """What an import made, and what it has to say: `again` when the same file had made it before, `grown` when it went on with a session that was there."""

    session: Session
    lines: tuple[str, ...]
    again: bool = False
    grown: bool = False


def import_session(
    user: Owner, name: str, file: BinaryIO, format_name: str | None = None, watch: Watch | None = None
) -> ImportedSession:
    """Store the session in `file`, called `name`, for `user`; its format is known by its content unless `format_name` says which.

    Raises `InvalidDocument` with every fault, and whatever `watch` raises; then nothing is stored.
    """
    watch = watch or Watch()
    watched = cast("BinaryIO", WatchedFile(file, watch))
    source = _Source(name, watched, format_name, *_digest_of(watched))
    known = _known(user, source.digest)
    if known is not None:
        return known
    try:
        with collector_relaxed(), checkpoint_beside(large=source.size > _LARGE):
            return _import(user, source, watch)
    except IntegrityError:
        known = _known(user, source.digest)
        if known is None:
            raise
        return known


@dataclass(frozen=True, slots=True)
class _Source:
    """The file at hand, what it is called and by what it is known again."""

    name: str
    file: BinaryIO
    format_name: str | None
    digest: str
    size: int

    def open(self) -> Recording | Imported:
        self.file.seek(0)
        return open_session(self.name, self.file, self.format_name, catalog_here())


def _import(user: Owner, source: _Source, watch: Watch) -> ImportedSession:
    opened = source.open()
    if isinstance(opened, Imported):
        with transaction.atomic():
            return _kept(Stored(import_bundle(user, opened.bundle)), opened, source)
    try:
        return _store(user, opened, source, watch)
    except Diverged:
        again = cast("Recording", source.open())
        again.report.note(_ELSE)
        return _store(user, again, source, watch, go_on=False)


@transaction.atomic
def _store(user: Owner, opened: Recording, source: _Source, watch: Watch, *, go_on: bool = True) -> ImportedSession:
    parts = watch.storing(opened.parts)
    # Invariant: with its first part a recording has told which session it is.
    first = list(_first(parts))
    told = opened.report.source
    source_id = told if told and len(told) <= _MOST_ID else None
    earlier = _earlier(user, source_id) if go_on and source_id else None
    stored = store_recording(user, chain(first, parts), earlier)
    stored.session.source_id = source_id
    note = relate(stored.session)
    if note:
        opened.report.note(note)
    return _kept(stored, opened, source)


def _first(parts: Iterator[Part]) -> Iterator[Part]:
    for part in parts:
        yield part
        return


def _earlier(user: Owner, source_id: str) -> Session | None:
    """Give the newest session that was imported from the same recording."""
    same = Session.objects.owned_by(user).filter(source_id=source_id, encrypted=False)
    return same.select_for_update().order_by("-pk").first()


def _kept(stored: Stored, opened: Recording | Imported, source: _Source) -> ImportedSession:
    """Keep with a session what its import had to say, and by what its file is known again."""
    session, report = stored.session, opened.report
    report.size = source.size
    if stored.grown:
        report.note(
            f"The session was there; {stored.messages:,} messages and {stored.turns:,} turns were added to it, and its recorded runs were kept."
        )
    session.import_report, session.source_digest = report.document, source.digest
    session.save(
        update_fields=["import_report", "source_digest", "source_id", "begins_with", "continues", "shared_messages"]
    )
    return ImportedSession(session, report.lines, grown=stored.grown)


def _digest_of(file: BinaryIO) -> tuple[str, int]:
    """Give the digest of a file, and its size."""
    digest, size = hashlib.sha256(), 0
    while chunk := file.read(_CHUNK):
        digest.update(chunk)
        size += len(chunk)
    return digest.hexdigest(), size


def _known(user: Owner, digest: str) -> ImportedSession | None:
    session = Session.objects.owned_by(user).filter(source_digest=digest).first()
    if session is None:
        return None
    return ImportedSession(session, (_AGAIN, *session.import_report.get("lines", ())), again=True)
