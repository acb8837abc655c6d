"""What is asked of one candidate: why, what would flip it, its content; and the prompt as a file. Restricted content is revealed, never just shown."""

import json

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from benchmarks.bundles import bundle_of
from selection.actions.import_bundle import import_bundle
from selection.actions.open_turn import open_turn
from selection.engine import Outcome
from selection.models import AuditEntry, SessionRunInput
from selection.pages.inspector.flips_panel import FlipsPanel
from selection.pages.inspector.why import Why

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true", "HX-Target": "why"}
SECRET = "not-a-real-password"  # noqa: S105 - the demo's, and none


def outcome_of(row: SessionRunInput) -> Outcome:
    return open_turn(row).outcome


def position_of(row: SessionRunInput, path: str) -> int:
    candidates = outcome_of(row).candidates
    assert candidates is not None
    return next(candidate.position for candidate in candidates if candidate.path == path)


def why(client: Client, row: SessionRunInput, position: int, query: str = "") -> Why:
    panel: Why = client.get(reverse("pages:why", args=[row.pk, position]) + query, headers=HTMX).context["why"]
    return panel


def flips(client: Client, row: SessionRunInput, position: int, query: str = "") -> FlipsPanel:
    panel: FlipsPanel = client.get(reverse("pages:flips", args=[row.pk, position]) + query).context["flips"]
    return panel


def test_the_panel_alone_says_what_the_page_says(as_ada: Client, turns: list[SessionRunInput]) -> None:
    for row in turns:
        for position in range(row.position % 5, len(outcome_of(row).candidates or ()), 5):
            page = as_ada.get(reverse("pages:turn", args=[row.pk]) + f"?window=4200&row={position}").context["page"]
            assert why(as_ada, row, position, "?window=4200") == page.answer.why


def test_without_script_a_panel_s_address_leads_to_the_page(as_ada: Client, turns: list[SessionRunInput]) -> None:
    answer = as_ada.get(reverse("pages:why", args=[turns[2].pk, 3]) + "?window=4200&state=excluded")
    assert answer.headers["Location"].endswith("?window=4200&state=excluded&row=3")


def test_every_match_is_listed_with_what_decides(as_ada: Client, turns: list[SessionRunInput]) -> None:
    panel = why(as_ada, turns[3], position_of(turns[3], ".env"), "?restricted=*%0A.env%0A!README.md")
    assert [(match.place, match.pattern, match.decides) for match in panel.matches] == [
        ("privacy.restricted_paths[0]", "*", False),
        ("privacy.restricted_paths[1]", ".env", True),
    ]


def test_a_claim_leads_to_the_what_if_that_it_is_about(as_ada: Client, turns: list[SessionRunInput]) -> None:
    followed = 0
    for row in turns:
        outcome = outcome_of(row)
        for position in outcome.excluded:
            for claim in flips(as_ada, row, position).claims:
                answer = as_ada.get(claim.href).context["page"].answer
                assert answer.why.row.included
                assert answer.why.row.reason == claim.now
                followed += 1
    assert followed > 10


def test_a_copy_is_asked_about_through_its_survivor(as_ada: Client, turns: list[SessionRunInput]) -> None:
    candidates = outcome_of(turns[2]).candidates
    assert candidates is not None
    copy = candidates.duplicates[0]
    assert flips(as_ada, turns[2], copy).position == candidates.survivors[copy]


def revealed() -> list[AuditEntry]:
    return list(AuditEntry.objects.filter(kind="reveal"))


def test_a_reveal_shows_the_content_and_leaves_an_entry(
    as_ada: Client, ada: User, turns: list[SessionRunInput]
) -> None:
    position = position_of(turns[3], ".env")
    place = reverse("pages:content", args=[turns[3].pk, position])
    assert SECRET not in as_ada.get(place).content.decode()
    assert not revealed()
    assert SECRET in as_ada.post(place).content.decode()
    (entry,) = revealed()
    assert (entry.user, entry.actor, entry.session) == (ada, "ada", turns[3].session_id)
    assert entry.payload == {
        "how": "shown",
        "run_input": str(turns[3].pk),
        "positions": [position],
        "restricted_by": ["privacy.restricted_paths[0]"],
    }


def test_open_content_leaves_no_entry(as_ada: Client, turns: list[SessionRunInput]) -> None:
    place = reverse("pages:content", args=[turns[2].pk, position_of(turns[2], "docs/auth-flow.md")])
    as_ada.get(place)
    as_ada.post(place)
    assert not revealed()


@pytest.mark.parametrize(
    "query", ["?restricted=nothing", "?restricted=nothing&tab=prompt", "?restricted=nothing&search=PASSWORD"]
)
def test_a_what_if_opens_nothing_that_the_policy_of_record_closes(
    as_ada: Client, turns: list[SessionRunInput], query: str
) -> None:
    for row in turns[3:5]:
        page = as_ada.get(reverse("pages:turn", args=[row.pk]) + query)
        assert SECRET not in page.content.decode()
        content = reverse("pages:content", args=[row.pk, position_of(row, ".env")])
        assert SECRET not in as_ada.get(content + query).content.decode()
        prompt = as_ada.get(reverse("pages:prompt", args=[row.pk]) + query)
        assert prompt.status_code == 302


def test_the_prompt_with_restricted_content_is_downloaded_by_a_reveal(
    as_ada: Client, turns: list[SessionRunInput]
) -> None:
    sent = json.loads(as_ada.post(reverse("pages:prompt", args=[turns[4].pk])).content)
    assert any(SECRET in message["content"] for message in sent["messages"])
    assert [entry.payload["how"] for entry in revealed()] == ["downloaded"]


@pytest.mark.parametrize("name", ["why", "flips", "content"])
def test_no_candidate_of_another_exists_and_none_beyond_the_last(
    as_ada: Client, as_eve: Client, turns: list[SessionRunInput], name: str
) -> None:
    assert as_eve.get(reverse(f"pages:{name}", args=[turns[2].pk, 1])).status_code == 404
    assert as_ada.get(reverse(f"pages:{name}", args=[turns[2].pk, 9_999])).status_code == 404
    assert as_eve.post(reverse("pages:prompt", args=[turns[4].pk])).status_code == 404


def test_a_panel_asks_as_few_queries_for_ten_thousand_as_for_twenty(
    as_ada: Client, ada: User, turns: list[SessionRunInput], django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    large = SessionRunInput.objects.get(session=import_bundle(ada, bundle_of(10_000)))
    for row in (turns[2], large):
        why(as_ada, row, 3)
        with django_assert_max_num_queries(6):
            why(as_ada, row, 5)
        with django_assert_max_num_queries(6):
            flips(as_ada, row, 5)
