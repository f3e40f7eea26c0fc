from __future__ import annotations

import re
from dataclasses import asdict, replace
from datetime import date
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from walks import scenarios, settings_for

from rankwalk.messages import languages
from rankwalk.scenarios import SCENARIOS, Condition, Passage, Scenario, built_in
from rankwalk.settings import Settings
from rankwalk.story import (
    ROWS_TOLD,
    Column,
    Story,
    badges,
    exactly,
    number,
    rounded,
    short,
    tell,
)
from rankwalk.walk import walk


def told(name: str | Scenario = "f29", lang: str = "en", **changes: Any) -> Story:
    scenario = built_in(name, lang) if isinstance(name, str) else name
    chosen = Settings(**changes)
    return tell(scenario, chosen, walk(scenario, chosen), lang)


def words(story: Story, step: int) -> str:
    shown = story.steps[step - 1]
    return "\n".join((shown.title, shown.upshot, *shown.sentences))


def test_f29_is_told_in_five_steps() -> None:
    story = told()
    assert [step.upshot for step in story.steps] == [
        "Keyword search returns A, B, C; semantic search returns B, C, A.",
        "Fused order: B, A, C.",
        "Order after this step: C, B, A.",
        "Usable: B, A.",
        "Enough to answer, from B, A.",
    ]
    assert story.guide == "What lies between “relevant” and “enough to answer”?"
    assert story.question == "How much may a hotel cost a night, and who approves more?"
    assert story.enough is True


def test_the_scores_of_f29_are_told_exactly() -> None:
    said = words(told(), 2)
    for part in ("1/62 + 1/61 = 123/3782 ≈ 0.03252", "124/3843", "125/3906", "2/61", "99.2 %"):
        assert part in said
    assert "no RRF k changes the order" in said
    zh = words(told(lang="zh"), 2)
    for part in ("123/3782", "124/3843", "125/3906", "2/61", "99.2"):
        assert part in zh


def test_the_scope_names_what_is_given_and_only_that() -> None:
    f29 = told().scope
    assert f29.startswith("Input and scope")
    for part in ("two lists", "raw scores", "reranker's scores", "versions", "supports which"):
        assert part in f29
    assert "second search" not in f29
    assert "second search" in told("second_search").scope
    own = told(Scenario(("P",), ("Q",))).scope
    assert "two lists" in own
    for part in ("raw scores", "reranker", "versions"):
        assert part not in own


def test_a_flip_is_told_with_its_k_and_both_sides() -> None:
    assert "at 2 (A leads below, B above)" in words(told("flip"), 2)
    assert "k = 1" in told("flip", k=1).fused.title


def test_ties_are_told_and_marked() -> None:
    story = told("flip", k=2)
    assert "A and B have exactly equal scores" in words(story, 2)
    assert [card.sign for card in story.fused.cards] == ["", "tied", "tied", ""]


def test_what_own_lists_lack_is_told_and_nothing_made_up() -> None:
    story = told(Scenario(("P", "Q"), ("R",)))
    assert "rerank score for P, R, Q" in words(story, 3)
    for step in (4, 5):
        assert "the conditions that the question sets" in words(story, step)
        assert "Nothing is made up" in words(story, step)
    assert story.checked.cards == story.sockets == ()
    assert story.enough is None


def test_a_search_that_is_blind_to_a_passage_is_named() -> None:
    said = words(told(Scenario(("P", "Q"), ("R", "P"))), 1)
    assert "Only keyword search finds Q" in said
    assert "Only semantic search finds R" in said


def test_scores_of_an_order_that_was_changed_are_not_shown() -> None:
    story = told(keyword=("B", "A", "C"))
    assert [card.note for card in story.keyword.cards] == ["rank 1", "rank 2", "rank 3"]
    said = words(story, 1)
    assert "No raw scores are shown where the order is not the one" in said
    assert "Semantic search still has its raw scores: 0.91, 0.88, 0.73." in said
    assert "12.4" not in said


def test_to_stop_without_an_answer_is_told_as_a_right_end() -> None:
    story = told("no_answer")
    assert story.enough is False
    assert "no answer" in story.verdict
    assert "right end" in words(story, 5)
    assert "right end" not in words(told(), 5)


def test_the_budget_line_is_drawn_from_step_3_on() -> None:
    after = told()
    assert (after.reranked.line_after, after.checked.line_after) == (2, 2)
    assert after.reranked.line_words == "budget: 2 passages"
    before = told(check="before", budget=1)
    assert (before.reranked.line_after, before.checked.line_after) == (None, 2)
    assert before.checked.line_words == "budget: 1 passage"


