"""Two sides beside each other, the strip of a session, and the badge of a recorded run: each its owner's alone."""

from urllib.parse import quote
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from benchmarks.bundles import bundle_of
from selection.actions.import_bundle import import_bundle
from selection.actions.open_turn import open_turn
from selection.actions.record_run import record_run
from selection.models import SessionRunInput
from selection.pages.persistence import PersistencePage

pytestmark = pytest.mark.django_db
COMPARE = reverse("pages:compare")


def test_a_what_if_beside_the_turn_says_what_left(as_ada: Client, turns: list[SessionRunInput]) -> None:
    key = turns[2].pk
    answer = as_ada.get(f"{COMPARE}?left=turn:{key}&right={quote(f'turn:{key}?window=4200')}")
    page = answer.context["page"]
    assert {link.label: link.count for link in page.filters}["left"] == 6
    assert page.divergence is not None
    assert all("left" in row.changes for row in page.rows)
    assert page.rows[0].right_href.endswith("window=4200&row=" + page.rows[0].right_href.rsplit("=", 1)[1])
    assert as_ada.get(page.rows[0].left_href).status_code == 200


def test_a_recorded_run_is_equal_to_its_turn(as_ada: Client, ada: User, turns: list[SessionRunInput]) -> None:
    for row in turns:
        run = record_run(ada, row, open_turn(row).outcome, uuid4())
        page = as_ada.get(f"{COMPARE}?left=run:{run.pk}&right=turn:{row.pk}").context["page"]
        assert page.divergence is None
        assert page.rows == ()


def test_turn_beside_turn_matches_by_what_candidates_are(as_ada: Client, turns: list[SessionRunInput]) -> None:
    page = as_ada.get(f"{COMPARE}?left=turn:{turns[2].pk}&right=turn:{turns[3].pk}").context["page"]
    assert page.unchanged + sum(1 for _ in page.rows) > 0
    narrowed = as_ada.get(f"{COMPARE}{page.filters[0].href}").context["page"]
    assert narrowed.shown == page.filters[0].count
    assert len(page.choices) == len(turns)


@pytest.mark.parametrize("side", ["", "turn:", "turn:x", "run:x", "file:/etc/passwd", "turn:" + "0" * 32])
def test_a_side_that_names_nothing_is_not_found(as_ada: Client, turns: list[SessionRunInput], side: str) -> None:
    assert as_ada.get(f"{COMPARE}?left={side}&right=turn:{turns[0].pk}").status_code == 404


def test_nothing_of_another_is_compared_or_reproduced(
    as_ada: Client, as_eve: Client, ada: User, turns: list[SessionRunInput]
) -> None:
    run = record_run(ada, turns[2], open_turn(turns[2]).outcome, uuid4())
    places = (
        f"{COMPARE}?left=turn:{turns[2].pk}",
        f"{COMPARE}?left=run:{run.pk}",
        reverse("pages:reproduce", args=[run.pk]),
        reverse("pages:persistence", args=[turns[2].session_id]),
    )
    assert [as_eve.get(place).status_code for place in places] == [404] * 4
    assert [as_ada.get(place).status_code for place in places] == [200] * 4


def test_the_badge_says_identical(as_ada: Client, ada: User, turns: list[SessionRunInput]) -> None:
    run = record_run(ada, turns[2], open_turn(turns[2]).outcome, uuid4())
    assert "identical, row for row" in as_ada.get(reverse("pages:reproduce", args=[run.pk])).content.decode()


def strip(client: Client, row: SessionRunInput, query: str = "") -> PersistencePage:
    page: PersistencePage = client.get(reverse("pages:persistence", args=[row.session_id]) + query).context["page"]
    return page


def test_the_strip_shows_what_fell_out_and_what_came_back(as_ada: Client, turns: list[SessionRunInput]) -> None:
    page = strip(as_ada, turns[0])
    assert [column.number for column in page.columns] == list(range(1, 13))
    for line in page.lines:
        words = "".join({"in": "i", "out": "o"}.get(cell.state, "") for cell in line.cells)
        assert line.fell_out == ("io" in words)
        assert line.came_back == ("i" in words.partition("io")[2] if "io" in words else False)
    fell = strip(as_ada, turns[0], "?show=fell_out")
    assert fell.shown == sum(choice.count or 0 for choice in page.filters if choice.label == "fell out") > 0


def test_a_comparison_of_ten_thousand_asks_few_queries(
    as_ada: Client, ada: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    row = SessionRunInput.objects.get(session=import_bundle(ada, bundle_of(10_000)))
    with django_assert_max_num_queries(20):
        answer = as_ada.get(f"{COMPARE}?left=turn:{row.pk}&right={quote(f'turn:{row.pk}?window=9000')}")
    assert len(answer.content) < 400_000
    assert len(answer.context["page"].rows) == 100
