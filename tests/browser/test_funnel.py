"""The widgets of lesson 4 in a real JupyterLab: the funnel, the failing reranker, the complaints."""

from __future__ import annotations

from pathlib import Path

import pytest
from lab import Lab, Notebook
from playwright.sync_api import Locator, expect

from rankwalk.messages import say
from rankwalk.widgets.blame import WhoIsToBlame
from rankwalk.widgets.funnel import RerankFunnel
from rankwalk.widgets.outage import RerankOutage

IMPORTS = """
from rankwalk.widgets.blame import WhoIsToBlame
from rankwalk.widgets.funnel import RerankFunnel
from rankwalk.widgets.outage import RerankOutage
"""
NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


def opened(lab: Lab, *cells: str) -> Notebook:
    notebook = lab.open([IMPORTS, *cells])
    notebook.run_all()
    return notebook


def control(widget: Locator, key: str, lang: str = "en") -> Locator:
    return widget.get_by_label(say(f"rerank.{key}", lang), exact=True)


def button(widget: Locator, key: str, lang: str = "en") -> Locator:
    return widget.get_by_role("button", name=say(f"rerank.{key}", lang), exact=True)


def error_at(field: Locator) -> Locator:
    """Return the place for what was refused at a field."""
    return field.locator("xpath=ancestor::div[contains(@class, 'rw-control')]").locator(".rw-error")


# --- The funnel ---


def test_a_depth_typed_and_a_depth_set_in_python_are_the_same(lab: Lab) -> None:
    notebook = opened(lab, "f = RerankFunnel(); f")
    widget = notebook.widget()
    depth = control(widget, "funnel.vector_depth")
    depth.fill("5")
    depth.press("Enter")
    fused = widget.locator(".rw-stage-fused")
    wanted = RerankFunnel(vector_depth=5)._view["stages"][3]
    expect(fused).to_contain_text(wanted["still"])
    expect(fused).to_contain_text(wanted["lost"])
    assert notebook.python("print(f.vector_depth, f)") == "5 RerankFunnel(vector_depth=5)\n"
    expect(widget.locator(".rw-live")).to_have_text(
        " ".join(RerankFunnel(vector_depth=5)._view["facts"])
    )
    notebook.python("f.set(vector_depth=100, keyword_depth=80)")
    expect(depth).to_have_value("100")
    expect(control(widget, "funnel.keyword_depth")).to_have_value("80")
    after = RerankFunnel(vector_depth=100, keyword_depth=80)._view
    expect(fused).to_contain_text(after["stages"][3]["still"])


def test_every_control_reaches_python_and_changes_what_is_shown(lab: Lab) -> None:
    notebook = opened(lab, "f = RerankFunnel(); f")
    widget = notebook.widget()
    labels = {
        "vector_depth": ("vector_depth", "12"),
        "keyword_depth": ("keyword_depth", "15"),
        "overlap": ("overlap", "20"),
        "limit": ("limit", "8"),
        "budget": ("budget_control", "6"),
        "ms_a_pair": ("ms_a_pair", "2.5"),
        "cost_a_million_pairs": ("cost_a_million_pairs", "99"),
        "seed": ("seed", "7"),
    }
    shown = widget.locator(".rw-body")
    for name, (label, value) in labels.items():
        before = shown.inner_text()
        field = control(widget, f"funnel.{label}")
        field.fill(value)
        field.press("Tab")
        expect(field).to_have_value(value)
        lab.page.wait_for_function(
            "([element, text]) => element.innerText !== text", arg=[shown.element_handle(), before]
        )
        assert float(notebook.python(f"print(f.{name})")) == float(value)
    button(widget, "funnel.another").click()
    expect(control(widget, "funnel.seed")).to_have_value("8")


def test_a_bad_value_is_told_at_its_control_and_the_picture_stays(lab: Lab) -> None:
    notebook = opened(lab, "f = RerankFunnel(); f")
    widget = notebook.widget()
    stages = widget.locator(".rw-stages")
    before = stages.inner_text()
    overlap = control(widget, "funnel.overlap")
    overlap.fill("101")
    overlap.press("Enter")
    error = error_at(overlap)
    expect(error).to_contain_text("101")
    expect(overlap).to_have_attribute("aria-invalid", "true")
    assert stages.inner_text() == before
    overlap.fill("50")
    overlap.press("Enter")
    expect(error).to_be_empty()


