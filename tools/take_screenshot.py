"""Take the picture in the README: the player at its last step, in a real JupyterLab.

python tools/take_screenshot.py docs/player.png
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "browser"))  # the harness of the browser tests


def main(target: Path) -> None:
    """Write the picture to ``target``."""
    from finding import HOW_TO_GET_ONE, chromium_path
    from lab import BROWSER_FLAGS, Lab, Server
    from playwright.sync_api import sync_playwright

    browser_path = chromium_path()
    if browser_path is None:
        raise SystemExit(HOW_TO_GET_ONE)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=BROWSER_FLAGS)
        server = Server(Path(folder))
        try:
            lab = Lab(server, browser)
            lab.size(1500, 1000)
            notebook = lab.open(["from rankwalk import Walkthrough\nWalkthrough(step=5)"])
            notebook.run_all()
            widget = notebook.widget(0)
            widget.locator("details.rw-controls > summary").click()  # the picture, not the controls
            lab.page.mouse.move(0, 0)
            lab.page.wait_for_timeout(500)
            widget.screenshot(path=target)
        finally:
            server.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
