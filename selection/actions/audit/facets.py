"""Facets: what an answer is made of, by each property, with counts that read sums and no rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Sum

from selection.actions.audit.question import Question, Sent
from selection.actions.audit.search import References, tally_of

# Where the tally cannot tell, so many of the newest rows are counted instead.
SAMPLE: Final = 1_000
FACETS: Final = ("sent", "included", "reason", "kind", "restricted", "provider", "model")
_COLUMNS: Final = ("destination", "included", "reason_code", "kind", "restricted", "model")


@dataclass(frozen=True, slots=True, kw_only=True)
class Facets:
    """By property, how many references have each value; `sampled` counts the newest rows that were looked at, and is 0 where all were counted."""

    counts: Mapping[str, Mapping[Any, int]]
    total: int
    tokens: int
    sampled: int = 0


def facets_of(question: Question, rows: References) -> Facets:
    """Give the facets of an answer. Of its own property a facet counts as if that were not asked, so that one sees what else there is."""
    if question.path or question.session is not None or question.version is not None:
        return _of_rows(rows)
    grouped = (
        tally_of(question, apart_from=FACETS).values(*_COLUMNS).annotate(many=Sum("references"), size=Sum("tokens"))
    )
    return _of_sums(question, list(grouped))


def _of_sums(question: Question, sums: Sequence[Mapping[str, Any]]) -> Facets:
    counts: dict[str, dict[Any, int]] = {name: {} for name in FACETS}
    total = tokens = 0
    for row in sums:
        wrong = [name for name in FACETS if not _fits(question, name, row)]
        if not wrong:
            total, tokens = total + row["many"], tokens + row["size"]
        for name in FACETS if not wrong else wrong if len(wrong) == 1 else ():
            _add(counts[name], _value(name, row), row["many"])
    return Facets(counts=_sorted(counts), total=total, tokens=tokens)


def _of_rows(rows: References) -> Facets:
    counts: dict[str, dict[Any, int]] = {name: {} for name in FACETS}
    newest = list(rows.order_by("-created_at", "-id").values(*_COLUMNS, "estimated_tokens")[: SAMPLE + 1])
    counted = newest[:SAMPLE]
    for row in counted:
        for name in FACETS:
            _add(counts[name], _value(name, row), 1)
    return Facets(
        counts=_sorted(counts),
        total=len(counted),
        tokens=sum(row["estimated_tokens"] for row in counted),
        sampled=SAMPLE if len(newest) > SAMPLE else 0,
    )


def _add(counts: dict[Any, int], value: object, many: int) -> None:
    if value not in {None, ""}:
        counts[value] = counts.get(value, 0) + many


def _value(name: str, row: Mapping[str, Any]) -> Any:
    match name:
        case "sent":
            return row["destination"] or Sent.NOT.value
        case "provider":
            provider, slash, _ = (row["model"] or "").partition("/")
            return provider if slash else ""
        case "reason":
            return row["reason_code"] or ""
        case _:
            return row[name]


def _fits(question: Question, name: str, row: Mapping[str, Any]) -> bool:
    wanted, value = getattr(question, name), _value(name, row)
    if wanted in {None, ""}:
        return True
    return bool(value != Sent.NOT.value if wanted is Sent.ANYWHERE else value == wanted)


def _sorted(counts: Mapping[str, Mapping[Any, int]]) -> dict[str, dict[Any, int]]:
    return {name: dict(sorted(held.items(), key=_largest_first)) for name, held in counts.items()}


def _largest_first(item: tuple[Any, int]) -> tuple[int, str]:
    value, many = item
    return -many, str(value)
