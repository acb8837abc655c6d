"""Read JSON into a value: every fault with its place, at once, and none of the content in what is said."""

import json
from collections.abc import Iterator
from typing import Any, TypeVar

from pydantic_core import ValidationError

from selection.documents.errors import Fault, InvalidDocument
from selection.documents.schema import validator_of

Value = TypeVar("Value")
_NAME_SHOWN = 60
_MESSAGES = {
    "missing": "is missing",
    "unexpected_keyword_argument": "is not known here",
    "extra_forbidden": "is not known here",
    "string_type": "is not text",
    "string_sub_type": "is not text",
    "string_unicode": "holds a lone surrogate, which cannot be stored",
    "bool_type": "is neither true nor false",
    "int_type": "is not a whole number",
    "int_from_float": "is not a whole number",
    "int_parsing_size": "is too large a number",
    "tuple_type": "is not a list",
    "dict_type": "is not an object",
    "dataclass_type": "is not an object",
    "dataclass_exact_type": "is not an object",
    "recursion_loop": "is nested too deeply",
}


class _Refused(ValueError):
    """JSON that another reader would read otherwise."""


def read_json(data: bytes | str) -> Any:
    """Parse JSON. Raises `InvalidDocument` for what is not JSON, for a key that appears twice, and for numbers that are none."""
    try:
        return json.loads(data, object_pairs_hook=_object, parse_constant=_constant)
    except json.JSONDecodeError as error:
        message = f"not JSON: line {error.lineno:,}, column {error.colno:,}: {error.msg.lower()}"
    except UnicodeDecodeError as error:
        message = f"not UTF-8: byte {error.start:,}"
    except RecursionError:
        message = "nested too deeply"
    except _Refused as error:
        message = str(error)
    except ValueError:
        message = "holds a number that is too large"
    raise InvalidDocument([Fault("", message)])


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    held = dict(pairs)
    if len(held) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in held if names.count(name) > 1)
        raise _Refused(f"the key `{shown(twice)}` appears twice in one object")
    return held


def _constant(name: str) -> float:
    raise _Refused(f"`{name}` is not a number of JSON")


def validate(kind: type[Value], data: object, place: str = "") -> Value:
    """Give parsed data as a value of `kind`. Raises `InvalidDocument` with every fault; places begin with `place`."""
    wanted: Any = kind
    try:
        value: Value = validator_of(wanted).validate_python(data)
    except ValidationError as error:
        raise InvalidDocument(_faults(error, place)) from None
    except RecursionError:
        raise InvalidDocument([Fault(place, "nested too deeply")]) from None
    return value


def _faults(error: ValidationError, place: str) -> Iterator[Fault]:
    for found in error.errors(include_url=False, include_input=False):
        yield Fault(_place(place, found["loc"]), _message(found))


def _place(place: str, parts: tuple[int | str, ...]) -> str:
    for part in parts:
        if isinstance(part, int):
            place += f"[{part}]"
        elif not part.startswith(("<", "[")):
            place += f".{shown(part)}" if place else shown(part)
    return place


def _message(found: Any) -> str:
    kind, context = found["type"], found.get("ctx", {})
    match kind:
        case "enum":
            expected = str(context["expected"]).replace(" or ", ", ").replace("'", "`")
            return f"is none of {expected}"
        case "string_too_long":
            return f"is longer than {context['max_length']:,} characters"
        case "string_pattern_mismatch":
            return (
                "holds a NUL character, which cannot be stored"
                if "x00" in context["pattern"]
                else "is not written as it must be"
            )
        case "greater_than_equal" | "less_than_equal":
            return f"is less than {context['ge']:,}" if "ge" in context else f"is more than {context['le']:,}"
        case _:
            return _MESSAGES.get(kind) or str(found["msg"])


def shown(name: str) -> str:
    """Give a key of a document as a place names it: bounded, and printable."""
    short = name if len(name) <= _NAME_SHOWN else f"{name[:_NAME_SHOWN]}…"
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in short)
