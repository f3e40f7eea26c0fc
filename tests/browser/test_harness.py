"""The harness itself works, shown with a widget of a few lines: nothing here is Rankwalk's."""

from __future__ import annotations

import json

import pytest
from lab import Lab
from playwright.sync_api import expect

COUNTER = '''
import anywidget, traitlets

class Counter(anywidget.AnyWidget):
    _esm = """
    function render({ model, el }) {
      const button = document.createElement("button");
      button.className = "counter";
      const show = () => (button.textContent = `count ${model.get("count")}`);
      button.addEventListener("click", () => {
        model.set("count", model.get("count") + 1);
        model.save_changes();
      });
      model.on("change:count", show);
      show();
      el.append(button);
    }
    export default { render };
    """
    count = traitlets.Int(0).tag(sync=True)

counter = Counter()
counter
'''


def test_a_click_reaches_python_and_python_reaches_the_page(lab: Lab) -> None:
    notebook = lab.open([COUNTER, "counter"])
    notebook.run_all()
    first, second = (notebook.widget(number, ".counter") for number in (0, 1))
    second.click()
    expect(second).to_have_text("count 1")
    expect(notebook.widget(0, ".counter")).to_have_text("count 1")
    assert notebook.python("print(counter.count)") == "1\n"
    notebook.python("counter.count = 41")
    expect(first).to_have_text("count 41")


def test_saved_and_reopened(lab: Lab) -> None:
    notebook = lab.open([COUNTER])
    notebook.run_all()
    notebook.widget(0, ".counter").click()
    expect(notebook.widget(0, ".counter")).to_have_text("count 1")
    reopened = notebook.reopen()
    assert "widgets" in json.loads(notebook.file.read_text(encoding="utf-8"))["metadata"]
    expect(reopened.widget(0, ".counter")).to_have_text("count 1")


def test_kernel_restarted_interrupted_and_gone(lab: Lab) -> None:
    notebook = lab.open([COUNTER, "import time; time.sleep(100)"])
    notebook.run_cell(0)
    notebook.start_cell(1)
    lab.page.wait_for_timeout(500)
    notebook.interrupt_kernel()
    assert any("KeyboardInterrupt" in error for error in notebook.errors())
    notebook.restart_kernel()
    with pytest.raises(Exception, match="NameError"):
        notebook.python("counter")
    expect(notebook.widget(0, ".counter")).to_have_text("count 0")
    notebook.shut_kernel_down()
    expect(notebook.widget(0, ".counter")).to_be_visible()


def test_a_failing_cell_fails_the_test(lab: Lab) -> None:
    notebook = lab.open(["1 / 0"])
    with pytest.raises(AssertionError, match="cell 0: ZeroDivisionError"):
        notebook.run_all()


def test_theme_size_and_axe(lab: Lab) -> None:
    notebook = lab.open([COUNTER])
    notebook.run_all()
    lab.theme("dark")
    lab.size(360)
    assert lab.page.evaluate("() => window.innerWidth") == 360
    assert lab.axe(".counter") == []
    notebook.widget(0, ".counter").evaluate("button => button.replaceChildren()")
    assert any(line.startswith("button-name") for line in lab.axe(".counter"))


@pytest.mark.complains("a complaint")
def test_complaints_and_foreign_requests_are_seen(lab: Lab) -> None:
    lab.page.evaluate("() => console.error('a complaint')")
    lab.page.evaluate(
        "() => fetch('http://example.com/tracker.js', { mode: 'no-cors' }).catch(() => null)"
    )
    with pytest.raises(AssertionError, match="a complaint"):
        lab.assert_quiet()
    with pytest.raises(AssertionError, match=r"example\.com"):
        lab.assert_quiet(["a complaint", "ERR_NAME_NOT_RESOLVED"])
    lab.complaints.clear()
    lab.foreign.clear()


def test_the_page_is_quiet(lab: Lab) -> None:
    notebook = lab.open(["1 + 1"])
    notebook.run_all()
    assert notebook.python("6 * 7") == "42"


def test_notebook_7(notebook7: Lab) -> None:
    notebook = notebook7.open([COUNTER])
    notebook.run_all()
    notebook.widget(0, ".counter").click()
    expect(notebook.widget(0, ".counter")).to_have_text("count 1")
    assert notebook.python("print(counter.count)") == "1\n"
