"""The inspector's knobs: the address holds the what-if, and the answer says what moved."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from benchmarks.bundles import bundle_of
from selection.actions.import_bundle import import_bundle
from selection.models import SelectionRun, SessionRunInput
from selection.pages.inspector.context import Answer, InspectorPage
from selection.pages.inspector.ledger import ROWS_A_PAGE, Ledger
from selection.pages.inspector.rows import Badge

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true", "HX-Target": "answer"}


def open_page(client: Client, row: SessionRunInput, query: str = "") -> InspectorPage:
    answer = client.get(reverse("pages:turn", args=[row.pk]) + query)
    assert answer.status_code == 200
    page: InspectorPage = answer.context["page"]
    return page


def ledger(answer: Answer) -> Ledger:
    assert answer.ledger is not None
    return answer.ledger.ledger


def test_counts_and_tokens_add_up_on_every_turn(as_ada: Client, turns: list[SessionRunInput]) -> None:
    for row in turns:
        answer = open_page(as_ada, row).answer
        tallies = ledger(answer).tallies
        assert tallies.agree
        assert tallies.count_in + tallies.count_out == tallies.total
        if answer.strip:
            assert sum(segment.tokens for segment in answer.strip.segments) == answer.strip.whole == answer.strip.window
            assert tallies.tokens_in == answer.strip.used


def test_a_smaller_window_moves_candidates_out_and_says_why(as_ada: Client, turns: list[SessionRunInput]) -> None:
    answer = open_page(as_ada, turns[2], "?window=4200").answer
    assert answer.scenario.active
    assert answer.scenario.moved_out > 0
    moved = [row for row in ledger(answer).rows if row.moved == "out"]
    assert len(moved) == answer.scenario.moved_out
    assert all("left when its turn came" in row.reason or "Too large" in row.reason for row in moved)


def test_a_pattern_withholds_what_it_matches(as_ada: Client, turns: list[SessionRunInput]) -> None:
    answer = open_page(as_ada, turns[2], "?restricted=tests/**").answer
    withheld = [row for row in ledger(answer).rows if row.state == "restricted_remote"]
    assert [row.path for row in withheld] == ["tests/test_auth.py"]
    assert withheld[0].badge == Badge(place="privacy.restricted_paths[0]", pattern="tests/**", restricts=True)


def test_an_invalid_pattern_restricts_everything_and_is_told(as_ada: Client, turns: list[SessionRunInput]) -> None:
    page = open_page(as_ada, turns[3], "?restricted=.env%0Aconfig/[prod")
    assert page.panel.restricted_lines[1].invalid
    assert page.answer.ladder.forced_by == ()
    assert all(
        row.state == "restricted_remote" for row in ledger(page.answer).rows if row.path and row.state != "duplicate"
    )


def test_an_address_holds_only_what_differs(as_ada: Client, turns: list[SessionRunInput]) -> None:
    address = reverse("pages:turn", args=[turns[2].pk])
    sent = (
        "?window=&reserve=&model=&remote=ask&local_only=off&no_network=off&credentials=&credentials=anthropic"
        "&credentials=openai&referenced=src/auth/middleware.py&tab=&row=3"
    )
    answer = as_ada.get(address + sent, headers=HTMX)
    assert answer.headers["HX-Push-Url"] == f"{address}?row=3"
    assert not answer.context["answer"].scenario.active


def test_a_changed_knob_is_a_chip_that_can_be_taken_back(as_ada: Client, turns: list[SessionRunInput]) -> None:
    answer = open_page(as_ada, turns[2], "?window=4000&local_only=on").answer
    assert [(chip.label, chip.value, chip.href) for chip in answer.scenario.chips] == [
        ("window", "4,000", "?local_only=on"),
        ("local only", "on", "?window=4000"),
    ]


@pytest.mark.parametrize(
    ("query", "model"),
    [
        ("?local_only=on", "ollama/qwen2.5-coder"),
        ("?model=anthropic/claude-opus", "anthropic/claude-opus"),
        ("?credentials=openai", "openai/gpt-5.5"),
        ("?remote=deny", "ollama/qwen2.5-coder"),
        ("?window=100", "openai/gpt-5.5"),
    ],
)
def test_knobs_change_who_serves(as_ada: Client, turns: list[SessionRunInput], query: str, model: str) -> None:
    rungs = open_page(as_ada, turns[2], query).answer.ladder.rungs
    assert [rung.model for rung in rungs if rung.selected] == [model]


@pytest.mark.parametrize(
    "query",
    [
        "?window=-1",
        "?window=many",
        "?model=nobody/knows",
        "?remote=maybe",
        "?restricted=" + "x" * 7000,
        "?referenced=a%00b",
    ],
)
def test_a_wrong_knob_is_told_and_changes_nothing(as_ada: Client, turns: list[SessionRunInput], query: str) -> None:
    answer = as_ada.get(reverse("pages:turn", args=[turns[2].pk]) + query, headers=HTMX)
    assert answer.status_code == 422
    assert answer.context["page"].panel.errors
    assert not answer.context["answer"].scenario.active


@pytest.mark.parametrize(
    "query", ["?row=99999", "?row=x", "?tab=none", "?state=none", "?kind=none", "?page=999", "?page=-1"]
)
def test_a_view_that_names_nothing_is_as_good_as_none(as_ada: Client, turns: list[SessionRunInput], query: str) -> None:
    assert as_ada.get(reverse("pages:turn", args=[turns[2].pk]) + query).status_code == 200


def test_filters_narrow_the_ledger(as_ada: Client, turns: list[SessionRunInput]) -> None:
    tab = open_page(as_ada, turns[5]).answer.ledger
    assert tab is not None
    links: tuple[Any, ...] = (*tab.states, *tab.marks, *tab.kinds, *tab.left_out)
    assert len(links) > 12
    for link in links:
        assert ledger(open_page(as_ada, turns[5], link.href).answer).shown == link.count
    found = ledger(open_page(as_ada, turns[5], "?search=ORDERS.py").answer)
    assert 0 < found.shown < found.tallies.total


def test_copies_stand_under_their_survivor(as_ada: Client, turns: list[SessionRunInput]) -> None:
    rows = ledger(open_page(as_ada, turns[5]).answer).rows
    copies = [number for number, row in enumerate(rows) if row.survivor is not None]
    assert copies
    for number in copies:
        assert rows[number - 1].position == rows[number].survivor or rows[number - 1].survivor == rows[number].survivor


def test_restricted_content_is_not_shown(as_ada: Client, turns: list[SessionRunInput]) -> None:
    page = open_page(as_ada, turns[3])
    secret = next(row for row in ledger(page.answer).rows if row.path == ".env")
    assert secret.excerpt == ""
    shown = as_ada.get(reverse("pages:content", args=[turns[3].pk, secret.position])).content.decode()
    assert "not-a-real-password" not in shown
    for tab in ("prompt", "findings", "recorded"):
        assert (
            "not-a-real-password"
            not in as_ada.get(reverse("pages:turn", args=[turns[3].pk]) + f"?tab={tab}").content.decode()
        )


def test_a_sensitive_path_that_no_list_restricts_is_suggested_and_one_click_restricts_it(
    as_ada: Client, turns: list[SessionRunInput]
) -> None:
    suggestions = open_page(as_ada, turns[3], "?tab=findings&restricted=src/**").answer.suggestions
    line = next(line for line in suggestions if line.shown == (".env",))
    assert line.suggestion.patterns == (".env",)
    answer = open_page(as_ada, turns[3], line.href).answer
    assert [left.shown for left in answer.suggestions] == [kept.shown for kept in suggestions if kept is not line]
    assert ("restricted", "src/**\n.env") in answer.hidden
    assert answer.view.tab == "findings"


def test_a_required_secret_forces_a_local_model_by_name(as_ada: Client, turns: list[SessionRunInput]) -> None:
    answer = open_page(as_ada, turns[4]).answer
    assert "`.env`" in answer.sentence
    assert [name for _, name in answer.ladder.forced_by] == ["`.env`"]


def test_a_fragment_holds_no_page(as_ada: Client, turns: list[SessionRunInput]) -> None:
    fragment = as_ada.get(reverse("pages:turn", args=[turns[2].pk]), headers=HTMX).content.decode()
    assert "<html" not in fragment
    assert 'hx-swap-oob="true"' in fragment
    whole = as_ada.get(reverse("pages:turn", args=[turns[2].pk])).content.decode()
    assert re.search(r'id="side"(?![^>]*hx-swap-oob)', whole)


def test_a_look_at_a_turn_records_nothing(as_ada: Client, turns: list[SessionRunInput]) -> None:
    open_page(as_ada, turns[2], "?window=4000")
    assert not SelectionRun.objects.exists()


def test_a_knob_asks_few_queries(
    as_ada: Client, turns: list[SessionRunInput], django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    open_page(as_ada, turns[2])
    with django_assert_max_num_queries(12):
        as_ada.get(reverse("pages:turn", args=[turns[2].pk]) + "?window=4000", headers=HTMX)


def test_twenty_thousand_candidates_come_by_pages(as_ada: Client, ada: User) -> None:
    session = import_bundle(ada, bundle_of(20_000))
    row = SessionRunInput.objects.get(session=session)
    first = open_page(as_ada, row).answer
    assert ledger(first).tallies.total == 20_000
    assert len(ledger(first).rows) == ROWS_A_PAGE
    second = as_ada.get(
        reverse("pages:turn", args=[row.pk]) + first.next_href, headers={"HX-Request": "true", "HX-Target": "more"}
    )
    rows = ledger(second.context["answer"]).rows
    assert len(rows) == ROWS_A_PAGE
    assert not {r.position for r in rows} & {r.position for r in ledger(first).rows}
    assert "<html" not in second.content.decode()
