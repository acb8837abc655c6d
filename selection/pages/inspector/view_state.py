"""What the page shows beside the knobs: tab, filters, page and row, as the address says them."""

from dataclasses import asdict, dataclass, replace
from typing import Any, Self

from django.http import QueryDict

from selection.engine.codes import Kind, State
from selection.pages.inspector.ledger import Filter
from selection.pages.inspector.tallies import MARKS

TABS = ("ledger", "sweep", "prompt", "findings", "policy", "recorded")
_STATES = ("included", "excluded", "moved", "undecided", *(state.value for state in State))
_MOST_SEARCHED = 200
_MOST_ASKED = 4_000
_MOST_BASE = 8_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewState:
    """The parts of the address that choose what is shown; a value that names nothing is as good as none.

    `base` is the address of the pinned what-if that this one is compared with, `ask` what the "why not" box was asked,
    `place` the policy line that is pointed at.
    """

    tab: str = ""
    state: str = ""
    mark: str = ""
    kind: str = ""
    search: str = ""
    ask: str = ""
    base: str = ""
    place: str = ""
    page: int | None = None
    row: int | None = None

    @classmethod
    def read(cls, query: QueryDict) -> Self:
        """Read an address."""
        return cls(
            tab=_known(query.get("tab"), TABS[1:]),
            state=_known(query.get("state"), _STATES),
            mark=_known(query.get("mark"), MARKS),
            kind=_known(query.get("kind"), tuple(kind.value for kind in Kind)),
            search=_short(query.get("search"), _MOST_SEARCHED),
            ask=_short(query.get("ask"), _MOST_ASKED),
            place=_short(query.get("place"), _MOST_SEARCHED),
            base=_short(query.get("base"), _MOST_BASE),
            page=read_number(query.get("page")),
            row=read_number(query.get("row")),
        )

    @property
    def filter(self) -> Filter:
        """Give what the ledger is narrowed to."""
        return Filter(state=self.state, mark=self.mark, kind=self.kind, search=self.search)

    @property
    def hidden(self) -> tuple[tuple[str, str], ...]:
        """Give the parts that a form which changes others must carry along."""
        return tuple((name, str(value)) for name, value in self.with_().items() if value not in {None, ""})

    def with_(self, **changes: Any) -> dict[str, Any]:
        """Give the parts with some changed; a change of filter starts at the first page."""
        return asdict(replace(self, **{"page": None, **changes}))


def _short(value: str | None, most: int) -> str:
    return (value or "").replace("\0", "").strip()[:most]


def _known(value: str | None, known: tuple[str, ...]) -> str:
    return value if value in known else ""


def read_number(value: str | None) -> int | None:
    """Give a whole number that an address holds; None for anything else."""
    short = value is not None and value.isascii() and value.isdigit() and len(value) <= len("1000000000")
    return int(value) if short and value is not None else None
