from __future__ import annotations

import copy
import pickle
from dataclasses import replace
from datetime import date, datetime
from typing import Any

import numpy as np
import pytest

from rankwalk.messages import Refused, languages
from rankwalk.scenarios import (
    LONGEST_LIST,
    SCENARIOS,
    Condition,
    Passage,
    Scenario,
    SecondSearch,
    built_in,
)
from rankwalk.settings import Settings
from rankwalk.walk import walk


def test_f29_is_as_the_mission_fixed_it() -> None:
    f29 = built_in("f29")
    assert f29.keyword == ("A", "B", "C")
    assert f29.semantic == ("B", "C", "A")
    assert [condition.id for condition in f29.conditions] == ["limit", "approval"]
    assert f29.second_search is None


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_language_has_the_same_facts_in_other_words(name: str) -> None:
    english = built_in(name)
    assert english.name == name
    for lang in languages()[1:]:
        other = built_in(name, lang)
        assert other.question != english.question or not english.question
        for field in ("keyword", "semantic", "keyword_scores", "semantic_scores", "day"):
            assert getattr(other, field) == getattr(english, field)
        assert [c.id for c in other.conditions] == [c.id for c in english.conditions]
        assert len(other.known) == len(english.known)
        for here, there in zip(english.known, other.known, strict=True):
            assert here.label != there.label
            assert here.text != there.text
            assert (
                replace(
                    there,
                    label=here.label,
                    text=here.text,
                    source=here.source,
                    version=here.version,
                )
                == here
            )


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_passage_of_a_built_in_scenario_is_told(name: str) -> None:
    scenario = built_in(name)
    if not scenario.conditions:
        return
    for id in scenario.candidates:
        passage = scenario.passage(id)
        assert passage.label
        assert passage.text
        assert passage.source
        assert passage.rerank_score is not None


def test_there_are_as_many_unrelated_passages_as_noise_can_put_in() -> None:
    from rankwalk.settings import MOST_NOISE

    assert len(built_in("f29").unrelated) >= MOST_NOISE


def test_an_id_without_an_entry_is_known_by_its_id_only() -> None:
    assert Scenario(("P",), ()).passage("P") == Passage("P")
    assert built_in("second_search").passage("S").supports == ("collects",)
    assert built_in("f29").passage("X1").label


def test_repeats_and_order_of_candidates() -> None:
    scenario = Scenario(("B", "B", "A"), ("C", "A"))
    assert scenario.keyword == ("B", "A")
    assert scenario.candidates == ("B", "A", "C")


@pytest.mark.parametrize("name", ["f30", "", 29, None, ["f29"], {"a": 1}])
def test_an_unknown_scenario_is_refused(name: Any) -> None:
    with pytest.raises(Refused, match="f29, second_search, no_answer, flip") as caught:
        built_in(name)
    assert caught.value.field == "scenario"
    assert "自己写的" in caught.value.in_language("zh")


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(Refused, match="'fr'"):
        built_in("f29", "fr")


CONDITION = Condition("c", "C")


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"keyword": "AB"}, "keyword"),
        ({"keyword": [f"p{n}" for n in range(LONGEST_LIST + 1)]}, "keyword"),
        ({"semantic": ["A", 4]}, "semantic"),
        ({"keyword_scores": (1.0,)}, "keyword"),
        ({"semantic_scores": (1.0, 2.0, 3.0)}, "semantic"),
        ({"conditions": (CONDITION, CONDITION)}, "conditions"),
        ({"passages": (Passage("A"), Passage("A"))}, "passages"),
        ({"passages": (Passage("A"),), "unrelated": (Passage("A"),)}, "passages"),
        (
            {"passages": (Passage("A"),), "second_search": SecondSearch("q", (Passage("A"),))},
            "passages",
        ),
        ({"passages": (Passage("A", supports=("d",)),), "conditions": (CONDITION,)}, "passages"),
        ({"passages": (Passage("A", supports=("c",)),)}, "passages"),
        ({"passages": (Passage(""),)}, "passages"),
    ],
)
def test_a_scenario_that_does_not_fit_together_is_refused(
    given: dict[str, Any], field: str
) -> None:
    with pytest.raises(Refused) as caught:
        Scenario(**{"keyword": ("A", "B"), "semantic": ("B", "A"), **given})
    assert caught.value.field == field
    assert len({caught.value.in_language(lang) for lang in languages()}) == len(languages())


def test_a_scenario_of_ones_own_needs_two_lists_only() -> None:
    scenario = Scenario(keyword=("P",), semantic=())
    assert (scenario.name, scenario.question, scenario.day) == ("", "", None)
    assert Scenario(("P",), (), day=date(2026, 1, 1)).day == date(2026, 1, 1)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("conditions", None),
        ("conditions", ("limit",)),
        ("passages", ({"id": "a"},)),
        ("unrelated", "X1"),
        ("second_search", "a query"),
        ("question", 5),
        ("question", None),
        ("name", b"f29"),
        ("day", "tomorrow"),
        ("keyword_scores", None),
        ("keyword_scores", 3),
        ("keyword_scores", ("x",)),
        ("semantic_scores", (float("nan"),)),
    ],
)
def test_a_part_of_another_kind_is_refused_by_its_name(field, value):
    with pytest.raises(Refused) as refusal:
        Scenario(**{"keyword": ("a",), "semantic": ("a",), field: value})
    assert refusal.value.field == field
    assert field in str(refusal.value)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("valid_from", "soon"),
        ("valid_until", 2026),
        ("supports", "limit"),
        ("supports", None),
        ("rerank_score", float("nan")),
        ("rerank_score", "0.5"),
        ("label", 5),
        ("text", None),
        ("source", 3),
        ("version", 2026),
        ("text", "half a \ud83d"),
    ],
)
def test_a_passage_refuses_a_part_of_another_kind(field, value):
    with pytest.raises(Refused, match=field):
        Passage("a", **{field: value})


def test_parts_become_plain_ones_so_that_a_walk_can_compare_them():
    given = Scenario(
        keyword=["a"],
        semantic=["a"],
        conditions=[Condition("c", "C")],
        passages=[Passage("a", valid_from="2026-01-01", supports=["c"])],
        keyword_scores=np.array([1.5]),
        day=datetime(2026, 3, 16, 12),
    )
    assert given.day == date(2026, 3, 16)
    assert type(given.keyword_scores[0]) is float
    assert walk(given, Settings()).checked is not None
    assert copy.deepcopy(given) == pickle.loads(pickle.dumps(given)) == given
    assert hash(given) == hash(copy.copy(given))


def test_words_of_another_kind_are_refused_everywhere() -> None:
    with pytest.raises(Refused, match="label: found 5"):
        Condition("c", 5)  # type: ignore[arg-type]
    with pytest.raises(Refused, match="query: found 4"):
        SecondSearch(4, ())  # type: ignore[arg-type]


def test_a_condition_that_was_not_asked_for_is_refused_at_its_passage() -> None:
    with pytest.raises(Refused, match="passages, 'A' supports: the condition 'zz'"):
        Scenario(("A",), ("A",), passages=(Passage("A", supports=("zz",)),))
