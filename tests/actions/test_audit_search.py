"""The search of the audit: whatever is asked, and however it is paged, it finds what a walk over all rows finds, and counts it without looking at rows."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User

from selection.actions.audit.facets import FACETS, Facets, facets_of
from selection.actions.audit.paging import Place, read_place, slice_of
from selection.actions.audit.picture import picture_of
from selection.actions.audit.question import Match, Question, Sent
from selection.actions.audit.search import known_models, narrowed, paths_like, references_of, runs_of
from selection.actions.import_bundle import import_bundle
from selection.demo import story
from selection.models import SelectionRun, SessionContextReference, SessionRunInput
from tests.recording import record

pytestmark = pytest.mark.django_db
BEGAN = datetime(2026, 3, 1, 10, tzinfo=UTC)
A_PAGE = 7


@pytest.fixture
def rows(ada: User, eve: User, turns: list[SessionRunInput]) -> list[SessionContextReference]:
    """A month of runs of two people, each of a few dozen references."""
    theirs = SessionRunInput.objects.filter(session=import_bundle(eve, story())).order_by("position")
    for place, row in enumerate([*turns, *theirs]):
        record(ada if row.user_id == ada.pk else eve, row, BEGAN + timedelta(days=place * 31 // 24, hours=place % 5))
    return list(SessionContextReference.objects.select_related("run").order_by("-created_at", "-id"))


def holds(question: Question, row: SessionContextReference) -> bool:
    """The rule, said once more in the plainest way."""
    path, day = row.path, row.created_at.astimezone(UTC).date()
    named = {
        Match.EXACT: path == question.path,
        Match.PREFIX: path is not None and path.startswith(question.path),
        Match.CONTAINS: path is not None and question.path.lower() in path.lower(),
    }
    sent = {
        None: True, Sent.REMOTE: row.destination == "remote", Sent.LOCAL: row.destination == "local",
        Sent.ANYWHERE: row.destination is not None, Sent.NOT: row.destination is None,
    }  # fmt: skip
    return all(
        (
            question.session in {None, row.session_id},
            question.user in {None, row.user_id},
            not question.path or named[question.match],
            question.kind in {"", row.kind},
            question.included in {None, row.included},
            question.reason in {"", row.reason_code},
            question.restricted in {None, row.restricted},
            question.model in {"", row.model},
            question.provider in {"", (row.model or "").partition("/")[0]},
            question.version in {None, row.run.policy_version_id},
            sent[question.sent],
            question.since is None or question.since <= day,
            question.until is None or day <= question.until,
        )
    )


def questions(rows: list[SessionContextReference], count: int) -> Iterator[Question]:
    """Ask for what some row has, in one to four of its properties, so that most answers are not empty."""
    draw = random.Random(7)  # noqa: S311 - always the same questions
    for _ in range(count):
        row = draw.choice(rows)
        has: dict[str, Any] = {
            "session": row.session_id,
            "user": row.user_id,
            "kind": row.kind,
            "included": row.included,
            "reason": row.reason_code or "",
            "restricted": row.restricted,
            "model": row.model or "",
            "provider": (row.model or "").partition("/")[0],
            "version": row.run.policy_version_id,
            "sent": draw.choice([Sent.ANYWHERE, Sent.NOT, Sent(row.destination or "not")]),
            "since": row.created_at.date() - timedelta(days=draw.randrange(6)),
            "until": row.created_at.date() + timedelta(days=draw.randrange(6)),
        }
        asked = {name: has[name] for name in draw.sample(sorted(has), draw.randrange(5))}
        if row.path and draw.random() < 0.4:
            asked["match"] = draw.choice(list(Match))
            asked["path"] = {
                Match.EXACT: row.path,
                Match.PREFIX: row.path[: draw.randrange(1, len(row.path) + 1)],
                Match.CONTAINS: row.path[draw.randrange(len(row.path)) :].swapcase(),
            }[asked["match"]]
        yield Question(**asked)


def pages(question: Question, place: Place | None = None) -> Iterator[list[SessionContextReference]]:
    """Walk from the newest to the oldest, or the other way where `place` says so."""
    found = references_of(question, paths_like(question) if question.path else [])
    while True:
        page = slice_of(narrowed(question, found, place, A_PAGE), place, A_PAGE)
        yield list(page.rows)
        newer = place is not None and place.newer
        place = page.newer if newer else page.older
        if place is None:
            return
        place = read_place(str(place))


def test_a_search_finds_what_a_walk_over_all_rows_finds(rows: list[SessionContextReference]) -> None:
    answered = 0
    for question in questions(rows, 250):
        expected = [row.pk for row in rows if holds(question, row)]
        assert [row.pk for page in pages(question) for row in page] == expected, question
        answered += bool(expected)
    assert answered > 150


def test_a_walk_back_shows_the_same_pages_from_the_other_end(rows: list[SessionContextReference]) -> None:
    end = Place(rows[-1].created_at, rows[-1].pk, newer=True)
    for question in questions(rows, 60):
        expected = [row.pk for row in rows[:-1] if holds(question, row)]
        walked = [page for page in pages(question, end) if page]
        assert [row.pk for page in reversed(walked) for row in page] == expected, question


def test_facets_count_what_a_walk_counts(rows: list[SessionContextReference]) -> None:
    for question in questions(rows, 150):
        facets = facets_of(question, references_of(question, paths_like(question) if question.path else []))
        matching = [row for row in rows if holds(question, row)]
        if facets.sampled:
            assert (len(matching) > facets.sampled, facets.total) == (True, facets.sampled)
            continue
        assert (facets.total, facets.tokens) == (len(matching), sum(row.estimated_tokens for row in matching))
        by_rows = question.path or question.session or question.version
        for name in FACETS:
            others = question if by_rows else question.without(name)
            counted = Counter(value_of(name, row) for row in rows if holds(others, row))
            assert facets.counts[name] == {value: count for value, count in counted.items() if value not in {None, ""}}


def value_of(name: str, row: SessionContextReference) -> Any:
    if name == "sent":
        return row.destination or "not"
    if name == "provider":
        return row.model.partition("/")[0] if row.model else None
    return row.reason_code if name == "reason" else getattr(row, name)


def test_facets_of_nothing_are_empty() -> None:
    assert facets_of(Question(), references_of(Question())) == Facets(
        counts={name: {} for name in FACETS}, total=0, tokens=0
    )


def test_the_runs_of_a_policy_version_are_those_that_it_decided(rows: list[SessionContextReference]) -> None:
    version = rows[0].run.policy_version_id
    assert version is not None
    found = set(runs_of(Question(version=version, kind="file", path="ignored")).values_list("pk", flat=True))
    assert found == set(SelectionRun.objects.filter(policy_version=version).values_list("pk", flat=True))
    assert 0 < len(found) < SelectionRun.objects.count()


@pytest.mark.usefixtures("rows")
def test_the_known_models_are_each_named_once_and_in_order() -> None:
    named = SelectionRun.objects.filter(model__isnull=False).values_list("model", flat=True)
    assert known_models() == sorted({name for name in named if name})


def test_the_month_adds_up(rows: list[SessionContextReference]) -> None:
    picture = picture_of(date(2026, 3, 15))
    assert len(picture.days) == 31
    for name in ("remote", "local"):
        sent = [row for row in rows if row.destination == name and row.created_at.month == 3]
        assert sent
        assert picture.total(f"{name}_tokens") == sum(row.estimated_tokens for row in sent)
        assert picture.total(f"{name}_paths") == sum(row.path is not None for row in sent)
    assert picture_of(date(2025, 2, 1)).total("local_tokens") == 0


@pytest.mark.parametrize(
    "written",
    [
        "",
        "older",
        "older~~",
        "older~2026-01-01T00:00:00~" + "0" * 32,
        "x~y~z",
        "sideways~2026-01-01T00:00:00+00:00~" + "0" * 32,
    ],
)
def test_what_is_no_place_is_the_beginning(written: str) -> None:
    assert read_place(written) is None


def test_an_entry_says_a_question_without_its_path() -> None:
    question = Question(path="secrets/prod.env", sent=Sent.REMOTE, since=date(2026, 1, 2), included=False)
    assert question.document() == {
        "path": "secrets/prod.env", "match": "exact", "sent": "remote", "since": "2026-01-02", "included": False,
    }  # fmt: skip
    assert "prod" not in str(question.noted())
    assert question.without(*(each.name for each in fields(Question))) == Question()
