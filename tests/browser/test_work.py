"""What people do with the inspector: write a policy, compare, pin, prove, and all of the README's tour without a mouse."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from selection.models import AuditEntry
from tests.browser.conftest import Opens, World, assert_accessible

pytestmark = pytest.mark.browser


def test_a_policy_is_typed_tried_applied_and_kept(page: Page, world: World) -> None:
    page.goto(f"{world.turn('demo 3')}?tab=policy")
    assert_accessible(page)
    editor = page.get_by_label("The policy of this turn")
    own = editor.input_value()
    verdict = page.locator("#verdict")
    expect(verdict).to_contain_text("no decision of this turn changes")
    editor.fill(own.replace('".env",', '".env", "tests/**",', 1))
    expect(verdict).to_contain_text("newly withheld")
    expect(verdict).to_contain_text("tests/test_auth.py")
    editor.fill(own.replace("version = 1", "version = = 1").replace('mode = "ask"', 'mode = "perhaps"'))
    expect(verdict).to_contain_text("line 1, column")
    expect(verdict).to_contain_text("is none of")
    assert_accessible(page)

    editor.fill(own.replace('".env",', '".env", "tests/**",', 1))
    page.get_by_role("button", name="Apply as a what-if").click()
    expect(page.get_by_label("What-if", exact=True)).to_contain_text("policy draft: edited")
    page.get_by_label("Draft name").fill("stricter tests")
    page.get_by_role("button", name="Save as draft").click()
    expect(page).to_have_url(re.compile("draft="))
    expect(page.get_by_label("What-if", exact=True)).to_contain_text("policy draft")
    page.locator("#tab-ledger").click()
    expect(page.locator(".ledger tr", has_text="tests/test_auth.py").first).to_contain_text("withheld")
    page.get_by_label("Window, tokens").fill("5000")
    expect(page).to_have_url(re.compile("draft=.*window=5000"))


def test_a_what_if_is_compared_row_by_row(page: Page, world: World) -> None:
    page.goto(f"{world.turn('demo 3')}?window=4200")
    page.get_by_role("link", name="compare row by row").click()
    expect(page.get_by_text("First divergence: at place")).to_be_visible()
    expect(page.locator("tbody tr")).to_have_count(6)
    assert_accessible(page)
    page.locator("tbody tr a").last.click()
    expect(page.locator("#why .why")).to_be_visible()


@pytest.mark.parametrize("name", ["demo 3", "long 20"])
def test_the_strip_leads_to_the_turn_where_something_fell_out(page: Page, world: World, name: str) -> None:
    page.goto(world.turn(name))
    page.locator("header nav a").nth(1).click()
    page.get_by_role("link", name="What stayed in").click()
    assert_accessible(page)
    page.get_by_role("link", name=re.compile("^fell out")).click()
    page.locator(".cell.out a").first.click()
    expect(page.get_by_role("heading", name="Why is this out?")).to_be_visible()


def test_a_turn_is_recorded_reproduced_and_pinned(page: Page, world: World) -> None:
    page.goto(world.turn("demo 2"))
    page.get_by_role("button", name="Record this turn").click()
    page.get_by_role("link", name="reproduce").first.click()
    expect(page.get_by_text("Recomputed: identical, row for row.")).to_be_visible()
    assert_accessible(page)
    page.get_by_text("Pin this selection as an expectation").click()
    page.get_by_label("Name").fill("the second turn")
    page.get_by_role("button", name="Pin", exact=True).click()
    page.get_by_role("link", name="Run all").click()
    expect(page.get_by_text("1 held, 0 failed.")).to_be_visible()
    assert_accessible(page)


def test_restricted_content_is_revealed_on_demand_and_leaves_an_entry(page: Page, world: World) -> None:
    page.goto(world.turn("demo 4"))
    page.get_by_role("link", name=".env", exact=True).click()
    reveal = page.get_by_role("button", name="Reveal the content")
    expect(reveal).to_be_visible()
    assert "not-a-real-password" not in page.content()
    before = AuditEntry.objects.filter(kind="reveal").count()
    reveal.click()
    expect(page.locator("#content")).to_contain_text("not-a-real-password")
    assert_accessible(page)
    assert AuditEntry.objects.filter(kind="reveal").count() == before + 1


def press_until(page: Page, wanted: Locator, most: int = 120) -> None:
    """Walk by the tab key until `wanted` has the focus."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if wanted.evaluate("element => element === document.activeElement"):
            return
    pytest.fail(f"the tab key does not lead to {wanted}")


