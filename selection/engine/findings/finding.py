"""What one finding holds."""

from dataclasses import dataclass

from selection.engine.codes import Severity


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that a person should know about a selection.

    `positions` are the candidates concerned, in candidate order; `places` the policy lines, spelled as documents name places. `sentence` says what is so,
    `advice` what to do about it, `details` the cases one by one where one sentence sums up many; none holds content.
    """

    code: str
    severity: Severity
    sentence: str
    advice: str
    positions: tuple[int, ...] = ()
    places: tuple[str, ...] = ()
    details: tuple[str, ...] = ()


def counted(count: int, one: str, many: str | None = None) -> str:
    """Say a number with its noun: `1 row`, `2,000 rows`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
