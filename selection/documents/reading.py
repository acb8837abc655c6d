"""Validate parsed data into a value: every fault with its place, at once, and none of the content in what is said."""

from collections.abc import Iterator
from typing import Any, Final, TypeVar

from pydantic_core import ValidationError

from selection.documents.errors import Fault, InvalidDocument, shown
from selection.documents.schema import TAGS, validator_of

Value = TypeVar("Value")

# More faults than this are not even listed: each one costs far more memory than the byte of the document that it takes.
_MOST_LISTED: Final = 10_000
# Parts that pydantic adds to a place and that no document holds.
_UNSAID: Final = TAGS | {"[key]"}
_MESSAGES: Final = {
    "missing": "is missing",
    "unexpected_keyword_argument": "is not known here",
    "extra_forbidden": "is not known here",
    "string_type": "is not text",
    "string_sub_type": "is not text",
    "string_unicode": "holds a lone surrogate, which cannot be stored",
    "string_pattern_mismatch": "holds a NUL character, which cannot be stored",
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
    count = error.error_count()
    if count > _MOST_LISTED:
        yield Fault(place, f"{count:,} faults, too many to list")
        return
    for found in error.errors(include_url=False, include_input=False):
        spot = _place(place, found["loc"])
        yield Fault(spot, _message(found) if spot else f"the document {_message(found)}")


def _place(place: str, parts: tuple[int | str, ...]) -> str:
    for part in parts:
        if isinstance(part, int):
            place += f"[{part}]"
        elif part not in _UNSAID:
            place += f".{shown(part)}" if place else shown(part)
    return place


def _message(found: Any) -> str:
    kind, context = found["type"], found.get("ctx", {})
    match kind:
        case "enum":
            codes = str(context["expected"]).replace(" or ", ", ").replace("'", "`")
            return f"is none of {codes}"
        case "string_too_long":
            return f"is longer than {context['max_length']:,} characters"
        case "greater_than_equal":
            return f"is less than {context['ge']:,}"
        case "less_than_equal":
            return f"is more than {context['le']:,}"
        case _:
            return _MESSAGES.get(kind) or str(found["msg"])
