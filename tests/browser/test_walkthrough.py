"""The player in a real JupyterLab: by keyboard, by mouse and from Python, with and without a kernel."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from lab import Lab, Notebook
from playwright.sync_api import Locator, expect

SHOW = "from rankwalk import Scenario, Walkthrough\nw = Walkthrough({})\nw"

SILENCE = 10_000
"""Milliseconds to wait for the word that Python is silent; it comes after two seconds, load aside."""

WITHOUT_A_KERNEL = ("Could not restore the debugger state", "Could not send widget sync message")
"""What JupyterLab writes into the console when a kernel has gone."""


class Player:
    """A player in a notebook: its parts by the names that a learner has for them."""

    def __init__(self, notebook: Notebook, number: int = 0) -> None:
        self.notebook = notebook
        self.lab = notebook.lab
        self.page = notebook.lab.page
        self.root: Locator = notebook.widget(number)
        self.frame = self.root.locator(".rw-frame")
        self.live = self.root.locator(".rw-live")
        self.code = self.root.locator(".rw-code")
        self.silent = self.root.locator(".rw-silent")
        self.upshot = self.root.locator(".rw-upshot:visible")

    def button(self, name: str) -> Locator:
        return self.root.get_by_role("button", name=name, exact=True)

    def field(self, name: str) -> Locator:
        return self.root.get_by_label(name, exact=True)

    def error(self, name: str) -> Locator:
        """Where what was wrong with a field is told."""
        control = self.root.locator(".rw-control", has=self.page.get_by_label(name, exact=True))
        return control.locator(".rw-error")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def at(self, step: int) -> None:
        expect(self.root).to_have_attribute("data-step", str(step))

    def type(self, name: str, text: str) -> None:
        self.field(name).fill(text)
        self.field(name).press("Enter")

    def rows(self, number: int) -> list[str]:
        """The ids of one list in the panel, from the top."""
        rows = self.root.locator(".rw-rows").nth(number).locator(".rw-row")
        return [str(row.get_attribute("data-id")) for row in rows.all()]

    def record_steps(self) -> None:
        """From now on the page keeps every step that it shows; see `recorded`."""
        self.root.evaluate(
            """root => {
              window.recorded = [root.dataset.step];
              const note = () => {
                if (recorded.at(-1) !== root.dataset.step) recorded.push(root.dataset.step);
              };
              new MutationObserver(note).observe(root, { attributeFilter: ["data-step"] });
            }"""
        )

    def recorded(self) -> list[int]:
        return [int(step) for step in self.page.evaluate("() => recorded.slice(1)")]

    def says(self, code: str, printed: str) -> None:
        """Wait until Python prints this: what the browser did reaches it a moment later."""
        end = time.monotonic() + 20
        while (found := self.notebook.python(code)) != f"{printed}\n" and time.monotonic() < end:
            self.page.wait_for_timeout(100)
        assert found == f"{printed}\n"

    def calls(self, call: str) -> None:
        """Wait until both the page and Python say that this call makes what is shown."""
        expect(self.code).to_have_value(call)
        self.says("print(repr(w))", call)

    def picture(self) -> str:
        """The picture's markup without the ids of its elements."""
        return re.sub(r"rw-words-[-\w]+", "", self.frame.evaluate("frame => frame.innerHTML"))

    def seen(self) -> list[Any]:
        """What the eye finds in the picture at this step: words, shapes, places and looks."""
        found: list[Any] = self.frame.evaluate(
            """frame => [...frame.querySelectorAll("text, path, rect, circle")]
              .filter((part) => part.checkVisibility({ visibilityProperty: true }))
              .map((part) => {
                const { x, y, width, height } = part.getBBox();
                const style = getComputedStyle(part);
                const words = part.matches("text") ? part.textContent : part.getAttribute("d");
                return [words, ...[x, y, width, height].map(Math.round), style.fill, style.stroke];
              })"""
        )
        return found

    def quick(self) -> None:
        """Make the shortest dwell a quarter of a second."""
        self.root.locator(".rw-transport select").evaluate(
            """select => {
              select.options[0].value = "0.25";
              select.value = "0.25";
              select.dispatchEvent(new Event("change"));
            }"""
        )


def opened(lab: Lab, arguments: str = "", *more: str) -> Player:
    notebook = lab.open([SHOW.format(arguments), *more])
    notebook.run_all()
    return Player(notebook)


def cells(notebook: Notebook) -> Any:
    """The notebook as JupyterLab has it: what command mode would have changed."""
    return notebook.lab.page.evaluate(
        """path => {
          const { content } = lab.panel(path);
          return {
            cells: content.widgets.map((cell) => [cell.model.type, cell.model.sharedModel.getSource()]),
            active: content.activeCellIndex,
          };
        }""",
        notebook.path,
    )


def scrolled(player: Player) -> list[float]:
    """How far each box around the player is scrolled, down and sideways."""
    found: list[float] = player.root.evaluate(
        """root => {
          const found = [];
          for (let box = root.parentElement; box; box = box.parentElement)
            found.push(box.scrollTop, box.scrollLeft);
          return found;
        }"""
    )
    return found


# ---- keys -------------------------------------------------------------------------------------------


def test_keys_step_and_the_page_stays_where_it_is(lab: Lab) -> None:
    player = opened(lab, "", *(f"'filler {n}'" for n in range(12)))
    player.at(1)
    expect(player.button("Play")).to_be_visible()  # at rest when it opens
    player.root.focus()
    before = scrolled(player)
    for key, step in (
        ("ArrowLeft", 1),
        ("ArrowRight", 2),
        ("ArrowRight", 3),
        ("ArrowLeft", 2),
        ("End", 5),
        ("ArrowRight", 5),
        ("PageDown", 5),
        ("PageUp", 4),
        ("Home", 1),
        ("PageDown", 2),
    ):
        player.press(key)
        player.at(step)
    player.says("print(w.step)", "2")
    player.press("Space")
    expect(player.button("Pause")).to_be_visible()
    player.press("Space")
    expect(player.button("Play")).to_be_visible()
    assert scrolled(player) == before
    player.frame.focus()  # it could scroll by itself
    player.press("Home", "End", "PageUp", "ArrowLeft", "Space", "Space", "ArrowRight")
    player.at(4)
    assert scrolled(player) == before


def test_space_on_a_button_presses_it_and_arrows_step_from_there(lab: Lab) -> None:
    player = opened(lab)
    player.button("Next").focus()
    player.press("Space")
    player.at(2)
    player.press("Enter")
    player.at(3)
    player.press("ArrowRight")
    player.at(4)
    expect(player.button("Play")).to_be_visible()
    player.press("Space", "Space")  # at the end the button stays, and with it the focus
    player.at(5)
    expect(player.button("Next")).to_be_focused()
    expect(player.button("Next")).to_have_attribute("aria-disabled", "true")
    player.button("First step").press("Enter")
    player.at(1)
    player.button("Last step").press("Enter")
    player.at(5)
    player.root.locator(".rw-controls summary").press("Space")
    expect(player.root.locator(".rw-controls")).not_to_have_attribute("open", re.compile(".*"))
    expect(player.button("Play")).to_be_visible()


def test_keys_with_ctrl_alt_and_meta_are_the_page_s(lab: Lab) -> None:
    player = opened(lab, "step=2")
    player.page.evaluate(
        """() => {
          window.reached = [];
          document.addEventListener("keydown", (event) => {
            if (event.key.length > 1 && !["Control", "Alt", "Meta", "Shift"].includes(event.key))
              window.reached.push(event.key);
          });
        }"""
    )
    player.button("Next").focus()
    for key in ("Control+End", "Alt+Home", "Meta+ArrowLeft", "Control+ArrowRight"):
        player.press(key)
    assert player.page.evaluate("() => reached") == ["End", "Home", "ArrowLeft", "ArrowRight"]
    player.press("ArrowRight", "ArrowDown", "F2")
    assert len(player.page.evaluate("() => reached")) == 4
    player.at(3)


def test_keys_in_fields_are_the_field_s(lab: Lab) -> None:
    player = opened(lab, "step=3")
    for name in ("RRF k, typed", "RRF k, on a logarithmic scale", "Budget (passages)"):
        player.field(name).focus()
        player.press("ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown", "Space")
    player.field("Check").focus()
    player.press("ArrowDown")
    player.at(3)
    expect(player.button("Play")).to_be_visible()
    player.field("RRF k, typed").fill("123")
    player.press("Home", "Delete", "ArrowRight", "Backspace", "End", "4", "Enter")
    expect(player.field("RRF k, typed")).to_have_value("34")
    expect(player.code).to_have_value(re.compile("k=34.*step=3"))


