"""What an import has to say: what was read, what was skipped and why, what was changed. Nothing here holds content."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

MOST_SHOWN: Final = 50
_MOST_VERSION: Final = 40
# Records of other conversations: of sub-agents, which have a context of their own, and of what was taken back.
SUB_AGENTS: Final = "rows of sub-agents"
LEFT_BRANCH: Final = "rows on a branch that was left"
OTHERS: Final = frozenset((SUB_AGENTS, LEFT_BRANCH))


@dataclass(frozen=True, slots=True)
class Skipped:
    """A line that could not be read."""

    line: int
    why: str


@dataclass(slots=True)
class Report:
    """Counts and notes, filled while a recording is read; `skipped` is bounded, `skipped_count` is not.

    Every record of a file is used, left out as a kind that is not known, or skipped because it could not be read: `adds_up` holds at the end.
    """

    format: str
    # The recording's own name for the session, where it has one; known when its first part is.
    source: str | None = None
    version: str | None = None
    size: int = 0
    images: int = 0
    read: Counter[str] = field(default_factory=Counter)
    marked: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    left_out_parts: Counter[str] = field(default_factory=Counter)
    replaced: Counter[str] = field(default_factory=Counter)
    skipped: list[Skipped] = field(default_factory=list)
    skipped_count: int = 0
    records: int = 0
    used: int = 0
    notes: list[str] = field(default_factory=list)

    @property
    def share(self) -> float:
        """The share of the records of this conversation that are used, 0 to 1; those of others in the same file are set aside."""
        others = sum(count for kind, count in self.left_out.items() if kind in OTHERS)
        return self.used / (self.records - others) if self.records > others else 1.0

    @property
    def adds_up(self) -> bool:
        """Whether nothing was lost on the way."""
        return self.records == self.used + self.left_out.total() + self.skipped_count

    def mark(self, kind: str) -> None:
        """Count a record that is known, and only marks something or tells once more what others told: it was read, and adds nothing."""
        self.marked[kind] += 1

    def note_version(self, version: str | None) -> None:
        """Note the version of the tool, as the recording first tells it."""
        if self.version is None and version and len(version) <= _MOST_VERSION and version.isprintable():
            self.version = version

    def lose(self, line: int, why: str) -> None:
        """Count a record that never became one."""
        self.records += 1
        self.skip(line, why)

    def skip(self, line: int, why: str) -> None:
        """Count a record that could not be read, and keep the first ones."""
        self.skipped_count += 1
        if len(self.skipped) < MOST_SHOWN:
            self.skipped.append(Skipped(line, why))

    def note(self, text: str) -> None:
        """Add a note once."""
        if text not in self.notes and len(self.notes) < MOST_SHOWN:
            self.notes.append(text)

    @property
    def document(self) -> dict[str, Any]:
        """Everything as plain data, to be kept with the session."""
        return {
            "format": self.format,
            "version": self.version,
            "size": self.size,
            "images": self.images,
            "records": self.records,
            "used": self.used,
            "left_out": self.left_out.total(),
            "skipped": self.skipped_count,
            "lines": list(self.lines),
        }

    @property
    def lines(self) -> tuple[str, ...]:
        """Everything as sentences, for a page or a terminal."""
        version = f" of version {self.version}" if self.version else ""
        size = f", {self.size:,} bytes" if self.size else ""
        parts = [f"Read as {self.format}{version}{size}: {_counted(self.read) or 'nothing'}."]
        if self.records:
            parts.append(
                f"Records: {self.records:,} in all, {self.used:,} used, {self.left_out.total():,} left out, {self.skipped_count:,} skipped."
            )
        if self.marked:
            parts.append(f"Used, though they only mark or repeat something: {_counted(self.marked)}.")
        if told := _counted(self.left_out + self.left_out_parts):
            parts.append(f"Left out: {told}.")
        if self.images:
            parts.append(
                f"Set aside: {self.images:,} images and other parts that are no text; their kind and size stand in their place."
            )
        if self.replaced:
            parts.append(f"Replaced, one character for one: {_counted(self.replaced)}.")
        if self.skipped_count:
            parts.append(f"Skipped: {self.skipped_count:,} that could not be read.")
        return *parts, *(f"Line {skipped.line:,}: {skipped.why}." for skipped in self.skipped), *self.notes


def source_of(format_name: str, name: str | None) -> str | None:
    """Give the recording's own name for a session, apart from those of other tools."""
    return f"{format_name}:{name}" if name else None


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.items() if count)
