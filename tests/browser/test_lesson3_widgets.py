"""The widgets of lesson 3 in a real JupyterLab: the playground and the grid to guess."""

from __future__ import annotations

import pytest
from lab import Lab, Notebook
from playwright.sync_api import Locator, expect

WIDGETS = ("MetricsPlayground", "MetricGrid")


def opened(lab: Lab, call: str, more: tuple[str, ...] = ()) -> tuple[Notebook, Locator]:
    notebook = lab.open([f"from rankwalk import *\nw = {call}; w", *more])
    notebook.run_all()
    lab.page.evaluate("() => jupyterapp.shell.collapseLeft()")  # at 360 px it leaves no room
    return notebook, notebook.widget()


@pytest.mark.parametrize("name", WIDGETS)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_look(lab: Lab, name: str, lang: str) -> None:
    _, widget = opened(lab, f"{name}({lang!r})")
    if name == "MetricGrid":
        widget.locator(".rw-reveal").click()
    assert lab.axe(".rw-widget") == []
    lab.theme("dark")
    assert lab.axe(".rw-widget") == []
    lab.size(360)
    assert widget.evaluate("root => root.scrollWidth <= root.clientWidth + 1")
    assert lab.axe(".rw-widget") == []


@pytest.mark.parametrize("name", WIDGETS)
def test_keys_stay_in_the_widget_and_two_views_agree(lab: Lab, name: str) -> None:
    notebook, widget = opened(lab, f"{name}()", ("w",))
    cells = lab.page.locator(".jp-Cell").count()
    widget.locator("button, select").first.focus()
    for key in ("a", "b", "d", "d", "x"):
        lab.page.keyboard.press(key)
    assert lab.page.locator(".jp-Cell").count() == cells
    notebook.python("w.n = 2")
    for number in (0, 1):
        expect(notebook.widget(number)).to_contain_text("recall@2")
    first, second = (notebook.widget(number).locator(".rw-body") for number in (0, 1))
    assert first.inner_text() == second.inner_text()


def cells(widget: Locator, metric: str) -> list[str]:
    return widget.locator("tbody tr", has_text=metric).locator("td").all_inner_texts()


def test_noise_at_the_top_and_at_the_end(lab: Lab) -> None:
    notebook, widget = opened(lab, "MetricsPlayground()")
    widget.locator(".rw-add-end").click()
    expect(widget.locator(".rw-place")).to_have_count(6)
    expect(widget.locator(".rw-said")).to_contain_text("moved nothing")
    widget.locator(".rw-add-top").click()
    expect(widget.locator(".rw-said")).to_have_text(
        "Moved by the last edit: reciprocal rank@3, nDCG@3. Not moved: precision@3, recall@3."
    )
    assert notebook.python("print(w.ranking)") == "('X2', 'A', 'C', 'D', 'B', 'E', 'X1')\n"
    assert cells(widget, "reciprocal rank") == ["1.000", "1.000", "0.500", " fell"]
    widget.locator(".rw-reset").click()
    expect(widget.locator(".rw-place")).to_have_count(5)
    assert notebook.python("print(w)").startswith("MetricsPlayground()")


@pytest.mark.parametrize("seconds", [1, 4])
def test_every_edit_counts_once_however_long_python_is_busy(lab: Lab, seconds: int) -> None:
    notebook, widget = opened(lab, "MetricsPlayground()", (f"import time; time.sleep({seconds})",))
    notebook.start_cell(1)
    for where in ("top", "end", "end"):
        widget.locator(f".rw-add-{where}").click()
    lab.page.wait_for_timeout(1000 * seconds - 800)  # just before Python comes back
    widget.get_by_label("cutoff").fill("2")
    widget.get_by_label("cutoff").press("Enter")
    notebook.wait_connected()
    expect(widget.locator(".rw-place")).to_have_count(8)
    expect(widget.locator(".rw-table").first).to_contain_text("recall@2")
    assert notebook.python("print(len(w.ranking), w.n)") == "8 2\n"


