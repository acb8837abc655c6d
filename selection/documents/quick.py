"""Read a large turn document fast where nothing about it is doubtful; what is doubtful is validated strictly, which tells every fault.

Most of a large turn are rows of four kinds, and reading them one by one costs more than selecting from them: here a typed parser reads the whole, and the rows
become values column by column. Nothing is decided here: a document is read only where the strict reader gives the same value. What the typed parser would pass
over, a key given twice, is found by counting: each key and each text has two quotes, and a quote within a text is escaped.
"""

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
_NOTHING: Final = msgspec.Raw(b"")


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
    instructions: msgspec.Raw = _NOTHING
    invoked_skills: msgspec.Raw = _NOTHING
    available_skills: msgspec.Raw = _NOTHING


class _Turn(msgspec.Struct, forbid_unknown_fields=True):
    """A turn; the small parts as they were written, for the strict reader."""

    input: msgspec.Raw
    workspace: msgspec.Raw = _NOTHING
    attachments: _Attachments | UnsetType = UNSET
    recalled: _Recalled | UnsetType = UNSET
    policy: msgspec.Raw = _NOTHING
    local_preferences: msgspec.Raw = _NOTHING
    models: msgspec.Raw = _NOTHING
    credentials: msgspec.Raw = _NOTHING


_decode: Final = msgspec.json.Decoder(_Turn).decode


def read_quickly(data: bytes) -> TurnInput | None:
    """Give the turn of a document, or None where the strict reader has to judge. Raises `InvalidDocument` for what is beside the rows."""
    if b"\\u0022" in data:
        return None
    try:
        held = _decode(data)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None
    recalled = _Recalled() if isinstance(held.recalled, UnsetType) else held.recalled
    attachments = _Attachments() if isinstance(held.attachments, UnsetType) else held.attachments
    taken = _Taken()
    messages = taken.rows(Message, recalled.messages)
    user_memory = taken.rows(Memory, recalled.user_memory)
    context_memory = taken.rows(Memory, recalled.context_memory)
    files = taken.rows(AttachedFile, attachments.files)
    rest = {**taken.parts(held), "attachments": taken.parts(attachments)}
    taken.parts(recalled)
    if taken.unstorable or taken.quotes != data.count(b'"'):
        return None
    turn = validate(TurnInput, rest)
    return replace(
        turn,
        recalled=replace(turn.recalled, messages=messages, user_memory=user_memory, context_memory=context_memory),
        attachments=replace(turn.attachments, files=files),
    )


class _Taken:
    """Takes a parsed document apart, and counts the quotes that it must have been written with."""

    def __init__(self) -> None:
        self.quotes = 0
        self.unstorable = False

    def parts(self, held: msgspec.Struct) -> dict[str, Any]:
        """Give the parts that were not looked into, read strictly."""
        given: dict[str, Any] = {}
        for name in held.__struct_fields__:
            value = getattr(held, name)
            if value is UNSET or (value.__class__ is msgspec.Raw and not bytes(value)):
                continue
            self.quotes += 2
            if value.__class__ is msgspec.Raw:
                raw = bytes(value)
                self.quotes += raw.count(b'"')
                given[name] = read_json(raw)
        return given

    def rows(self, kind: type[_Row], rows: Sequence[Any] | UnsetType) -> tuple[_Row, ...]:
        """Give rows as values."""
        if isinstance(rows, UnsetType) or not rows:
            return ()
        names = rows[0].__struct_fields__
        columns = {name: self._column(name, list(map(attrgetter(name), rows))) for name in names}
        return from_columns(kind, len(rows), columns)

    def _column(self, name: str, values: list[Any]) -> list[Any]:
        """Give a column with what is absent as what that means."""
        absent = values.count(UNSET)
        self.quotes += 2 * (len(values) - absent)
        if name == "content":
            self.quotes += 2 * sum(value.__class__ is _Plain for value in values)
            values = [value if value.__class__ is str else value.plaintext for value in values]
        if name == "required":
            return [value is True for value in values]
        if absent:
            values = [None if value is UNSET else value for value in values]
        texts = values if name in _ALWAYS else [value for value in values if value is not None]
        joined = "".join(texts)
        self.unstorable = self.unstorable or "\0" in joined
        self.quotes += 2 * len(texts) + joined.count('"')
        return values


_ALWAYS: Final = frozenset({"id", "role", "content"})
