"""What is wrong with a document: one fault each, with its place."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

MOST_FAULTS: Final = 100


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault. `place` is written `turns[3].policy.privacy.restricted_paths[2]`, empty for the whole; neither part holds content."""

    place: str
    message: str

    def __str__(self) -> str:
        """Give place and message, chained with a colon."""
        return f"{self.place}: {self.message}" if self.place else self.message


class InvalidDocument(Exception):
    """A document that cannot be read; `faults` tells all of them, up to a bound."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        """Keep the first faults, and say how many more there are."""
        found = tuple(faults)
        more = len(found) - MOST_FAULTS
        kept = found if more <= 0 else (*found[:MOST_FAULTS], Fault("", f"{more:,} more faults are not shown"))
        super().__init__("; ".join(map(str, kept)))
        self.faults = kept