def test_letters_do_not_reach_command_mode(lab: Lab) -> None:
    player = opened(lab, "", "'second'", "'third'")
    player.root.focus()
    before = cells(player.notebook)
    letters = ("a", "b", "d", "d", "x", "c", "v", "m", "y", "z", "1", "0", "0", "Shift+M", "j", "k")
    for place in (
        player.root,
        player.button("Next"),
        player.frame,
        player.root.locator(".rw-passages summary"),
        player.root.locator(".rw-controls summary"),
        player.field("Check"),
        player.field("RRF k, typed"),
        player.field("RRF k, on a logarithmic scale"),
        player.root.locator(".rw-transport select"),
        player.root.get_by_role("checkbox"),
    ):
        place.focus()
        player.press(*letters)
        assert cells(player.notebook) == before
    # The same letters do change cells where they are meant to: so this test can fail.
    player.page.evaluate(
        """path => {
          const { content } = lab.panel(path);
          content.mode = "command";
          content.activate();
          content.node.focus();
        }""",
        player.notebook.path,
    )
    player.press("Escape", "b")
    player.page.wait_for_function(
        "([path, count]) => lab.cells(path).length > count",
        arg=[player.notebook.path, len(before["cells"])],
    )


# ---- playing ----------------------------------------------------------------------------------------


def test_play_stops_at_the_last_step_and_starts_over_there(lab: Lab) -> None:
    player = opened(lab)
    player.record_steps()
    player.quick()
    player.button("Play").click()
    player.at(5)
    expect(player.button("Play")).to_be_visible()
    player.page.wait_for_timeout(600)
    player.at(5)
    assert player.recorded() == [2, 3, 4, 5]  # it did not wait for a guess, and each step came once
    player.says("print(w.step)", "5")
    player.root.locator(".rw-transport select").select_option("5")  # seconds, enough to look
    player.button("Play").click()
    player.at(1)
    player.button("Pause").click()
    expect(player.button("Play")).to_be_visible()
    player.page.wait_for_timeout(600)
    player.at(1)


def test_an_echo_of_an_earlier_step_does_not_undo_a_later_one(lab: Lab) -> None:
    player = opened(lab)
    player.root.focus()
    player.record_steps()
    for wait in range(40, 90, 5):  # around the moment in which Python is told, and answers
        for key in ["ArrowRight"] * 4 + ["ArrowLeft"] * 4:
            player.press(key)
            player.page.wait_for_timeout(wait)
    player.says("print(w.step)", "1")
    assert player.recorded() == [2, 3, 4, 5, 4, 3, 2, 1] * 10


def test_a_step_makes_no_element_and_moves_nothing(lab: Lab) -> None:
    """Everything is there from the start, so a step is painted within a frame."""
    player = opened(lab, "step=2")
    player.root.focus()
    player.root.evaluate(
        """root => {
          window.made = [];
          const note = (changes) => made.push(...changes.map((change) => change.target.className));
          new MutationObserver(note).observe(root, { childList: true, subtree: true });
        }"""
    )
    places = """root => [...root.querySelectorAll(".rw-button, .rw-input, .rw-frame, .rw-scope")]
      .map((element) => element.getBoundingClientRect())
      .map(({ x, y, width, height }) => [x, y, width, height])"""
    before = player.root.evaluate(places)
    for step in (3, 4, 5):
        player.press("ArrowRight")
        player.at(step)
        assert player.root.evaluate(places) == before
    player.calls("Walkthrough(step=5)")
    assert set(player.page.evaluate("() => made")) == {"rw-live"}


def test_one_announcement_a_step_and_none_without_the_focus(lab: Lab) -> None:
    player = opened(lab)
    player.live.evaluate(
        """live => {
          window.said = [];
          new MutationObserver(() => said.push(live.textContent)).observe(live, { childList: true });
        }"""
    )
    player.root.focus()
    player.press("ArrowRight", "ArrowRight")
    player.at(3)
    said = player.page.evaluate("() => said")
    assert said == [
        "2 / 5 Add by rank, not by score Fused order: B, A, C.",
        "3 / 5 Read the first few closely Order after this step: C, B, A.",
    ]
    player.page.evaluate("() => document.activeElement.blur()")
    player.notebook.python("w.step = 5")
    player.at(5)
    assert player.page.evaluate("() => said.length") == 2
    assert player.live.get_attribute("aria-live") == "polite"


# ---- controls ---------------------------------------------------------------------------------------


def grips(player: Player, number: int, id: str, to: str) -> list[tuple[float, float]]:
    """Points from a row's grip to where another row gives way, in seven steps."""
    rows = player.root.locator(".rw-rows").nth(number)
    grip = rows.locator(f'[data-id="{id}"] .rw-grip')
    grip.scroll_into_view_if_needed()
    start = grip.bounding_box()
    end = rows.locator(f'[data-id="{to}"] .rw-grip').bounding_box()
    assert start
    assert end
    first = start["y"] + start["height"] / 2
    last = end["y"] + end["height"] * (0.8 if end["y"] > start["y"] else 0.2)
    return [(start["x"] + 5, first + (last - first) * part / 6) for part in range(7)]


def drag(player: Player, number: int, id: str, to: str) -> None:
    """Drag a row of a list by its grip to where another one is."""
    first, *rest = grips(player, number, id, to)
    mouse = player.page.mouse
    mouse.move(*first)
    mouse.down()
    for point in rest:
        mouse.move(*point)
    mouse.up()


def test_a_finger_drags_a_row_and_does_not_scroll_the_page(lab: Lab) -> None:
    player = opened(lab)
    devtools = player.page.context.new_cdp_session(player.page)
    devtools.send("Emulation.setTouchEmulationEnabled", {"enabled": True})

    def touch(kind: str, *points: tuple[float, float]) -> None:
        at = [{"x": x, "y": y} for x, y in points]
        devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

    first, *rest = grips(player, 0, "A", "C")
    before = scrolled(player)
    touch("touchStart", first)
    for point in rest:
        touch("touchMove", point)
    assert scrolled(player) == before
    touch("touchEnd")
    player.calls("Walkthrough(keyword=['B', 'C', 'A'])")

    first, *rest = grips(player, 0, "A", "B")  # a second finger, a call, a turned page
    touch("touchStart", first)
    touch("touchMove", rest[-1])
    touch("touchCancel")
    expect(player.root.locator(".rw-dragged")).to_have_count(0)
    assert player.rows(0) == ["B", "C", "A"]
    devtools.send("Emulation.setTouchEmulationEnabled", {"enabled": False})


