"""Times as tools write them: as text or as a number of seconds or milliseconds; never trusted to go forwards."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from selection.importers.report import Report

_MILLISECONDS: Final = 100_000_000_000


@dataclass(slots=True)
class Clock:
    """Reads the times of rows, and tells when they go backwards."""

    first: str | None = None
    _last: datetime | None = field(default=None)

    def read(self, value: Any, line: int, report: Report) -> str | None:
        """Give a time as ISO 8601 text; None where there is none that can be read."""
        moment = _moment(value)
        if moment is None:
            return None
        if self._last is not None and moment < self._last:
            report.note(f"The clock moves backwards at line {line:,}; the order of the file stands.")
        self._last = moment
        text = moment.isoformat().replace("+00:00", "Z")
        self.first = self.first or text
        return text


def _moment(value: Any) -> datetime | None:
    try:
        if isinstance(value, str):
            moment = datetime.fromisoformat(value)
            return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value / 1000 if value > _MILLISECONDS else value, tz=UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None
