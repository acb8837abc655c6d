"""An auditor's walk: from the state of the chain to a question, an answer, the proof of a run, a kept search and an export; without script as well."""

import zipfile
from pathlib import Path
from urllib.parse import quote

import pytest
from django.contrib.auth.models import Group, User
from playwright.sync_api import Page, expect

from selection.actions.audit.verify import note_verification, verify_audit
from selection.actions.exports import verify_export
from selection.models import AuditView, Session, SessionContextReference, SessionRunInput
from tests.browser.conftest import Opens, World, assert_accessible
from tests.recording import record

pytestmark = pytest.mark.browser


@pytest.fixture
def sent(world: World) -> SessionContextReference:
    """Something of the demo that went to a remote model, in a recorded run."""
    session = Session.objects.get(pk=world.sessions["demo"])
    for row in SessionRunInput.objects.filter(session=session).order_by("position"):
        record(world.owner, row)
    note_verification(None, verify_audit(), by="verify_audit")
    found = SessionContextReference.objects.filter(destination="remote", path__isnull=False, included=True)
    return found.latest("created_at")


@pytest.fixture
def auditor(world: World) -> User:
    user, _ = User.objects.get_or_create(username="aud")
    user.groups.add(Group.objects.get(name="auditor"))
    assert world.owner.pk != user.pk
    return user


def ask(page: Page, path: str) -> None:
    page.goto("/")
    page.get_by_role("link", name="Audit").click()
    page.get_by_label("Path", exact=True).fill(path)
    page.get_by_role("button", name="Find out").first.click()


def test_an_auditor_walks_from_a_question_to_its_proof(
    open_browser: Opens, auditor: User, sent: SessionContextReference, tmp_path: Path
) -> None:
    page = open_browser(auditor)
    page.goto("/audit/")
    expect(page.get_by_text("Whole when last verified")).to_be_visible()
    expect(page.get_by_text("No anchor was met.")).to_be_visible()
    assert_accessible(page)
    assert sent.path
    ask(page, sent.path)
    expect(page.get_by_role("heading", name=f"References to {sent.path} in prompts to remote models")).to_be_visible()
    expect(page.get_by_role("heading", name="What this is made of")).to_be_visible()
    assert_accessible(page)
    with page.expect_download() as begun:
        page.get_by_role("link", name="CSV").click()
    file = tmp_path / "export.zip"
    begun.value.save_as(file)
    manifest, wrong = verify_export(file)
    assert (wrong, manifest["filter"]["path"]) == ("", sent.path)
    with zipfile.ZipFile(file) as archive:
        assert sent.path in archive.read("references.csv").decode()
    page.get_by_label("Name").fill("what left")
    page.get_by_role("button", name="Keep").click()
    expect(page.get_by_text("The search is kept")).to_be_visible()
    page.locator("#main td a[href^='/audit/runs/']").first.click()
    expect(page.get_by_text("Yes.", exact=True)).to_be_visible()
    assert_accessible(page)
    page.get_by_role("link", name="Chain", exact=True).click()
    expect(page.get_by_text("began to export: references as csv").first).to_be_visible()
    assert_accessible(page)
    page.get_by_role("link", name="Overview").click()
    page.get_by_role("link", name="what left").click()
    expect(page.locator("#main tbody tr").first).to_be_visible()
    assert AuditView.objects.get(user=auditor).query.startswith(f"path={quote(sent.path, safe='')}")


def test_every_page_of_the_audit_is_accessible(page: Page, open_browser: Opens, sent: SessionContextReference) -> None:
    narrow = open_browser(User.objects.get(username="owner"), viewport={"width": 420, "height": 900})
    for address in (
        "/audit/", "/audit/references/?path=no/such&sent=remote", "/audit/references/counts/",
        f"/audit/runs/?version={sent.run.policy_version_id}", "/audit/retention/?before=2026-01-01", "/audit/references/",
    ):  # fmt: skip
        page.goto(address)
        page.wait_for_load_state("networkidle")
        assert_accessible(page)
        narrow.goto(address)
        overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert narrow.evaluate(overflow) <= 0, address


def test_the_walk_works_without_script(open_browser: Opens, auditor: User, sent: SessionContextReference) -> None:
    page = open_browser(auditor, java_script_enabled=False)
    assert sent.path
    ask(page, sent.path)
    page.get_by_role("link", name="Count what this is made of").click()
    expect(page.get_by_role("heading", name="Counts")).to_be_visible()
    page.get_by_role("link", name="To the references").click()
    page.locator("#main td a[href^='/audit/runs/']").first.click()
    expect(page.get_by_text("Yes.", exact=True)).to_be_visible()