def test_every_control_changes_something_or_says_why_not(lab: Lab) -> None:
    player = opened(lab, "step=5")
    button, field, page = player.button, player.field, player.page

    def slide() -> None:
        field("RRF k, on a logarithmic scale").focus()
        page.keyboard.press("Home")

    actions: list[tuple[Callable[[], object], str, str]] = [
        (lambda: button("Move B up in Keyword search").click(), "keyword=['B', 'A', 'C'], ", ""),
        (lambda: button("Move B down in Keyword search").press("Enter"), "", ""),
        (lambda: button("Move C up in Semantic search").click(), "semantic=['C', 'B', 'A'], ", ""),
        (
            lambda: button("Exchange the two lists").click(),
            "keyword=['C', 'B', 'A'], semantic=['A', 'B', 'C'], ",
            "",
        ),
        (lambda: button("Reset to F29").click(), "", ""),
        (lambda: drag(player, 0, "A", "C"), "keyword=['B', 'C', 'A'], ", ""),
        (lambda: drag(player, 0, "A", "B"), "", ""),
        (lambda: button("Take C out of both lists").first.click(), "removed=['C'], ", ""),
        (lambda: button("Put C back").last.click(), "", ""),
        (lambda: player.type("RRF k, typed", "10"), "k=10, ", ""),
        (slide, "k=0, ", ""),
        (lambda: player.type("RRF k, typed", "６０"), "", ""),  # full-width digits
        (lambda: player.type("Reads the first", "2"), "depth=2, ", ""),
        (lambda: player.type("Reads the first", "3"), "", ""),
        (lambda: player.root.get_by_role("checkbox").press("Space"), "rerank=False, ", ""),
        (
            lambda: player.type("Reads the first", "1"),
            "rerank=False, depth=1, ",
            "Changes nothing while the reranker is off.",
        ),
        (lambda: button("Reset to F29").click(), "", ""),
        (lambda: player.type("Budget (passages)", "1"), "budget=1, ", ""),
        (lambda: button("Reset to F29").click(), "", ""),
        (lambda: field("Check").select_option("before"), "check='before', ", ""),
        (lambda: field("Check").select_option("after"), "", ""),
        (lambda: field("Day").fill("2025-06-01"), "day='2025-06-01', ", ""),
        (lambda: field("Day").fill("2026-03-16"), "", ""),
        (
            lambda: player.type("Draw number", "7"),
            "seed=7, ",
            "Changes nothing while there is no noise.",
        ),
        (lambda: player.type("Unrelated passages", "2"), "noise=2, seed=7, ", ""),
        (lambda: button("Another draw").click(), "noise=2, seed=8, ", ""),
        (lambda: player.type("Exchanges of neighbours", "3"), "noise=2, swaps=3, seed=8, ", ""),
        (lambda: button("Reset to F29").click(), "", ""),
        (lambda: field("Scenario").select_option("no_answer"), "'no_answer', ", ""),
        (lambda: button("Reset to F29").click(), "", ""),
    ]
    for act, arguments, note in actions:
        before = player.seen()
        act()
        player.calls(f"Walkthrough({arguments}step=5)")
        if note:
            expect(player.root.get_by_text(note)).to_be_visible()
            assert player.seen() == before
        else:
            assert player.seen() != before, arguments
    assert [player.rows(0), player.rows(1)] == [["A", "B", "C"], ["B", "C", "A"]]


def test_a_control_says_from_which_step_on_it_is_seen(lab: Lab) -> None:
    player = opened(lab)
    for name, change, step in (
        ("RRF k, typed", "k=10", 2),
        ("Reranker", "rerank=False", 3),
        ("Reads the first", "depth=1", 3),
        ("Budget (passages)", "budget=1", 3),
        ("Check", "check='before'", 3),
        ("Day", "day='2025-06-01'", 4),
    ):
        label = player.page.get_by_label(name, exact=True)
        control = player.root.locator(".rw-control", has=label)
        expect(control.locator(".rw-hint")).to_have_text(f"seen from step {step} on")
        assert control.locator(".rw-hint").get_attribute("id") in str(
            player.field(name).get_attribute("aria-describedby")
        )
        for at in (step - 1, step):
            told = [] if at == 1 else [f"step={at}"]
            player.notebook.python(f"w.reset(); w.step = {at}")
            player.at(at)
            player.calls(f"Walkthrough({', '.join(told)})")
            before = player.seen()
            player.notebook.python(f"w.set({change})")
            player.calls(f"Walkthrough({', '.join([change, *told])})")
            assert (player.seen() != before) == (at == step), (name, at)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_what_makes_no_difference_here_says_so(lab: Lab, lang: str) -> None:
    words = {"en": "makes no difference here", "zh": "在这里没有差别"}[lang]
    player = opened(lab, f"keyword=['q', 'r'], semantic=['q', 'r'], swaps=1, lang={lang!r}")
    note = player.root.get_by_text(words)
    swaps = player.root.locator(".rw-grid input").nth(5)
    swaps.fill("3")
    swaps.press("Enter")
    expect(note).to_be_visible()
    player.notebook.python("w.swaps = 0")
    expect(note).to_have_count(0)
    player.root.locator(".rw-wide > .rw-button").click()  # exchange of two lists that are alike
    expect(note).to_be_visible()
    player.root.locator(".rw-reset").click()
    expect(player.code).to_have_value(re.compile(r"Walkthrough\((lang='zh')?\)"))
    player.root.locator(".rw-reset").click()
    player.page.wait_for_timeout(500)
    expect(note).to_have_count(0)


def marked(player: Player, step: int, id: str) -> tuple[set[str], str]:
    """The signs on a passage's cards in one column, by name, and all that the cards say."""
    cards = player.frame.locator(f'.rw-c{step} .rw-card[data-id="{id}"]')
    signs = cards.locator(".rw-mark").evaluate_all(
        """marks => marks
          .filter((mark) => mark.checkVisibility({ visibilityProperty: true }))
          .map((mark) => [...mark.classList].at(-1).replace("rw-mark-", ""))"""
    )
    return set(signs), " ".join(cards.locator("text:visible").all_text_contents())


def test_the_picture_shows_what_each_step_does(lab: Lab) -> None:
    player = opened(lab)
    player.root.focus()
    frame = player.frame

    def count(part: str) -> int:
        shown = "(part) => part.checkVisibility({ visibilityProperty: true })"
        return int(frame.locator(part).evaluate_all(f"parts => parts.filter({shown}).length"))

    assert count(".rw-card") == 6
    assert count(".rw-link") == 0
    player.press("ArrowRight")
    player.at(2)
    assert count(".rw-c2 .rw-card") == 3
    terms = {"B": (62, 61), "A": (61, 63), "C": (63, 62)}
    for id, (keyword, semantic) in terms.items():
        card = frame.locator(f'.rw-c2 .rw-card[data-id="{id}"]')
        room, first, second = (
            float(str(card.locator(bar).get_attribute("width")))
            for bar in (".rw-bar-room", ".rw-bar0", ".rw-bar1")
        )
        assert first / room == pytest.approx(61 / keyword / 2)  # 2/61 would fill it
        assert second / room == pytest.approx(61 / semantic / 2)
    words = " ".join(frame.locator("text:visible").all_text_contents())
    assert "Solid: from keyword search. Faint: from semantic search." in words
    links = frame.locator(".rw-link.rw-c2")
    dashes = {
        (str(link.get_attribute("class")).split()[-1], link.get_attribute("stroke-dasharray"))
        for link in links.all()
    }
    assert links.count() == 6
    assert len(dashes) == len({dash for _, dash in dashes}) == 3  # one dash a passage
    dots = frame.locator(".rw-lens .rw-dot")
    places = [float(str(dot.get_attribute("cx"))) for dot in dots.all()]
    assert sorted(places, reverse=True) == places  # B, A, C from the right
    assert len(places) == 3
    assert count(".rw-axis") == 1
    expect(frame).to_contain_text("The gaps are enlarged 63 times")
    assert count(".rw-budget") == 0
    player.press("ArrowRight")
    player.at(3)
    assert count(".rw-link.rw-c3") == 3
    assert marked(player, 3, "C") == ({"up"}, "C score 0.93 up 2")
    assert marked(player, 3, "B") == ({"down"}, "B score 0.71 down 1")
    assert count(".rw-budget") == 1
    expect(frame.locator(".rw-budget-words:visible")).to_have_text("budget: 2 passages")
    player.press("ArrowRight")
    player.at(4)
    assert count(".rw-link.rw-c4") == 3
    assert marked(player, 4, "A")[0] == {"ok"}
    assert marked(player, 4, "C") == ({"out"}, "C Old: 120, team lead superseded 2025-12-31")
    assert count('.rw-c4 .rw-card[data-id="C"] .rw-strike') == 1
    assert count(".rw-budget") == 2
    assert count(".rw-socket") == 0
    player.press("ArrowRight")
    player.at(5)
    assert count(".rw-socket.rw-met .rw-mark-ok") == 2
    assert count(".rw-link.rw-c5") == 2
    player.notebook.python("w.removed = ['B']")
    expect(frame.locator(".rw-socket.rw-unmet")).to_contain_text("nothing supports it")
    assert count(".rw-socket.rw-unmet .rw-mark-missing") == 1


@pytest.mark.parametrize(
    ("arguments", "step", "id", "signs", "words"),
    [
        ("semantic=['B', 'A', 'C']", 2, "A", {"tied"}, "tied"),
        ("semantic=['B', 'A', 'C']", 2, "B", {"tied"}, "tied"),
        ("semantic=['B', 'A', 'C']", 2, "C", set(), "0.03"),
        ("noise=1", 1, "X1", {"added"}, "added"),
        ("swaps=1", 1, "A", {"down"}, "down 1"),
        ("removed=['A']", 1, "A", {"removed"}, "taken out"),
        ("'no_answer'", 3, "P", {"same"}, "unmoved"),
    ],
)
def test_every_sign_stands_with_its_word(
    lab: Lab, arguments: str, step: int, id: str, signs: set[str], words: str
) -> None:
    player = opened(lab, f"{arguments}, step={step}")
    found, said = marked(player, step, id)
    assert found == signs
    assert words in said
    assert "…" not in said


