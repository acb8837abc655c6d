"""A real browser: whatever it complains of, on any page, fails the test."""

import os
from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Page, Playwright, sync_playwright
from pytest_django.live_server_helper import LiveServer

from tools.chromium import find_chromium

# The browser's driver runs an event loop in this thread; Django would refuse its own queries beside it.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
SERIOUS = {"serious", "critical"}


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    browser = playwright.chromium.launch(executable_path=find_chromium(), args=ARGUMENTS)
    yield browser
    browser.close()


class Complaints:
    """What the browser says on its console: errors, and refusals of the content security policy."""

    def __init__(self, page: Page) -> None:
        self.heard: list[str] = []
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.heard.append(str(error)))

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.heard.append(message.text)


@pytest.fixture(params=["light", "dark"])
def page(request: pytest.FixtureRequest, browser: Browser, live_server: LiveServer) -> Iterator[Page]:
    context = browser.new_context(
        base_url=live_server.url, color_scheme=request.param, viewport={"width": 1500, "height": 1000}
    )
    page = context.new_page()
    complaints = Complaints(page)
    yield page
    context.close()
    assert complaints.heard == []


def assert_accessible(page: Page) -> None:
    """Ask axe; nothing that it finds may be serious."""
    found: list[dict[str, Any]] = Axe().run(page).response["violations"]
    serious = [
        (violation["id"], [node["html"][:200] for node in violation["nodes"][:3]])
        for violation in found
        if violation["impact"] in SERIOUS
    ]
    assert not serious, "\n".join(map(str, serious))
