"""A newcomer's way: sign in by the link, import a file, open a turn, move the budget, record, and find the row in the audit."""

import re
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect
from sesame.utils import get_query_string

from selection.demo import story
from selection.documents.bundles import write_bundle
from selection.models import SessionContextReference
from tests.browser.conftest import Opens, World, assert_accessible

pytestmark = pytest.mark.browser


@pytest.fixture
def newcomer(world: World) -> User:  # noqa: ARG001 - serves the pages
    User.objects.filter(username="newcomer").delete()
    return User.objects.create_superuser("newcomer")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    place = tmp_path / "session.json"
    with place.open("wb") as out:
        write_bundle(story(), out)
    return place


def test_from_the_link_to_the_audit(open_browser: Opens, newcomer: User, file: Path) -> None:
    page = open_browser()
    page.goto(f"/sign-in/link/{get_query_string(newcomer)}")
    expect(page.get_by_role("heading", name="Sessions", exact=True)).to_be_visible()
    assert_accessible(page)
    page.get_by_role("link", name="Import a session").first.click()
    assert_accessible(page)
    page.get_by_label("Files, or a zip archive").set_input_files(file)
    page.get_by_role("button", name="Import").click()
    page.get_by_role("link", name="Open Demo: refactor the auth middleware").click()
    expect(page.get_by_text("awaiting approval").first).to_be_visible()
    assert_accessible(page)

    page.get_by_role("link", name="Turn 3", exact=True).click()
    row = page.locator(".ledger tr", has_text="docs/auth-flow.md").first
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
    assert SessionContextReference.objects.filter(user=newcomer).count() == 22

    page.get_by_role("link", name="Audit").click()
    page.get_by_role("link", name="Recorded rows").click()
    page.get_by_role("link", name="Session context references").click()
    expect(page.locator("#result_list")).to_be_visible()
    assert_accessible(page)
    page.locator("#searchbar").fill("docs/auth-flow.md")
    page.keyboard.press("Enter")
    expect(page.locator("#result_list tbody tr").first).to_contain_text("docs/auth-flow.md")
