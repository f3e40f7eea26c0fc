"""The widgets of lesson 2 in a real JupyterLab: flips, the grid of pairs, raw scores."""

from __future__ import annotations

import pytest
from lab import Lab, Notebook
from playwright.sync_api import Locator, expect

WIDGETS = ("FlipFinder", "SwapGrid", "RawScores")


def opened(lab: Lab, call: str, more: tuple[str, ...] = ()) -> tuple[Notebook, Locator]:
    notebook = lab.open([f"from rankwalk import *\nw = {call}; w", *more])
    notebook.run_all()
    lab.page.evaluate("() => jupyterapp.shell.collapseLeft()")  # at 360 px it leaves no room
    return notebook, notebook.widget()


def no_scroll(widget: Locator) -> None:
    """Nothing sticks out of the widget: what is too wide scrolls in its own frame."""
    assert widget.evaluate("root => root.scrollWidth <= root.clientWidth + 1")


# --- every widget of the lesson -----------------------------------------------------------------------


@pytest.mark.parametrize("name", WIDGETS)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_look(lab: Lab, name: str, lang: str) -> None:
    _, widget = opened(lab, f"{name}({lang!r})")
    assert lab.axe(".rw-widget") == []
    lab.theme("dark")
    assert lab.axe(".rw-widget") == []
    lab.size(360)
    no_scroll(widget)
    assert lab.axe(".rw-widget") == []


@pytest.mark.parametrize("name", WIDGETS)
def test_keys_stay_in_the_widget_and_two_views_agree(lab: Lab, name: str) -> None:
    notebook, widget = opened(lab, f"{name}()", ("w",))
    cells = lab.page.locator(".jp-Cell").count()
    widget.locator("button, input, select").first.focus()
    for key in ("a", "b", "d", "d", "x", "ArrowDown", "ArrowUp"):
        lab.page.keyboard.press(key)
    assert lab.page.locator(".jp-Cell").count() == cells
    change = {
        "FlipFinder": "w.first = (1, None)",
        "SwapGrid": "w.set(keyword=tuple('CBA'))",
        "RawScores": "w.scale = 0.01",
    }[name]
    notebook.python(change)
    lab.page.wait_for_timeout(300)
    first, second = (notebook.widget(number).locator(".rw-body").inner_text() for number in (0, 1))
    assert first == second


@pytest.mark.parametrize("name", WIDGETS)
def test_without_python_the_widget_says_so(lab: Lab, name: str) -> None:
    notebook, widget = opened(lab, f"{name}()")
    notebook.shut_kernel_down()
    if name == "SwapGrid":
        widget.locator(".rw-cell").first.click()
    elif name == "FlipFinder":
        widget.get_by_role("button", name="(1, 8)").click()
    else:
        widget.locator("select").select_option("margin")
    expect(widget.locator(".rw-silent")).to_contain_text("Python is not answering", timeout=5000)


# --- flips ------------------------------------------------------------------------------------------


def test_flips_by_field_preset_and_python(lab: Lab) -> None:
    notebook, widget = opened(lab, "FlipFinder()")
    words = widget.locator(".rw-findings")
    expect(words).to_contain_text("A leads for an RRF k below 2.")
    expect(widget.locator(".rw-flip-words")).to_have_text(["k = 2"])
    field = widget.get_by_label("A's rank in list 2")
    field.fill("8")
    field.press("Enter")
    assert notebook.python("print(w.first)") == "(1, 8)\n"
    widget.get_by_role("button", name="(1, –) · (3, 3)").click()
    expect(words).to_contain_text("A leads for an RRF k below 1.")
    expect(field).to_have_value("")
    assert notebook.python("print(w.first, w.second)") == "(1, None) (3, 3)\n"
    notebook.python("w.set(first=(1, 3), second=(2, 2))")
    expect(words).to_contain_text("They never change places.")
    expect(widget.locator(".rw-flip")).to_have_count(0)
    widget.locator("summary").click()
    expect(widget.locator("tbody tr")).to_have_count(6)