def test_the_knee_is_guessed_compared_and_used(lab: Lab) -> None:
    notebook = opened(lab, "f = RerankFunnel(); f")
    widget = notebook.widget()
    verdict = widget.locator(".rw-verdict")
    button(widget, "funnel.knee_compare").click()
    expect(verdict).to_have_text(say("rerank.funnel.knee_ask", "en"))
    control(widget, "funnel.knee_label").select_option("12")
    expect(verdict).to_be_empty()
    button(widget, "funnel.knee_compare").click()
    point = next(p for p in RerankFunnel()._view["chart"]["points"] if p["depth"] == 12)
    expect(verdict).to_have_text(point["verdict"])
    button(widget, "funnel.knee_use").click()
    expect(control(widget, "funnel.vector_depth")).to_have_value("12")
    assert notebook.python("print(f.vector_depth, f.keyword_depth)") == "12 12\n"


def test_two_views_agree_and_running_the_cell_again_leaves_one(lab: Lab) -> None:
    notebook = opened(lab, "f = RerankFunnel(); f", "f")
    first, second = notebook.widget(0), notebook.widget(1)
    field = control(second, "funnel.limit")
    field.fill("2")
    field.press("Enter")
    expect(control(first, "funnel.limit")).to_have_value("2")
    note = say("rerank.funnel.note_budget", "en", n=2)
    expect(first.get_by_text(note)).to_be_visible()
    for _ in range(20):
        notebook.run_cell(1)
    expect(notebook.cell(1).locator(".rw-widget")).to_have_count(1)


