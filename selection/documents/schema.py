"""Validation straight into the engine's values: a schema is read off a frozen dataclass, so that every field is named in one place.

Unknown keys are refused, text is text and numbers are numbers; NUL and lone surrogates are refused with their place ("Text that cannot be stored"). Null says
what absence says.
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import MISSING, Field, fields
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import SchemaValidator, core_schema

from selection.documents.limits import CHECKS, LEAST, LENGTHS, MOST, MOST_NUMBER, Spot
from selection.engine.values import Content, Envelope

_TEXT, _OPEN, _SEALED = "<text>", "<plaintext>", "<encrypted>"
# The forms of content; they never show in a place.
TAGS: Final = frozenset({_TEXT, _OPEN, _SEALED})
_WITHOUT_NUL: Final = r"^[^\x00]*$"
_CONTENT: Final = frozenset(get_args(Content))


@cache
def validator_of(kind: Hashable) -> SchemaValidator:
    """Give the validator that turns parsed JSON or TOML into a value of `kind`."""
    return SchemaValidator(_schema(kind))


def json_schema_of(kind: Hashable) -> dict[str, Any]:
    """Give the JSON Schema of what the validator of `kind` takes, read off the validator's own schema."""
    schema: dict[str, Any] = GenerateJsonSchema().generate(_schema(kind))
    return schema


def _schema(kind: Any, spot: Spot | None = None) -> Any:
    """Give the schema of any type that a value's field may have; `spot` is the field, where its limits are looked up."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in {Union, UnionType}:
        return _union(arguments, spot)
    if origin is tuple:
        return core_schema.tuple_variable_schema(_schema(arguments[0]))
    if origin is Mapping:
        return core_schema.dict_schema(_schema(arguments[0]), _schema(arguments[1]))
    return _plain(kind, spot)


def _union(arguments: tuple[Any, ...], spot: Spot | None) -> Any:
    kinds = [kind for kind in arguments if kind is not NoneType]
    inner = _content() if frozenset(kinds) == _CONTENT else _schema(kinds[0], spot)
    return core_schema.nullable_schema(inner) if NoneType in arguments else inner


def _plain(kind: Any, spot: Spot | None) -> Any:
    if kind is str:
        return _text(spot)
    if kind is bool:
        return core_schema.bool_schema(strict=True)
    if kind is int:
        least = LEAST.get(spot, -MOST_NUMBER) if spot else -MOST_NUMBER
        most = MOST.get(spot, MOST_NUMBER) if spot else MOST_NUMBER
        return core_schema.int_schema(strict=True, ge=least, le=most)
    if issubclass(kind, Enum):
        return core_schema.enum_schema(kind, list(kind), sub_type="str")
    return _dataclass(kind)


def _text(spot: Spot | None = None) -> Any:
    most, check = (LENGTHS.get(spot), CHECKS.get(spot)) if spot else (None, None)
    schema = core_schema.str_schema(strict=True, max_length=most, pattern=_WITHOUT_NUL)
    return core_schema.no_info_after_validator_function(check, schema) if check else schema


def _content() -> Any:
    """Text itself, `{"plaintext": text}` or `{"encrypted": envelope}`."""
    forms = {
        _TEXT: _text(),
        _OPEN: _only("plaintext", _text()),
        _SEALED: _only("encrypted", _schema(Envelope)),
    }
    message = "is neither text nor `plaintext` nor `encrypted`"
    return core_schema.tagged_union_schema(forms, _form_of, custom_error_type="content", custom_error_message=message)


def _form_of(value: Any) -> str | None:
    if isinstance(value, str):
        return _TEXT
    if isinstance(value, dict) and ("plaintext" in value) != ("encrypted" in value):
        return _OPEN if "plaintext" in value else _SEALED
    return None


def _only(name: str, schema: Any) -> Any:
    """An object with one key, which stands for its value."""
    wrapped = core_schema.typed_dict_schema({name: core_schema.typed_dict_field(schema)}, extra_behavior="forbid")
    return core_schema.no_info_after_validator_function(lambda held: held[name], wrapped)


def _dataclass(kind: Any) -> Any:
    hints = get_type_hints(kind)
    parts = [_field(kind, field, hints[field.name]) for field in fields(kind)]
    arguments = core_schema.dataclass_args_schema(kind.__name__, parts, extra_behavior="forbid")
    names = [field.name for field in fields(kind)]
    return core_schema.dataclass_schema(kind, arguments, names, frozen=True, slots=True)


def _field(kind: Any, field: Field[Any], hint: Any) -> Any:
    schema = _schema(hint, (kind.__name__, field.name))
    default = _default_of(field)
    if default is not None:
        schema = core_schema.with_default_schema(_null_is(default, schema), default_factory=default)
    return core_schema.dataclass_field(field.name, schema, kw_only=True)


def _default_of(field: Field[Any]) -> Callable[[], Any] | None:
    """Give what makes the field's default, None where the field must be said."""
    if field.default_factory is not MISSING:
        return field.default_factory
    return None if field.default is MISSING else lambda: field.default


def _null_is(default: Callable[[], Any], schema: Any) -> Any:
    """Read null as the default."""
    if schema["type"] == "nullable":
        return schema
    return core_schema.no_info_after_validator_function(
        lambda value: default() if value is None else value, core_schema.nullable_schema(schema)
    )