def test_python_sets_each_control(lab: Lab) -> None:
    player = opened(lab, "step=2")
    field = player.field
    twins: list[tuple[str, Callable[[], None]]] = [
        ("w.k = 7", lambda: expect(field("RRF k, typed")).to_have_value("7")),
        ("w.depth = 2", lambda: expect(field("Reads the first")).to_have_value("2")),
        ("w.budget = 4", lambda: expect(field("Budget (passages)")).to_have_value("4")),
        ("w.check = 'before'", lambda: expect(field("Check")).to_have_value("before")),
        ("w.noise = 3", lambda: expect(field("Unrelated passages")).to_have_value("3")),
        ("w.swaps = 2", lambda: expect(field("Exchanges of neighbours")).to_have_value("2")),
        ("w.seed = 12", lambda: expect(field("Draw number")).to_have_value("12")),
        ("w.day = '2025-02-03'", lambda: expect(field("Day")).to_have_value("2025-02-03")),
        (
            "w.rerank = False",
            lambda: expect(player.root.get_by_role("checkbox")).not_to_be_checked(),
        ),
        (
            "w.removed = ['C']",
            lambda: expect(player.root.get_by_text("(taken out)")).to_have_count(2),
        ),
        ("w.scenario = 'flip'", lambda: expect(field("Scenario")).to_have_value("flip")),
    ]
    for code, shown in twins:
        before = player.picture()
        player.notebook.python(code)
        shown()
        assert player.picture() != before, code
        player.calls(player.notebook.python("print(repr(w))").strip())
    player.notebook.python("w.reset(); w.set(keyword=['C', 'B', 'A'], semantic=['A', 'C', 'B'])")
    expect(player.code).to_have_value(
        "Walkthrough(keyword=['C', 'B', 'A'], semantic=['A', 'C', 'B'], step=2)"
    )
    assert [player.rows(0), player.rows(1)] == [["C", "B", "A"], ["A", "C", "B"]]
    slider = field("RRF k, on a logarithmic scale")
    player.notebook.python("w.k = 1000")
    expect(slider).to_have_value(str(slider.get_attribute("max")))


def test_moving_k_says_that_only_the_gaps_change_and_offers_a_case_that_flips(lab: Lab) -> None:
    player = opened(lab, "step=2")
    note = player.root.locator(".rw-k-note")
    expect(note).to_have_text(re.compile("no RRF k changes the order"))
    player.button("Show the smallest case where the RRF k matters").click()
    player.calls("Walkthrough('flip', k=1, step=2)")
    expect(note).to_have_text(re.compile("can change the order"))
    expect(player.button("Show the smallest case where the RRF k matters")).to_be_hidden()
    expect(player.upshot).to_have_text("Fused order: C, A, B, D.")
    player.type("RRF k, typed", "3")
    expect(player.upshot).to_have_text("Fused order: C, B, A, D.")
    assert player.field("RRF k, on a logarithmic scale").get_attribute("aria-valuetext") == "3"


def test_presses_before_python_has_answered_all_count(lab: Lab) -> None:
    player = opened(lab)
    click = """(root, names) => names.forEach((name) => {
      for (const button of root.querySelectorAll("button"))
        if ((button.getAttribute("aria-label") ?? button.textContent) === name) return button.click();
      throw new Error(name);
    })"""
    out = ["Take A out of both lists", "Take B out of both lists"]
    player.root.evaluate(click, out)
    player.calls("Walkthrough(removed=['A', 'B'])")
    player.root.evaluate(click, ["Put A back", "Put B back"])
    player.calls("Walkthrough()")
    player.root.evaluate(click, ["Exchange the two lists"] * 2)
    player.root.evaluate(click, ["Move C up in Keyword search"] * 2)
    player.calls("Walkthrough(keyword=['C', 'A', 'B'])")
    player.root.evaluate(click, ["Reset to F29"])
    player.calls("Walkthrough()")
    # What needs the lists of a scenario that is not there yet waits for it.
    player.notebook.python("w.scenario = 'flip'")
    expect(player.button("Move D up in Keyword search")).to_be_visible()
    player.root.evaluate(click, ["Reset to F29", "Move D up in Keyword search"])
    player.root.evaluate(click, ["Exchange the two lists"])
    player.calls("Walkthrough(keyword=['B', 'C', 'A'], semantic=['A', 'B', 'C'])")
    for error in player.root.locator(".rw-error").all():
        expect(error).to_be_empty()
    player.button("Reset to F29").click()
    player.type("Unrelated passages", "1")
    player.root.evaluate(click, ["Another draw"] * 3)
    player.says("print(w.seed)", "4")


def test_a_day_typed_by_keys_is_one_change_and_half_a_day_is_refused(lab: Lab) -> None:
    player = opened(lab)
    player.notebook.python("seen = []; w.observe(lambda change: seen.append(str(w.day)), '_view')")
    day = player.field("Day")
    day.focus()
    for key in "06012025":
        player.press(key)
        player.page.wait_for_timeout(80)
    player.says("print(seen)", "[]")
    player.press("Enter")
    player.calls("Walkthrough(day='2025-06-01')")
    player.says("print(seen)", "['2025-06-01']")
    day.focus()
    player.press("Backspace")
    player.button("Next").focus()
    expect(player.error("Day")).not_to_be_empty()
    player.says("print(seen)", "['2025-06-01']")


def test_a_moved_row_keeps_the_focus(lab: Lab) -> None:
    player = opened(lab)
    up = player.button("Move C up in Keyword search")
    up.focus()
    player.press("Enter")
    expect(player.code).to_have_value("Walkthrough(keyword=['A', 'C', 'B'])")
    expect(up).to_be_focused()
    player.press("Enter")
    expect(player.code).to_have_value("Walkthrough(keyword=['C', 'A', 'B'])")
    expect(up).to_be_focused()
    expect(up).to_have_attribute("aria-disabled", "true")
    player.press("Enter")
    player.calls("Walkthrough(keyword=['C', 'A', 'B'])")


def test_the_state_can_be_copied(lab: Lab) -> None:
    player = opened(lab, "k=10")
    player.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    player.button("Next").click()
    player.button("Copy this state as code").click()
    expect(player.root.locator(".rw-copied")).to_have_text("Copied")
    copied = player.page.evaluate("() => navigator.clipboard.readText()")
    assert copied == "Walkthrough(k=10, step=2)"
    player.says(f"print(repr({copied}) == repr(w))", "True")
    player.page.context.clear_permissions()


def test_a_bad_value_is_told_at_its_control_and_the_picture_stays(lab: Lab) -> None:
    player = opened(lab, "step=2")
    before = player.picture()
    bad = {
        "RRF k, typed": ("abc", "k", "a number from 0 to 1000"),
        "Reads the first": ("0", "depth", "from 1 to 100"),
        "Budget (passages)": ("", "budget", "from 1 to 20"),
        "Unrelated passages": ("11", "noise", "from 0 to 10"),
        "Exchanges of neighbours": ("1.5", "swaps", "from 0 to 10"),
        "Draw number": ("-1", "seed", "from 0 to 9999"),
    }
    for name, (typed, setting, allowed) in bad.items():
        field = player.field(name)
        error = player.error(name)
        player.type(name, typed)
        expect(error).to_contain_text(allowed)
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(field).to_have_value(typed)
        assert error.get_attribute("id") in str(field.get_attribute("aria-describedby"))
        player.calls("Walkthrough(step=2)")
        with pytest.raises(Exception, match="SettingError"):
            player.notebook.python(f"w.{setting} = -5")
        expect(error).to_contain_text("found -5")
    with pytest.raises(Exception, match="SettingError"):
        player.notebook.python("w.keyword = ['A', '<b>Z</b>']")
    expect(player.root.locator(".rw-list .rw-error").first).to_contain_text("<b>Z</b>")
    with pytest.raises(Exception, match="SettingError"):
        player.notebook.python("w.scenario = 'f30'")
    expect(player.error("Scenario")).to_contain_text("found 'f30'")
    assert player.picture() == before
    assert lab.axe(".rw-walk") == []
    player.type("RRF k, typed", "30")
    player.calls("Walkthrough(k=30, step=2)")
    for error in player.root.locator(".rw-error").all():
        expect(error).to_be_empty()
    for name in bad:
        expect(player.field(name)).not_to_have_attribute("aria-invalid", "true")
    expect(player.field("Budget (passages)")).to_have_value("2")


