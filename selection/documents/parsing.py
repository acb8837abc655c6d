"""Parse JSON strictly: what another reader could read otherwise (a key twice, `NaN`) is refused rather than guessed at."""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from selection.documents.errors import Fault, InvalidDocument, shown

BOM: Final = "\N{ZERO WIDTH NO-BREAK SPACE}"


class _Refused(ValueError):
    """JSON that another reader would read otherwise."""


def read_json(data: bytes | str, place: str = "") -> Any:
    """Parse the JSON of what stands at `place`. Raises `InvalidDocument` where it is none."""
    with telling_faults(place):
        text = data if isinstance(data, str) else data.decode("utf-8", "surrogatepass")
        return _DECODER.decode(text.removeprefix(BOM))


@contextmanager
def telling_faults(place: str = "") -> Iterator[None]:
    """Turn what the parser raises into `InvalidDocument`."""
    try:
        yield
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
    else:
        return
    raise InvalidDocument([Fault(place, message)])


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    held = dict(pairs)
    if len(held) != len(pairs):
        [(twice, _)] = Counter(name for name, _ in pairs).most_common(1)
        raise _Refused(f"the key `{shown(twice)}` appears twice in one object")
    return held


def _constant(name: str) -> float:
    raise _Refused(f"`{name}` is not a number of JSON")


# Lone surrogates get through, so that validation can name their place.
_DECODER: Final = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant)
