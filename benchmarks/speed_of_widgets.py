"""From the key press to the repainted picture: the player beside ``interact`` with an inline figure.

Both in one JupyterLab, one after the other, in one run. The clock starts with the time stamp of the
key's event and stops after the first frame that shows the change was painted.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Locator, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "browser"))

from finding import HOW_TO_GET_ONE, chromium_path
from lab import BROWSER_FLAGS, Lab, Notebook, Server

PRESSES = 25
THERE_AND_BACK = ["ArrowRight"] * 4 + ["ArrowLeft"] * 4

PLAYER = "from rankwalk import Walkthrough\nWalkthrough()"
INTERACT = """
import matplotlib.pyplot as plt
from ipywidgets import BoundedIntText, interact
from rankwalk import rrf

def draw(step, k):
    fused = rrf([["A", "B", "C"], ["B", "C", "A"]], k=k)
    figure, axes = plt.subplots(figsize=(8, 4))
    axes.barh([id for id, _ in fused], [score for _, score in fused])
    axes.set_title(f"{step} / 5, k = {k}")
    plt.show()

_ = interact(draw, step=BoundedIntText(1, 1, 1000), k=BoundedIntText(60, 0, 1000))
"""

# `shown` returns what tells one state of the picture from the next.
WATCH = """
([root, name]) => {
  const shown = {
    step: () => root.getAttribute("data-step"),
    text: () => root.querySelector(".rw-picture").textContent,
    image: () => root.querySelector("img")?.src,
  }[name];
  const before = shown();
  window.measured = new Promise((resolve) => {
    let start = 0;
    window.addEventListener("keydown", (event) => (start = event.timeStamp), {
      capture: true,
      once: true,
    });
    const observer = new MutationObserver(async () => {
      const now = shown();
      if (now === undefined || now === before) return;
      observer.disconnect();
      if (name === "image") await root.querySelector("img").decode();
      requestAnimationFrame(() => {
        const painted = new MessageChannel();
        painted.port1.onmessage = () => resolve(performance.now() - start);
        painted.port2.postMessage(null);
      });
    });
    observer.observe(root, {
      attributes: true,
      childList: true,
      subtree: true,
      characterData: true,
    });
  });
}
"""


def pressed(notebook: Notebook, root: Locator, name: str, keys: Sequence[str]) -> float:
    """Return the median milliseconds from a press of the keys, in turn, to the repainted picture.

    Args:
        notebook: where the focus is on what takes the keys.
        root: the element that changes.
        name: what tells that it did; see `WATCH`.
        keys: some and those that take them back, so that every press changes something.
    """
    page = notebook.lab.page
    times: list[float] = []
    for number in range(PRESSES):
        page.wait_for_timeout(150)  # let the page come to rest
        page.evaluate(WATCH, [root.element_handle(), name])
        page.keyboard.press(keys[number % len(keys)])
        times.append(page.evaluate("() => window.measured"))
    return statistics.median(times[1:])


def measured(lab: Lab) -> dict[str, float]:
    """Return the four medians in milliseconds."""
    notebook = lab.open([PLAYER, INTERACT])
    notebook.run_all()
    found: dict[str, float] = {}

    player = notebook.widget(0)
    player.focus()
    found["player, step"] = pressed(notebook, player, "step", THERE_AND_BACK)
    slider = player.locator(".rw-slider")
    player.locator("details:not([open]):has(.rw-slider) > summary").evaluate_all(
        "summaries => summaries.forEach((summary) => summary.click())"
    )
    slider.focus()
    found["player, k"] = pressed(notebook, player, "text", ("PageUp", "PageDown"))

    cell = notebook.cell(1)
    cell.locator("img").wait_for()
    for number, name in enumerate(("step", "k")):
        cell.locator("input[type=number]").nth(number).focus()
        keys = ("ArrowUp", "ArrowDown")
        found[f"interact, {name}"] = pressed(notebook, cell, "image", keys)
    return found


def main() -> None:
    """Measure in a JupyterLab of its own and print medians and ratios."""
    path = chromium_path()
    if path is None:
        sys.exit(f"There is no Chromium to measure the widgets in. {HOW_TO_GET_ONE}")
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        sync_playwright() as own,
    ):
        browser = own.chromium.launch(executable_path=path, args=BROWSER_FLAGS)
        server = Server(Path(folder))
        try:
            found = measured(Lab(server, browser))
        finally:
            server.stop()
            browser.close()
    print("key press to repainted picture, medians in one JupyterLab (a step: 16 ms is expected):")
    for name, wanted in (("step", 10), ("k", 3)):
        ours, theirs = found[f"player, {name}"], found[f"interact, {name}"]
        print(
            f"  a changed {name:5} player {ours:4.0f} ms, interact with a figure {theirs:4.0f} ms:"
            f" {theirs / ours:.1f} times faster (at least {wanted} are expected)"
        )
