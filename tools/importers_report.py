"""A table of every file in folders of recorded sessions: read as what, with which figures, or refused as what."""

import sys
from collections.abc import Iterator
from pathlib import Path

from selection.documents.errors import InvalidDocument
from selection.importers import read_session
from selection.importers.report import Report

_NAME, _FORMAT = 60, 28


def main(folders: list[str]) -> int:
    """Print the table; 1 when a report does not add up."""
    wrong = 0
    read = refused = 0
    print(
        f"{'file':{_NAME}} {'read as':{_FORMAT}} {'records':>8} {'used':>7} {'share':>6} {'left out':>8} {'skipped':>7} {'turns':>5} {'messages':>8}"
    )
    for folder in folders:
        for path in sorted(path for path in Path(folder).rglob("*") if path.is_file()):
            report, why = _read(path)
            name = str(path.relative_to(folder))
            shown = name if len(name) <= _NAME else f"…{name[1 - _NAME :]}"
            print(f"{shown:{_NAME}} {_figures(report) if report else f'refused: {why}'}")
            read, refused = read + (report is not None), refused + (report is None)
            wrong += report is not None and not report.adds_up
    print(f"{read:,} read, {refused:,} refused; {wrong:,} reports do not add up")
    return int(wrong > 0)


def _read(path: Path) -> tuple[Report | None, str]:
    try:
        with path.open("rb") as file:
            return read_session(path.name, file).report, ""
    except InvalidDocument as error:
        return None, _first(str(fault) for fault in error.faults)


def _first(faults: Iterator[str]) -> str:
    return next(faults, "")


def _figures(report: Report) -> str:
    left_out, read = report.left_out.total(), report.read
    return (
        f"{report.format:{_FORMAT}} {report.records:8,} {report.used:7,} {report.share:6.0%} {left_out:8,} {report.skipped_count:7,} "
        f"{read['turns']:5,} {read['messages']:8,}"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
