"""Take the rows of a large turn document as columns where nothing about them is doubtful; what is doubtful is validated, which tells every fault.

Most of a large turn are rows of four kinds, and validating them one by one costs more than selecting from them. Nothing is decided here: rows are taken only
where validation gives the same values.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar

from selection.documents.plain import from_columns
from selection.documents.reading import validate
from selection.engine.codes import Role
from selection.engine.values import AttachedFile, Memory, Message, TurnInput

_Row = TypeVar("_Row", Message, Memory, AttachedFile)
_Column = Callable[[list[Any]], list[Any] | None]
_ROLES: Final = {role.value: role for role in Role}
_WRAPPED: Final = {"plaintext"}


def read_quickly(parsed: Any) -> TurnInput | None:
    """Give the turn of a parsed document, or None where each row has to be validated. Raises `InvalidDocument` for what is beside the rows."""
    if not isinstance(parsed, dict):
        return None
    recalled, attachments = (_part(parsed, name) for name in ("recalled", "attachments"))
    if recalled is None or attachments is None:
        return None
    messages = _rows(Message, _MESSAGE, recalled.get("messages"))
    user_memory = _rows(Memory, _MEMORY, recalled.get("user_memory"))
    context_memory = _rows(Memory, _MEMORY, recalled.get("context_memory"))
    files = _rows(AttachedFile, _FILE, attachments.get("files"))
    if messages is None or user_memory is None or context_memory is None or files is None:
        return None
    rest = {**recalled, "messages": [], "user_memory": [], "context_memory": []}
    turn = validate(TurnInput, {**parsed, "recalled": rest, "attachments": {**attachments, "files": []}})
    return replace(
        turn,
        recalled=replace(turn.recalled, messages=messages, user_memory=user_memory, context_memory=context_memory),
        attachments=replace(turn.attachments, files=files),
    )


def _part(parsed: dict[str, Any], name: str) -> dict[str, Any] | None:
    held = parsed.get(name)
    if held is None:
        return {}
    return held if isinstance(held, dict) else None


def _rows(kind: type[_Row], columns: Mapping[str, _Column], rows: Any) -> tuple[_Row, ...] | None:
    """Give a list of rows as values, None where any of them is doubtful."""
    if rows is None:
        return ()
    known = columns.keys()
    if not isinstance(rows, list) or not all(row.__class__ is dict and row.keys() <= known for row in rows):
        return None
    taken: dict[str, Sequence[Any]] = {}
    for name, column in columns.items():
        values = column([row.get(name) for row in rows])
        if values is None:
            return None
        taken[name] = values
    return from_columns(kind, len(rows), taken)


def _texts(values: list[Any]) -> list[Any] | None:
    return values if set(map(type, values)) <= {str} and _storable(values) else None


def _texts_or_none(values: list[Any]) -> list[Any] | None:
    held = set(map(type, values))
    if held == {type(None)}:
        return values
    return values if held <= {str, type(None)} and _storable([value for value in values if value]) else None


def _storable(texts: list[str]) -> bool:
    """Tell whether texts hold neither a NUL nor a lone surrogate, all of them at once."""
    joined = "".join(texts)
    return "\0" not in joined and (joined.isascii() or _is_unicode(joined))


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _contents(values: list[Any]) -> list[Any] | None:
    """Take plain text, however it is wrapped; what is sealed is for the strict reader."""
    if dict in set(map(type, values)):
        values = [held["plaintext"] if held.__class__ is dict and held.keys() == _WRAPPED else held for held in values]
    return _texts(values)


def _roles(values: list[Any]) -> list[Any] | None:
    roles = [_ROLES.get(value) for value in values] if _texts(values) else [None]
    return None if None in roles else roles


def _switches(values: list[Any]) -> list[Any] | None:
    return [value is True for value in values] if set(map(type, values)) <= {bool, type(None)} else None


_MESSAGE: Final[Mapping[str, _Column]] = {
    "id": _texts,
    "role": _roles,
    "content": _contents,
    **dict.fromkeys(("provider", "model", "path", "created_at"), _texts_or_none),
}
_MEMORY: Final[Mapping[str, _Column]] = {"id": _texts, "content": _contents, "key": _texts_or_none}
_FILE: Final[Mapping[str, _Column]] = {
    "path": _texts,
    "content": _contents,
    "required": _switches,
    "content_hash": _texts_or_none,
}
