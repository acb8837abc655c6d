"""What the log of the chain may read: its entries, each in one sentence."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from django.http import HttpRequest

from selection.models import AuditEntry, AuditKind

_A_PAGE: Final = 100
_DIGITS: Final = 18


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryRow:
    """One entry in words."""

    held: AuditEntry
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EntriesPage:
    """A page of the chain, newest first; `kinds` are the filters, each with its address and whether it is the one in force."""

    rows: tuple[EntryRow, ...]
    kinds: tuple[tuple[str, str, bool], ...]
    newest: str
    older: str


def entries_page(request: HttpRequest) -> EntriesPage:
    """Give it."""
    kind = request.GET.get("kind", "")
    kind = kind if kind in {each.value for each in AuditKind} else ""
    before = _number(request.GET.get("before", ""))
    rows = AuditEntry.objects.defer("leaves").order_by("-sequence")
    rows = rows.filter(kind=kind) if kind else rows
    rows = rows.filter(sequence__lt=before) if before else rows
    found = list(rows[: _A_PAGE + 1])
    shown = found[:_A_PAGE]
    return EntriesPage(
        rows=tuple(EntryRow(held=row, said=sentence_of(row)) for row in shown),
        kinds=tuple(_kinds(kind)),
        newest=_address(kind) if before else "",
        older=_address(kind, before=shown[-1].sequence) if len(found) > _A_PAGE else "",
    )


def _kinds(current: str) -> Iterator[tuple[str, str, bool]]:
    for kind in AuditKind:
        yield kind.value, _address("" if kind == current else kind.value), kind == current


def _address(kind: str, **more: int) -> str:
    return f"?{urlencode({**({'kind': kind} if kind else {}), **more})}"


def _number(written: str) -> int:
    return int(written) if written.isascii() and written.isdigit() and len(written) <= _DIGITS else 0


def sentence_of(entry: AuditEntry) -> str:
    """Say what an entry tells of. What its payload holds was written by this project, and yet is read as if it were not."""
    return _SAID[AuditKind(entry.kind)](entry, entry.payload)


def _many(told: Mapping[str, Any], name: str) -> str:
    return f"{len(told.get(name, ())):,}"


def _retention(_: AuditEntry, told: Mapping[str, Any]) -> str:
    went = ", ".join(f"{count} {name}" for name, count in dict(told.get("went", {})).items() if count)
    return f"retention removed {went or 'nothing'}"


def _verification(_: AuditEntry, told: Mapping[str, Any]) -> str:
    broken = told.get("first_break", "")
    return f"verified, and broken: {broken}" if broken else f"verified, {told.get('entries', '')} entries are whole"


_SAID: Final[Mapping[AuditKind, Callable[[AuditEntry, Mapping[str, Any]], str]]] = {
    AuditKind.RUN: lambda entry, _: f"{entry.rows:,} rows were recorded",
    AuditKind.SIGN_IN: lambda *_: "signed in",
    AuditKind.READ_RESTRICTED: lambda _, told: f"read {_many(told, 'references')} names of restricted paths",
    AuditKind.REVEAL: lambda _, told: f"was shown the content of {_many(told, 'positions')} restricted candidates",
    AuditKind.POLICY_PREVIEW: lambda _, told: f"replayed a policy over {told.get('turns', '')} turns",
    AuditKind.EXPORT: lambda _, told: f"began to export: {told.get('what', '')} as {told.get('form', '')}",
    AuditKind.EXPORT_ENDED: lambda _, told: f"exported {told.get('count', '')} rows, sha256 {told.get('sha256', '')}",
    AuditKind.RETENTION: _retention,
    AuditKind.VERIFICATION: _verification,
}
