"""A real browser against one server with one set of sessions; whatever the browser complains of, on any page, fails the test."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import setup_databases, teardown_databases
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Playwright, sync_playwright
from pytest_django.live_server_helper import LiveServer
from pytest_django.plugin import DjangoDbBlocker

from benchmarks.bundles import bundle_of
from selection.actions.import_bundle import import_bundle
from selection.demo import large_session, story
from selection.keyholder import seal_bundle
from selection.models import Session, SessionRunInput
from tests.browser.sealed import KEPT_KEY, kept_session, many_rows_session, sealed_session
from tools.chromium import find_chromium

# The browser's driver runs an event loop in this thread; Django would refuse its own queries beside it.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
WIDE = {"width": 1500, "height": 1000}


@dataclass(frozen=True)
class World:
    """Two people; the sessions are the owner's, but for one that is the stranger's own. `turns` gives the addresses by session and number."""

    url: str
    owner: User
    stranger: User
    turns: dict[str, list[str]]
    sessions: dict[str, str]

    def session(self, name: str) -> str:
        """Give the key of a session."""
        return self.sessions[name]

    def turn(self, name: str) -> str:
        """Give the address of one turn: `demo 3`, `long 20`, `many 1`, `sealed 1`, `kept 3`, `rows 1`."""
        session, number = name.split()
        return self.turns[session][int(number) - 1]


@pytest.fixture(scope="package")
def world(
    django_db_modify_db_settings: None,  # noqa: ARG001 - names the database
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[World]:
    """Serve one set of sessions, in a database of its own, to all browser tests: none of them takes it down after itself.

    On SQLite it is a file, as for people: threads of the server that share one connection would lock each other out.
    """
    if connection.vendor == "sqlite":
        connection.settings_dict["TEST"]["NAME"] = str(tmp_path_factory.mktemp("browser") / "smista.sqlite3")
    with django_db_blocker.unblock():
        made = setup_databases(verbosity=0, interactive=False)
        owner, stranger = User.objects.create_superuser("owner"), User.objects.create_user("stranger")
        bundles = {
            "demo": story(),
            "long": large_session(),
            "many": bundle_of(10_000),
            "sealed": sealed_session(),
            "kept": seal_bundle(kept_session(), KEPT_KEY),
            "rows": seal_bundle(many_rows_session(), KEPT_KEY),
        }
        stored = {name: import_bundle(owner, bundle) for name, bundle in bundles.items()}
        turns = {name: _addresses(session) for name, session in stored.items()}
        keys = {name: str(session.pk) for name, session in stored.items()}
        server = LiveServer("127.0.0.1:0")
        yield World(server.url, owner, stranger, turns, keys)
        server.stop()
        _let_go()
        teardown_databases(made, verbosity=0)


def _let_go() -> None:
    """End what the server's threads still hold of the database, so that it can be thrown away."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity"
                " where datname = current_database() and pid <> pg_backend_pid()"
            )


def _addresses(session: Session) -> list[str]:
    rows = SessionRunInput.objects.filter(session=session).order_by("position")
    return [f"/turns/{key}/" for key in rows.values_list("pk", flat=True)]


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="package")
def browser(playwright: Playwright) -> Iterator[Browser]:
    browser = playwright.chromium.launch(executable_path=find_chromium(), args=ARGUMENTS)
    yield browser
    browser.close()


class Complaints:
    """What the browser says on its console: errors, and refusals of the content security policy."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def listen(self, page: Page) -> None:
        """Hear what a page says."""
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.heard.append(str(error)))

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.heard.append(message.text)


Opens = Callable[..., Page]


def signed_in(user: User) -> str:
    """Sign a person in, and give the key of the session; the link by which people come has a test of its own."""
    client = Client(headers={"host": "127.0.0.1"})
    client.force_login(user)
    return client.cookies["sessionid"].value


@pytest.fixture
def open_browser(world: World, browser: Browser) -> Iterator[Opens]:
    """Give a way to open fresh browsers: of a person, or of nobody; without script; of another size."""
    contexts: list[BrowserContext] = []
    complaints = Complaints()

    def opens(user: User | None = None, **options: Any) -> Page:
        context = browser.new_context(
            **{"base_url": world.url, "viewport": WIDE, "reduced_motion": "reduce", **options}
        )
        contexts.append(context)
        context.set_default_timeout(10_000)
        page = context.new_page()
        complaints.listen(page)
        if user is not None:
            context.add_cookies([{"name": "sessionid", "value": signed_in(user), "url": world.url}])
        return page

    yield opens
    for context in contexts:
        context.close()
    assert complaints.heard == []


@pytest.fixture
def page(open_browser: Opens, world: World) -> Page:
    """A browser in which the owner is signed in."""
    return open_browser(world.owner)


def assert_accessible(page: Page) -> None:
    """Ask axe, in the light and in the dark; it may find nothing at all. Which database serves a page is nothing to it: once is enough."""
    if os.environ.get("SMISTA_AXE") == "off":
        return
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme="light" if scheme == "light" else "dark")
        if "/admin/" in page.url:
            page.wait_for_timeout(250)  # its colours fade
        found: list[dict[str, Any]] = Axe().run(page).response["violations"]
        told = [(scheme, each["id"], [node["html"][:200] for node in each["nodes"][:3]]) for each in found]
        assert not told, "\n".join(map(str, told))
    page.emulate_media(color_scheme="light")
