"""Where the tests find a browser."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

HOW_TO_GET_ONE = (
    "Get one with `apt-get install chromium` on Debian, or anywhere with"
    " `.venv/bin/playwright install chromium`."
)


def chromium_path() -> str | None:
    """Return the path of a Chromium: one on PATH, or else Playwright's own; None if there is none."""
    for name in ("chromium", "chromium-browser", "google-chrome", "chrome"):
        if found := shutil.which(name):
            return found
    cache = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache/ms-playwright")
    own = sorted(cache.glob("chromium-*/chrome-*/chrome"))
    return str(own[-1]) if own else None