def test_a_bad_step_or_guess_setting_from_python_is_told_and_the_next_good_one_clears_it(
    lab: Lab,
) -> None:
    player = opened(lab, "step=2")
    told = player.root.locator(".rw-over + .rw-error")
    for setting, bad, found, good in (
        ("step", "9", "found 9", "3"),
        ("step", "'two'", "found 'two'", "4"),
        ("step", "None", "found None", "2"),
        ("predict", "'yes'", "found 'yes'", "False"),
    ):
        before = player.picture()
        with pytest.raises(Exception, match="SettingError"):
            player.notebook.python(f"w.{setting} = {bad}")
        expect(told).to_contain_text(found)
        expect(told).to_be_visible()
        assert player.picture() == before
        player.notebook.python(f"w.{setting} = {good}")
        expect(told).to_be_empty()
    player.calls("Walkthrough(step=2, predict=False)")


def test_wishes_are_granted_in_their_order_however_long_python_is_busy(lab: Lab) -> None:
    player = opened(lab, "k=5, noise=3", "import time; time.sleep(4)", "import time; time.sleep(1)")
    for cell in (1, 2):  # longer than a control waits, and shorter
        player.notebook.python("w.reset(); w.set(k=5, noise=3)")
        player.calls("Walkthrough(k=5, noise=3)")
        player.notebook.start_cell(cell)
        player.type("Budget (passages)", "3")
        player.button("Reset to F29").click()
        player.type("RRF k, typed", "abc")
        player.button("Exchange the two lists").click()
        player.button("Take C out of both lists").first.click()
        player.notebook.wait_connected()
        player.calls(
            "Walkthrough(keyword=['B', 'C', 'A'], semantic=['A', 'B', 'C'], removed=['C'])"
        )
        expect(player.error("RRF k, typed")).to_contain_text("found 'abc'")
        player.notebook.start_cell(cell)
        player.type("RRF k, typed", "x")
        player.type("RRF k, typed", "7")  # settles it
        player.button("Show the smallest case where the RRF k matters").click()
        player.notebook.wait_connected()
        player.calls("Walkthrough('flip', k=1)")
        expect(player.error("RRF k, typed")).to_be_empty()
        expect(player.silent).to_be_empty()


def test_an_older_answer_does_not_take_newer_keys_back(lab: Lab) -> None:
    player = opened(lab, "", "import time; time.sleep(1.5)")
    player.notebook.start_cell(1)
    player.field("Unrelated passages").focus()
    for _ in range(9):
        player.press("ArrowUp")
        player.page.wait_for_timeout(250)
    player.says("print(w.noise)", "9")
    slider = player.field("RRF k, on a logarithmic scale")
    slider.focus()
    start = int(slider.input_value())
    player.press(*["ArrowRight"] * 40)
    expect(slider).to_have_value(str(start + 40))
    player.page.wait_for_timeout(500)
    expect(slider).to_have_value(str(start + 40))


def test_what_is_typed_and_taken_back_does_not_hide_what_python_has(lab: Lab) -> None:
    player = opened(lab)
    field = player.field("RRF k, typed")
    field.focus()
    player.press("End", "7", "Backspace")
    player.notebook.python("w.k = 10")
    expect(player.code).to_have_value("Walkthrough(k=10)")
    expect(field).to_have_value("60")  # the learner is in it
    player.button("Next").focus()
    expect(field).to_have_value("10")
    player.type("RRF k, typed", "0x10")
    expect(player.error("RRF k, typed")).to_contain_text("found '0x10'")


@pytest.mark.parametrize("by_python", [True, False])
def test_an_interrupted_python_is_asked_again(lab: Lab, by_python: bool) -> None:
    player = opened(lab)
    player.notebook.python(
        "import time, rankwalk.widgets.walkthrough as module\n"
        "whole, slow = module.walk, []\n"
        "def walk(*given):\n"
        "    if not slow:\n"
        "        slow.append(1)\n"
        "        time.sleep(30)\n"
        "    return whole(*given)\n"
        "module.walk = walk"
    )
    player.type("Budget (passages)", "3")
    expect(player.silent).to_contain_text("Python is not answering", timeout=SILENCE)
    player.notebook.interrupt_kernel()
    if by_python:
        player.notebook.python("w.k = 9")  # it is heard of, so it is asked at once
    player.calls(f"Walkthrough({'k=9, ' if by_python else ''}budget=3)")
    expect(player.silent).to_be_empty()
    for error in player.root.locator(".rw-error").all():
        expect(error).to_be_empty()


def test_a_bad_value_takes_nothing_from_the_wishes_that_went_with_it(lab: Lab) -> None:
    """While Python is busy several wishes wait for one message; only the bad one is refused."""
    player = opened(lab, "", "import time; time.sleep(4)")
    player.notebook.start_cell(1)
    player.type("Budget (passages)", "3")
    player.type("RRF k, typed", "abc")
    player.type("Unrelated passages", "2")
    player.button("Exchange the two lists").click()
    player.notebook.wait_connected()
    player.calls(
        "Walkthrough(keyword=['B', 'C', 'A'], semantic=['A', 'B', 'C'], budget=3, noise=2)"
    )
    expect(player.error("RRF k, typed")).to_contain_text("found 'abc'")
    expect(player.field("RRF k, typed")).to_have_attribute("aria-invalid", "true")
    expect(player.error("Budget (passages)")).to_be_empty()
    player.type("RRF k, typed", "7")
    expect(player.error("RRF k, typed")).to_be_empty()


def test_what_is_refused_stays_until_it_can_have_been_read(lab: Lab) -> None:
    """The answer to what was asked with it, or right after it, does not take the message away."""
    player = opened(lab, "", "import time; time.sleep(1)")
    player.notebook.start_cell(1)
    player.type("RRF k, typed", "abc")  # goes out at once, the others wait
    player.type("Unrelated passages", "2")
    player.type("Budget (passages)", "3")
    player.notebook.wait_connected()
    player.calls("Walkthrough(budget=3, noise=2)")
    expect(player.error("RRF k, typed")).to_contain_text("found 'abc'")
    player.notebook.python("w.k = 9")
    expect(player.error("RRF k, typed")).to_be_empty()
    player.type("RRF k, typed", "abc")
    expect(player.error("RRF k, typed")).to_contain_text("found 'abc'")
    player.type("Budget (passages)", "4")
    expect(player.error("RRF k, typed")).to_be_empty()


# ---- views and re-runs ------------------------------------------------------------------------------


def test_two_views_agree_and_send_one_message(lab: Lab) -> None:
    one = opened(lab, "", "w")
    two = Player(one.notebook, 1)
    one.notebook.python("came = []; w.on_msg(lambda *message: came.append(message[1]['wishes']))")
    one.record_steps()
    two.type("RRF k, typed", "10")
    for player in (one, two):
        expect(player.code).to_have_value("Walkthrough(k=10)")
        expect(player.field("RRF k, typed")).to_have_value("10")
    one.says("print(came)", "[[{'k': 10}]]")
    assert one.picture() == two.picture()
    one.button("Next").click()
    two.at(2)
    two.quick()
    two.button("Play").click()
    expect(one.button("Pause")).to_be_visible()
    one.at(5)
    expect(one.button("Play")).to_be_visible()
    expect(two.button("Play")).to_be_visible()
    assert one.recorded() == [2, 3, 4, 5]  # one clock: neither view steps a second time
    one.says("print(w.step)", "5")
    two.type("RRF k, typed", "-1")
    expect(one.error("RRF k, typed")).to_contain_text("-1")


