"""Exercises: their words in every language, reading what people type, and feedback that says why."""

import contextlib
import string
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankwalk import Refused, check_answer, metrics, rrf
from rankwalk.exercise_keys import KEYS, Kind
from rankwalk.exercises import (
    LONGEST_TEXT,
    grade,
    lessons,
    question,
    questions,
    read_answer,
    read_number,
    shown_number,
    solution,
)
from rankwalk.messages import languages, lookup, say

EVERY = [
    pytest.param(one, id=f"{lang}-{lesson}-{one.id}")
    for lang in languages()
    for lesson in KEYS
    for one in questions(lesson, lang)
]
OWN_JUDGE = (Kind.SHORT_TEXT, Kind.CODE, Kind.SCENARIO)


def right_answer(one):
    if one.kind in (Kind.CHOICE, Kind.ORDER):
        return one.key.right
    return str(one.key.number) if one.kind is Kind.NUMBER else "my own words"


# --- what every lesson has


@pytest.mark.parametrize("lesson", lessons())
def test_each_lesson_has_the_four_on_ways_of_working_and_more(lesson):
    ids = [one.id for one in questions(lesson, "en")]
    assert {"safer-way", "failing-input", "three-inputs", "hand-over"} < set(ids)
    assert len(ids) == len(set(ids))


def test_every_kind_is_used():
    assert {key.kind for keys in KEYS.values() for key in keys()} == set(Kind)


@pytest.mark.parametrize("one", EVERY)
def test_the_words_are_complete(one):
    assert one.text
    assert one.point
    assert 1 <= one.place <= one.of
    assert one.version >= 1
    if one.kind in OWN_JUDGE:
        assert len(one.criteria) >= 3
        assert one.example
        assert all(isinstance(line, str) for line in one.criteria)
    if one.kind in (Kind.CHOICE, Kind.ORDER):
        assert len(one.options) >= 2
        assert len({option.label for option in one.options}) == len(one.options)
        assert set(one.key.right) <= {option.id for option in one.options}
        assert one.key.right
    if one.kind is Kind.ORDER:
        assert sorted(one.key.right) == sorted(one.key.options)
    if one.kind is Kind.CODE:
        assert one.starter
    assert solution(one)
    assert say(f"exercises.kind.{one.kind}", one.lang)


@pytest.mark.parametrize("one", EVERY)
def test_the_right_answer_holds_and_says_why(one):
    feedback = grade(one, right_answer(one))
    assert feedback.holds is (None if one.kind in OWN_JUDGE else True)
    assert feedback.headline
    assert bool(feedback.criteria) == (one.kind in OWN_JUDGE)
    assert bool(feedback.reasons) == (one.kind not in OWN_JUDGE)
    for reason in feedback.reasons:
        assert reason.text
        assert "{" not in reason.text


@pytest.mark.parametrize("lesson", lessons())
def test_both_languages_have_the_same_shape(lesson):
    """Same exercises, same options, as many criteria, the same computed values named."""

    def shape(entry):
        if isinstance(entry, dict):
            return {key: shape(value) for key, value in entry.items()}
        if isinstance(entry, list):
            return len(entry)
        return None

    def names(lang):
        keys = {key.id for key in KEYS[lesson]()}
        return {
            (id, part): {name for _, name, _, _ in string.Formatter().parse(text) if name}
            for id in keys
            for part in ("text", "why")
            if isinstance(text := lookup(f"exercises_{lesson}.{id}", lang).get(part), str)
        }

    ids = [key.id for key in KEYS[lesson]()]
    first, *others = languages()
    for other in others:
        for id in ids:
            topic = f"exercises_{lesson}.{id}"
            assert shape(lookup(topic, first)) == shape(lookup(topic, other)), topic
        assert names(first) == names(other)


def test_the_examples_of_code_run():
    """What is shown as an example answer is true; a learner's own code is never run."""
    for lesson in lessons():
        for lang in languages():
            code = question(lesson, "three-inputs", lang).example
            if "async def" in code:
                compile(code, lesson, "exec")
            else:
                exec(code, {})


# --- grading


def test_a_choice_says_of_each_option_why():
    one = question("05", "not-cited", "en")
    feedback = grade(one, ["supported"])
    assert not feedback.holds
    assert [r.mark for r in feedback.reasons] == [
        "chosen, but it does not hold",
        "not chosen, but it holds",
        "rightly left out",
        "rightly left out",
    ]
    assert len({r.text for r in feedback.reasons}) == 4


def test_several_right_options_are_needed_all():
    one = question("03", "what-moves", "en")
    assert one.several
    assert set(one.key.right) == {"precision", "recall", "ndcg"}
    assert not grade(one, ["precision"]).holds
    assert not grade(one, ["precision", "recall", "ndcg", "rr"]).holds
    assert grade(one, ["ndcg", "precision", "recall"]).holds


def test_an_order_says_which_places_differ():
    one = question("01", "fusion-order", "en")
    feedback = grade(one, ["B", "C", "A"])
    assert not feedback.holds
    assert [r.about for r in feedback.reasons] == ["Place 2:", "Place 3:", ""]
    assert "123/3782" in feedback.reasons[-1].text


