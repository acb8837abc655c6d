"""Parse TOML that a stranger wrote: no text makes the parser run away, and none of it shows in what is said."""

import re
import tomllib
from typing import Any, Final

from selection.documents.errors import Fault, InvalidDocument
from selection.documents.parsing import BOM

_MOST_CHARACTERS: Final = 1_000_000
# A key of many parts costs the parser their number squared, in memory too.
_MOST_DOTS: Final = 64
_QUOTED: Final = re.compile(
    r"""
    \"{3} (?: [^\\] | \\. )*? (?: \"{3} | \Z )
    | '{3} .*? (?: '{3} | \Z )
    | " (?: [^"\\\n] | \\. )* "?
    | ' [^'\n]* '?
    | \# [^\n]*
    """,
    re.DOTALL | re.VERBOSE,
)
_PLACED: Final = re.compile(r"(?P<what>.*) \(at (?P<where>[^()]*)\)", re.DOTALL)
_NAMES: Final = re.compile(r"\(.*\)", re.DOTALL)


def read_toml(text: str) -> dict[str, Any]:
    """Parse a TOML document. Raises `InvalidDocument` where it is none."""
    if len(text) > _MOST_CHARACTERS:
        raise InvalidDocument([Fault("", f"the document is longer than {_MOST_CHARACTERS:,} characters")])
    try:
        _refuse_long_keys(text)
        return tomllib.loads(text.removeprefix(BOM))
    except tomllib.TOMLDecodeError as error:
        message = _told(str(error))
    except RecursionError:
        message = "nested too deeply"
    except ValueError:
        message = "holds a number or a time that is out of range"
    raise InvalidDocument([Fault("", message)])


def _refuse_long_keys(text: str) -> None:
    """Refuse, before the parser sees it, a line with more dots outside of quotes than the key of any policy has."""
    for line in _QUOTED.sub("", text).split("\n"):
        if line.count(".") > _MOST_DOTS:
            raise RecursionError


def _told(message: str) -> str:
    """Tell what the parser says with the place first, and without the names that it quotes."""
    found = _PLACED.fullmatch(message)
    what, where = (found["what"], f"{found['where']}: ") if found else (message, "")
    return f"not TOML: {where}{_NAMES.sub('a key', what).lower()}"