def test_the_lens_says_its_scale() -> None:
    lens = told().lens
    assert lens is not None
    assert [id for id, _ in lens.dots] == ["B", "A", "C"]
    assert (lens.dots[0][1], lens.dots[2][1]) == (1.0, 0.0)
    assert (lens.low, lens.high) == ("0.03200", "0.03252")
    times = Fraction(2, 61) / (Fraction(123, 3782) - Fraction(125, 3906))
    assert f"{float(times):.3g}" in lens.words
    assert told(Scenario(("P",), ("P",))).lens is None
    assert told(Scenario((), ())).lens is None


def test_a_long_list_is_drawn_whole_and_told_in_part() -> None:
    ids = tuple(f"p{n:02}" for n in range(50))
    story = told(Scenario(ids, ids[::-1]))
    assert len(story.fused.cards) == 50
    assert f"The table of all passages has {50 - ROWS_TOLD} more." in words(story, 2)
    assert len(story.table.rows) == 50
    assert all(len(words(story, step)) < 3000 for step in range(1, 6))


def test_a_letter_stands_for_each_passage_throughout() -> None:
    assert badges(["A", "B1"]) == {"A": "A", "B1": "B1"}
    assert badges(["A", "long"]) == {"A": "1", "long": "2"}
    assert [id for id, _ in told("second_search").badges] == ["P", "R", "Q", "S"]
    assert [id for id, _ in told(noise=2).badges] == ["A", "B", "C", "X1", "X2"]


def test_an_id_in_a_sentence_is_cut_and_kept_apart() -> None:
    assert short("A") == "A"
    assert short("x" * 200) == "\u2068" + "x" * 27 + "…\u2069"
    assert short("مرحبا") == "\u2068مرحبا\u2069"


@pytest.mark.parametrize(("k", "shown"), [(60.0, "60"), (123.45, "123.45"), (999.96, "999.96")])
def test_the_k_is_shown_as_it_was_typed(k: float, shown: str) -> None:
    story = told(k=k)
    assert story.fused.title.endswith(f"k = {shown}")
    assert f"1/({shown} + rank)" in words(story, 2)


def test_a_source_without_a_version_is_named_alone() -> None:
    own = Scenario(
        ("P",),
        ("P",),
        conditions=(Condition("c", "a condition"),),
        passages=(Passage("P", source="Rules", valid_from=date(2026, 1, 1), supports=("c",)),),
        day=date(2026, 3, 16),
    )
    assert "P (Rules) is in force" in words(told(own), 4)
    assert "P（Rules）" in words(told(own, "zh"), 4)


def test_two_empty_lists_are_not_called_the_same_order() -> None:
    said = words(told(removed=("A", "B", "C")), 1)
    assert "same order" not in said
    assert "order is not the one" not in said


@pytest.mark.parametrize(
    ("value", "text"),
    [(Fraction(123, 3782), "0.03252"), (0, "0.00000"), (Fraction(1, 10**7), "1e-07")],
)
def test_rounding_keeps_digits_that_count(value: Fraction, text: str) -> None:
    assert rounded(value) == text


def test_numbers_as_one_writes_them() -> None:
    assert [number(k) for k in (60, 2.5, Fraction(11, 3), 1000)] == ["60", "2.5", "3.667", "1000"]
    assert [exactly(Fraction(2)), exactly(Fraction(1, 61))] == ["2", "1/61"]


# ---- for all walks ----------------------------------------------------------------------------------

NUMBER = re.compile(r"\d+(?:[./-]\d+)*")


def columns(story: Story) -> list[tuple[int, Column]]:
    """Every column with the step whose words have to say what it shows."""
    shown = [
        (1, story.keyword),
        (1, story.semantic),
        (2, story.fused),
        (3, story.reranked),
        (4, story.checked),
    ]
    return [*shown, *([(5, story.found)] if story.found else [])]


SAID_OTHERWISE = {"out", "ok", "same", "removed"}
"""Signs that a sentence says in its own words."""


def assert_the_table_says_what_the_cards_show(story: Story) -> None:
    """Also of a list too long to be told in sentences, and no step gives a later one away."""
    rows = dict(story.table.rows)
    assert len(rows) == len(story.table.rows)
    assert len({letter for _, letter in story.badges}) == len(story.badges)
    assert story.table.head[1:] == tuple(column.title for _, column in columns(story))
    for place, (step, column) in enumerate(columns(story), start=1):
        for card in (*column.cards, *column.removed):
            name, cell = rows[card.id][0], rows[card.id][place]
            assert card.id in name
            assert card.title in name + cell
            assert card.note in cell
            assert card.sign_words in cell
        numbers = [NUMBER.findall(rows[card.id][place])[0] for card in column.cards]
        assert numbers == [str(number) for number in range(1, len(numbers) + 1)]
        order = [id for id, _ in story.badges]
        for earlier in range(1, 6):
            until = story.table.until(earlier, order)
            assert (column.title in until.head[place:]) == (step <= earlier)
            if step <= earlier:
                assert {card.id for card in column.cards} <= {id for id, _ in until.rows}
    first = [id for id, _ in story.table.until(1, order).rows]
    assert first == sorted(first, key=order.index)
    fused = [card.id for card in story.fused.cards]
    assert [id for id, _ in story.table.until(2, order).rows][: len(fused)] == fused


