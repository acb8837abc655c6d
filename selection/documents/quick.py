"""Read a large turn document fast where nothing about it is doubtful; what is doubtful is validated strictly, which tells every fault.

Most of a large turn are rows of four kinds, and reading them one by one costs more than selecting from them: here a typed parser reads the whole, and the rows
become values column by column. Nothing is decided here: a document is read only where the strict reader gives the same value. What the typed parser would pass
over, a key given twice, is found by writing again what was read: with every key kept, it has as many quotes as the document.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any, Final, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from selection.documents.parsing import read_json
from selection.documents.plain import from_columns
from selection.documents.reading import validate
from selection.engine.codes import Role
from selection.engine.values import AttachedFile, Memory, Message, TurnInput

_Row = TypeVar("_Row", Message, Memory, AttachedFile)
_Optional = str | None | UnsetType


class _Plain(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    """Text in its wrapper."""

    plaintext: str


class _MessageRow(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    """A message, field by field as the engine's."""

    id: str
    role: Role
    content: str | _Plain
    provider: _Optional = UNSET
    model: _Optional = UNSET
    path: _Optional = UNSET
    created_at: _Optional = UNSET


class _MemoryRow(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    """A remembered fact."""

    id: str
    content: str | _Plain
    key: _Optional = UNSET


class _FileRow(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    """An attached file."""

    path: str
    content: str | _Plain
    required: bool | UnsetType | None = UNSET
    content_hash: _Optional = UNSET


class _Recalled(msgspec.Struct, forbid_unknown_fields=True):
    """What storage recalled."""

    messages: list[_MessageRow] | UnsetType = UNSET
    user_memory: list[_MemoryRow] | UnsetType = UNSET
    context_memory: list[_MemoryRow] | UnsetType = UNSET


class _Attachments(msgspec.Struct, forbid_unknown_fields=True):
    """What the client attached; all but the files as it was written."""

    files: list[_FileRow] | UnsetType = UNSET
    instructions: msgspec.Raw | UnsetType = UNSET
    invoked_skills: msgspec.Raw | UnsetType = UNSET
    available_skills: msgspec.Raw | UnsetType = UNSET


class _Turn(msgspec.Struct, forbid_unknown_fields=True):
    """A turn; the small parts as they were written, for the strict reader."""

    input: msgspec.Raw
    workspace: msgspec.Raw | UnsetType = UNSET
    attachments: _Attachments | UnsetType = UNSET
    recalled: _Recalled | UnsetType = UNSET
    policy: msgspec.Raw | UnsetType = UNSET
    local_preferences: msgspec.Raw | UnsetType = UNSET
    models: msgspec.Raw | UnsetType = UNSET
    credentials: msgspec.Raw | UnsetType = UNSET


_decode: Final = msgspec.json.Decoder(_Turn).decode
_encode: Final = msgspec.json.Encoder().encode
# A quote that is escaped otherwise than it is written again, and what cannot be stored.
_doubtful: Final = re.compile(rb"\\u00[02]").search


def read_quickly(data: bytes) -> TurnInput | None:
    """Give the turn of a document, or None where the strict reader has to judge. Raises `InvalidDocument` for what is beside the rows."""
    if b"\\" in data and _doubtful(data):
        return None
    try:
        held = _decode(data)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None
    if _encode(held).count(b'"') != data.count(b'"'):
        return None
    recalled = _Recalled() if isinstance(held.recalled, UnsetType) else held.recalled
    attachments = _Attachments() if isinstance(held.attachments, UnsetType) else held.attachments
    turn = validate(TurnInput, {**_parts(held), "attachments": _parts(attachments)})
    return replace(
        turn,
        recalled=replace(
            turn.recalled,
            messages=_rows(Message, recalled.messages),
            user_memory=_rows(Memory, recalled.user_memory),
            context_memory=_rows(Memory, recalled.context_memory),
        ),
        attachments=replace(turn.attachments, files=_rows(AttachedFile, attachments.files)),
    )


def _parts(held: msgspec.Struct) -> dict[str, Any]:
    """Give the parts that were not looked into, read strictly."""
    given = ((name, getattr(held, name)) for name in held.__struct_fields__)
    return {name: read_json(bytes(value)) for name, value in given if isinstance(value, msgspec.Raw)}


def _rows(kind: type[_Row], rows: Sequence[Any] | UnsetType) -> tuple[_Row, ...]:
    """Give rows as values."""
    if isinstance(rows, UnsetType) or not rows:
        return ()
    columns = {name: _column(name, list(map(attrgetter(name), rows))) for name in rows[0].__struct_fields__}
    return from_columns(kind, len(rows), columns)


def _column(name: str, values: list[Any]) -> list[Any]:
    """Give a column with what is absent as what that means."""
    if name == "content":
        return [value if value.__class__ is str else value.plaintext for value in values]
    if name == "required":
        return [value is True for value in values]
    return [None if value is UNSET else value for value in values] if UNSET in values else values
