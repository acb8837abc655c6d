"""Import many recordings, one after another: files, and what archives hold. What cannot be read is told beside the rest, and keeps nobody else out."""

import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import SpooledTemporaryFile
from typing import BinaryIO, Final, cast

from selection.actions.import_session import ImportedSession, import_session
from selection.actions.watch import Watch
from selection.documents.errors import Fault, InvalidDocument
from selection.models import Owner

_MOST_MEMBERS: Final = 10_000
_IN_MEMORY: Final = 16 << 20
_CHUNK: Final = 1 << 20
_ZIP: Final = b"PK\x03\x04"
# What systems put beside the files of an archive or a folder.
_BESIDE: Final = ("__MACOSX", ".DS_Store", "Thumbs.db")
_BROKEN: Final = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError)


@dataclass(frozen=True, slots=True)
class Source:
    """A recording that can be opened; `loose` when it was only found beside others, in a folder or an archive."""

    name: str
    open: Callable[[], BinaryIO]
    loose: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a source: a session, or faults that say why there is none."""

    source: Source
    imported: ImportedSession | None = None
    faults: tuple[Fault, ...] = ()


def import_sources(
    user: Owner,
    sources: Iterable[Source],
    format_name: str | None = None,
    watch: Callable[[Source], Watch] | None = None,
) -> Iterator[Result]:
    """Import each source for `user`, and tell at once what became of it. What a watch raises ends it; what was imported before stays."""
    for source in sources:
        try:
            file = source.open()
        except InvalidDocument as error:
            yield Result(source, faults=tuple(error.faults))
        except _BROKEN as error:
            yield Result(source, faults=(Fault("", _why(error)),))
        else:
            with file:
                result = _import(user, source, file, format_name, watch(source) if watch else None)
            yield result


def _import(user: Owner, source: Source, file: BinaryIO, format_name: str | None, watch: Watch | None) -> Result:
    try:
        return Result(source, import_session(user, source.name, file, format_name, watch))
    except InvalidDocument as error:
        return Result(source, faults=tuple(error.faults))


def _why(error: BaseException) -> str:
    if isinstance(error, OSError):
        return (error.strerror or "cannot be read").lower()
    return "cannot be taken out of the archive: it is encrypted, damaged or packed in an unknown way"


def sources_in(path: Path, most_bytes: int) -> Iterator[Source]:
    """Give the recordings that a path names: a file, all files of a folder, or the members of an archive."""
    if path.is_dir():
        for found in sorted(path.rglob("*")):
            if found.is_file() and found.name not in _BESIDE:
                yield from _sources_of(str(found.relative_to(path)), found, most_bytes, loose=True)
    else:
        yield from _sources_of(path.name, path, most_bytes, loose=False)


def _sources_of(name: str, path: Path, most_bytes: int, *, loose: bool) -> Iterator[Source]:
    if _is_archive(path):
        yield from _members(name, path, most_bytes)
    else:
        yield Source(name, lambda: path.open("rb"), loose)


def _is_archive(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(_ZIP)) == _ZIP and zipfile.is_zipfile(file)
    except OSError:
        return False


def _members(name: str, path: Path, most_bytes: int) -> Iterator[Source]:
    """Give the members of an archive. Its own word about their sizes is not taken: each is bounded as it is unpacked."""
    with zipfile.ZipFile(path) as archive:
        members = [member for member in archive.infolist() if not member.is_dir() and not _is_beside(member.filename)]
        for member in members[:_MOST_MEMBERS]:
            yield Source(f"{name}/{member.filename}", _opener(archive, member, most_bytes), loose=True)
    if len(members) > _MOST_MEMBERS:
        yield Source(name, _refusing(f"more than {_MOST_MEMBERS:,} files in one archive; the rest was left"))


def _is_beside(name: str) -> bool:
    return any(part in _BESIDE for part in PurePosixPath(name).parts)


def _opener(archive: zipfile.ZipFile, member: zipfile.ZipInfo, most_bytes: int) -> Callable[[], BinaryIO]:
    def unpack() -> BinaryIO:
        copy = cast("BinaryIO", SpooledTemporaryFile(max_size=_IN_MEMORY))  # noqa: SIM115 - the caller's
        with archive.open(member) as packed, _closed_if_broken(copy):
            while chunk := packed.read(_CHUNK):
                copy.write(chunk)
                if copy.tell() > most_bytes:
                    raise InvalidDocument([Fault("", f"larger than {most_bytes // 1024 // 1024:,} MB unpacked")])
        copy.seek(0)
        return copy

    return unpack


@contextmanager
def _closed_if_broken(file: BinaryIO) -> Iterator[None]:
    try:
        yield
    except BaseException:
        file.close()
        raise


def _refusing(why: str) -> Callable[[], BinaryIO]:
    def refuse() -> BinaryIO:
        raise InvalidDocument([Fault("", why)])

    return refuse
