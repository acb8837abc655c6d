"""Times are those of the reader's own clock and calendar, with their zone."""

from datetime import datetime

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page

from selection.models import Session
from tests.browser.conftest import Opens, World
from tests.cases.world import CASES

pytestmark = pytest.mark.browser


def sessions_at(owner: User, *moments: str) -> None:
    for moment in moments:
        Session.objects.create(user=owner, title=f"At {moment}", created_at=datetime.fromisoformat(moment))


def told(page: Page, moment: str) -> str:
    page.goto(f"/?search=At+{moment.replace('+', '%2B')}")
    return page.locator("tr", has_text=f"At {moment}").locator("time").first.inner_text()


def test_imp_19_days_are_those_of_the_readers_calendar(open_browser: Opens, world: World) -> None:
    given, wanted = CASES["IMP-19"]["input"], CASES["IMP-19"]["expected"]["groups"]
    sessions_at(world.owner, *given["rows"])
    page = open_browser(world.owner, timezone_id=given["zone"])
    page.clock.set_fixed_time(given["now"])
    shown = [told(page, row) for row in given["rows"]]
    assert wanted == ["today", "yesterday", "2 days ago"]
    assert shown[0].startswith("today, 00:00")
    assert shown[1].startswith("yesterday, 00:00")
    assert shown[2].startswith("31 Oct 2026, 23:59")


def test_imp_20_a_day_is_that_of_the_readers_zone_and_the_zone_is_written(open_browser: Opens, world: World) -> None:
    given = CASES["IMP-20"]["input"]
    assert CASES["IMP-20"]["expected"]["day"] == "2026-01-24"
    sessions_at(world.owner, given["row"])
    page = open_browser(world.owner, timezone_id=given["zone"])
    assert told(page, given["row"]).startswith("24 Jan 2026, 20:08 ")
    assert "GMT-8" in told(page, given["row"])
    assert told(open_browser(world.owner, java_script_enabled=False), given["row"]) == "25 Jan 2026, 04:08 UTC"