def test_twenty_runs_of_the_cell_leave_nothing_behind(lab: Lab) -> None:
    # Timers of ours are those that were asked for in a module from a blob, as anywidget loads them.
    lab.page.evaluate(
        """() => {
          window.timers = new Map();
          const { setTimeout, clearTimeout } = window;
          window.setTimeout = (act, wait, ...more) => {
            const ours = new Error().stack.includes("blob:");
            const id = setTimeout((...given) => { timers.delete(id); act(...given); }, wait, ...more);
            if (ours) timers.set(id, wait);
            return id;
          };
          window.clearTimeout = (id) => { timers.delete(id); clearTimeout(id); };
          window.roots = [];
          window.restored = () => Object.assign(window, { setTimeout, clearTimeout });
        }"""
    )
    player = opened(lab)
    devtools = lab.page.context.new_cdp_session(lab.page)

    def listeners() -> int:
        devtools.send("HeapProfiler.collectGarbage")
        return int(devtools.send("Memory.getDOMCounters")["jsEventListeners"])

    after_few = 0
    for run in range(20):
        player.notebook.run_cell(0)
        player.page.wait_for_function("() => document.querySelectorAll('.rw-walk').length === 1")
        player.page.evaluate(
            """() => {
              const root = document.querySelector(".rw-walk");
              root.querySelector(".rw-play").click();
              roots.push(new WeakRef(root));
            }"""
        )
        player.page.wait_for_function("() => timers.size === 1")  # the clock
        if run == 4:
            after_few = listeners()
    after_all = listeners()
    alive = player.page.evaluate("() => roots.filter((root) => root.deref()).length")
    player.page.evaluate("() => restored()")
    assert alive <= 2
    # A view has dozens of listeners. A model has a few: Python, and so the page, keeps old models.
    assert (after_all - after_few) / 15 < 10


# ---- the table --------------------------------------------------------------------------------------


def table(player: Player) -> list[list[str]]:
    """What a screen reader finds in the table of passages, row by row."""
    rows = player.root.locator(".rw-passages table").get_by_role("row").all()
    return [[cell.inner_text() for cell in row.locator("th, td").all()] for row in rows]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_table_says_all_of_a_long_list_and_gives_no_step_away(lab: Lab, lang: str) -> None:
    ids = [f"p{number:02}" for number in range(50)]
    player = opened(lab, f"keyword={ids}, semantic={ids[::-1]}, removed=['p07'], lang={lang!r}")
    told = json.loads(
        player.notebook.python(
            "import json; o = [id for id, _ in w.story.badges]; print(json.dumps(["
            "[t.head, *(cells for _, cells in t.rows)] "
            "for t in (w.story.table.until(step, o) for step in range(1, 6))]))"
        )
    )
    assert [len(each) for each in told] == [51, 51, 51, 51, 51]
    assert [len(each[0]) for each in told] == [3, 4, 5, 6, 6]
    summary = player.root.locator(".rw-passages summary")
    expect(player.root.locator(".rw-passages table")).to_have_count(0)
    summary.focus()
    player.press("Space")
    for step in range(1, 6):
        player.at(step)
        expect(player.root.locator(".rw-passages table")).to_be_visible()
        shown = table(player)
        assert shown == [[cell or "–" for cell in row] for row in told[step - 1]]
        if step in (1, 5):
            assert lab.axe(".rw-walk") == []
        player.press("ArrowRight")
    out = {"en": "taken out", "zh": "已取出"}[lang]
    assert table(player)[-1] == ["8 · p07", out, out, "–", "–", "–"]
    player.notebook.python("w.k = 1")
    expect(player.root.locator(".rw-passages th").nth(3)).to_contain_text("k = 1")
    lab.size(360)
    lab.page.evaluate("() => jupyterapp.shell.collapseLeft()")
    wide = "box => box.scrollWidth - box.clientWidth"
    assert player.root.evaluate(wide) <= 0
    assert player.root.locator(".rw-passages .rw-scroll").evaluate(wide) > 0
    summary.click()
    expect(player.root.locator(".rw-passages table")).to_be_hidden()


def test_what_is_taken_out_stays_in_the_picture_with_sign_and_word(lab: Lab) -> None:
    player = opened(lab)
    player.button("Take B out of both lists").first.click()
    out = player.root.locator('.rw-picture .rw-card.rw-is-out[data-id="B"]')
    expect(out).to_have_count(2)
    for card in out.all():
        expect(card.locator(".rw-mark-removed")).to_be_visible()
        expect(card).to_contain_text("taken out")
    links = player.root.locator(".rw-picture .rw-link.rw-k1.rw-c2")
    expect(links).to_have_count(0)  # no path leads on from it
    player.button("Put B back").first.click()
    expect(out).to_have_count(0)
    expect(links).to_have_count(2)


# ---- with Python busy, restarted or gone ------------------------------------------------------------


def steps_work(player: Player) -> None:
    player.root.focus()
    player.press("End")
    player.at(5)
    player.press("Home", "ArrowRight")
    player.at(2)


def test_a_busy_python_is_told_and_the_latest_wish_wins(lab: Lab) -> None:
    player = opened(lab, "", "import time; time.sleep(5)")
    player.notebook.restart_kernel()
    player.notebook.run_cell(0)
    player = Player(player.notebook)
    player.notebook.start_cell(1)
    steps_work(player)
    player.type("RRF k, typed", "5")
    player.type("RRF k, typed", "6")
    player.type("Budget (passages)", "3")
    expect(player.silent).to_be_empty()
    expect(player.silent).to_contain_text("Python is not answering", timeout=SILENCE)
    expect(player.upshot).to_have_text("Fused order: B, A, C.")
    player.type("RRF k, typed", "7")
    expect(player.silent).to_be_empty()
    player.notebook.wait_connected()
    player.calls("Walkthrough(k=7, budget=3, step=2)")


def test_a_step_that_python_sets_while_playing_has_its_whole_time(lab: Lab) -> None:
    player = opened(lab)
    player.root.locator(".rw-transport select").select_option("3")  # seconds
    player.button("Play").click()
    player.page.wait_for_timeout(1800)
    player.notebook.python("w.step = 3")
    player.at(3)
    player.page.wait_for_timeout(2000)  # the clock of step 1 would have run out long ago
    player.at(3)
    player.at(4)
    player.notebook.python("w.step = 5")
    expect(player.button("Play")).to_be_visible()  # at the last step play ends, at once


def test_the_step_is_in_sight_after_the_window_was_turned_in_the_dialog(lab: Lab) -> None:
    player = opened(lab)
    lab.size(1180, 820)
    player.button("Enlarge").click()
    lab.size(820, 1180)
    player.press("Escape")
    player.root.focus()
    player.press("Home", "ArrowRight", "ArrowRight", "ArrowRight")
    player.at(4)
    seen = """frame => {
      const box = frame.getBoundingClientRect();
      const card = frame.querySelector(".rw-c4 .rw-box").getBoundingClientRect();
      return box.left <= card.left && card.right <= box.right;
    }"""
    assert player.frame.evaluate(seen)
    lab.size(1280, 800)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_forced_colours_leave_the_picture_readable(lab: Lab, scheme: Any) -> None:
    player = opened(lab, "step=5")
    lab.page.emulate_media(forced_colors="active", color_scheme=scheme)
    shown = player.frame.evaluate(
        """frame => {
          const light = (colour) => {
            const [red, green, blue] = colour.match(/[0-9]+/g).map(Number);
            return (red + green + blue) / 765;
          };
          const words = getComputedStyle(frame.querySelector(".rw-verdict")).fill;
          return [light(words), light(getComputedStyle(frame).backgroundColor)];
        }"""
    )
    lab.page.emulate_media(forced_colors="none", color_scheme="light")
    assert abs(shown[0] - shown[1]) > 0.5, shown


@pytest.mark.complains(*WITHOUT_A_KERNEL)
@pytest.mark.parametrize("how", ["restart_kernel", "shut_kernel_down"])
def test_the_kernel_goes_in_mid_walk(lab: Lab, how: str) -> None:
    player = opened(lab, "step=3")
    getattr(player.notebook, how)()
    before = player.picture()
    steps_work(player)
    player.type("RRF k, typed", "9")
    expect(player.silent).to_contain_text("Python is not answering", timeout=SILENCE)
    expect(player.silent).to_contain_text("run this cell again")
    expect(player.error("RRF k, typed")).to_contain_text("Python is not answering")
    assert player.picture() == before
    steps_work(player)
    player.quick()
    player.button("Play").click()
    player.at(5)
    if how == "restart_kernel":
        player.notebook.run_cell(0)
        player = Player(player.notebook)
        expect(player.silent).to_be_empty()
        player.type("RRF k, typed", "9")
        player.calls("Walkthrough(k=9, step=3)")


