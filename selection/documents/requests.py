"""What programs ask of the engine without storing anything, as documents."""

from dataclasses import dataclass
from typing import TypeVar

from selection.documents.parsing import read_json
from selection.documents.reading import validate
from selection.engine.values import TurnInput

_Kind = TypeVar("_Kind")


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepRequest:
    """A turn, and the effective budgets in tokens to sweep; without any, as many as a chart needs."""

    turn: TurnInput
    budgets: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FlipsRequest:
    """A turn, and the candidate by its position, from 0 in candidate order."""

    turn: TurnInput
    position: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareRequest:
    """Two turns."""

    left: TurnInput
    right: TurnInput


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyRequest:
    """A policy as the text of the router's configuration."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PathsRequest:
    """A policy as text, and paths to test against it; `root` is the workspace's, which is stripped."""

    text: str
    paths: tuple[str, ...]
    root: str = ""


def read_request(kind: type[_Kind], data: bytes | str) -> _Kind:
    """Read a request. Raises `InvalidDocument` with every fault and its place."""
    return validate(kind, read_json(data))
