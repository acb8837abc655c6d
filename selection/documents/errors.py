"""What is wrong with a document: one fault each, with its place, and none of the content in what is said."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

MOST_FAULTS: Final = 100
_NAME_SHOWN: Final = 60


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault. `place` is written `turns[3].policy.privacy.restricted_paths[2]`, empty for the whole; neither part holds content."""

    place: str
    message: str

    def __str__(self) -> str:
        """Give place and message, chained with a colon."""
        return f"{self.place}: {self.message}" if self.place else self.message


class InvalidDocument(Exception):
    """A document that cannot be read. `kept` are its first faults, `more` counts the rest, and `faults` tells both."""

    def __init__(self, faults: Iterable[Fault], more: int = 0) -> None:
        """Keep the first faults, and say how many more there are."""
        found = tuple(faults)
        self.kept = found[:MOST_FAULTS]
        self.more = more + len(found) - len(self.kept)
        self.faults = (*self.kept, *_rest(self.more))
        super().__init__("; ".join(map(str, self.faults)))


def _rest(more: int) -> Iterator[Fault]:
    if more:
        yield Fault("", "1 more fault is not shown" if more == 1 else f"{more:,} more faults are not shown")


class Faults:
    """Faults as they are found, part by part: a bound number is kept, and the others are counted."""

    def __init__(self) -> None:
        self._kept: list[Fault] = []
        self._more = 0

    def take_refusal(self, refused: InvalidDocument) -> None:
        """Add the faults of a part that cannot be read."""
        self._more += refused.more
        self.take(refused.kept)

    def take(self, faults: Iterable[Fault]) -> None:
        """Add faults."""
        for fault in faults:
            if len(self._kept) < MOST_FAULTS:
                self._kept.append(fault)
            else:
                self._more += 1

    def __bool__(self) -> bool:
        """Tell whether there is any."""
        return bool(self._kept)

    def refusal(self) -> InvalidDocument:
        """Give what is to be raised."""
        return InvalidDocument(self._kept, self._more)


def shown(name: str) -> str:
    """Give a name of the document as a fault tells it: bounded, and printable."""
    short = name if len(name) <= _NAME_SHOWN else f"{name[:_NAME_SHOWN]}…"
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in short)
