"""What the page shows beside the knobs: tab, filters, page and row, as the address says them."""

from dataclasses import asdict, dataclass, replace
from typing import Any, Self

from django.http import QueryDict

from selection.engine.codes import Kind, State
from selection.pages.inspector.ledger import Filter

TABS = ("ledger", "prompt", "findings", "recorded")
_STATES = ("included", "excluded", "moved", "restricted", "undecided", *(state.value for state in State))
_MOST_SEARCHED = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewState:
    """The parts of the address that choose what is shown; a value that names nothing is as good as none."""

    tab: str = ""
    state: str = ""
    kind: str = ""
    search: str = ""
    page: int | None = None
    row: int | None = None

    @classmethod
    def read(cls, query: QueryDict) -> Self:
        """Read an address."""
        return cls(
            tab=_known(query.get("tab"), TABS[1:]),
            state=_known(query.get("state"), _STATES),
            kind=_known(query.get("kind"), tuple(kind.value for kind in Kind)),
            search=(query.get("search") or "").strip()[:_MOST_SEARCHED],
            page=_number(query.get("page")),
            row=_number(query.get("row")),
        )

    @property
    def filter(self) -> Filter:
        """Give what the ledger is narrowed to."""
        return Filter(state=self.state, kind=self.kind, search=self.search)

    @property
    def hidden(self) -> tuple[tuple[str, str], ...]:
        """Give the parts that a form which changes others must carry along."""
        return tuple((name, str(value)) for name, value in self.with_().items() if value not in {None, ""})

    def with_(self, **changes: Any) -> dict[str, Any]:
        """Give the parts with some changed; a change of filter starts at the first page."""
        return asdict(replace(self, **{"page": None, **changes}))


def _known(value: str | None, known: tuple[str, ...]) -> str:
    return value if value in known else ""


def _number(value: str | None) -> int | None:
    short = value is not None and value.isascii() and value.isdigit() and len(value) <= len("1000000000")
    return int(value) if short and value is not None else None
