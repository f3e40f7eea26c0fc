"""The lessons' Markdown comes out as it is meant, in the rules that JupyterLab and GitHub share."""

from __future__ import annotations

import re

import build_lessons
import pytest
from markdown_it import MarkdownIt

LESSONS = build_lessons.sources(build_lessons.ROOT / "lessons")


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_no_sign_of_emphasis_is_left_over(path):
    """A bold that ends in a Chinese colon, right before a character, is none: ``**问：**答``."""
    render = MarkdownIt("commonmark").enable("table").render
    for cell in build_lessons.read_lesson(path).cells:
        if cell.cell_type == "markdown":
            html = re.sub(r"<(code|pre)\b.*?</\1>", "", render(cell.source), flags=re.DOTALL)
            left = re.findall(r".{0,20}\*\*.{0,20}", re.sub(r"\$[^$]*\$", "", html))
            assert not left, left