@pytest.mark.complains(*WITHOUT_A_KERNEL)
def test_saved_and_reopened_without_a_kernel(lab: Lab) -> None:
    player = opened(lab, "k=10, lang='zh'")
    player.root.focus()
    player.press("ArrowRight")
    player.calls("Walkthrough(lang='zh', k=10, step=2)")
    reopened = player.notebook.reopen()
    player = Player(reopened)  # JupyterLab reads the saved widgets once its new kernel is there
    reopened.shut_kernel_down()
    player.at(2)
    expect(player.code).to_have_value("Walkthrough(lang='zh', k=10, step=2)")
    steps_work(player)
    player.type("RRF 的 k，直接输入", "9")
    expect(player.silent).to_contain_text("Python 没有回应", timeout=SILENCE)
    # Where no widget can run, the same output has a readable form.
    saved = json.loads(reopened.file.read_text(encoding="utf-8"))
    data = saved["cells"][0]["outputs"][0]["data"]
    assert "<table>" in "".join(data["text/html"])
    assert "".join(data["text/plain"]).startswith("Walkthrough(lang='zh', k=10)\n")


# ---- the dialog, sizes, themes ----------------------------------------------------------------------


def test_the_dialog_by_keyboard(lab: Lab) -> None:
    player = opened(lab, "step=2", "'second'")
    size = "root => parseFloat(getComputedStyle(root.querySelector('.rw-upshot')).fontSize)"
    small = player.root.evaluate(size)
    player.button("Enlarge").focus()
    before = cells(player.notebook)
    player.press("Enter")
    dialog = player.root.locator("dialog")
    expect(dialog).to_have_attribute("open", "")
    expect(dialog.locator(".rw-picture")).to_be_visible()
    assert player.root.evaluate(size) > small
    box = dialog.bounding_box()
    assert box
    assert (box["width"], box["height"]) == (1280, 800)
    player.press("ArrowRight")
    player.at(3)
    dialog.locator("input").first.focus()
    assert dialog.evaluate("dialog => dialog.contains(document.activeElement)")
    dialog.get_by_role("button", name="Next", exact=True).focus()
    player.press("PageDown", "d", "d")
    player.at(4)
    assert lab.axe(".rw-walk dialog") == []
    player.press("Escape")
    expect(dialog).not_to_have_attribute("open", "")
    expect(player.button("Enlarge")).to_be_focused()
    player.at(4)
    player.press("Enter")
    expect(player.button("Close")).to_be_focused()
    player.press("Enter")
    expect(player.button("Enlarge")).to_be_focused()
    player.press("ArrowRight")
    player.at(5)
    assert cells(player.notebook) == before


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (1280, 720), (1024, 768)])
def test_enlarged_the_words_are_on_the_screen_with_the_picture(
    lab: Lab, lang: str, width: int, height: int
) -> None:
    """Whoever steps with a clicker does not scroll."""
    player = opened(lab, f"lang={lang!r}")
    lab.size(width, height)
    player.root.locator(".rw-enlarge").click()
    for step in range(1, 6):
        player.at(step)
        edges = player.root.evaluate(
            """(root, step) => [
              ".rw-picture",
              `.rw-words .rw-only${step} .rw-upshot`,
              `.rw-words .rw-only${step} .rw-sentences li`,
            ]
              .map((part) => root.querySelector(part))
              .map((part) => [part.getBoundingClientRect(), getComputedStyle(part).lineHeight])
              .map(([{ top, bottom }, line]) => [top, bottom, top + 2 * parseFloat(line)])""",
            step,
        )
        (top, picture, _), (_, upshot, _), (_, _, two_lines) = edges
        assert 0 <= top < picture < upshot < two_lines <= height, (step, edges)
        player.press("PageDown")
    lab.size(1280, 800)


def test_at_360_pixels_the_frame_scrolls_sideways_and_the_page_does_not(lab: Lab) -> None:
    player = opened(lab)
    lab.size(360)
    lab.page.evaluate("() => jupyterapp.shell.collapseLeft()")  # as one does on a phone
    player.root.scroll_into_view_if_needed()
    wide = "box => box.scrollWidth - box.clientWidth"
    player.page.wait_for_function(
        """() => {
          const { width } = document.querySelector(".rw-walk").getBoundingClientRect();
          return 200 < width && width < 360;
        }"""
    )
    assert player.root.evaluate(wide) <= 0
    assert (
        player.root.evaluate(
            """root => {
          const wide = [];
          // up to the notebook: around it JupyterLab's own shell is wider than 360 pixels
          for (let box = root.parentElement; !box.matches(".jp-NotebookPanel"); box = box.parentElement)
            if (box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).overflowX !== "visible")
              wide.push(box.className);
          return wide;
        }"""
        )
        == []
    )
    assert player.frame.evaluate(wide) > 100
    # The step's own column is brought into sight, from where it begins.
    for step in range(1, 6):
        player.root.focus()
        if step > 1:
            player.press("ArrowRight")
        player.at(step)
        seen = player.frame.evaluate(
            """(frame, step) => {
              const box = frame.getBoundingClientRect();
              const card = frame.querySelector(`.rw-c${step} .rw-box`).getBoundingClientRect();
              return card.left >= box.left && card.left < box.right - 100;
            }""",
            step,
        )
        assert seen, step
    for control in player.root.locator(".rw-panel .rw-input, .rw-panel .rw-button").all():
        box = control.bounding_box()
        if box:
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= 360


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_has_no_objection_in_any_step(lab: Lab, theme: Any) -> None:
    player = opened(lab)
    lab.theme(theme)
    back = player.root.evaluate("root => getComputedStyle(root.querySelector('.rw-box')).fill")
    channels = [int(part) for part in re.findall(r"\d+", back)[:3]]
    assert (sum(channels) > 3 * 128) == (theme == "light")
    for step in range(1, 6):
        player.root.focus()
        player.press("Home", *["ArrowRight"] * (step - 1))
        player.at(step)
        assert lab.axe(".rw-walk") == []
    guess(player, "A", "B", "C")
    player.button("Next").click()
    expect(player.root.locator(".rw-table")).to_be_visible()
    player.type("RRF k, typed", "abc")
    expect(player.error("RRF k, typed")).not_to_be_empty()
    assert lab.axe(".rw-walk") == []


def test_chinese_has_no_missing_glyphs(lab: Lab) -> None:
    player = opened(lab, "lang='zh', noise=3, keyword=['C', 'A', 'B']")
    expect(player.root).to_have_attribute("lang", "zh")
    shown = ""
    for _ in range(5):
        shown += str(player.root.evaluate("root => root.textContent"))
        player.root.focus()
        player.press("ArrowRight")
    assert len(set(shown)) > 200
    missing = player.root.evaluate(
        """(root, shown) => {
          const canvas = Object.assign(document.createElement("canvas"), { width: 48, height: 48 });
          const pen = canvas.getContext("2d", { willReadFrequently: true });
          pen.font = `32px ${getComputedStyle(root).fontFamily}`;
          const drawn = (sign) => {
            pen.clearRect(0, 0, 48, 48);
            pen.fillText(sign, 4, 36);
            return pen.getImageData(0, 0, 48, 48).data.join();
          };
          const tofu = drawn("\\u{10ffff}");
          if (drawn("\\u{10fffe}") !== tofu) throw new Error("no common sign for what is missing");
          const seen = (sign) => sign.trim() && !/[\\u2068\\u2069]/.test(sign);
          return [...new Set(shown)].filter((sign) => seen(sign) && drawn(sign) === tofu);
        }""",
        shown,
    )
    assert missing == []


def test_nothing_moves_by_itself(lab: Lab) -> None:
    """Whether or not less motion was asked for: a step is there at once."""
    player = opened(lab)
    moving = """root => [...root.querySelectorAll("*")].filter((element) => {
      const style = getComputedStyle(element);
      const lasts = (times) => times.split(",").some((time) => parseFloat(time) > 0);
      return lasts(style.transitionDuration) || lasts(style.animationDuration);
    }).length"""
    assert player.root.evaluate(moving) == 0
    lab.page.emulate_media(reduced_motion="reduce")
    assert player.root.evaluate(moving) == 0


# ---- hostile texts ----------------------------------------------------------------------------------

HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "\"'&</svg><script>alert(2)</script>",
    "{0} {id} $& \\",
    "مرحبا بالعالم",
    "👩‍💻 emoji",
    "x" * 200,
]


