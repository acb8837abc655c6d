"""Validation straight into the engine's values: a schema is read off a frozen dataclass, so that every field is named in one place.

Unknown keys are refused, text is text and numbers are numbers; NUL and lone surrogates are refused with their place ("Text that cannot be stored").
"""

from collections.abc import Hashable, Mapping
from dataclasses import MISSING, fields
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from pydantic_core import SchemaValidator, core_schema

from selection.documents.envelopes import check_envelope
from selection.documents.limits import LEAST, LENGTHS, MOST_NUMBER, PATTERNS
from selection.engine.values import Content, Envelope

# Tags of the forms of content; they never show in a place.
TEXT_TAG, OBJECT_TAG, SEALED_TAG = "<text>", "<object>", "<sealed>"
_WITHOUT_NUL: Final = r"^[^\x00]*$"
_CONTENT: Final = frozenset(get_args(Content))


@cache
def validator_of(kind: Hashable) -> SchemaValidator:
    """Give the validator that turns parsed JSON or TOML into a value of `kind`."""
    return SchemaValidator(_schema(kind))


def _schema(kind: Any) -> Any:
    """Give the schema of any type that a value's field may have."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in {Union, UnionType}:
        return _union(arguments)
    if origin is tuple:
        return core_schema.tuple_variable_schema(_schema(arguments[0]))
    if origin is Mapping:
        return core_schema.dict_schema(_schema(arguments[0]), _schema(arguments[1]))
    return _plain(kind)


def _plain(kind: Any) -> Any:
    if kind is str:
        return text_schema()
    if kind is bool:
        return core_schema.bool_schema(strict=True)
    if kind is int:
        return core_schema.int_schema(strict=True, le=MOST_NUMBER, ge=-MOST_NUMBER)
    if issubclass(kind, Enum):
        return core_schema.enum_schema(kind, list(kind), sub_type="str")
    if kind is Envelope:
        return core_schema.no_info_after_validator_function(check_envelope, _dataclass(kind))
    return _dataclass(kind)


def text_schema(most: int | None = None, pattern: str | None = None) -> Any:
    """Give the schema of a text of at most `most` characters."""
    return core_schema.str_schema(strict=True, max_length=most, pattern=pattern or _WITHOUT_NUL)


def _union(arguments: tuple[Any, ...]) -> Any:
    kinds = [kind for kind in arguments if kind is not NoneType]
    inner = _content() if frozenset(kinds) == _CONTENT else _schema(kinds[0])
    return core_schema.nullable_schema(inner) if NoneType in arguments else inner


def _content() -> Any:
    """Text itself, `{"plaintext": text}` or `{"encrypted": envelope}`."""
    choices = {
        TEXT_TAG: text_schema(),
        OBJECT_TAG: _only("plaintext", text_schema()),
        SEALED_TAG: _only("encrypted", _schema(Envelope)),
    }
    return core_schema.tagged_union_schema(
        choices,
        _tag_of,
        custom_error_type="content",
        custom_error_message="is neither text nor `plaintext` nor `encrypted`",
    )


def _tag_of(value: Any) -> str | None:
    if isinstance(value, str):
        return TEXT_TAG
    if isinstance(value, dict) and ("plaintext" in value) != ("encrypted" in value):
        return OBJECT_TAG if "plaintext" in value else SEALED_TAG
    return None


def _only(name: str, schema: Any) -> Any:
    """An object with one key, which stands for its value."""
    wrapped = core_schema.typed_dict_schema({name: core_schema.typed_dict_field(schema)}, extra_behavior="forbid")
    return core_schema.no_info_after_validator_function(lambda held: held[name], wrapped)


def _dataclass(kind: Any) -> Any:
    hints = get_type_hints(kind)
    parts = [_field(kind, field, hints[field.name]) for field in fields(kind)]
    arguments = core_schema.dataclass_args_schema(kind.__name__, parts, extra_behavior="forbid")
    return core_schema.dataclass_schema(
        kind, arguments, [field.name for field in fields(kind)], frozen=True, slots=True
    )


def _field(kind: Any, field: Any, hint: Any) -> Any:
    schema = _limited(kind, field.name) or _schema(hint)
    if field.default is not MISSING:
        schema = core_schema.with_default_schema(schema, default=field.default)
    elif field.default_factory is not MISSING:
        schema = core_schema.with_default_schema(schema, default_factory=field.default_factory)
    return core_schema.dataclass_field(field.name, schema, kw_only=True)


def _limited(kind: Any, name: str) -> Any:
    """Give the schema of a field that is limited beyond its type."""
    place = (kind.__name__, name)
    if place in LENGTHS or place in PATTERNS:
        schema = text_schema(LENGTHS.get(place), PATTERNS.get(place))
        return core_schema.nullable_schema(schema) if NoneType in get_args(get_type_hints(kind)[name]) else schema
    if place in LEAST:
        number = core_schema.int_schema(strict=True, ge=LEAST[place], le=MOST_NUMBER)
        return core_schema.nullable_schema(number) if NoneType in get_args(get_type_hints(kind)[name]) else number
    return None
