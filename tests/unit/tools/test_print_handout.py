"""The pages for paper: whole in themselves, with and without solutions, numbers computed."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import nbformat
import pytest

import print_handout
from rankwalk.messages import languages

PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJg"
    "gg=="
)


def lesson():
    code, markdown = nbformat.v4.new_code_cell, nbformat.v4.new_markdown_cell
    shown = code("plot()")
    shown.outputs = [
        nbformat.v4.new_output("display_data", {"image/png": PIXEL, "text/plain": "<Figure>"}),
        nbformat.v4.new_output("stream", name="stdout", text="0.0325 <b>\n"),
    ]
    widget = code('Exercise("05", "link-ratio", lang=LANG)')
    widget.outputs = [
        nbformat.v4.new_output(
            "display_data", {"text/html": "<p>the question</p>", "text/plain": "Exercise(…)"}
        )
    ]
    hidden = code("secret = 1", metadata={"tags": ["solution"]})
    return nbformat.v4.new_notebook(
        cells=[
            markdown(
                "# Evidence & answers\n\nIt costs $5 and $6. The term is $\\frac{1}{60 + r}$."
            ),
            code('LANG = "en"'),
            shown,
            widget,
            hidden,
            markdown("<details><summary>Answer</summary>\n\n*folded*\n\n</details>"),
        ]
    )


class Checker(HTMLParser):
    """Notes every address that the page would load, and every element left open."""

    VOID = frozenset(["meta", "br", "img", "link", "input", "hr", "col"])

    def __init__(self):
        super().__init__()
        self.loads, self.open = [], []

    def handle_starttag(self, tag, attributes):
        if tag not in self.VOID:
            self.open.append(tag)
        self.loads += [v for k, v in attributes if k in ("src", "srcset", "data", "poster")]
        self.loads += [v for k, v in attributes if k == "href" and tag == "link"]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def checked(html):
    checker = Checker()
    checker.feed(html)
    assert checker.open == []
    assert all(address.startswith("data:") for address in checker.loads)
    assert "url(" not in html
    assert "@import" not in html
    assert "<script" not in html
    return html


def test_a_page_for_learners_has_no_solutions():
    html = checked(print_handout.lesson_page(lesson(), "05", "en", solved=False))
    assert "Evidence &amp; answers (for learners)" in html
    assert "secret" not in html
    assert "folded" not in html
    assert "the question" in html
    assert "Exercise(" not in html  # its code is in the way on paper
    assert "LANG" not in html
    assert "0.0325 &lt;b&gt;" in html


def test_a_page_with_solutions_has_them_all():
    html = checked(print_handout.lesson_page(lesson(), "05", "en", solved=True))
    assert "secret = 1" in html
    assert "folded" in html
    assert "<details>" not in html
    assert "1/3 ≈ 0.333333" in html
    assert html.count('<section class="solution">') == 9  # one hidden cell, eight exercises


def test_formulas_are_pictures_with_their_source_as_text_and_money_is_none():
    html = print_handout.lesson_page(lesson(), "05", "en", solved=False)
    assert html.count('class="formula') == 1
    assert "It costs $5 and $6." in html
    assert r'alt="\frac{1}{60 + r}"' in html


@pytest.mark.parametrize("lang", languages())
def test_the_worksheet_is_empty_or_filled_with_what_the_walk_computes(lang):
    empty = checked(print_handout.worksheet(lang, solved=False))
    assert "123/3782" not in empty
    assert "1/61" not in empty
    filled = checked(print_handout.worksheet(lang, solved=True))
    for fraction in ("123/3782", "124/3843", "125/3906"):
        assert fraction in filled
    assert empty.count("<h2>") == filled.count("<h2>") == 6  # the givens and five steps


def test_no_colour_carries_a_meaning():
    """Every colour is a grey: the same in red, green and blue."""
    css = print_handout.STYLE.read_text(encoding="utf-8")
    colours = re.findall(r"#([0-9a-f]{3,6})\b", css)
    assert colours
    for colour in colours:
        step = len(colour) // 3
        assert len({colour[i : i + step] for i in range(0, len(colour), step)}) == 1, colour


def test_the_command_writes_every_page_and_lists_it(tmp_path, capsys):
    for lang in languages():
        folder = tmp_path / "notebooks" / lang
        folder.mkdir(parents=True)
        (folder / "05_evidence.ipynb").write_text(nbformat.writes(lesson()), encoding="utf-8")
    arguments = ["--notebooks", str(tmp_path / "notebooks"), "--target", str(tmp_path / "out")]
    assert print_handout.main(arguments) == 0
    index = checked((tmp_path / "out" / "index.html").read_text(encoding="utf-8"))
    links = re.findall(r'href="([^"]+)"', index)
    assert len(links) == 4 * len(languages())
    for link in links:
        assert (tmp_path / "out" / Path(link)).is_file()
    assert "9 pages" in capsys.readouterr().out
