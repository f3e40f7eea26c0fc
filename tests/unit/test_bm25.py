from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankwalk.bm25 import K1, B, bm25


def test_by_hand():
    scores = bm25("red", {"a": "red red blue", "b": "red", "c": "green"})
    idf = log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    mean = 5 / 3
    for id, count, length in (("a", 2, 3), ("b", 1, 1)):
        expected = idf * count * (K1 + 1) / (count + K1 * (1 - B + B * length / mean))
        assert scores[id] == pytest.approx(expected, rel=1e-12)
    assert "c" not in scores


def test_a_rare_word_counts_more_and_nothing_to_search_is_no_error():
    scores = bm25("rare often", {"a": "rare", "b": "often", "c": "often"})
    assert scores["a"] > scores["b"] == scores["c"]
    assert bm25("x", {}) == {}
    assert bm25("", {"a": "x"}) == {}
    assert bm25("x", {"a": ""}) == {}


@given(st.text("abc ", max_size=12), st.dictionaries(st.text("xyz", min_size=1), st.text("abc ")))
def test_only_texts_with_a_term_of_the_question_and_all_above_0(query, texts):
    scores = bm25(query, texts)
    asked = set(query.split())
    assert set(scores) == {id for id, text in texts.items() if asked & set(text.split())}
    assert all(score > 0 for score in scores.values())
