"""Imports that run beside the server's answers: a page asks how far they are, and can call them off.

What is brought is kept in a folder of its own until it is imported, and gone after it. How far an import is stands in a cache of the machine, not in the
database: the import is one transaction there, and nobody would see in what it wrote of itself.
"""

import logging
import shutil
import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Final, Protocol
from uuid import UUID

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.cache import caches
from django.db import connections

from selection.actions.import_sources import Result, Source, import_sources, sources_in
from selection.actions.watch import Cancelled, Phase, Progress, Watch
from selection.documents.plain import from_plain, to_plain
from selection.models import Owner, key_of
from selection.models.base import new_id

_DAY: Final = 86_400
_SILENT_SECONDS: Final = 120
_SECONDS: Final = 0.2
_MOST_TOLD: Final = 200
_log: Final = logging.getLogger(__name__)


class Brought(Protocol):
    """A file that somebody brought, as a form gives it."""

    name: str | None
    size: int | None

    def chunks(self) -> Iterable[bytes]:
        """Give its content."""


class State(StrEnum):
    """What became of an import."""

    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True, kw_only=True)
class JobResult:
    """What became of one file: a session and what there is to say of it, or faults as places and messages."""

    name: str
    session: UUID | None = None
    lines: tuple[str, ...] = ()
    again: bool = False
    grown: bool = False
    loose: bool = False
    faults: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """How far an import is. `heard` is when it last told, in seconds of the epoch."""

    owner: int
    state: State = State.RUNNING
    name: str = ""
    phase: Phase = Phase.CHECKING
    done: int = 0
    size: int = 0
    heard: float = 0.0
    results: tuple[JobResult, ...] = ()

    @property
    def percent(self) -> int:
        """How far the file at hand is in its phase."""
        return Progress(self.phase, self.done, self.size).percent

    @property
    def megabytes(self) -> int:
        """The size of the file at hand, rounded up."""
        return -(-self.size // 1_000_000)


def begin_import(user: Owner, brought: Sequence[Brought], *, beside: bool) -> UUID:
    """Keep what was brought and import it: `beside` the answer at hand, or before this returns. Gives the name of the job."""
    key = new_id()
    _sweep()
    folder = _folder(key)
    folder.mkdir(parents=True, mode=0o700)
    for number, file in enumerate(brought):
        # The name is somebody's; the place is ours.
        with (folder / str(number)).open("xb") as kept:
            for chunk in file.chunks():
                kept.write(chunk)
    job = Job(owner=key_of(user), heard=time.time())
    _put(key, job)
    names = [file.name or "a file" for file in brought]
    if beside:
        threading.Thread(target=_run_apart, args=(key, job, names), daemon=True).start()
    else:
        _run(key, job, names, user)
    return key


def job_of(user: Owner, key: UUID) -> Job | None:
    """Give an import of `user`, of which nothing is known after a day; one that has been silent for long is broken."""
    held = caches["imports"].get(str(key))
    job = None if held is None else from_plain(Job, held)
    if job is None or job.owner != user.pk:
        return None
    silent = job.state is State.RUNNING and time.time() - job.heard > _SILENT_SECONDS
    return replace(job, state=State.BROKEN) if silent else job


def cancel_import(user: Owner, key: UUID) -> bool:
    """Call an import off; False where there is none. What of it is stored already stays: whole files."""
    if job_of(user, key) is None:
        return False
    caches["imports"].set(f"{key}:cancel", True, _DAY)
    return True


def _run_apart(key: UUID, job: Job, names: Sequence[str]) -> None:
    try:
        _run(key, job, names, get_user_model().objects.get(pk=job.owner))
    finally:
        connections.close_all()


def _run(key: UUID, job: Job, names: Sequence[str], user: Owner) -> None:
    running = _Running(key, job)
    folder = _folder(key)
    state = State.BROKEN
    try:
        for result in import_sources(user, _sources(folder, names), watch=running.watch):
            running.note(result)
        state = State.DONE
    except Cancelled:
        state = State.CANCELLED
    except Exception:  # noqa: BLE001 - nobody waits for this thread: the page has to tell it
        # What went wrong is for those who run the server, and the formatter leaves its values out.
        _log.exception("an import broke")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        running.end(state)


def _sources(folder: Path, names: Sequence[str]) -> Iterable[Source]:
    for number, name in enumerate(names):
        for source in sources_in(folder / str(number), settings.MAX_IMPORT_BYTES):
            # An archive's members are called `0/...` after our place for it.
            member = source.name.partition("/")[2]
            yield replace(source, name=f"{name}/{member}" if member else name, loose=source.loose or len(names) > 1)


class _Running:
    """A job as it goes on."""

    def __init__(self, key: UUID, job: Job) -> None:
        self._key, self._job, self._written = key, job, 0.0

    def watch(self, source: Source) -> Watch:
        """Follow the next file."""
        self._heed()
        self._change(name=source.name, phase=Phase.CHECKING, done=0, size=0)
        return Watch(self._tell)

    def _tell(self, progress: Progress) -> None:
        self._heed()
        self._change(phase=progress.phase, done=progress.done, size=progress.size)

    def _heed(self) -> None:
        if caches["imports"].get(f"{self._key}:cancel"):
            raise Cancelled

    def note(self, result: Result) -> None:
        """Keep what became of a file; of very many the first ones tell everything, the others what they are."""
        told = _told(result)
        if len(self._job.results) >= _MOST_TOLD:
            told = replace(told, lines=(), faults=told.faults[:1])
        self._change(results=(*self._job.results, told))

    def end(self, state: State) -> None:
        """Tell what became of it all."""
        self._change(state=state)

    def _change(self, **changes: object) -> None:
        """Change what is told; thousands of small files are not each written down at once."""
        now = time.time()
        self._job = replace(self._job, heard=now, **changes)  # type: ignore[arg-type]
        if now - self._written >= _SECONDS or self._job.state is not State.RUNNING:
            self._written = now
            _put(self._key, self._job)


def _told(result: Result) -> JobResult:
    name, imported = result.source.name, result.imported
    if imported is None:
        faults = tuple((str(fault.place), fault.message) for fault in result.faults)
        return JobResult(name=name, loose=result.source.loose, faults=faults)
    return JobResult(
        name=name,
        session=imported.session.pk,
        lines=imported.lines,
        again=imported.again,
        grown=imported.grown,
        loose=result.source.loose,
    )


def _put(key: UUID, job: Job) -> None:
    caches["imports"].set(str(key), to_plain(job), _DAY)


def _folder(key: UUID) -> Path:
    return Path(settings.DATA_DIR) / "imports" / str(key)


def _sweep() -> None:
    """Remove what a server that was stopped in the middle left behind."""
    for folder in _folder(new_id()).parent.glob("*"):
        if time.time() - folder.stat().st_mtime > _DAY:
            shutil.rmtree(folder, ignore_errors=True)
