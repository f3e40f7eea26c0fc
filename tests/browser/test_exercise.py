"""Exercises in a real JupyterLab: by keyboard, saved on submission, readable everywhere."""

from __future__ import annotations

import json
import os

import pytest
from lab import Lab, Notebook
from playwright.sync_api import expect

SHOW = "from rankwalk import Exercise\nw = Exercise({!r}, {!r}, lang={!r}, folder='{}'); w"
SHOTS = os.environ.get("RANKWALK_SHOTS", "")
"""A folder for pictures to look at."""
HOSTILE = "<img src=x onerror=alert(1)> \"'& שלום 🙂 " + "x" * 200


def opened(
    lab: Lab, id: str, *, lesson: str = "05", lang: str = "en", folder: str = "a"
) -> Notebook:
    notebook = lab.open([SHOW.format(lesson, id, lang, folder)])
    notebook.run_all()
    return notebook


def saved(notebook: Notebook, folder: str, lesson: str = "05") -> list[dict[str, object]]:
    file = notebook.lab.server.root / folder / f"lesson-{lesson}.json"
    if not file.exists():
        return []
    return json.loads(file.read_text(encoding="utf-8"))["answers"]  # type: ignore[no-any-return]


def test_a_choice_by_keyboard_alone(lab: Lab) -> None:
    notebook = opened(lab, "not-cited", folder="choice")
    widget = notebook.widget()
    widget.locator("input").first.focus()
    for key in ("Space", "ArrowDown"):
        lab.page.keyboard.press(key)
    assert saved(notebook, "choice") == []
    lab.page.keyboard.press("Tab")
    lab.page.keyboard.press("Enter")
    expect(widget.locator(".rw-headline")).to_have_text("It holds.")
    expect(widget.locator(".rw-reasons li")).to_have_count(4)
    assert [one["answer"] for one in saved(notebook, "choice")] == [["uncited"]]
    assert notebook.python("print(w.answer)") == "('uncited',)\n"
    expect(widget.locator(".rw-live")).to_contain_text("It holds.")


def test_an_order_by_keyboard_keeps_the_focus_on_the_row_that_moves(lab: Lab) -> None:
    notebook = opened(lab, "fusion-order", lesson="01", folder="order")
    widget = notebook.widget()
    widget.get_by_role("button", name="Move B up").focus()
    lab.page.keyboard.press("Enter")
    assert widget.locator(".rw-order li").evaluate_all("rows => rows.map(r => r.dataset.id)") == [
        "B",
        "A",
        "C",
    ]
    expect(widget.get_by_role("button", name="Move B up")).to_be_focused()
    expect(widget.locator(".rw-live")).to_contain_text("place 1 of 3")
    lab.page.keyboard.press("Enter")  # at the end nothing happens
    widget.get_by_role("button", name="Submit").click()
    expect(widget.locator(".rw-headline")).to_have_text("It holds.")
    assert saved(notebook, "order", "01")[0]["answer"] == ["B", "A", "C"]


def test_a_number_with_enter_and_what_is_none(lab: Lab) -> None:
    notebook = opened(lab, "link-ratio", lang="zh", folder="number")
    widget = notebook.widget()
    field = widget.locator("input[type=text]")
    field.fill("很多")
    field.press("Enter")
    expect(widget.locator(".rw-error").first).to_contain_text("读不成一个数")
    assert saved(notebook, "number") == []
    field.fill("１／３")
    field.press("Enter")
    expect(widget.locator(".rw-headline")).to_have_text("成立。")
    expect(widget.locator(".rw-error").first).to_be_empty()
    assert saved(notebook, "number")[0]["answer"] == "１／３"