def test_hostile_ids_are_text_everywhere(lab: Lab) -> None:
    alerts: list[str] = []
    lab.page.once("dialog", lambda dialog: (alerts.append(dialog.message), dialog.dismiss()))
    player = opened(lab, f"keyword={HOSTILE!r}, semantic={HOSTILE[::-1]!r}")
    for step in range(1, 6):
        player.root.focus()
        player.press("Home", *["ArrowRight"] * (step - 1))
        player.at(step)
        assert player.root.evaluate("root => root.querySelectorAll('img, script').length") == 0
    shown = player.root.evaluate("root => root.textContent")
    for id in HOSTILE:
        assert id in shown, id
    # No text leaves its card.
    outside = player.frame.evaluate(
        """frame => [...frame.querySelectorAll(".rw-card")].flatMap((card) => {
          const box = card.querySelector(".rw-box").getBoundingClientRect();
          return [...card.querySelectorAll("text")]
            .map((text) => [text.textContent, text.getBoundingClientRect()])
            .filter(([, each]) => each.left < box.left - 1 || each.right > box.right + 1)
            .map(([words]) => words);
        })"""
    )
    assert outside == []
    player.root.locator(".rw-rows").first.locator(".rw-row").first.get_by_role("button").nth(
        1
    ).click()
    expect(player.code).to_have_value(re.compile(r"keyword=\["))
    moved = [HOSTILE[1], HOSTILE[0], *HOSTILE[2:]]
    expect(player.root.locator(".rw-rows").first.locator(".rw-row").first).to_have_attribute(
        "data-id", moved[0]
    )
    player.says("print(list(w.keyword))", repr(moved))
    assert not alerts


def test_no_sign_is_cut_in_half_where_words_are_wrapped(lab: Lab) -> None:
    ids = ["\U0001f9ea" * 24 + str(number) for number in range(3)]
    passages = f"[Passage(id, source='s', valid_from='2026-01-01', supports=['c']) for id in {ids}]"
    own = f"conditions=[Condition('c', 'c')], passages={passages}, day='2026-03-16'"
    notebook = lab.open(
        [
            "from rankwalk import Walkthrough\n"
            "from rankwalk.scenarios import Condition, Passage, Scenario\n"
            f"w = Walkthrough(Scenario({ids}, {ids}, {own}), step=5, check='before', budget=3)\nw"
        ]
    )
    notebook.run_all()
    player = Player(notebook)
    texts = player.frame.locator("text").all_text_contents()
    assert sum("\U0001f9ea" in text for text in texts) > 6
    cut = player.frame.locator("text").evaluate_all(
        "texts => texts.filter((text) => !text.textContent.isWellFormed()).length"
    )
    assert cut == 0


# ---- the guess --------------------------------------------------------------------------------------


def guess(player: Player, *ids: str) -> None:
    player.root.focus()
    player.press("Home")
    for place, id in enumerate(ids, start=1):
        player.field(f"Place {place}").select_option(id)
    player.button("Keep this guess").click()


def test_a_guess_is_compared_rank_by_rank(lab: Lab) -> None:
    player = opened(lab)
    guess(player, "B", "B", "A")
    expect(player.root.locator(".rw-guess .rw-error").last).to_contain_text("B is chosen more")
    guess(player, "B", "C", "A")
    expect(player.root.get_by_text("Your guess is kept")).to_be_visible()
    expect(player.root.locator(".rw-table")).to_be_hidden()  # the order is not given away
    player.button("Next").click()
    rows = player.root.locator(".rw-guess tbody tr")
    expect(rows).to_have_count(3)
    cells = [
        [cell.strip() for cell in row.locator("th, td").all_inner_texts()] for row in rows.all()
    ]
    assert [row[:4] for row in cells] == [
        ["1", "B", "B", "as guessed"],
        ["2", "C", "A", "differs"],
        ["3", "A", "C", "differs"],
    ]
    assert "Keyword search: rank 1" in cells[1][4]
    assert "124/3843" in cells[1][4]
    expect(player.root.locator(".rw-guess caption")).to_contain_text("1 of 3 as guessed")
    player.button("Previous").click()
    player.button("Guess again").click()
    expect(player.button("Keep this guess")).to_be_visible()
    guess(player, "B", "", "A")  # a place left open is not a wrong one
    player.button("Next").click()
    expect(rows.nth(1).locator("td").nth(2)).to_have_text(re.compile("left open"))
    expect(player.root.locator(".rw-guess caption")).to_contain_text("1 of 2 as guessed")


def test_a_kept_guess_outlives_a_change_that_leaves_its_passages(lab: Lab) -> None:
    player = opened(lab, "", "w")
    guess(player, "B", "C", "A")
    kept = player.root.get_by_text("Your guess is kept")
    void = player.page.get_by_text("your guess was put aside")
    for name in ("Keyword search", "Semantic search"):
        player.button(f"Move C up in {name}").click()
        expect(player.code).to_have_value(re.compile(name.split()[0].lower()))
        expect(kept).to_be_visible()
    player.type("Unrelated passages", "1")
    expect(player.code).to_have_value(re.compile("noise"))
    expect(kept).to_be_visible()
    player.button("Take C out of both lists").first.click()
    expect(void.nth(0)).to_be_visible()
    expect(void.nth(1)).to_be_visible()  # in the other view as well
    void = void.first
    expect(player.button("Keep this guess")).to_be_visible()
    expect(player.field("Place 1")).to_have_value("B")  # what was chosen is still there
    player.button("Reset to F29").click()
    player.calls("Walkthrough()")
    guess(player, "A", "B", "C")
    expect(kept).to_be_visible()
    player.field("Scenario").select_option("flip")  # it has an A too, and is another question
    expect(void).to_be_visible()


def test_the_focus_stays_in_the_player_when_what_had_it_goes(lab: Lab) -> None:
    player = opened(lab)
    player.field("Place 1").select_option("A")
    player.button("Keep this guess").press("Enter")
    expect(player.button("Guess again")).to_be_focused()
    player.press("Enter")
    expect(player.field("Place 1")).to_be_focused()
    player.notebook.python("w.noise = 1")
    expect(player.field("Place 4")).to_be_visible()
    expect(player.field("Place 1")).to_be_focused()
    player.notebook.python("w.reset()")
    player.button("Show the smallest case where the RRF k matters").press("Enter")
    expect(player.field("RRF k, on a logarithmic scale")).to_be_focused()
    player.root.get_by_role("checkbox").focus()
    player.press("ArrowRight", "ArrowRight")  # a checkbox has no use for them
    player.at(3)


def test_what_was_chosen_is_the_guess_when_the_learner_goes_on(lab: Lab) -> None:
    player = opened(lab)
    for place, id in enumerate("BCA", start=1):
        player.field(f"Place {place}").select_option(id)
    player.button("Next").click()
    expect(player.root.locator(".rw-guess caption")).to_contain_text("1 of 3 as guessed")


def test_next_goes_past_the_guess_and_a_teacher_can_switch_it_off(lab: Lab) -> None:
    player = opened(lab)
    keep = player.button("Keep this guess")
    expect(keep).to_be_visible()
    keep.click()
    expect(player.root.locator(".rw-guess .rw-error").last).not_to_be_empty()
    player.button("Next").click()
    player.at(2)
    expect(player.root.locator(".rw-guess table")).to_have_count(0)
    player.button("Previous").click()
    player.notebook.python("w.predict = False")
    expect(keep).to_be_hidden()
    player.calls("Walkthrough(predict=False)")
    player.notebook.python("w.predict = True")
    expect(keep).to_be_visible()


# ---- elsewhere --------------------------------------------------------------------------------------


def test_notebook_7(notebook7: Lab) -> None:
    player = opened(notebook7, "", "'second'")
    player.root.focus()
    count = "() => document.querySelectorAll('.jp-Cell').length"
    before = notebook7.page.evaluate(count)
    player.press("ArrowRight", "PageDown", "a", "b", "d", "d", "x")
    player.at(3)
    assert notebook7.page.evaluate(count) == before
    player.type("RRF k, typed", "10")
    player.calls("Walkthrough(k=10, step=3)")
    player.notebook.python("w.budget = 1")
    expect(player.field("Budget (passages)")).to_have_value("1")
    notebook7.assert_quiet(["reading 'schema'"])  # Notebook's own
