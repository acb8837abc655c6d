"""A recorded format: how it is known, where its records are, and what each of them tells. The rest is the same for all."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, Final

from selection.documents.catalog import Catalog
from selection.documents.errors import Fault, InvalidDocument
from selection.importers.arrays import read_items
from selection.importers.conversation import Conversation
from selection.importers.head import Head
from selection.importers.lines import Row
from selection.importers.parts import Part
from selection.importers.report import Report

# What a format lacks that tells a diff only where a tool showed one.
BEYOND_SHOWN: Final = "diff of the workspace beyond what tools showed"
# Takes one record; where the record is set aside, tells what it is.
TakesRecord = Callable[[Row], str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedFormat:
    """One format. `name` is what `--format` takes, `title` what a report calls it; `records` finds the records of a file in their order."""

    name: str
    title: str
    provider: str
    sniff: Callable[[Head], bool]
    records: Callable[[BinaryIO, Report], Iterator[Row]]
    begin: Callable[[Conversation], TakesRecord]
    lacks: tuple[str, ...] = ()

    def parts(self, name: str, file: BinaryIO, report: Report, catalog: Catalog) -> Iterator[Part]:
        """Read a recording part by part. Raises `InvalidDocument` at the end when it holds no message at all."""
        conversation = Conversation(name, report, self.provider, catalog)
        take = self.begin(conversation)
        for row in self.records(file, report):
            take_row(take, row, report)
            if conversation.told:
                yield from conversation.take_told()
        if self.lacks:
            report.note(f"This format tells no {', no '.join(self.lacks)}.")
        yield from ending_of(conversation)


def ending_of(conversation: Conversation) -> list[Part]:
    """Give the rest of a conversation. Raises `InvalidDocument` when nobody said anything in it."""
    if not conversation.messages and not conversation.turns:
        raise InvalidDocument(nothing_in(conversation.report))
    return conversation.end()


def take_row(take: TakesRecord, row: Row, report: Report) -> None:
    """Take one record and count it."""
    try:
        set_aside = take(row)
    except RecursionError:
        report.skip(row.line, "nested too deeply")
        return
    if set_aside is None:
        report.used += 1
    else:
        report.left_out[set_aside] += 1


def nothing_in(report: Report) -> Iterator[Fault]:
    """Tell what was found instead of a conversation."""
    yield Fault("", f"{report.format} in which nobody says anything")
    for name, count in report.left_out.items():
        yield Fault("", f"left out: {count:,} {name}")
    for skipped in report.skipped:
        yield Fault(f"line {skipped.line}", skipped.why)


def items_of(items: Iterable[object], report: Report) -> Iterator[Row]:
    """Give the objects of a list, numbered from 1."""
    for number, item in enumerate(items, 1):
        if isinstance(item, dict) and item:
            report.records += 1
            yield Row(number, item)
        else:
            report.lose(number, "not a record")


def array_records(file: BinaryIO, report: Report) -> Iterator[Row]:
    """Give the objects of the array that a file is."""
    return items_of(read_items(file, report), report)
