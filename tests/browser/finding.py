"""Where the browser for the browser tests is."""

from __future__ import annotations

import os
import shutil
from functools import cache
from pathlib import Path

HOW_TO_GET_ONE = (
    "NO BROWSER TESTS RAN: no Chromium was found. Get one with `apt install chromium` (Debian, Ubuntu), "
    "`.venv/bin/python -m playwright install chromium` (any system), or name one with CHROMIUM=/path."
)

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


@cache
def chromium_path() -> str | None:
    """Return the path of a Chromium, or ``None`` if there is none.

    The environment variable CHROMIUM comes first, then what is on PATH, then Playwright's own.
    """
    if named := os.environ.get("CHROMIUM"):
        return named if Path(named).is_file() else None
    for name in NAMES:
        if found := shutil.which(name):
            return found
    return _of_playwright()


def a_missing_browser_fails() -> bool:
    """Say whether to fail for want of a browser: in CI a skipped test would pass for a green one."""
    return os.environ.get("CI", "").lower() not in ("", "0", "false")


def _of_playwright() -> str | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).is_file() else None
