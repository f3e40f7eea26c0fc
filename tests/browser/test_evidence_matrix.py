"""The evidence matrix in a real JupyterLab: both sides, by keyboard, in every look."""

from __future__ import annotations

import os

import pytest
from lab import Lab, Notebook
from playwright.sync_api import Locator, expect

SHOW = "from rankwalk import EvidenceMatrix\nw = EvidenceMatrix({}); w"
SHOTS = os.environ.get("RANKWALK_SHOTS", "")
"""A folder for pictures to look at."""


def opened(lab: Lab, arguments: str = "") -> tuple[Notebook, Locator]:
    notebook = lab.open([SHOW.format(arguments)])
    notebook.run_all()
    return notebook, notebook.widget()


def cites(widget: Locator, claim: str, source: str) -> Locator:
    return widget.get_by_role("checkbox", name=f"“{claim}” cites {source}")


def test_changing_the_order_moves_the_ranking_and_leaves_the_answer(lab: Lab) -> None:
    notebook, widget = opened(lab)
    first_hit = widget.locator(".rw-ranking tr", has_text="reciprocal rank").locator("td")
    expect(first_hit.nth(1)).to_have_text("0.500")
    answer = widget.locator(".rw-answer-side").inner_text()
    button = widget.get_by_role("button", name="Move d2 up")
    button.focus()
    lab.page.keyboard.press("Enter")
    expect(widget.locator(".rw-told-change")).to_have_text(
        "Neither the ranking nor the answer's ratios change."
    )
    expect(button).to_be_focused()
    lab.page.keyboard.press("Enter")
    expect(first_hit.nth(1)).to_contain_text("1.000")
    expect(first_hit.nth(1)).to_contain_text("was 0.500")
    expect(widget.locator(".rw-told-change")).to_have_text(
        "Changed by this: Ranking. Unchanged: Answer."
    )
    assert widget.locator(".rw-answer-side").inner_text() == answer
    assert notebook.python("print(w.order)") == "('d2', 'd3', 'd1', 'd4')\n"


def test_ticks_while_python_is_busy_all_count(lab: Lab) -> None:
    notebook = lab.open([SHOW.format("claims=(), links=()"), "import time; time.sleep(1.5)"])
    notebook.run_all()
    widget = notebook.widget()
    notebook.start_cell(1)
    boxes = widget.locator('[data-name^="says "]')
    count = boxes.count()
    for number in range(count):
        boxes.nth(number).check()
    widget.get_by_role("button", name="Move d2 up").click()
    widget.get_by_role("button", name="Move d2 up").click()
    notebook.wait_connected()
    for number in range(count):
        expect(boxes.nth(number)).to_be_checked()
    assert notebook.python("print(len(w.claims), w.order)") == f"{count} ('d2', 'd3', 'd1', 'd4')\n"


def test_the_matrix_is_edited_by_keyboard(lab: Lab) -> None:
    notebook, widget = opened(lab)
    fresh = "Fresh food is excluded."
    cites(widget, "Unopened goods can be returned within 7 days.", "d1").focus()
    for key in ("ArrowDown", "ArrowRight"):
        lab.page.keyboard.press(key)
    expect(cites(widget, fresh, "d2")).to_be_focused()
    cells = lab.page.locator(".jp-Cell").count()
    lab.page.keyboard.press("Space")
    expect(cites(widget, fresh, "d2")).not_to_be_checked()
    expect(cites(widget, fresh, "d2")).to_be_focused()
    expect(widget.locator(".rw-matrix tr", has_text=fresh)).to_contain_text("though not cited")
    expect(widget.locator(".rw-told-change")).to_contain_text("Unchanged: Ranking")
    assert lab.page.locator(".jp-Cell").count() == cells
    assert notebook.python("print(w.links)") == "(('days', 'd1'), ('any', 'd1'))\n"
    claim = widget.get_by_role("checkbox", name="The answer says: Any order can be returned.")
    claim.focus()
    lab.page.keyboard.press("Space")
    expect(claim).not_to_be_checked()
    assert notebook.python("print(w.claims)") == "('days', 'fresh')\n"


