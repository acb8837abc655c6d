"""The address of what the inspector shows: the changed knobs, and beside them the tab, the filters and the row."""

from collections.abc import Mapping
from urllib.parse import urlencode

from selection.actions.knobs import Knobs, pairs_of

LABELS: Mapping[str, str] = {
    "policy": "policy",
    "draft": "policy draft",
    "model": "model",
    "window": "window",
    "reserve": "reply reserve",
    "remote": "remote disclosure",
    "local_only": "local only",
    "no_network": "no network",
    "credentials": "credentials",
    "referenced": "referenced paths",
    "restricted": "restricted paths",
    "blocked": "blocked paths",
}


def query_of(knobs: Knobs, **view: object) -> str:
    """Write the knobs, and what else the page shows, as the query of an address; without a change it is empty."""
    pairs = [*pairs_of(knobs), *((name, str(value)) for name, value in view.items() if value not in {None, ""})]
    return f"?{urlencode(pairs)}" if pairs else "?"
