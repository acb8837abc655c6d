"""Take the pictures of the README, light and dark, from a server that shows the demo: `python -m tools.screenshots SIGN_IN_LINK`."""

import sys
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Page, ViewportSize, sync_playwright

from tools.chromium import find_chromium

PLACE = Path(__file__).resolve().parent.parent / "docs"
SIZE = ViewportSize(width=1440, height=900)


def addresses(page: Page) -> dict[str, str]:
    """Give the page of each picture, found by walking as a person would."""
    page.get_by_role("link", name="Demo: refactor").first.click()
    turn = page.get_by_role("link", name="Turn 3", exact=True).get_attribute("href") or ""
    key = turn.strip("/").split("/")[-1]
    return {
        "ledger": f"{turn}?window=4200",
        "why": f"{turn}?window=4200&state=over_budget&row=10",
        "sweep": f"{turn}?tab=sweep&window=4200",
        "policy": f"{turn}?tab=policy&restricted=.env%0Atests/**%0Asecrets/**",
        "compare": f"/compare/?left=turn:{key}&right={quote(f'turn:{key}?window=4200')}",
    }


def main(link: str) -> None:
    """Sign in by `link` and take every picture."""
    base = link.split("/sign-in/", maxsplit=1)[0]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox", "--disable-gpu"])
        context = browser.new_context(base_url=base, viewport=SIZE, reduced_motion="reduce")
        page = context.new_page()
        page.goto(link)
        for name, address in addresses(page).items():
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
                page.goto(address)
                page.wait_for_load_state("networkidle")
                page.screenshot(path=PLACE / f"{name}-{scheme}.png")
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1])
