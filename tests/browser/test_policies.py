"""A policy author's walk: edit, see what is doubtful, replay, open a change, mend, replay again, propose."""

import re

import pytest
from playwright.sync_api import expect

from selection.demo import story
from selection.documents.policy import write_policy_toml
from tests.browser.conftest import Opens, World, assert_accessible

pytestmark = pytest.mark.browser


def test_an_author_edits_replays_opens_a_change_mends_and_proposes(open_browser: Opens, world: World) -> None:
    text = write_policy_toml(story().turns[0].policy)
    page = open_browser(world.owner)
    page.goto("/policies/")
    assert_accessible(page)
    page.get_by_label("Name").fill("walk")
    page.get_by_label("The router's configuration").fill(text)
    page.get_by_role("button", name="Save version").click()
    expect(page.get_by_role("heading", name="walk, version 1")).to_be_visible()

    lifted = text.replace('".env", ', "").replace('"*.pem"]', '"*.pem", "none/**"]')
    assert lifted != text
    page.get_by_label("The router's configuration").fill(lifted)
    expect(page.locator("#verdict")).to_contain_text("environment files")
    expect(page.locator("#verdict")).to_contain_text("none/** matches none of")
    assert_accessible(page)
    page.get_by_label("Note on what changes").fill("lift .env")
    page.get_by_role("button", name="Save as a new version").click()
    page.get_by_role("link", name="with version 1").click()
    expect(page.locator(".diff .removed").last).to_contain_text('".env"')
    assert_accessible(page)

    page.get_by_label("Session id").fill(world.session("demo"))
    page.get_by_role("button", name="Replay", exact=True).click()
    expect(page.get_by_role("heading", name="What walk, version 2 would have done")).to_be_visible()
    first = page.locator("table.lines tbody tr").first
    expect(first).to_contain_text("newly disclosed to a remote model")
    expect(first).to_contain_text(".env")
    assert_accessible(page)
    first.get_by_role("link", name=re.compile("open the newest turn")).click()
    expect(page.get_by_text("This is a what-if; nothing is saved.")).to_be_visible()
    page.go_back()
    first.get_by_role("link").last.click()
    expect(page.get_by_role("heading", name=re.compile("decisions$"))).to_be_visible()
    assert_accessible(page)

    page.go_back()
    page.get_by_role("link", name="walk, version 2").click()
    page.get_by_label("The router's configuration").fill(text.replace('"*.pem"]', '"*.pem", "none/**"]'))
    page.get_by_role("button", name="Save as a new version").click()
    page.get_by_label("Session id").fill(world.session("demo"))
    page.get_by_role("button", name="Replay", exact=True).click()
    expect(page.get_by_text("newly disclosed to a remote model 0")).to_be_visible()
    page.get_by_role("link", name="walk, version 3").click()
    page.get_by_role("button", name="Propose version 3").click()
    expect(page.locator("tr", has_text="version 3").get_by_text("proposed")).to_be_visible()


def test_paths_are_tested_on_a_page(open_browser: Opens, world: World) -> None:
    page = open_browser(world.owner)
    page.goto("/paths/")
    page.get_by_label("Paths, one a line").fill("config/.env\nsrc/app.py")
    page.get_by_label("The policy, as the router's configuration").fill('[privacy]\nrestricted_paths = [".env"]')
    page.get_by_role("button", name="Test").click()
    expect(page.get_by_text("1 of 2 paths are restricted")).to_be_visible()
    expect(page.locator("tr", has_text="config/.env")).to_contain_text("line 2")
    assert_accessible(page)
