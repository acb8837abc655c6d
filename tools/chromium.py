"""Find a Chromium for the browser tests; none is ever downloaded."""

import os
import shutil

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find_chromium() -> str | None:
    """Give the path of a Chromium; `SMISTA_CHROMIUM` names another."""
    named = os.environ.get("SMISTA_CHROMIUM")
    return named or next((path for name in NAMES if (path := shutil.which(name))), None)
