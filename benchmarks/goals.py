"""A measured value beside its goal."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Goal:
    """One line of the report: at most `most`, or for scale alone."""

    name: str
    value: float
    most: float | None = None

    @property
    def holds(self) -> bool:
        """Whether the goal is reached."""
        return self.most is None or self.value <= self.most

    def __str__(self) -> str:
        """Give the line."""
        goal = "" if self.most is None else f"goal <= {self.most:g}   {'ok' if self.holds else 'MISSED'}"
        return f"{self.name:46} {self.value:8.2f}   {goal}".rstrip()


def report(goals: Iterable[Goal]) -> int:
    """Print the goals; 1 when one is missed."""
    held = list(goals)
    for goal in held:
        print(goal)
    return int(not all(goal.holds for goal in held))
