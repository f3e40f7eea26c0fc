"""tools/build_lessons.py: what it makes of a source, and what it refuses."""

from __future__ import annotations

import base64
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import build_lessons
import nbformat
import pytest
from build_lessons import LessonError

HEAD = "---\njupytext:\n  text_representation:\n    extension: .md\n    format_name: myst\n---\n\n"
PAIR = '+++ {"tags": ["lang-en"]}\n\nHello\n\n+++ {"tags": ["lang-zh"]}\n\n你好\n\n'
CODE = "```{code-cell} ipython3\n%s\n```\n\n"


def lesson(folder: Path, text: str, name: str = "07_made_up") -> Path:
    path = folder / f"{name}.md"
    path.write_text(HEAD + text, encoding="utf-8")
    return path


def read(path: Path) -> Any:
    return nbformat.reads(path.read_text(encoding="utf-8"), as_version=4)


def test_each_language_has_its_own_words_and_the_same_code(built: dict[str, Path]) -> None:
    en, zh = read(built["en"]), read(built["zh"])
    words = {
        lang: " ".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
        for lang, notebook in (("en", en), ("zh", zh))
    }
    assert "A tiny lesson" in words["en"]
    assert "小小一课" in words["zh"]
    assert "小小一课" not in words["en"]
    assert "A tiny lesson" not in words["zh"]
    code = [
        [cell.source for cell in notebook.cells if cell.cell_type == "code"] for notebook in (en, zh)
    ]
    assert (code[0][0], code[1][0]) == ('LANG = "en"', 'LANG = "zh"')
    assert code[0][1:] == code[1][1:]
    assert [cell.id for cell in en.cells] == [cell.id for cell in zh.cells]
    assert en.metadata == zh.metadata


def test_two_builds_give_the_same_bytes(tiny: Path, built: dict[str, Path], tmp_path: Path) -> None:
    again = build_lessons.build(tiny, "en", tmp_path)
    assert again.read_bytes() == built["en"].read_bytes()


def test_nothing_of_the_moment_or_the_machine_is_stored(built: dict[str, Path]) -> None:
    notebook = read(built["zh"])
    assert set(notebook.metadata) == {"kernelspec", "language_info"}
    assert "version" not in notebook.metadata.language_info
    assert [cell.id for cell in notebook.cells][:2] == ["00_tiny-001", "00_tiny-002"]
    for cell in notebook.cells:
        assert set(cell.metadata) <= {"tags", "jp-MarkdownHeadingCollapsed"}
    text = built["zh"].read_text(encoding="utf-8")
    assert "widget-view" not in text
    assert "→" in text  # UTF-8, not escapes


def test_outputs_are_stored(built: dict[str, Path]) -> None:
    notebook = read(built["en"])
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == [1, 2, 3, 4, 5, 6]
    assert code[1].outputs[0].text == "en → ('B', 0.03252247488101533)\n"
    assert code[2].outputs[0].data == {"text/plain": "0.032266458495966696"}
    png = base64.b64decode(code[3].outputs[0].data["image/png"])
    assert b"IEND" in png
    assert b"tEXt" not in png
    assert code[5].outputs[0].data == {"text/html": "<p>0.03252247</p>", "text/plain": "Shown()"}


def test_a_solution_is_folded_under_a_heading_and_still_run(built: dict[str, Path]) -> None:
    heading, solution = (cell for cell in read(built["en"]).cells if cell.metadata)
    assert heading.source == "#### Solution"
    assert heading.metadata == {"tags": ["solution"], "jp-MarkdownHeadingCollapsed": True}
    assert solution.metadata == {"tags": ["solution"]}
    assert solution.outputs[0].data == {"text/plain": "'C'"}


