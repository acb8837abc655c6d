"""Rows of the audit as pages show them: by reference, in words, with the names of people beside their keys."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from django.contrib.auth import get_user_model

from selection.models import Destination, SelectionRun, SessionContextReference

WENT: Final = {Destination.REMOTE: "to remote", Destination.LOCAL: "to local", None: "nowhere"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceRow:
    """One reference; `path` is what stands for it where it has none."""

    held: SessionContextReference
    user: str
    state: str
    went: str
    nameless: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRow:
    """One run."""

    held: SelectionRun
    user: str
    went: str


def reference_rows(rows: Iterable[SessionContextReference]) -> tuple[ReferenceRow, ...]:
    """Give references as pages show them."""
    shown = list(rows)
    names = names_of(row.user_id for row in shown)
    return tuple(reference_row(row, names.get(row.user_id, "")) for row in shown)


def reference_row(row: SessionContextReference, user: str) -> ReferenceRow:
    """Give one."""
    return ReferenceRow(
        held=row,
        user=user,
        state="in" if row.included else "out",
        went=_went(row.destination),
        nameless="name withheld" if row.restricted else "no path",
    )


def run_rows(rows: Iterable[SelectionRun]) -> tuple[RunRow, ...]:
    """Give runs as pages show them."""
    shown = list(rows)
    names = names_of(row.user_id for row in shown)
    return tuple(run_row(row, names.get(row.user_id, "")) for row in shown)


def run_row(row: SelectionRun, user: str) -> RunRow:
    """Give one."""
    return RunRow(held=row, user=user, went=_went(row.destination))


def names_of(keys: Iterable[int]) -> dict[int, str]:
    """Give the names of people by key."""
    people: Any = get_user_model().objects.filter(pk__in=set(keys))
    return dict(people.values_list("pk", "username"))


def _went(destination: str | None) -> str:
    return WENT[None if destination is None else Destination(destination)]