def test_typed_text_is_text_and_letters_stay_in_the_field(lab: Lab) -> None:
    notebook = opened(lab, "hand-over", folder="text")
    cells = lab.page.locator(".jp-Cell").count()
    widget = notebook.widget()
    field = widget.locator("textarea")
    field.focus()
    lab.page.keyboard.type("a b dd x ")  # JupyterLab would add, delete and cut cells by these
    field.fill(field.input_value() + HOSTILE)
    widget.get_by_role("button", name="Submit").click()
    expect(widget.locator(".rw-criteria li")).to_have_count(4)
    assert saved(notebook, "text")[0]["answer"] == f"a b dd x {HOSTILE}"
    assert lab.page.locator(".jp-Cell").count() == cells
    assert widget.locator("img").count() == 0
    again = opened(lab, "hand-over", folder="text").widget()
    expect(again.locator("textarea")).to_have_value(f"a b dd x {HOSTILE}")
    expect(again.locator(".rw-remembered")).to_contain_text("Your last answer, saved on")


def test_code_is_kept_and_not_run(lab: Lab) -> None:
    notebook = opened(lab, "three-inputs", folder="code")
    widget = notebook.widget()
    field = widget.locator("textarea")
    expect(field).to_have_value(
        "from rankwalk import check_answer\n\n# normal:\n# boundary:\n# must fail:"
    )
    field.fill("open('ran', 'w')")
    widget.get_by_role("button", name="Submit").click()
    expect(widget.locator(".rw-criteria li")).to_have_count(4)
    assert not (lab.server.root / "ran").exists()


def test_two_views_agree_and_the_python_twin_answers_too(lab: Lab) -> None:
    notebook = lab.open([SHOW.format("05", "link-ratio", "en", "twice"), "w"])
    notebook.run_all()
    notebook.python("w.answer = '0.5'")
    for number in (0, 1):
        widget = notebook.widget(number)
        expect(widget.locator(".rw-headline")).to_have_text("It does not hold yet.")
        expect(widget.locator("input[type=text]")).to_have_value("0.5")
    assert len(saved(notebook, "twice")) == 1


def test_open_twice_loses_nothing(lab: Lab) -> None:
    notebook = lab.open(
        [
            SHOW.format("05", "link-ratio", "en", "both"),
            SHOW.format("05", "hand-over", "en", "both"),
        ]
    )
    notebook.run_all()
    notebook.widget(0).locator("input[type=text]").fill("1/3")
    notebook.widget(0).get_by_role("button", name="Submit").click()
    expect(notebook.widget(0).locator(".rw-headline")).to_be_visible()
    notebook.widget(1).locator("textarea").fill("mine")
    notebook.widget(1).get_by_role("button", name="Submit").click()
    expect(notebook.widget(1).locator(".rw-headline")).to_be_visible()
    assert [one["answer"] for one in saved(notebook, "both")] == ["1/3", "mine"]


def test_export_and_delete_by_button(lab: Lab) -> None:
    notebook = opened(lab, "link-ratio", folder="gone")
    widget = notebook.widget()
    widget.locator("summary", has_text="Saved answers").click()
    expect(widget.locator(".rw-stored")).to_contain_text("no personal information")
    expect(widget.locator(".rw-stored")).to_contain_text("lesson-05.json")
    expect(widget.locator(".rw-delete")).to_have_attribute("aria-disabled", "true")
    widget.locator("input[type=text]").fill("1/3")
    widget.get_by_role("button", name="Submit").click()
    expect(widget.locator(".rw-delete")).to_have_attribute("aria-disabled", "false")
    with lab.page.expect_download() as download:
        widget.locator(".rw-export").click()
    assert download.value.suggested_filename == "lesson-05.json"
    assert json.loads(download.value.path().read_text(encoding="utf-8"))["answers"]
    widget.locator(".rw-delete").click()
    expect(widget.locator(".rw-delete-no")).to_be_focused()
    lab.page.keyboard.press("Enter")
    assert saved(notebook, "gone")
    widget.locator(".rw-delete").click()
    widget.locator(".rw-delete-yes").click()
    expect(widget.locator(".rw-told")).to_contain_text("Deleted")
    assert saved(notebook, "gone") == []


