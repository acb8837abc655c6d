"""From a dropped file of any format to the first "why was this not in the prompt?" in two clicks."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Opens, World
from tests.importers.samples import SAMPLES, Sample

pytestmark = pytest.mark.browser
ONE_EACH = {sample.format: sample for sample in reversed(SAMPLES)}


@pytest.mark.parametrize("sample", ONE_EACH.values(), ids=ONE_EACH)
def test_two_clicks_from_an_import_to_a_reason(
    open_browser: Opens, world: World, tmp_path: Path, sample: Sample
) -> None:
    file = tmp_path / sample.name
    file.write_bytes(sample.data)
    page = open_browser(world.owner)
    page.goto("/sessions/import/")
    page.get_by_label("A file").set_input_files(file)
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("heading", name="Imported")).to_be_visible()
    page.get_by_role("link", name="Open its last turn").click()
    page.locator(".ledger a.name").first.click()
    expect(page.get_by_role("heading", name=re.compile("^Why is this (in|out)"))).to_be_visible()
