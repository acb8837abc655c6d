"""As much of a JSON document as can be read, where it breaks off or is broken in the middle: a tool was killed while it wrote, or a file was cut."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

_SPACE: Final = re.compile(r"[ \t\r\n]*")
_MOST_TRIES: Final = 1_000
_decoder: Final = json.JSONDecoder(strict=False, parse_constant=lambda _: None)


class Torn(dict[str, Any]):
    """An object of which only the first members could be read."""


def salvage(text: str) -> Any:
    """Give what can be read of a text that is no whole document; an object that is torn is a `Torn`, nothing readable is None."""
    place = _after(text, 0)
    try:
        return _salvaged(text, place)
    except RecursionError:
        return None


def _salvaged(text: str, place: int) -> Any:
    value, end = _value(text, place)
    if end is not None:
        return value
    if text.startswith("[", place):
        return list(_items(text, _after(text, place + 1)))
    if text.startswith("{", place):
        return Torn(_members(text, _after(text, place + 1)))
    return None


def _value(text: str, place: int) -> tuple[Any, int | None]:
    """Give the value at a place and where it ends; no end for one that cannot be read."""
    try:
        return _decoder.raw_decode(text, place)
    except ValueError:
        return None, None


def _items(text: str, place: int) -> Iterator[Any]:
    """Give the items of a list. After one that is broken it goes on where a line begins as the first item's did."""
    begin = text[text.rfind("\n", 0, place) : place] if "\n" in text[:place] else ""
    for _ in range(_MOST_TRIES):
        value, end = _value(text, place)
        while end is not None:
            yield value
            place = _past(text, end, ",")
            value, end = _value(text, place)
        if text.startswith("]", place) or place >= len(text):
            return
        yield _salvaged(text, place)
        again = text.find(f"{begin}{{", place + 1) if begin and not begin.strip() else -1
        if again < 0:
            return
        place = again + len(begin)


def _members(text: str, place: int) -> Iterator[tuple[str, Any]]:
    """Give the members of an object up to the first that is broken, and what can be read of that one."""
    while text.startswith('"', place):
        name, end = _value(text, place)
        if end is None or not isinstance(name, str):
            return
        place = _past(text, end, ":")
        value, end = _value(text, place)
        if end is None:
            yield name, _salvaged(text, place)
            return
        yield name, value
        place = _past(text, end, ",")


def _after(text: str, place: int) -> int:
    """Pass over spaces."""
    match = _SPACE.match(text, place)
    return match.end() if match else place


def _past(text: str, place: int, mark: str) -> int:
    """Pass over spaces and one mark among them."""
    place = _after(text, place)
    return _after(text, place + 1) if text.startswith(mark, place) else place
