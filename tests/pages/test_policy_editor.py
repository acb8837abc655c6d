"""The policy editor: what is typed is checked, tried on the turn, applied as a what-if, and kept as a draft of its author alone."""

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from selection.demo.policy import POLICY
from selection.documents.policy import write_policy_toml
from selection.models import PolicyDraft, SessionRunInput

pytestmark = pytest.mark.django_db
OWN = write_policy_toml(POLICY)
STRICTER = OWN.replace('".env",', '".env", "tests/**",', 1)
HTMX = {"HX-Request": "true", "HX-Target": "verdict"}


def address(row: SessionRunInput) -> str:
    return reverse("pages:policy", args=[row.pk])


def test_the_editor_opens_with_the_policy_of_the_turn(as_ada: Client, turns: list[SessionRunInput]) -> None:
    tab = as_ada.get(reverse("pages:turn", args=[turns[2].pk]) + "?tab=policy").context["page"].policy
    assert tab.text == OWN
    assert tab.verdict.valid
    assert tab.verdict.effects == ()
    assert {count.pattern for count in tab.verdict.patterns} >= {".env", "secrets/**"}


def test_what_is_typed_is_tried_on_the_turn(as_ada: Client, turns: list[SessionRunInput]) -> None:
    assert STRICTER != OWN
    answer = as_ada.post(address(turns[2]), {"text": STRICTER, "do": "check"}, headers=HTMX)
    verdict = answer.context["verdict"]
    assert [effect.words for effect in verdict.effects] == ["newly withheld"]
    assert verdict.effects[0].rows[0][0] == "`tests/test_auth.py`"
    assert next(count for count in verdict.patterns if count.pattern == "tests/**").decides == 1


def test_faults_are_told_and_nothing_is_applied(as_ada: Client, turns: list[SessionRunInput]) -> None:
    text = "[privacy]\nrestricted_paths = [1]\n\n[routing.default]\nmodel = 2\n"
    answer = as_ada.post(address(turns[2]), {"text": text, "do": "apply"})
    tab = answer.context["page"].policy
    assert answer.status_code == 422
    assert tab.text == text
    assert [(fault.line, fault.column) for fault in tab.verdict.faults] == [(2, 21), (5, 1)]


SHORT = '[routing.default]\nmodel = "anthropic/claude-opus"\n\n[privacy]\nrestricted_paths = ["tests/**"]\n'


def test_a_short_policy_that_is_applied_stands_in_the_address(as_ada: Client, turns: list[SessionRunInput]) -> None:
    answer = as_ada.post(address(turns[2]) + "?restricted=x&window=5000", {"text": SHORT, "do": "apply"}, follow=True)
    page = answer.context["page"]
    assert [chip.name for chip in page.answer.scenario.chips] == ["policy", "window"]
    assert page.panel.restricted == "tests/**"
    assert page.policy.text == SHORT
    assert not PolicyDraft.objects.exists()


def test_a_long_policy_that_is_applied_is_the_same_draft_each_time(
    as_ada: Client, turns: list[SessionRunInput]
) -> None:
    for _ in range(2):
        answer = as_ada.post(address(turns[2]), {"text": STRICTER, "do": "apply"}, follow=True)
    page = answer.context["page"]
    assert [chip.name for chip in page.answer.scenario.chips] == ["draft"]
    assert (page.policy.text, page.policy.drafts) == (STRICTER, ())
    assert PolicyDraft.objects.get().text == STRICTER
    assert len(answer.content) < 200_000


def test_a_saved_draft_is_listed_and_opens(as_ada: Client, turns: list[SessionRunInput]) -> None:
    saved = as_ada.post(address(turns[2]), {"text": STRICTER, "do": "save", "name": "strict"}, follow=True)
    assert [(draft.name, draft.open) for draft in saved.context["page"].policy.drafts] == [("strict", True)]
    assert saved.context["page"].policy.text == STRICTER


def test_a_policy_longer_than_an_address_leaves_other_knobs_free(as_ada: Client, turns: list[SessionRunInput]) -> None:
    patterns = "\n".join(f"folder-{number}/**" for number in range(300))
    row = turns[2]
    row.policy["privacy"]["restricted_paths"] = patterns.split("\n")
    row.save()
    place = reverse("pages:turn", args=[row.pk])
    unchanged = as_ada.get(place, {"restricted": patterns, "window": "5000"})
    assert unchanged.status_code == 200
    assert [chip.name for chip in unchanged.context["page"].answer.scenario.chips] == ["window"]
    assert as_ada.get(place, {"restricted": f"{patterns}\nmore"}).status_code == 422


def test_a_draft_that_is_no_policy_yet_is_kept_all_the_same(as_ada: Client, turns: list[SessionRunInput]) -> None:
    as_ada.post(address(turns[2]), {"text": "[privacy", "do": "save", "name": "half"})
    draft = PolicyDraft.objects.get()
    answer = as_ada.get(reverse("pages:turn", args=[turns[2].pk]) + f"?tab=policy&draft={draft.pk}")
    assert answer.status_code == 422
    assert answer.context["page"].policy.text == "[privacy"


@pytest.mark.parametrize("name", ["", "x" * 201, "a\0b"])
def test_a_draft_needs_a_name_that_can_be_kept(as_ada: Client, turns: list[SessionRunInput], name: str) -> None:
    answer = as_ada.post(address(turns[2]), {"text": OWN, "do": "save", "name": name})
    assert answer.status_code == 422
    assert not PolicyDraft.objects.exists()


def test_a_draft_is_its_author_s_alone(as_ada: Client, as_eve: Client, turns: list[SessionRunInput]) -> None:
    as_ada.post(address(turns[2]), {"text": STRICTER, "do": "save", "name": "mine"})
    draft = PolicyDraft.objects.get()
    place = reverse("pages:delete_draft", args=[draft.pk])
    assert as_eve.get(place).status_code == as_eve.post(place).status_code == 404
    assert as_eve.post(address(turns[2]), {"text": OWN, "do": "check"}).status_code == 404
    assert as_ada.get(place).status_code == 200
    as_ada.post(place)
    gone = as_ada.get(reverse("pages:turn", args=[turns[2].pk]) + f"?draft={draft.pk}")
    assert gone.status_code == 404


def test_checking_asks_few_queries(
    as_ada: Client, turns: list[SessionRunInput], django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    as_ada.get(reverse("pages:turn", args=[turns[2].pk]))
    with django_assert_max_num_queries(6):
        as_ada.post(address(turns[2]), {"text": STRICTER, "do": "check"}, headers=HTMX)
