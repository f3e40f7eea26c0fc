"""From the key press to the repainted picture: the player beside ``interact`` with an inline figure.

All in one JupyterLab, in turns, so that whatever else the machine does slows all of them down alike. The
clock starts with the time stamp of the key's event and stops after the first frame that shows the change
was painted. The figure that counts shows what the player shows at its second step: both lists, each
passage's path, the terms of its score as bars and fractions. Beside it, three bars without any of that.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Locator, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "browser"))

from finding import HOW_TO_GET_ONE, chromium_path
from lab import BROWSER_FLAGS, Lab, Server

ROUNDS, PRESSES = 6, 8
"""Turns, and presses in each; the first press of a turn does not count."""

PLAYER = "from rankwalk import Walkthrough\nWalkthrough()"
FIGURE = """
import matplotlib.pyplot as plt
from ipywidgets import BoundedIntText, interact
from rankwalk import explain_rrf

LISTS = [["A", "B", "C"], ["B", "C", "A"]]
COLOURS = dict(A="tab:blue", B="tab:orange", C="tab:green")

def draw(step, k):
    fusion = explain_rrf(LISTS, k=k)
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), width_ratios=[1, 2])
    for row in fusion.rows:
        colour = COLOURS[row.id]
        left.plot([0, 1], row.ranks, "o-", color=colour)
        for place, rank in enumerate(row.ranks):
            left.annotate(row.id, (place, rank), textcoords="offset points", xytext=(0, 8))
        if step > 1:
            start = 0.0
            for term, shade in zip(row.terms, (1.0, 0.5)):
                right.barh(row.id, float(term), left=start, color=colour, alpha=shade)
                start += float(term)
            terms = " + ".join(map(str, row.terms))
            right.text(0, row.id, f"{terms} = {row.score} = {start:.5f}", va="center")
    left.set_xticks([0, 1], ["Keyword search", "Semantic search"])
    left.set_yticks([1, 2, 3])
    left.invert_yaxis()
    right.invert_yaxis()
    figure.suptitle(f"{step} / 5, RRF k = {k}")
    plt.show()

_ = interact(draw, step=BoundedIntText(2, 1, 1000), k=BoundedIntText(60, 0, 1000))
"""
BARE_BARS = """
from rankwalk import rrf

def bars(step, k):
    fused = rrf(LISTS, k=k)
    figure, axes = plt.subplots(figsize=(8, 4))
    axes.barh([id for id, _ in fused], [score for _, score in fused])
    axes.set_title(f"{step} / 5, k = {k}")
    plt.show()

_ = interact(bars, step=BoundedIntText(2, 1, 1000), k=BoundedIntText(60, 0, 1000))
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


@dataclass
class Kind:
    """One kind of press.

    Attributes:
        ready: brings its cell into view, puts the focus where the keys go and returns the element that
            changes.
        shown: what tells that it did; see `WATCH`.
        keys: some, and those that take them back, so that every press changes something.
        times: milliseconds of each press that counts.
    """

    ready: Callable[[], Locator]
    shown: str
    keys: list[str]
    times: list[float] = field(default_factory=list)

    def take_turn(self, page: Page) -> None:
        """Press the keys, and note how long each took to be painted."""
        root = self.ready()
        for number in range(PRESSES):
            page.wait_for_timeout(150)  # let the page come to rest
            page.evaluate(WATCH, [root.element_handle(), self.shown])
            page.keyboard.press(self.keys[number % len(self.keys)])
            took = page.evaluate("() => window.measured")
            if number:
                self.times.append(took)


def measured(lab: Lab) -> dict[str, float]:
    """Return the medians in milliseconds."""
    notebook = lab.open([PLAYER, FIGURE, BARE_BARS])
    notebook.run_all()

    def player_step() -> Locator:
        player = notebook.widget(0)
        player.focus()
        lab.page.keyboard.press("Home")
        return player

    def player_k() -> Locator:
        player = player_step()
        lab.page.keyboard.press("ArrowRight")  # to where k is seen
        player.locator(".rw-slider").focus()
        return player

    def number(cell: int, place: int) -> Callable[[], Locator]:
        def ready() -> Locator:
            found = notebook.cell(cell)
            found.locator("img").wait_for()
            found.locator("input[type=number]").nth(place).focus()
            return found

        return ready

    there_and_back = ["ArrowRight"] * 4 + ["ArrowLeft"] * 4
    up_and_down = ["ArrowUp", "ArrowDown"]
    kinds = {
        "player, step": Kind(player_step, "step", there_and_back),
        "figure, step": Kind(number(1, 0), "image", up_and_down),
        "bars, step": Kind(number(2, 0), "image", up_and_down),
        "player, k": Kind(player_k, "text", ["PageUp", "PageDown"]),
        "figure, k": Kind(number(1, 1), "image", up_and_down),
        "bars, k": Kind(number(2, 1), "image", up_and_down),
    }
    for _ in range(ROUNDS):
        for kind in kinds.values():
            kind.take_turn(lab.page)
    return {name: statistics.median(kind.times) for name, kind in kinds.items()}


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
        ours, figure, bars = (found[f"{kind}, {name}"] for kind in ("player", "figure", "bars"))
        print(f"  a changed {name}")
        print(f"    player                                {ours:4.0f} ms")
        print(
            f"    interact, the same as a figure        {figure:4.0f} ms:"
            f" the player is {figure / ours:.1f} times faster (at least {wanted} are expected)"
        )
        print(f"    interact, three bars and no more      {bars:4.0f} ms: {bars / ours:.1f} times")