def assert_words_say_what_the_picture_shows(story: Story, own: Scenario) -> None:
    for step, column in columns(story):
        said = words(story, step)
        for card in (*column.cards[:ROWS_TOLD], *column.removed[:ROWS_TOLD]):
            assert short(card.id) in said, (step, card)
            if own.passage(card.id).label and step in (1, 5):
                assert own.passage(card.id).label in said, (step, card)
            if card.sign and card.sign not in SAID_OTHERWISE | {"tied", "added"}:
                assert card.sign_words in said, (step, card)
            if step in (2, 3):
                label = own.passage(card.id).label or card.id  # step 1 says it
                title = "" if card.title == label else card.title
                for each in NUMBER.findall(f"{title} {card.note}"):
                    assert each in said, (step, each)
        if step == 1:
            for card in column.cards[:ROWS_TOLD]:
                if "·" in card.note:  # a raw score stands behind it
                    assert NUMBER.findall(card.note)[-1] in said
        if column.line_words:
            assert NUMBER.findall(column.line_words)[0] in said
    for socket in story.sockets:
        assert socket.label in words(story, 5)
        assert all(short(id) in words(story, 5) for id in socket.met_by)
    if story.lens:
        assert story.lens.words in words(story, 2)
    if story.enough is not None:
        assert story.verdict == story.steps[4].upshot
    shown = [card.id for card in story.fused.cards]
    assert [id for id, _ in story.reasons] == shown
    assert set(shown) <= {id for id, _ in story.badges}


@given(data=st.data(), scenario=scenarios(), lang=st.sampled_from(languages()))
@settings(max_examples=100)
def test_the_words_say_what_the_picture_shows(
    data: st.DataObject, scenario: Scenario, lang: str
) -> None:
    if scenario.name:
        scenario = built_in(scenario.name, lang)
    # A long list is told in part, by design; here everything is told.
    chosen = replace(data.draw(settings_for(scenario)), noise=0)
    assume(len(scenario.candidates) <= ROWS_TOLD)
    assert_words_say_what_the_picture_shows(
        tell(scenario, chosen, walk(scenario, chosen), lang), scenario
    )


@pytest.mark.parametrize("name", SCENARIOS)
@pytest.mark.parametrize("lang", languages())
def test_the_words_say_what_the_picture_shows_with_noise(name: str, lang: str) -> None:
    for changes in ({}, {"noise": 2, "swaps": 2, "seed": 5}, {"rerank": False, "check": "before"}):
        story = told(name, lang, **changes)
        assert_words_say_what_the_picture_shows(story, built_in(name, lang))


def numbers(value: Any) -> list[str]:
    """Return every number in a text or a nested structure of texts, sorted."""
    if isinstance(value, str):
        return sorted(NUMBER.findall(value))
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return sorted(found for each in value for found in numbers(each))
    return []


def cards(column: dict[str, Any] | None) -> list[dict[str, Any]]:
    return [*column["cards"], *column["removed"]] if column else []


@given(data=st.data(), name=st.sampled_from(sorted(SCENARIOS)))
@settings(max_examples=60)
def test_two_languages_show_the_same_numbers(data: st.DataObject, name: str) -> None:
    chosen = data.draw(settings_for(built_in(name)))
    shown = []
    for lang in ("en", "zh"):
        scenario = built_in(name, lang)
        story = asdict(tell(scenario, chosen, walk(scenario, chosen), lang))
        labels = {passage.label for passage in scenario.known}
        for column in ("keyword", "semantic", "reranked", "checked", "found"):
            for card in cards(story[column]):
                if card["title"] in labels:  # words, which may hold numbers of their own
                    card["title"] = ""
        shown.append(story)
    english, chinese = shown
    for part in ("keyword", "semantic", "fused", "reranked", "checked", "found", "lens", "sockets"):
        assert numbers(english[part]) == numbers(chinese[part])
    assert [id for id, _ in english["badges"]] == [id for id, _ in chinese["badges"]]
    assert english["enough"] == chinese["enough"]


@given(data=st.data(), scenario=scenarios(), lang=st.sampled_from(languages()))
@settings(max_examples=60)
def test_no_text_is_empty_and_no_template_is_left(
    data: st.DataObject, scenario: Scenario, lang: str
) -> None:
    chosen = data.draw(settings_for(scenario))
    story = tell(scenario, chosen, walk(scenario, chosen), lang)
    assert_the_table_says_what_the_cards_show(story)
    for step in story.steps:
        assert step.title
        assert step.upshot
        assert all(sentence.strip() for sentence in step.sentences)
    if "{" not in repr(scenario).replace("{}", ""):
        assert "{" not in repr(story.steps)