def test_a_rank_that_is_none_is_refused_and_the_picture_stays(lab: Lab) -> None:
    notebook, widget = opened(lab, "FlipFinder()")
    error = widget.locator(".rw-first > .rw-error")
    field = widget.get_by_label("A's rank in list 1")
    field.fill("0")
    field.press("Enter")
    expect(error).to_contain_text("from 1 to 1000")
    expect(widget.locator(".rw-flip-words")).to_have_text(["k = 2"])
    assert notebook.python("print(w.first)") == "(1, 4)\n"
    field.fill("1")
    field.press("Enter")
    expect(error).to_be_empty()
    notebook.python("try:\n    w.first = (1, 2, 3)\nexcept ValueError:\n    pass")
    expect(error).to_contain_text("exactly one for each ranking")


# --- the grid of pairs --------------------------------------------------------------------------------


def test_a_cell_opens_its_pair_in_the_player(lab: Lab) -> None:
    notebook, widget = opened(lab, "SwapGrid()", ("w.player",))
    player = notebook.widget(1)
    widget = notebook.widget(0)
    expect(widget.locator(".rw-cell")).to_have_count(36)
    expect(widget.locator(".rw-tie-word")).to_have_count(18)
    expect(widget).to_contain_text("18 of the 36 pairs contain a tie.")
    widget.get_by_role("button", name="Keyword C B A, semantic C A B").click()
    expect(widget.locator(".rw-said")).to_have_text(
        "Keyword C B A, semantic C A B: C A B. Equal scores: A = B; the id decides."
    )
    assert notebook.python("print(w.player.keyword, w.player.semantic)") == (
        "('C', 'B', 'A') ('C', 'A', 'B')\n"
    )
    expect(player).to_contain_text("C, A, B")


def test_the_grid_by_keyboard(lab: Lab) -> None:
    notebook, widget = opened(lab, "SwapGrid()")
    chosen = widget.locator('.rw-cell[tabindex="0"]')
    expect(chosen).to_have_count(1)
    chosen.focus()
    for key in ("Home", "ArrowDown", "ArrowRight", "Enter"):
        lab.page.keyboard.press(key)
    expect(widget.locator('.rw-cell[aria-pressed="true"]')).to_have_attribute(
        "aria-label", "Keyword A C B, semantic A C B: A C B, without a tie."
    )
    assert notebook.python("print(w.keyword)") == "('A', 'C', 'B')\n"
    for _ in range(8):
        lab.page.keyboard.press("ArrowUp")
    expect(widget.locator(".rw-cell:focus")).to_have_text("A B=Ctie")
    notebook.python("try:\n    w.keyword = 'ABD'\nexcept ValueError:\n    pass")
    expect(widget.locator(".rw-error").first).to_contain_text("keyword")


# --- raw scores -------------------------------------------------------------------------------------


def test_the_slider_turns_the_sum_and_leaves_rrf_alone(lab: Lab) -> None:
    notebook, widget = opened(lab, "RawScores()")
    rows = widget.locator("table").first.locator("tbody tr")
    expect(rows.nth(0)).to_contain_text("A > B > C > D")
    rrf = rows.nth(3).inner_text()
    slider = widget.get_by_role("slider")
    slider.focus()
    for _ in range(20):
        lab.page.keyboard.press("ArrowLeft")
    expect(rows.nth(0)).to_contain_text("B > D > C > A")
    assert rows.nth(3).inner_text() == rrf
    expect(widget.locator(".rw-findings")).to_contain_text(
        "Another order than with the scores as given: plain sum."
    )
    assert notebook.python("print(w.scale)") == "0.01\n"
    number = widget.get_by_label("Multiply every keyword score by")
    expect(number).to_have_value("0.01")
    number.fill("5000")
    number.press("Enter")
    expect(widget.locator(".rw-error", has_text="1000")).to_be_visible()
    assert notebook.python("print(w.scale)") == "0.01\n"
    widget.locator("select").select_option("margin")
    expect(rows.nth(3)).to_contain_text("A = B > C")
    notebook.python("w.set(example='two_scales', scale=1)")
    expect(rows.nth(0)).to_contain_text("A > B > C > D")
