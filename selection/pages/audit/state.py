"""How it stands with the chain: its head, when it was last verified and what came of that."""

from dataclasses import dataclass
from datetime import datetime

from selection.actions.audit.chain import Head, head
from selection.models import AuditEntry, AuditKind


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainState:
    """The newest entry, and what the last verification said: times of entries, rows that it covered, the first break in words."""

    head: Head
    verified_at: datetime | None = None
    verified_by: str = ""
    entries: int = 0
    runs: int = 0
    rows: int = 0
    removed: int = 0
    anchors: int = 0
    first_break: str = ""

    @property
    def since(self) -> int:
        """How many entries came after the last that was verified; the one that tells of the verification is none."""
        return max(0, self.head.sequence - self.entries - 1) if self.verified_at else self.head.sequence


def chain_state() -> ChainState:
    """Read it."""
    last = AuditEntry.objects.filter(kind=AuditKind.VERIFICATION.value).order_by("-sequence").first()
    if last is None:
        return ChainState(head=head())
    told = last.payload
    names = ("entries", "runs", "rows", "removed", "anchors", "first_break")
    return ChainState(
        head=head(), verified_at=last.created_at, verified_by=last.actor, **{name: told[name] for name in names}
    )