def test_first_the_learners_marks_then_the_labels(lab: Lab) -> None:
    notebook, widget = opened(lab, "revealed=False")
    expect(widget.locator(".rw-side table")).to_have_count(0)
    expect(widget.locator(".rw-links")).to_be_hidden()
    assert "0.667" not in widget.inner_text()
    selects = widget.locator(".rw-marks select")
    selects.nth(0).select_option("holds")
    selects.nth(2).select_option("holds")
    widget.get_by_role("button", name="Show the labels and the numbers").click()
    rows = widget.locator(".rw-links tbody tr")
    expect(rows.nth(0)).to_contain_text("as you marked it")
    expect(rows.nth(1)).to_contain_text("you did not mark it")
    expect(rows.nth(2)).to_contain_text("you marked it otherwise")
    expect(rows.nth(2)).to_contain_text("the source says less than the claim")
    expect(widget.locator(".rw-answer-side")).to_contain_text("0.667")
    assert notebook.python("print(w.revealed)") == "True\n"


def test_each_row_of_what_you_see_opens_its_case(lab: Lab) -> None:
    notebook, widget = opened(lab)
    rows = widget.locator(".rw-look tbody tr")
    count = rows.count()
    assert count >= 4
    for number in range(1, count):
        name = rows.nth(number).get_attribute("data-case")
        rows.nth(number).get_by_role("button").click()
        expect(widget.locator("select").first).to_have_value(str(name))
        assert notebook.python("print(w.case)") == f"{name}\n"


def test_the_day_changes_the_verdict_and_not_the_ratios(lab: Lab) -> None:
    notebook, widget = opened(lab, "'outdated'")
    row = widget.locator(".rw-matrix tr", has_text="30 days")
    expect(row).to_contain_text("outdated")
    support = widget.locator(".rw-answer-side td").first
    before = support.inner_text()
    widget.locator("input[type=date]").fill("2025-06-01")
    expect(row).not_to_contain_text("outdated")
    assert support.inner_text() == before
    notebook.python("w.day = '2026-03-16'")
    expect(row).to_contain_text("outdated")
    expect(widget.locator("input[type=date]")).to_have_value("2026-03-16")


def test_a_bad_value_from_python_is_shown_and_leaves_the_picture(lab: Lab) -> None:
    notebook, widget = opened(lab)
    before = widget.locator(".rw-sides").inner_text()
    notebook.python("try:\n    w.order = ['d1']\nexcept ValueError:\n    pass")
    expect(widget.locator(".rw-general")).to_contain_text("Allowed: each of d1, d2, d3, d4")
    assert widget.locator(".rw-sides").inner_text() == before


def test_two_views_agree_and_twenty_runs_leave_one(lab: Lab) -> None:
    notebook = lab.open([SHOW.format(""), "w"])
    notebook.run_all()
    notebook.widget(1).get_by_role("button", name="Move d1 up").click()
    for number in (0, 1):
        expect(notebook.widget(number).locator(".rw-passages li").first).to_contain_text("d1")
    for _ in range(20):
        notebook.run_cell(1)
    assert lab.page.locator(".rw-evidence").count() == 2


@pytest.mark.complains("Could not restore the debugger state")
def test_without_python_the_picture_stays_and_the_notice_says_so(lab: Lab) -> None:
    notebook, widget = opened(lab)
    notebook.shut_kernel_down()
    widget.get_by_role("button", name="Move d1 up").click()
    expect(widget.locator(".rw-silent")).to_contain_text("Python is not answering")
    expect(widget.locator(".rw-ranking table")).to_be_visible()


def test_saved_and_reopened(lab: Lab) -> None:
    notebook, _ = opened(lab, "'late'")
    widget = notebook.reopen().widget()
    expect(widget.locator(".rw-ranking table")).to_be_visible()
    expect(widget.locator("select").first).to_have_value("late")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_look_is_accessible_and_fits(lab: Lab, lang: str) -> None:
    notebook = lab.open(
        [SHOW.format(f"lang={lang!r}"), f"EvidenceMatrix(lang={lang!r}, revealed=False)"]
    )
    notebook.run_all()
    lab.page.evaluate("() => jupyterapp.shell.collapseLeft()")
    for theme in ("light", "dark"):
        lab.theme(theme)  # type: ignore[arg-type]
        for width in (1280, 360):
            lab.size(width, 2600 if width == 1280 else 800)
            for number in (0, 1):
                widget = notebook.widget(number)
                assert widget.evaluate("e => e.scrollWidth <= e.clientWidth + 1"), (width, number)
                if SHOTS:
                    widget.screenshot(path=f"{SHOTS}/em-{lang}-{theme}-{width}-{number}.png")
            assert lab.axe(".rw-evidence") == []
    lab.page.evaluate("() => jupyterapp.shell.expandLeft()")
