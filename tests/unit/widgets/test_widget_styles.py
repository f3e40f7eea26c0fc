"""All widgets of a page share one style sheet space, so a widget's rules must reach itself only."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import tinycss2

import rankwalk.widgets

WIDGETS = Path(rankwalk.widgets.__file__).parent
SHEETS = sorted(WIDGETS.glob("*.css"))


def root_class(name: str) -> str:
    """Return the class that a widget's root element has beside ``rw-widget``."""
    code = (WIDGETS / f"{name}.js").read_text(encoding="utf-8")
    found = re.search(r'class: "rw-widget ([\w-]+)"|look: "([\w-]+)"', code)
    assert found, f"{name}.js names no class for its root"
    return found[1] or found[2]


def selectors(rules: list[Any]) -> Iterator[str]:
    for rule in rules:
        if rule.type == "qualified-rule":
            yield from split(tinycss2.serialize(rule.prelude))
        elif rule.type == "at-rule" and rule.content is not None:
            inner = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
            yield from selectors(inner)


def split(prelude: str) -> Iterator[str]:
    """Split at the commas that are in no brackets."""
    for part in re.split(r",(?![^(\[]*[)\]])", prelude):
        yield part.strip()


def test_every_widget_has_a_sheet_and_a_root_of_its_own() -> None:
    roots = [root_class(sheet.stem) for sheet in SHEETS]
    assert len(set(roots)) == len(roots) > 5


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.stem)
def test_each_rule_begins_at_the_widgets_root(sheet: Path) -> None:
    root = root_class(sheet.stem)
    text = sheet.read_text(encoding="utf-8")
    rules = tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True)
    own = re.compile(rf"(\.rw-widget)?\.{root}(?![\w-])")
    assert [selector for selector in selectors(rules) if not own.match(selector)] == []