def test_swap_and_remove_by_keyboard_keep_the_focus(lab: Lab) -> None:
    notebook, widget = opened(lab, "MetricsPlayground()")
    button = widget.get_by_role("button", name="Exchange A and C")
    button.focus()
    lab.page.keyboard.press("Enter")
    expect(widget.locator(".rw-place").first).to_contain_text("C")
    expect(widget.get_by_role("button", name="Exchange C and A")).to_be_focused()
    widget.get_by_role("button", name="Take B out").click()
    expect(widget.locator(".rw-place")).to_have_count(4)
    assert notebook.python("print(w.ranking)") == "('C', 'A', 'D', 'E')\n"
    for left in range(3, -1, -1):  # the focus goes to what is there instead
        button = widget.get_by_role("button", name="Take").last
        button.focus()
        lab.page.keyboard.press("Enter")
        expect(widget.locator(".rw-place")).to_have_count(left)
        assert widget.evaluate("root => root.contains(document.activeElement)")


def test_cutoff_gain_and_python(lab: Lab) -> None:
    notebook, widget = opened(lab, "MetricsPlayground()")
    n = widget.get_by_label("cutoff @n")
    n.fill("4")
    n.press("Enter")
    expect(widget.locator("tbody")).to_contain_text("recall@4")
    assert cells(widget, "recall")[2] == "1.000"
    n.fill("0")
    n.press("Enter")
    expect(widget.locator(".rw-error", has_text="from 1 to 30")).to_be_visible()
    assert notebook.python("print(w.n)") == "4\n"
    widget.get_by_label("gain of nDCG").select_option("linear")
    lab.page.wait_for_timeout(300)
    assert notebook.python("print(w.gain)") == "linear\n"
    notebook.python("w.set(edit=['remove', 'A'])")
    expect(widget.locator(".rw-place")).to_have_count(4)
    notebook.python("try:\n    w.set(edit=['remove', 'Z'])\nexcept ValueError:\n    pass")
    expect(widget.locator(".rw-error", has_text="'Z'")).to_be_visible()


def test_ids_are_text(lab: Lab) -> None:
    hostile = ["<img src=x onerror=alert(1)>", "\"'&", "שלום", "🙂", "a" * 200]
    _, widget = opened(lab, f"MetricsPlayground(ranking={hostile!r})")
    assert widget.locator("img").count() == 0
    expect(widget.locator(".rw-place")).to_have_count(5)
    lab.size(360)
    assert widget.evaluate("root => root.scrollWidth <= root.clientWidth + 1")


def test_guess_then_compare(lab: Lab) -> None:
    _, widget = opened(lab, "MetricGrid()")
    assert "→" not in widget.locator("table").inner_text()
    widget.locator(".rw-check").click()
    expect(widget.locator(".rw-points")).to_contain_text("No guess yet")
    first = widget.get_by_label("an unrelated document at the top, precision@3")
    first.focus()
    first.select_option("moves")
    widget.get_by_label("an unrelated document at the top, nDCG@3").select_option("moves")
    widget.locator(".rw-check").click()
    expect(widget.locator(".rw-points")).to_have_text("1 of 2 guesses are right.")
    expect(widget.locator(".rw-guess-wrong")).to_have_text(" not so")
    expect(widget.locator(".rw-guess-right")).to_have_text(" right")
    expect(widget.locator("table")).to_contain_text("0.673 → 0.444")
    first.select_option("stays")
    expect(widget.locator(".rw-guess-wrong")).to_have_count(0)
    widget.locator(".rw-reveal").click()
    expect(widget.locator(".rw-computed", has_text="→")).to_have_count(28)
    widget.locator(".rw-clear").click()
    expect(widget.locator(".rw-computed", has_text="→")).to_have_count(0)
    expect(first).to_have_value("")