def test_jupyterlab_does_not_take_keys_from_the_widget(lab: Lab) -> None:
    notebook = opened(lab, "f = RerankFunnel(); f")
    widget = notebook.widget()
    cells = lab.page.locator(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Cell").count()
    button(widget, "funnel.another").focus()
    for key in ("a", "b", "x", "d", "d", "ArrowDown", "ArrowUp"):
        lab.page.keyboard.press(key)
    assert lab.page.locator(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Cell").count() == cells
    expect(button(widget, "funnel.another")).to_be_focused()


def test_without_a_kernel_the_widgets_stay_and_say_so(lab: Lab) -> None:
    notebook = opened(lab, "f = RerankFunnel(); f", "w = WhoIsToBlame(); w")
    notebook.shut_kernel_down()
    widget = notebook.widget(0)
    button(widget, "funnel.another").click()
    expect(widget.locator(".rw-silent")).to_have_text(say("rerank.ui.silent", "en"))
    expect(widget.locator(".rw-stage")).to_have_count(6)
    blame = notebook.widget(1)
    case = blame.locator("[data-case=C1]")
    case.get_by_role("radio").first.check()
    case.get_by_role("button").click()
    expect(case.locator(".rw-answer")).to_have_class("rw-answer rw-is-right")


def test_saved_and_reopened(lab: Lab) -> None:
    notebook = opened(lab, "f = RerankFunnel(lang='zh', budget=2); f")
    expect(notebook.widget().locator(".rw-stage")).to_have_count(6)
    reopened = notebook.reopen()
    view = RerankFunnel(lang="zh", budget=2)._view
    expect(reopened.widget().locator(".rw-stage").last).to_contain_text(view["stages"][5]["still"])


# --- The failing reranker ---


def test_strategy_and_failure_are_switched_by_keyboard(lab: Lab) -> None:
    notebook = opened(lab, "o = RerankOutage(); o")
    widget = notebook.widget()
    expect(widget).to_have_attribute("data-ended", "raised")
    expect(widget.locator(".rw-ended")).to_contain_text("RerankTimeout")
    strategy = control(widget, "outage.strategy")
    strategy.focus()
    lab.page.keyboard.press("ArrowDown")
    expect(widget).to_have_attribute("data-ended", "degraded")
    rows = widget.locator("tbody").first.locator("tr")
    expect(rows).to_have_count(3)
    for row in rows.all():
        expect(row).to_contain_text("True")
        expect(row).to_contain_text("provider_timeout")
    assert notebook.python("print(o.strategy)") == "degrade\n"
    control(widget, "outage.provider").select_option("bad_score")
    expect(widget).to_have_attribute("data-ended", "raised")
    expect(widget.locator(".rw-ended")).to_contain_text("RerankProtocolError")
    note = say("rerank.outage.note_strategy_nonsense", "en")
    expect(widget.get_by_text(note)).to_be_visible()
    control(widget, "outage.provider").select_option("works")
    expect(widget).to_have_attribute("data-ended", "served")


def test_the_deadline_and_the_delay_decide_and_a_bad_one_is_refused(lab: Lab) -> None:
    notebook = opened(lab, "o = RerankOutage(provider='slow', strategy='degrade'); o")
    widget = notebook.widget()
    expect(widget).to_have_attribute("data-ended", "degraded")
    deadline = control(widget, "outage.deadline_s")
    deadline.fill("9")
    deadline.press("Enter")
    expect(widget).to_have_attribute("data-ended", "served")
    delay = control(widget, "outage.delay_s")
    delay.fill("20")
    delay.press("Enter")
    expect(widget).to_have_attribute("data-ended", "degraded")
    deadline.fill("0")
    deadline.press("Enter")
    expect(error_at(deadline)).to_contain_text("0.5")
    expect(widget).to_have_attribute("data-ended", "degraded")
    notebook.python("o.provider = 'works'")
    expect(control(widget, "outage.provider")).to_have_value("works")


# --- Who is to blame? ---


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_complaints_are_answered_and_counted(lab: Lab, lang: str) -> None:
    notebook = opened(lab, f"w = WhoIsToBlame(lang={lang!r}); w", "w")
    widget = notebook.widget()
    view = WhoIsToBlame(lang=lang)._view
    for case in view["cases"]:
        section = widget.locator(f"[data-case={case['id']}]")
        check = section.get_by_role("button", name=view["ui"]["check"])
        if case["id"] == "C1":
            check.click()
            expect(section.locator(".rw-answer")).to_have_text(view["ui"]["nothing"])
            section.locator("input[value=served]").check()
            check.click()
            expect(section.locator(".rw-answer")).to_contain_text(case["wrong"]["served"])
        section.locator(f"input[value={case['fate']}]").check()
        check.click()
        expect(section.locator(".rw-answer")).to_contain_text(case["right"])
        expect(section.locator(".rw-answer")).to_contain_text(case["why"])
    expect(widget.locator(".rw-score")).to_have_text(
        say("rerank.blame.score", lang, right=5, all=5)
    )


def test_on_a_phone_what_was_noted_is_seen_without_scrolling(lab: Lab) -> None:
    notebook = opened(lab, "WhoIsToBlame(lang='en')")
    lab.size(360)
    lab.page.evaluate("() => jupyterapp.shell.collapseLeft()")
    for frame in notebook.widget().locator(".rw-scroll").all():
        assert frame.evaluate("element => element.scrollWidth - element.clientWidth") <= 0


# --- How they look ---

CALLS = [RerankFunnel, RerankOutage, WhoIsToBlame]


@pytest.fixture(params=["en", "zh"])
def all_three(lab: Lab, request: pytest.FixtureRequest) -> tuple[Lab, Notebook]:
    calls = [f"{widget.__name__}(lang={request.param!r})" for widget in CALLS]
    return lab, opened(lab, *calls)


def test_axe_finds_nothing_in_either_theme_and_width(all_three: tuple[Lab, Notebook]) -> None:
    lab, notebook = all_three
    for theme, width in (("light", 1280), ("dark", 1280), ("dark", 360)):
        lab.theme("dark" if theme == "dark" else "light")
        lab.size(width)
        lab.page.evaluate("() => jupyterapp.shell.collapseLeft()")  # it leaves nothing at 360 px
        for number in range(3):
            widget = notebook.widget(number)
            assert lab.axe(".rw-widget") == [], (theme, width, number)
            # What is too wide scrolls in a frame of its own.
            overflow = widget.evaluate("element => element.scrollWidth - element.clientWidth")
            assert overflow <= 0, (theme, width, number)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_lesson_runs_from_top_to_bottom_with_living_widgets(lab: Lab, lang: str) -> None:
    notebook = lab.open(NOTEBOOKS / lang / "04_rerank.ipynb")
    notebook.run_all()
    for number, name in enumerate(("rw-funnel", "rw-blame", "rw-outage")):
        expect(notebook.widget(number)).to_have_class(f"rw-widget rw-panelled {name}")
