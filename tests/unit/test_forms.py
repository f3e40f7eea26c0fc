from __future__ import annotations

from html import escape, unescape
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from walks import HOSTILE, scenarios, settings_for

from rankwalk import forms
from rankwalk.messages import languages
from rankwalk.scenarios import SCENARIOS, Passage, Scenario, built_in
from rankwalk.settings import Settings
from rankwalk.story import Story, tell
from rankwalk.walk import walk


def told(scenario: Scenario | str = "f29", lang: str = "en", **changes: Any) -> Story:
    made = built_in(scenario, lang) if isinstance(scenario, str) else scenario
    chosen = Settings(**changes)
    return tell(made, chosen, walk(made, chosen), lang)


ALLOWED = {"div", "p", "b", "i", "br", "bdi", "small", "table", "thead", "tbody", "tr", "th", "td"}


class Page(HTMLParser):
    """Notes the elements of a piece of HTML, checks that they close, and gathers its text."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[str] = []
        self.text = ""
        self.rows: list[list[str]] = []
        self.feed(html)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ALLOWED, tag
        assert [name for name, _ in attrs] == (["lang"] if tag == "div" else []), attrs
        self.tags.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data
        if self.open and {"td", "th"} & set(self.open):
            self.rows[-1][-1] += data


def test_the_text_of_f29() -> None:
    lines = forms.text(told(), 2).split("\n")
    assert lines[:3] == [
        "How much may a hotel cost a night, and who approves more?",
        "2 / 5 · Add by rank, not by score",
        "Fused order: B, A, C.",
    ]
    for number, step in enumerate(told().steps, start=1):
        line = lines[number - 7]
        assert line.startswith(str(number))
        assert step.title in line
        assert line.endswith(step.upshot)
    assert lines[-1].startswith("Input and scope")


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("name", SCENARIOS)
@pytest.mark.parametrize("step", range(1, 6))
def test_both_forms_have_the_step_and_all_steps(name: str, lang: str, step: int) -> None:
    story = told(name, lang)
    page = Page(forms.html(story, step))
    text = forms.text(story, step)
    shown = story.steps[step - 1]
    for part in (f"{step} / 5 · {shown.title}", shown.upshot, *shown.sentences, story.scope):
        assert part in text
        assert part in page.text
    for each in story.steps:
        assert each.upshot in text
        assert each.upshot in page.text
    assert f'lang="{lang}"' in forms.html(story, step)


def test_the_table_follows_each_passage() -> None:
    story = told()
    rows = Page(forms.html(story, 1)).rows
    head = rows[0]
    columns = (story.keyword, story.semantic, story.fused, story.reranked, story.checked)
    assert head == ["Passage", *(column.title for column in columns)]
    by_passage = {row[0][0]: row for row in rows[1:4]}
    assert list(by_passage) == ["B", "A", "C"]
    b, _, c = by_passage.values()
    assert b[1:3] == ["rank 2 · score 9.1", "rank 1 · cosine 0.91"]
    assert b[3] == "1. 1/62 + 1/61 = 123/3782 ≈ 0.03252"
    assert c[4] == "1. score 0.93 (up 2)"
    assert "superseded 2025-12-31" in c[5]
    assert "(out)" in c[5]
    assert all(len(row) == len(head) for row in rows[:4])


@pytest.mark.parametrize("step", range(1, 6))
def test_a_still_tells_its_step_and_gives_no_later_one_away(step: int) -> None:
    story = told()
    still = forms.Still(story, step)
    page = Page(still._repr_html_())
    for shown in (repr(still), page.text):
        assert story.steps[step - 1].upshot in shown
        assert all(each.upshot not in shown for each in story.steps[step:])
    columns = (story.keyword, story.semantic, story.fused, story.reranked, story.checked)
    assert page.rows[0] == ["Passage", *(column.title for column in columns[: step + 1])]
    ids = [row[0][0] for row in page.rows[1:]]
    assert ids == (["A", "B", "C"] if step == 1 else ["B", "A", "C"])


def test_the_same_object_gives_the_same_forms() -> None:
    assert forms.html(told(noise=3), 3) == forms.html(told(noise=3), 3)
    assert forms.text(told(noise=3), 3) == forms.text(told(noise=3), 3)


def test_empty_lists_have_forms() -> None:
    story = told(Scenario((), ()))
    for step in range(1, 6):
        Page(forms.html(story, step))
        assert "nothing to put in order" in forms.text(story, 2)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_ids_and_texts_are_text(hostile: str) -> None:
    scenario = Scenario(
        (hostile, "P"),
        ("P", hostile),
        question=hostile,
        passages=(Passage("P", label=hostile, source=hostile, version=hostile),),
    )
    story = told(scenario)
    for step in range(1, 6):
        html = forms.html(story, step)
        page = Page(html)  # no other element came to be
        assert hostile in page.text
        assert escape(hostile) in html
        assert hostile in unescape(html)
    assert any(hostile in row[0] for row in Page(forms.html(story, 1)).rows)


@given(data=st.data(), scenario=scenarios(), lang=st.sampled_from(languages()))
@settings(max_examples=80)
def test_the_forms_of_any_walk(data: st.DataObject, scenario: Scenario, lang: str) -> None:
    chosen = data.draw(settings_for(scenario))
    story = tell(scenario, chosen, walk(scenario, chosen), lang)
    step = data.draw(st.integers(1, 5))
    page = Page(forms.html(story, step))
    candidates = len(story.fused.cards)
    assert len(page.rows) == 1 + len(story.table.rows) + 1 + 5
    assert len(story.table.rows) >= candidates
    assert story.steps[step - 1].title in forms.text(story, step)
