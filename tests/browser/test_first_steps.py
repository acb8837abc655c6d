"""A newcomer's way: sign in by the link, import a file, open a turn, move the budget, record, and find the row in the audit."""

import re
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect
from sesame.utils import get_query_string

from selection.actions.import_bundle import import_bundle
from selection.demo import story
from selection.documents.bundles import write_bundle
from selection.models import SessionContextReference
from tests.browser.conftest import assert_accessible

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def owner(transactional_db: None) -> User:  # noqa: ARG001 - opens the database to the server's thread
    return User.objects.create_superuser("owner")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    place = tmp_path / "session.json"
    with place.open("wb") as out:
        write_bundle(story(), out)
    return place


def sign_in(page: Page, user: User) -> None:
    page.goto(f"/sign-in/link/{get_query_string(user)}")
    expect(page.get_by_role("heading", name="Sessions", exact=True)).to_be_visible()


def test_from_the_link_to_the_audit(page: Page, owner: User, file: Path) -> None:
    sign_in(page, owner)
    assert_accessible(page)
    page.get_by_role("link", name="Import a session").first.click()
    assert_accessible(page)
    page.get_by_label("A file").set_input_files(file)
    page.get_by_role("button", name="Import").click()
    page.get_by_role("link", name="Open Demo: refactor the auth middleware").click()
    expect(page.get_by_text("awaiting approval").first).to_be_visible()
    assert_accessible(page)

    page.get_by_role("link", name="Turn 3", exact=True).click()
    row = page.locator("tr", has_text="docs/auth-flow.md").first
    expect(row).to_contain_text("in by rank")
    before = row.locator("td").last.inner_text()
    page.get_by_label("Window, tokens").fill("4200")
    expect(page.get_by_text("This is a what-if; nothing is saved.")).to_be_visible()
    expect(row).to_contain_text("moved out")
    assert row.locator("td").last.inner_text() != before
    expect(page).to_have_url(re.compile(r"\?window=4200$"))
    assert_accessible(page)

    page.reload()
    expect(page.get_by_label("Window, tokens")).to_have_value("4200")
    expect(row).to_contain_text("moved out")

    page.get_by_role("button", name="Record this turn").click()
    expect(page.get_by_text("Recorded: 22 references.")).to_be_visible()
    assert_accessible(page)
    assert SessionContextReference.objects.count() == 22

    page.get_by_role("link", name="Audit").click()
    page.get_by_role("link", name="Session context references").click()
    assert_accessible(page)
    page.locator("#searchbar").fill("docs/auth-flow.md")
    page.keyboard.press("Enter")
    expect(page.locator("#result_list tbody tr").first).to_contain_text("docs/auth-flow.md")


def test_a_candidate_is_explained_and_its_content_fetched(page: Page, owner: User) -> None:
    import_bundle(owner, story())
    sign_in(page, owner)
    page.get_by_role("link", name="Demo: refactor").first.click()
    page.get_by_role("link", name="Turn 4", exact=True).click()
    page.get_by_role("link", name=".env", exact=True).click()
    expect(page.get_by_role("heading", name="Why is this out?")).to_be_visible()
    expect(page.get_by_text("its content is not shown")).to_be_visible()
    expect(page).to_have_url(re.compile(r"row=\d+"))
    page.get_by_role("link", name="README.md", exact=True).first.click()
    page.get_by_role("link", name="Show the content").click()
    expect(page.locator("#content pre")).to_contain_text("Orders, customers and payments")
    assert_accessible(page)


def test_a_pattern_that_is_typed_moves_what_it_matches(page: Page, owner: User) -> None:
    import_bundle(owner, story())
    sign_in(page, owner)
    page.get_by_role("link", name="Demo: refactor").first.click()
    page.get_by_role("link", name="Turn 3", exact=True).click()
    patterns = page.get_by_label("Restricted paths, one pattern a line")
    patterns.fill("tests/**")
    row = page.locator("tr", has_text="tests/test_auth.py").first
    expect(row).to_contain_text("withheld")
    patterns.fill("tests/[")
    expect(page.get_by_text("every path counts as restricted")).to_be_visible()
    assert_accessible(page)
    page.get_by_role("link", name="reset all").click()
    expect(patterns).to_have_value(re.compile(r"secrets/\*\*"))
    expect(row).to_contain_text("in by rank")


def test_back_shows_the_whole_page_again(page: Page, owner: User) -> None:
    import_bundle(owner, story())
    sign_in(page, owner)
    page.get_by_role("link", name="Demo: refactor").first.click()
    page.get_by_role("link", name="Turn 3", exact=True).click()
    page.get_by_label("Window, tokens").fill("4200")
    expect(page).to_have_url(re.compile(r"\?window=4200$"))
    page.get_by_role("link", name="Findings").click()
    expect(page).to_have_url(re.compile("tab=findings"))
    page.go_back()
    expect(page.locator(".ledger")).to_be_visible()
    expect(page.get_by_role("link", name="smista")).to_be_visible()
