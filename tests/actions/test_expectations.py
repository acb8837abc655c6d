"""Pinned expectations: kept without content, checked again, and told apart from what cannot be checked."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from selection.actions.expectations import Checked, NameTaken, check_expectation, pin_expectation
from selection.actions.knobs import Knobs
from selection.actions.open_turn import cache, open_turn
from selection.demo.policy import POLICY
from selection.documents.policy import write_policy_toml
from selection.models import Expectation, ModelDescriptor, SessionRunInput

pytestmark = pytest.mark.django_db
OWN = write_policy_toml(POLICY)
STRICTER = OWN.replace('".env",', '".env", "tests/**",', 1)


def pinned(user: User, row: SessionRunInput, name: str = "auth", **knobs: object) -> Expectation:
    return pin_expectation(user, open_turn(row), Knobs(**knobs), name)  # type: ignore[arg-type]


def test_what_is_pinned_holds_until_something_changes(ada: User, turns: list[SessionRunInput]) -> None:
    for number, row in enumerate(turns):
        assert check_expectation(pinned(ada, row, f"turn {number}")).holds
    found = pinned(ada, turns[2], "small", window=4_200)
    assert check_expectation(found).holds
    ModelDescriptor.objects.filter(session=found.session).update(max_context_tokens=3_500)
    cache.clear()
    assert check_expectation(found).holds, "the window was pinned with it"
    assert not check_expectation(Expectation.objects.get(name="turn 2")).holds


def test_another_policy_shows_what_it_would_change(ada: User, turns: list[SessionRunInput]) -> None:
    found = check_expectation(pinned(ada, turns[2]), STRICTER)
    assert [(each.subject, each.expected, each.got) for each in found.differences] == [
        ("candidate 18", "in", "out, withheld")
    ]
    assert check_expectation(Expectation.objects.get(), OWN).holds


def test_nothing_of_content_or_of_restricted_names_is_kept(ada: User, turns: list[SessionRunInput]) -> None:
    for number, row in enumerate(turns):
        pinned(ada, row, f"turn {number}")
    kept = json.dumps(list(Expectation.objects.values_list("expected", flat=True)))
    assert ".env" not in kept.replace(".env.example", "")
    assert "secrets/" not in kept
    assert "Every endpoint" not in kept


def test_a_draft_that_goes_takes_no_expectation_with_it(ada: User, turns: list[SessionRunInput]) -> None:
    found = pinned(ada, turns[2], policy=STRICTER, draft="01a23257-3231-7186-87ca-914c26ff15c8")
    assert found.knobs == {"policy": STRICTER}
    assert check_expectation(found).holds


def test_a_name_is_taken_once(ada: User, turns: list[SessionRunInput]) -> None:
    pinned(ada, turns[2])
    with pytest.raises(NameTaken):
        pinned(ada, turns[3])


@pytest.mark.parametrize("knobs", [{"colour": "red"}, {"window": "many"}])
def test_knobs_of_another_version_cannot_be_checked(
    ada: User, turns: list[SessionRunInput], knobs: dict[str, object]
) -> None:
    found = pinned(ada, turns[2])
    found.knobs = knobs
    checked: Checked = check_expectation(found)
    assert checked.unchecked == "its knobs are those of another version"
    assert not checked.holds


def run(*arguments: str) -> tuple[str, int]:
    out = StringIO()
    try:
        call_command("check_expectations", "--user", "ada", *arguments, stdout=out)
    except SystemExit as stopped:
        return out.getvalue(), int(stopped.code or 0)
    return out.getvalue(), 0


def test_the_command_fails_with_a_diff_that_a_person_reads(
    ada: User, turns: list[SessionRunInput], tmp_path: Path
) -> None:
    pinned(ada, turns[2])
    assert run() == ("held   auth\n1 held, 0 failed\n", 0)
    policy = tmp_path / "config.toml"
    policy.write_text(STRICTER)
    told, code = run("--policy", str(policy))
    assert code == 1
    assert "FAILED auth\n  - candidate 18: in\n  + candidate 18: out, withheld. Withheld: `tests/**`" in told
    assert told.endswith("0 held, 1 failed\n")
    document = json.loads(run("--policy", str(policy), "--json")[0])
    assert (document[0]["holds"], len(document[0]["differences"])) == (False, 1)
    assert run("--session", str(turns[2].session_id))[1] == 0


@pytest.mark.parametrize("text", ["[privacy\n", "[privacy]\nrestricted_paths = 1\n"])
@pytest.mark.usefixtures("ada")
def test_a_policy_that_does_not_read_is_told_line_by_line(tmp_path: Path, text: str) -> None:
    policy = tmp_path / "config.toml"
    policy.write_text(text)
    with pytest.raises(CommandError, match=r"config\.toml:\d+:\d+: "):
        run("--policy", str(policy))


def test_the_page_lists_runs_and_deletes_for_its_owner_alone(
    as_ada: Client, as_eve: Client, turns: list[SessionRunInput]
) -> None:
    place = reverse("pages:pin", args=[turns[2].pk])
    assert as_eve.post(place, {"name": "mine"}).status_code == 404
    as_ada.post(f"{place}?window=4200", {"name": "mine"})
    again = as_ada.post(f"{place}?window=4200", {"name": "mine"}, follow=True)
    assert "of that name" in again.content.decode()
    page = as_ada.get(reverse("pages:expectations") + "?run").context["page"]
    assert (page.held, page.failed) == (1, 0)
    assert page.rows[0].href.endswith("?window=4200")
    assert as_eve.get(reverse("pages:expectations")).context["page"].rows == ()
    delete = reverse("pages:delete_expectation", args=[page.rows[0].expectation.pk])
    assert as_eve.get(delete).status_code == as_eve.post(delete).status_code == 404
    assert as_ada.get(delete).status_code == 200
    as_ada.post(delete)
    assert not Expectation.objects.exists()


@pytest.mark.parametrize("name", ["", "x" * 201, "a\0b"])
def test_a_name_that_cannot_be_kept_is_refused(as_ada: Client, turns: list[SessionRunInput], name: str) -> None:
    answer = as_ada.post(reverse("pages:pin", args=[turns[2].pk]), {"name": name}, follow=True)
    assert "Not pinned, name" in answer.content.decode()
    assert not Expectation.objects.exists()
