"""The notebooks that people open: what nbval would let pass.

nbval itself runs them, in a call of its own, since ``--cov`` would have it measure in every kernel::

    pytest --nbval --nbval-current-env --nbval-cell-timeout=120 notebooks

It passes a notebook whose outputs were stripped, and whatever is tagged to be ignored. So these tests
demand that everything is stored, and that a wrong number is found.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import build_lessons
import nbformat
import pytest

from rankwalk.messages import languages

ROOT = build_lessons.ROOT
LESSONS = build_lessons.sources(ROOT / "lessons")
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*/*.ipynb"))
TINY = Path(__file__).parent / "lessons" / "00_tiny.md"
NBVAL = ["--nbval", "--nbval-current-env", "--nbval-cell-timeout=120"]


def read(path: Path) -> Any:
    return nbformat.reads(path.read_text(encoding="utf-8"), as_version=4)


def faults(notebook: Any, lesson: str) -> list[str]:
    """Say what is wrong with how a notebook is stored."""
    found = [f"metadata has {name}" for name in notebook.metadata if name == "widgets"]
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    counts = [cell.execution_count for cell in code]
    if counts != list(range(1, len(code) + 1)):
        found.append(f"was not run once from top to bottom: {counts}")
    if not any(cell.outputs for cell in code):
        found.append("has no outputs")
    for place, cell in enumerate(notebook.cells, start=1):
        if cell.id != f"{lesson}-{place:03}":
            found.append(f"cell {place} has the id {cell.id}")
        if unknown := set(cell.metadata.get("tags", [])) - {build_lessons.SOLUTION}:
            found.append(f"cell {place} has the tags {unknown}")
    for cell in code:
        last = cell.source.strip().split("\n")[-1]
        if re.match(r"(print|display)\(", last) and not cell.outputs:
            found.append(f"cell {cell.id} shows something and has no output")
        for output in cell.outputs:
            if output.output_type == "error":
                found.append(f"cell {cell.id} stores an error")
            if build_lessons.WIDGET_VIEW in output.get("data", {}):
                found.append(f"cell {cell.id} stores a widget's view")
    return found


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_everything_is_stored(path: Path) -> None:
    assert faults(read(path), path.stem) == []


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("source", LESSONS, ids=lambda path: path.stem)
def test_built_and_source_agree(source: Path, lang: str) -> None:
    assert build_lessons.differences(source, lang, ROOT / "notebooks" / lang) == []


def test_no_notebook_without_a_lesson() -> None:
    assert build_lessons.left_over(ROOT / "lessons", ROOT / "notebooks") == []


@pytest.mark.parametrize("source", LESSONS, ids=lambda path: path.stem)
def test_the_languages_say_as_much(source: Path) -> None:
    """Each pair of cells has the same outline: headings, lists of code, pictures, folded solutions."""
    texts = [cell.source for cell in build_lessons.read_lesson(source).cells if _is_markdown(cell)]
    for english, chinese in zip(texts[::2], texts[1::2], strict=True):
        assert english != chinese, english
        assert outline(english) == outline(chinese), f"{english}\n---\n{chinese}"


@pytest.mark.parametrize(
    "path", sorted((ROOT / "notebooks" / "zh").glob("*.ipynb")), ids=lambda path: path.stem
)
def test_a_list_in_a_chinese_sentence_has_chinese_commas(path: Path) -> None:
    code = [cell for cell in read(path).cells if cell.cell_type == "code"]
    shown = [str(output.get("data", output)) for cell in code for output in cell.outputs]
    assert [found for text in shown for found in re.findall(r"[一-鿿：]\w{1,3}, \w.*", text)] == []


def _is_markdown(cell: Any) -> bool:
    return bool(cell.cell_type == "markdown")


def outline(text: str) -> list[str]:
    """Return what a translation keeps: the levels of headings, tables' rows, fences, folds, images."""
    return re.findall(r"^(#+(?= )|\|(?=.*\|)|```|<details>|</details>|!\[)", text, re.MULTILINE)


class TestGuards:
    """Each guard sees the fault it is there for, shown on copies of the tiny lesson."""

    def test_the_built_one_is_good(self, built: dict[str, Path]) -> None:
        assert faults(read(built["en"]), "00_tiny") == []

    @pytest.mark.parametrize(
        ("spoil", "said"),
        [
            ("for cell in code: cell.outputs = []", "has no outputs"),
            ("code[1].execution_count = None", "was not run once"),
            ("code[3].execution_count = 9", "was not run once"),
            ("notebook.metadata['widgets'] = {}", "metadata has widgets"),
            ("code[2].id = 'abc'", "has the id abc"),
            ("code[2].metadata['tags'] = ['nbval-ignore-output']", "nbval-ignore-output"),
            ("code[2].outputs[0].data[build_lessons.WIDGET_VIEW] = {}", "a widget's view"),
            ("code[1].source = 'print(1)'; code[1].outputs = []", "shows something"),
            (
                "code[1].outputs = [nbformat.v4.new_output('error', ename='', evalue='')]",
                "stores an error",
            ),
        ],
    )
    def test_a_spoiled_one_is_seen(self, built: dict[str, Path], spoil: str, said: str) -> None:
        notebook = read(built["en"])
        code = [cell for cell in notebook.cells if cell.cell_type == "code"]
        exec(spoil, {**globals(), "notebook": notebook, "code": code})
        assert any(said in fault for fault in faults(notebook, "00_tiny"))

    def test_nbval_fails_on_one_altered_number(
        self, built: dict[str, Path], tmp_path: Path
    ) -> None:
        stored = built["en"].read_text(encoding="utf-8")
        altered = stored
        for right, wrong in [
            ("('B', 0.03252247488101533)", "('B', 0.03252247488101534)"),  # printed
            ('"0.032266458495966696"', '"0.032266458495966697"'),  # a result
            ("<p>0.03252247</p>", "<p>0.03252248</p>"),  # HTML
        ]:
            assert stored.count(right) == 1
            altered = altered.replace(right, wrong)
        (tmp_path / "as_built.ipynb").write_text(stored, encoding="utf-8")
        (tmp_path / "altered.ipynb").write_text(altered, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *NBVAL, "-rA", "-p", "no:cacheprovider", tmp_path],
            cwd=tmp_path,
            env={**os.environ, "PYTEST_ADDOPTS": ""},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        failed = sorted(re.findall(r"^FAILED (\S+::Cell \d+)", done.stdout, re.MULTILINE))
        assert failed == [f"altered.ipynb::Cell {number}" for number in (1, 2, 5)], done.stdout
        assert done.stdout.count("PASSED as_built.ipynb") == 6
        assert done.returncode == 1
