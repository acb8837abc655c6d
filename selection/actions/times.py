"""Times of rows from times as recorded."""

from datetime import UTC, datetime


def read_time(recorded: str | None) -> datetime | None:
    """Read an ISO 8601 time; without a zone it is UTC. None where there is none, or where it is out of the calendar's range."""
    if recorded is None:
        return None
    try:
        moment = datetime.fromisoformat(recorded)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