def test_an_export_right_after_a_submission_is_handed_out(lab: Lab) -> None:
    notebook = opened(lab, "link-ratio", folder="quick")
    widget = notebook.widget()
    widget.locator("summary", has_text="Saved answers").click()
    widget.locator("input[type=text]").fill("0.5")
    widget.get_by_role("button", name="Submit").click()
    expect(widget.locator(".rw-delete")).to_have_attribute("aria-disabled", "false")
    with lab.page.expect_download() as download:
        widget.evaluate(
            "root => [root.querySelector('.rw-submit'), root.querySelector('.rw-export')]"
            ".forEach((button) => button.click())"
        )
    assert len(json.loads(download.value.path().read_text(encoding="utf-8"))["answers"]) == 2


def test_a_draft_is_not_overwritten_by_an_answer_that_comes_late(lab: Lab) -> None:
    notebook = opened(lab, "link-ratio", folder="draft")
    widget = notebook.widget()
    field = widget.locator("input[type=text]")
    field.fill("0.5")
    widget.get_by_role("button", name="Submit").click()
    expect(widget.locator(".rw-headline")).to_be_visible()
    field.fill("a draft")
    widget.locator("summary", has_text="Saved answers").focus()
    lab.page.evaluate("() => document.activeElement.blur()")
    notebook.python("w.feedback = False")
    expect(widget.locator(".rw-silenced")).not_to_be_empty()
    expect(field).to_have_value("a draft")


@pytest.mark.complains("Could not restore the debugger state")
def test_without_python_the_words_stay_and_the_notice_says_so(lab: Lab) -> None:
    notebook = opened(lab, "hand-over", folder="silent")
    notebook.shut_kernel_down()
    widget = notebook.widget()
    widget.locator("textarea").fill("a long answer")
    widget.get_by_role("button", name="Submit").click()
    expect(widget.locator(".rw-silent")).to_contain_text("Python is not answering")
    expect(widget.locator("textarea")).to_have_value("a long answer")


def test_a_reopened_notebook_shows_the_exercise(lab: Lab) -> None:
    notebook = opened(lab, "not-cited", folder="reopened")
    reopened = notebook.reopen()
    expect(reopened.widget().locator(".rw-option")).to_have_count(4)


def test_twenty_runs_of_a_cell_leave_one_exercise(lab: Lab) -> None:
    notebook = opened(lab, "not-cited", folder="twenty")
    for _ in range(20):
        notebook.run_cell(0)
    assert lab.page.locator(".rw-exercise").count() == 1
    widget = notebook.widget()
    widget.locator("input").nth(1).check()
    widget.get_by_role("button", name="Submit").click()
    expect(widget.locator(".rw-headline")).to_have_text("It holds.")
    assert len(saved(notebook, "twenty")) == 1


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_kind_in_every_look_is_accessible_and_fits(lab: Lab, lang: str) -> None:
    kinds = [
        ("05", "not-cited"),
        ("03", "what-moves"),
        ("04", "funnel-order"),
        ("05", "link-ratio"),
        ("05", "failing-input"),
        ("04", "three-inputs"),
    ]
    notebook = lab.open([SHOW.format(lesson, id, lang, f"look-{lang}") for lesson, id in kinds])
    notebook.run_all()
    for number in range(len(kinds)):
        widget = notebook.widget(number)
        widget.locator("details.rw-stored summary").click()
        typed = widget.locator("textarea, input[type=text]")
        if typed.count():
            typed.fill("1/2")
        else:
            for box in widget.locator("input[type=radio], input[type=checkbox]").all()[:1]:
                box.check()
        widget.locator(".rw-submit").click()
        expect(widget.locator(".rw-headline")).to_be_visible()
    for theme in ("light", "dark"):
        lab.theme(theme)  # type: ignore[arg-type]
        for width in (1280, 360):
            lab.size(width)
            if width == 360:  # as on a phone, without JupyterLab's own panel beside the notebook
                lab.page.evaluate("() => jupyterapp.shell.collapseLeft()")
            for number in range(len(kinds)):
                widget = notebook.widget(number)
                assert widget.evaluate("e => e.scrollWidth <= e.clientWidth + 1"), (width, number)
                if SHOTS:
                    widget.screenshot(path=f"{SHOTS}/ex-{lang}-{theme}-{width}-{number}.png")
            assert lab.axe(".rw-exercise") == []
    lab.page.evaluate("() => jupyterapp.shell.expandLeft()")