def test_the_tour_is_done_without_a_mouse(world: World, open_browser: Opens) -> None:
    page = open_browser(world.owner)
    page.goto("/")
    press_until(page, page.get_by_role("link", name="Demo: refactor the auth middleware").first)
    page.keyboard.press("Enter")
    press_until(page, page.get_by_role("link", name="Turn 3", exact=True))
    page.keyboard.press("Enter")
    window = page.get_by_label("Window, tokens")
    expect(window).to_be_visible()
    press_until(page, window)
    page.keyboard.type("4200")
    expect(page.locator("#said")).to_contain_text("6 moved out")
    expect(window).to_be_focused()
    press_until(page, page.get_by_label("Restricted paths, one pattern a line"))
    page.keyboard.press("Control+End")
    page.keyboard.type("\ntests/**")
    expect(page.locator(".ledger tr", has_text="tests/test_auth.py").first).to_contain_text("withheld")
    press_until(page, page.locator("#chip-reset"))
    page.keyboard.press("Enter")
    expect(page.get_by_label("What-if", exact=True)).to_have_count(0)
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.locator("#why .why")).to_be_visible()
    press_until(page, page.locator("#tab-findings"))
    page.keyboard.press("Enter")
    expect(page.locator("#tab-findings")).to_have_attribute("aria-current", "page")
    expect(page.locator("#tab-findings")).to_be_focused()
    press_until(page, page.get_by_role("button", name="Record this turn"))
    page.keyboard.press("Enter")
    expect(page.get_by_text("Recorded: 22 references.")).to_be_visible()
    press_until(page, page.get_by_role("link", name="Audit"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="What was, and was not, sent")).to_be_visible()


def test_a_finding_leads_to_its_policy_line(page: Page, world: World) -> None:
    page.goto(f"{world.turn('demo 3')}?tab=findings")
    page.locator(".findings").get_by_role("link", name="privacy.remote.blocked_paths[0]").click()
    expect(page.locator("#pointed")).to_contain_text("customers/**")
    # The script that selects the line may come after the page.
    page.wait_for_function(
        "(() => { const e = document.getElementById('policy-text');"
        " return e.value.slice(e.selectionStart, e.selectionEnd).includes('customers/**') })()"
    )


def test_every_page_is_accessible(page: Page, world: World, open_browser: Opens) -> None:
    turn, session = world.turn("demo 5"), ""
    page.goto(turn)
    session = page.locator("header nav a").nth(1).get_attribute("href") or ""
    for address in (
        "/", "/?search=nothing-like-it", "/sessions/import/", session, f"{session}delete/", f"{session}persistence/",
        f"{turn}?row=1&ask=.env", f"{turn}?tab=recorded", f"{turn}candidates/1/flips/", f"{turn}candidates/1/",
        f"{turn}?tab=policy&place=privacy.restricted_paths[0]", f"{world.turn('demo 11')}", "/expectations/?run", "/tokens/", "/api/docs/", "/admin/",
        "/admin/selection/sessioncontextreference/", f"/compare/?left=turn:{turn.strip('/').split('/')[-1]}",
    ):  # fmt: skip
        page.goto(address)
        assert_accessible(page)
    nobody = open_browser()
    nobody.goto("/")
    assert_accessible(nobody)
