"""Times of rows from times as recorded, and months."""

from datetime import UTC, date, datetime, timedelta


def read_time(recorded: str | None) -> datetime | None:
    """Read an ISO 8601 time; without a zone it is UTC. None where there is none, or where it is out of the calendar's range."""
    if recorded is None:
        return None
    try:
        moment = datetime.fromisoformat(recorded)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def month_after(day: date) -> date:
    """Give the first day of the month after that of `day`."""
    return date(day.year + day.month // 12, day.month % 12 + 1, 1)


def month_before(day: date) -> date:
    """Give the first day of the month before that of `day`."""
    return (day.replace(day=1) - timedelta(days=1)).replace(day=1)
