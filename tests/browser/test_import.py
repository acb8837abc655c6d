"""From a dropped file of any format to the first "why was this not in the prompt?" in two clicks."""

import json
import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import expect
from pytest_django import Settings

from benchmarks.transcripts import write_transcript
from selection.actions.watch import Phase, Watch
from tests.browser.conftest import Opens, World, assert_accessible
from tests.importers.samples import SAMPLES, Sample

pytestmark = pytest.mark.browser
ONE_EACH = {sample.format: sample for sample in reversed(SAMPLES)}


def filled(sample: Sample) -> bytes:
    """The same recording with an answer so long that no model takes it, and a turn after it: what a person asks about first."""
    more = b" and more" * (650_000 if sample.format == "gemini" else 130_000)
    data = sample.data.replace(b"a function", b"a function" + more, 1)
    if sample.format != "swe-agent":
        return data
    document = json.loads(data)
    document["history"].append({"role": "user", "content": "thanks"})
    return json.dumps(document).encode()


@pytest.mark.parametrize("sample", ONE_EACH.values(), ids=ONE_EACH)
def test_two_clicks_from_an_import_to_why_something_was_not_in_the_prompt(
    open_browser: Opens, world: World, tmp_path: Path, sample: Sample
) -> None:
    file = tmp_path / sample.name
    file.write_bytes(filled(sample))
    page = open_browser(world.owner)
    page.goto("/sessions/import/")
    page.get_by_label("Files, or a zip archive").set_input_files(file)
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("heading", name="Imported")).to_be_visible()
    page.get_by_role("link", name="Open its last turn").click()
    page.locator(".ledger tr", has_text="Too large").locator("a.name").first.click()
    expect(page.get_by_role("heading", name=re.compile("^Why is this out"))).to_be_visible()


def test_a_suggestion_is_tried_in_one_click(open_browser: Opens, world: World, tmp_path: Path) -> None:
    file = tmp_path / "codex.jsonl"
    file.write_bytes(ONE_EACH["codex"].data.replace(b"src/app.py", b"deploy/.env"))
    page = open_browser(world.owner)
    page.goto("/sessions/import/")
    page.get_by_label("Files, or a zip archive").set_input_files(file)
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("heading", name="The policy to begin with")).to_be_visible()
    assert_accessible(page)
    page.get_by_role("link", name="Restrict .env").click()
    expect(page.get_by_label("Restricted paths")).to_have_value(".env")
    expect(page.get_by_text("This is a what-if; nothing is saved.")).to_be_visible()
    page.go_back()
    page.get_by_role("link", name=re.compile("^Open what is in")).click()
    expect(page.get_by_role("heading", name="The policy to begin with")).to_be_visible()
    assert_accessible(page)


def test_a_large_import_shows_how_far_it_is_and_can_be_called_off(
    open_browser: Opens, world: World, tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.IMPORT_AT_ONCE_BYTES = 0
    heed = Watch.heed

    def slowly(watch: Watch, done: int, size: int) -> None:
        time.sleep(0.3 if watch.phase is Phase.STORING else 0)
        heed(watch, done, size)

    monkeypatch.setattr(Watch, "heed", slowly)
    file = tmp_path / "long.jsonl"
    write_transcript(file, 20)
    page = open_browser(world.owner)
    page.goto("/sessions/import/")
    page.get_by_label("Files, or a zip archive").set_input_files(file)
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_text(re.compile("long.jsonl: reading and storing, [0-9]+ % of 21 MB"))).to_be_visible()
    expect(page.get_by_role("progressbar")).to_be_visible()
    assert_accessible(page)
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("heading", name="Called off")).to_be_visible()
    assert_accessible(page)
    assert "/sessions/import/" in page.url


def test_a_large_import_ends_with_what_it_made(
    open_browser: Opens, world: World, tmp_path: Path, settings: Settings
) -> None:
    settings.IMPORT_AT_ONCE_BYTES = 0
    (tmp_path / "sample.jsonl").write_bytes(ONE_EACH["codex"].data)
    (tmp_path / "notes.md").write_text("nothing of the kind")
    page = open_browser(world.owner)
    page.goto("/sessions/import/")
    page.get_by_label("Files, or a zip archive").set_input_files([tmp_path / "sample.jsonl", tmp_path / "notes.md"])
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_text("2 files: 1 gave a session, 1 did not.")).to_be_visible()
    assert_accessible(page)
    page.reload()
    expect(page.get_by_role("link", name="Open its last turn")).to_be_visible()