def test_a_line_break_between_chinese_characters_leaves_no_gap() -> None:
    text = "先看名次，\n再看分数。\nRRF\n不读内容\n\n- 一\n- 二"
    assert build_lessons.without_gaps(text) == "先看名次，再看分数。\nRRF\n不读内容\n\n- 一\n- 二"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Hello\n\n", "cell 1 .*no language tag"),
        ('+++ {"tags": ["lang-en"]}\n\nHello\n\n', "ends without a cell for zh"),
        ('+++ {"tags": ["lang-zh"]}\n\n你好\n\n', "where lang-en is due"),
        ('+++ {"tags": ["lang-en"]}\n\nHello\n\n' + CODE % "1", "cell 2 .*where lang-zh is due"),
        (PAIR + '+++ {"tags": ["lang-en", "lang-zh"]}\n\nBoth\n\n', "cell 3 .*lang-en is due"),
        (PAIR + '+++ {"tags": ["lang-fr"]}\n\nBonjour\n\n', "unknown tag 'lang-fr'"),
        (PAIR + CODE % ":tags: [nbval-skip]\n\n1", "unknown tag 'nbval-skip'"),
        (PAIR + CODE % ":tags: [lang-en]\n\n1", "code cells have no language"),
        (PAIR + CODE % "", "cell 3 .*is empty"),
        (CODE % ":tags: [solution]\n\n1" + PAIR, "cell 2 .*begins with a heading"),
    ],
)
def test_a_source_against_the_rules_is_refused(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(LessonError, match=said):
        build_lessons.read_lesson(lesson(tmp_path, text))


def test_a_failing_cell_is_named(tmp_path: Path) -> None:
    path = lesson(tmp_path, PAIR + CODE % "1" + CODE % "1 / 0" + CODE % "2")
    with pytest.raises(LessonError, match=r"07_made_up \(en\), cell 4 \(1 / 0\) failed") as caught:
        build_lessons.build(path, "en", tmp_path)
    assert "ZeroDivisionError" in str(caught.value)
    assert "\x1b" not in str(caught.value)
    assert not (tmp_path / "07_made_up.ipynb").exists()


def output(kind: str, **values: Any) -> Any:
    return nbformat.v4.new_output(kind, **values)


@pytest.mark.parametrize(
    ("stored", "said"),
    [
        (output("stream", name="stderr", text="Warning: old"), "wrote to stderr"),
        (output("error", ename="E", evalue="e", traceback=[]), "an error as output"),
        (
            output("display_data", data={"text/plain": "<Thing at 0x7f0c11aa22b0>"}),
            "address in memory",
        ),
        (output("display_data", data={build_lessons.WIDGET_VIEW: {}}), "without a form as text"),
    ],
)
def test_an_output_that_the_next_build_would_not_repeat_is_refused(stored: Any, said: str) -> None:
    with pytest.raises(LessonError, match=f"here: .*{said}"):
        build_lessons._settled(stored, "here")


def test_check_tells_every_difference(
    tiny: Path, built: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notebooks = tmp_path / "notebooks"
    arguments = ["--check", "--lessons", str(tiny.parent), "--notebooks", str(notebooks)]
    for lang, path in built.items():
        (notebooks / lang).mkdir(parents=True)
        (notebooks / lang / path.name).write_bytes(path.read_bytes())
    assert build_lessons.main(arguments) == 0

    notebook = read(built["zh"])
    notebook.cells[0].source += "。"
    notebook.cells[2].id = "other"
    (notebooks / "zh" / "00_tiny.ipynb").write_bytes(build_lessons.as_bytes(notebook))
    (notebooks / "en" / "00_tiny.ipynb").unlink()
    (notebooks / "en" / "09_old.ipynb").write_bytes(build_lessons.as_bytes(notebook))
    capsys.readouterr()
    assert build_lessons.main(arguments) == 1
    said = capsys.readouterr().err
    assert "00_tiny (en): not built." in said
    assert "00_tiny (zh), cell 1 (# 小小一课): source differs." in said
    assert "00_tiny (zh), cell 3 (from rankwalk import rrf): id differs." in said
    assert "09_old.ipynb: no lesson builds it." in said


def test_the_command_works_whatever_the_locale(tmp_path: Path) -> None:
    lesson(tmp_path, PAIR + CODE % "print('→ 名次')")
    tool = Path(build_lessons.__file__)
    done = subprocess.run(
        [sys.executable, tool, "07_made_up", "--lang", "zh"]
        + ["--lessons", tmp_path, "--notebooks", tmp_path / "笔记 本"],
        env={**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
    notebook = read(tmp_path / "笔记 本" / "zh" / "07_made_up.ipynb")
    assert notebook.cells[0].source == "你好"
    assert notebook.cells[2].outputs[0].text == "→ 名次\n"
    assert not (tmp_path / "笔记 本" / "en").exists()


def test_an_unknown_lesson_is_refused(tiny: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        build_lessons.main(["08_nothing", "--lessons", str(tiny.parent)])
    assert "There are: 00_tiny" in capsys.readouterr().err
