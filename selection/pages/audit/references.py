"""What the search of references may read."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from django.db.models import Sum
from django.http import HttpRequest
from django.utils.text import capfirst

from selection.actions.audit.facets import FACETS, Facets, facets_of
from selection.actions.audit.paging import Slice, read_place, slice_of
from selection.actions.audit.question import Match, Question, Sent
from selection.actions.audit.search import MOST_PATHS, known_models, narrowed, paths_like, references_of, tally_of
from selection.models import SessionContextReference
from selection.pages.audit.addresses import PLACE, address_of, asked_by
from selection.pages.audit.forms import QuestionForm
from selection.pages.audit.rows import ReferenceRow, reference_rows
from selection.pages.audit.state import ChainState, chain_state

ROWS_A_PAGE: Final = 100
# What stands folded away until it is asked.
_RARE: Final = frozenset(("kind", "included", "reason", "restricted", "provider", "session", "version"))
_WHERE: Final = {
    Sent.REMOTE: "in prompts to remote models",
    Sent.LOCAL: "in prompts to local models",
    Sent.ANYWHERE: "in prompts that went to a model",
    Sent.NOT: "that were in no prompt",
}
_MATCHED: Final = {Match.EXACT: "to", Match.PREFIX: "to what begins with", Match.CONTAINS: "to what contains"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Absence:
    """What must hold for an empty answer to prove something."""

    chain: ChainState
    nameless: bool
    nameless_remote: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferencesPage:
    """The search: the form, and a page of the answer. `paths` are the recorded ones that match where there are too many to ask for all of them."""

    form: QuestionForm
    said: str
    rows: tuple[ReferenceRow, ...]
    first: datetime | None
    absence: Absence | None
    paths: tuple[tuple[str, str], ...]
    older: str
    newer: str
    newest: str
    counts: str
    exports: tuple[tuple[str, str], ...]
    query: str
    more_open: bool
    most_paths: int = MOST_PATHS


@dataclass(frozen=True, slots=True, kw_only=True)
class FacetValue:
    """One value of a facet; `href` asks for it, or no more for it."""

    words: str
    count: int
    href: str
    current: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CountsPage:
    """What an answer is made of."""

    facets: Facets
    shown: tuple[tuple[str, tuple[FacetValue, ...]], ...]
    models: tuple[str, ...]
    back: str


def references_page(request: HttpRequest) -> tuple[ReferencesPage, Sequence[SessionContextReference]]:
    """Give the search, and the rows that it shows."""
    asked = asked_by(request.GET)
    form = QuestionForm(asked)
    if not form.is_valid():
        return _page(form, asked), ()
    question = form.question()
    paths = paths_like(question) if question.path else []
    if len(paths) > MOST_PATHS:
        return _page(form, asked, question, paths=paths), ()
    place = read_place(request.GET.get(PLACE, ""))
    rows = references_of(question, paths)
    found = slice_of(narrowed(question, rows, place, ROWS_A_PAGE), place, ROWS_A_PAGE)
    first = _first_of(question, rows) if found.rows else None
    absence = _absence(question) if question.path and not found.rows and place is None else None
    return _page(form, asked, question, found=found, first=first, absence=absence), found.rows


def _page(  # noqa: PLR0913 - what a page is made of
    form: QuestionForm,
    asked: Mapping[str, str],
    question: Question | None = None,
    *,
    found: Slice[SessionContextReference] | None = None,
    first: datetime | None = None,
    absence: Absence | None = None,
    paths: Sequence[str] = (),
) -> ReferencesPage:
    here = address_of("audit_references", asked)
    older, newer = (found.older, found.newer) if found else (None, None)
    return ReferencesPage(
        form=form,
        said=sentence_of(question, asked) if question else "",
        rows=reference_rows(found.rows) if found else (),
        first=first,
        absence=absence,
        paths=tuple(_choices(asked, paths)),
        older=address_of("audit_references", asked, **{PLACE: older}) if older else "",
        newer=address_of("audit_references", asked, **{PLACE: newer}) if newer else "",
        newest=here,
        counts=address_of("audit_counts", asked) if question and not paths else "",
        exports=tuple(
            (form, address_of("audit_export", {"form": form, **asked})) for form in ("csv", "ndjson") if found
        ),
        query=here.partition("?")[2],
        more_open=bool(_RARE & asked.keys()),
    )


def _choices(asked: Mapping[str, str], paths: Sequence[str]) -> Iterator[tuple[str, str]]:
    for path in paths[:MOST_PATHS]:
        yield path, address_of("audit_references", asked, path=path, match=Match.EXACT.value)


def _first_of(question: Question, rows: Any) -> datetime | None:
    """Tell since when, where an index tells it: of a path, a session, and what a model saw."""
    seen = question.model and question.sent is not None and question.sent is not Sent.NOT
    if not (question.path and question.match is Match.EXACT) and question.session is None and not seen:
        return None
    found: datetime | None = rows.order_by("created_at", "id").values_list("created_at", flat=True).first()
    return found


def sentence_of(question: Question, asked: Mapping[str, str]) -> str:
    """Say what is asked; recorded text stands in backticks."""
    return capfirst(" ".join(_words_of(question, asked)))


def _words_of(question: Question, asked: Mapping[str, str]) -> Iterator[str]:
    yield "references"
    if question.path:
        yield f"{_MATCHED[question.match]} {_quoted(question.path)}"
    if question.sent is not None:
        yield _WHERE[question.sent]
    for name, words in (("model", "of"), ("provider", "of the provider"), ("user", "of the user")):
        if asked.get(name):
            yield f"{words} {_quoted(asked[name])}"
    if question.session is not None:
        yield f"of session `{question.session}`"
    if question.version is not None:
        yield f"decided by policy version `{question.version}`"
    if question.since is not None:
        yield f"from {question.since.isoformat()}"
    if question.until is not None:
        yield f"to {question.until.isoformat()}"


def _quoted(text: str) -> str:
    """Set recorded text apart; a backtick in it would end that."""
    plain = text.replace("`", "'")
    return f"`{plain}`"


def _absence(question: Question) -> Absence:
    """What was recorded without its name could have been this path."""
    restricted = Question(user=question.user, restricted=True, since=question.since, until=question.until)
    sums = tally_of(replace(restricted, sent=Sent.REMOTE)).aggregate(many=Sum("references"), named=Sum("paths"))
    nameless = references_of(restricted).filter(path=None)
    return Absence(
        chain=chain_state(),
        nameless=bool(nameless.order_by("-created_at", "-id").values_list("pk")[:1]),
        nameless_remote=(sums["many"] or 0) - (sums["named"] or 0),
    )


def counts_page(form: QuestionForm, asked: Mapping[str, str]) -> CountsPage:
    """Give what an answer is made of; the form is valid."""
    question = form.question()
    paths = paths_like(question) if question.path else []
    facets = facets_of(question, references_of(question, paths[:MOST_PATHS]))
    return CountsPage(
        facets=facets,
        shown=tuple((name, tuple(_values(name, facets, asked))) for name in FACETS),
        models=tuple(known_models()),
        back=address_of("audit_references", asked),
    )


def _values(name: str, facets: Facets, asked: Mapping[str, str]) -> Iterator[FacetValue]:
    choices = dict(getattr(QuestionForm.base_fields[name], "choices", ()))
    for value, count in facets.counts[name].items():
        written = {True: "yes", False: "no"}.get(value, value)
        current = asked.get(name) == written
        yield FacetValue(
            words=str(choices.get(written, written)),
            count=count,
            href=address_of("audit_references", asked, **{name: None if current else written}),
            current=current,
        )