def test_the_right_answers_are_what_rankwalk_computes():
    assert question("01", "first-score", "en").key.number == Fraction(123, 3782)
    assert question("01", "fusion-order", "en").key.right == tuple(
        id for id, _ in rrf([list("ABC"), list("BCA")])
    )
    assert question("02", "flip-point", "en").key.number == 2
    found = metrics(["d3", "d1", "d2"], {"d1": 1, "d2": 1}, k=2)["recall_at_k"]
    assert float(question("03", "recall-at-2", "en").key.number) == found
    check = check_answer({"a": ["d1", "d2", "d3"], "b": []}, {"a": ["d1"]})
    assert float(question("05", "link-ratio", "en").key.number) == check.citation_correctness


@pytest.mark.parametrize(
    ("typed", "holds"),
    [
        ("1/3", True),
        ("0.333", True),
        ("33.3%", True),
        ("１／３", True),
        ("０。３３３", True),
        ("0.34", False),
        ("33.3", False),
        ("-1/3", False),
        ("2/6", True),
    ],
)
def test_a_number_with_tolerance_and_fractions(typed, holds):
    feedback = grade(question("05", "link-ratio", "en"), typed)
    assert feedback.holds is holds
    assert typed in feedback.reasons[0].text
    percent = say("exercises.feedback.as_percent", "en")
    assert (percent in {r.text for r in feedback.reasons}) == (typed == "33.3")


def test_the_tolerance_is_exact_at_its_edge():
    one = question("01", "first-score", "en")
    edge = one.key.number + one.tolerance
    assert grade(one, f"{edge.numerator}/{edge.denominator}").holds
    beyond = edge + Fraction(1, 10**12)
    assert not grade(one, f"{beyond.numerator}/{beyond.denominator}").holds


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2/3", Fraction(2, 3)),
        (" 0.25 ", Fraction(1, 4)),
        (".5", Fraction(1, 2)),
        ("5.", Fraction(5)),
        ("+7", Fraction(7)),
        ("−1", Fraction(-1)),
        ("２／３", Fraction(2, 3)),
        ("６６．７％", Fraction(667, 1000)),
        ("٣", Fraction(3)),
        ("1.5/3", Fraction(1, 2)),
        ("50 %", Fraction(1, 2)),
    ],
)
def test_reading_numbers(text, value):
    assert read_number(text) == value


@pytest.mark.parametrize(
    "text", ["", "  ", "a", "1,5", "1e9", "nan", "inf", "1/2/3", "--1", "½", "1½", "1" * 61, "/2"]
)
def test_what_is_no_number_is_refused(text):
    with pytest.raises(Refused) as refusal:
        read_number(text)
    assert refusal.value.field == "answer"
    assert "1/4" in refusal.value.in_language("zh")


@pytest.mark.parametrize("text", ["1/0", "0/0", "1/0.0", "１／０"])
def test_division_by_zero_is_refused(text):
    with pytest.raises(Refused, match="zero"):
        read_number(text)


@given(st.text())
def test_any_text_is_read_or_refused(text):
    with contextlib.suppress(Refused):
        assert isinstance(read_number(text), Fraction)


@given(st.fractions(min_value=-1000, max_value=1000, max_denominator=10**6))
def test_a_fraction_typed_in_full_width_is_the_same(value):
    typed = f"{value.numerator}/{value.denominator}"
    wide = typed.translate({ord(c): ord(c) + 0xFEE0 for c in "0123456789/-"})
    assert read_number(typed) == read_number(wide) == value
    assert shown_number(value)


# --- what is no answer


@pytest.mark.parametrize(
    ("lesson", "id", "answer"),
    [
        ("05", "not-cited", []),
        ("05", "not-cited", ["nonsense"]),
        ("05", "not-cited", [7]),
        ("05", "not-cited", ["uncited", "wide"]),
        ("03", "what-moves", ["recall", "recall"]),
        ("01", "fusion-order", ["A", "B"]),
        ("01", "fusion-order", ["A", "B", "B"]),
        ("05", "hand-over", "   "),
        ("05", "hand-over", "x" * (LONGEST_TEXT + 1)),
        ("05", "hand-over", 7),
        ("05", "link-ratio", "three"),
    ],
)
def test_what_is_no_answer_is_refused_before_anything_is_graded(lesson, id, answer):
    with pytest.raises(Refused) as refusal:
        read_answer(question(lesson, id, "en"), answer)
    assert refusal.value.field == "answer"
    assert refusal.value.in_language("zh")


def test_unknown_lessons_ids_and_languages_are_refused():
    with pytest.raises(Refused, match="01, 02"):
        questions("1", "en")
    with pytest.raises(Refused, match="fusion-order"):
        question("01", "fusion", "en")
    with pytest.raises(Refused, match="en, zh"):
        questions("01", "xx")


def test_typed_text_comes_back_as_it_was_and_never_as_a_template():
    one = question("05", "link-ratio", "en")
    with pytest.raises(Refused) as refusal:
        grade(one, "{0}")
    assert "{0}" in str(refusal.value)
    text = "<img src=x onerror=alert(1)> {x} \u202eabc"
    assert read_answer(question("05", "hand-over", "en"), text) == text


@pytest.mark.parametrize("value", [1, 0.5, True, b"A", object(), {"A", "B", "C"}])
def test_an_order_that_is_no_list_is_refused(value):
    with pytest.raises(Refused) as refusal:
        read_answer(question("01", "fusion-order", "en"), value)
    assert refusal.value.field == "answer"


def test_a_lesson_that_cannot_be_looked_up_is_refused():
    with pytest.raises(Refused, match="lesson"):
        questions(["01"], "en")
