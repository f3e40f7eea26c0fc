"""The states of an answer, the stopping rule, and the 2 × 2 of abstaining."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankwalk import Action, AnswerState, Refused, abstentions, act, check_sufficiency, what_next
from rankwalk.abstain import ALLOWED
from rankwalk.messages import languages, say

ENOUGH = check_sufficiency(["limit"], {"limit": ["A"]})
PARTLY = check_sufficiency(["limit", "who"], {"limit": ["A"]})


def test_only_a_state_with_enough_evidence_may_answer():
    assert [state for state in AnswerState if Action.ANSWER in ALLOWED[state]] == ["enough"]


def test_every_state_has_a_way_on_and_every_unfinished_one_can_be_handed_over():
    for state in AnswerState:
        assert ALLOWED[state]
        assert state is AnswerState.HANDED_OVER or Action.HAND_OVER in ALLOWED[state]


def test_a_walk_that_ends_without_an_answer():
    state = AnswerState.SEARCHING
    for action in ("find_missing", "search_again", "find_missing", "abstain", "hand_over"):
        state = act(state, action)
    assert state is AnswerState.HANDED_OVER


def test_abstaining_from_enough_and_answering_from_too_little_are_refused():
    with pytest.raises(Refused, match="not allowed in the state missing"):
        act(AnswerState.MISSING, Action.ANSWER)
    with pytest.raises(Refused) as refusal:
        act(AnswerState.ENOUGH, "nonsense")
    assert "answer" in str(refusal.value)
    assert refusal.value.in_language("zh")


@pytest.mark.parametrize(
    ("found", "candidates", "searches", "action", "fetch"),
    [
        (ENOUGH, 3, 3, "answer", ()),
        (PARTLY, 1, 1, "next_candidate", ("who",)),
        (PARTLY, 0, 1, "search_again", ("who",)),
        (PARTLY, 0, 0, "abstain", ()),
    ],
)
def test_what_is_at_hand_comes_first_and_then_it_stops(found, candidates, searches, action, fetch):
    advice = what_next(found, candidates_left=candidates, searches_left=searches)
    assert (advice.action, advice.fetch) == (action, fetch)


@given(st.booleans(), st.integers(0, 3), st.integers(0, 3))
def test_advice_can_be_taken_and_looking_always_ends(enough, candidates, searches):
    for _ in range(candidates + searches + 1):
        advice = what_next(
            ENOUGH if enough else PARTLY, candidates_left=candidates, searches_left=searches
        )
        assert advice.action in ALLOWED[advice.state]
        if advice.action is Action.NEXT_CANDIDATE:
            candidates -= 1
        elif advice.action is Action.SEARCH_AGAIN:
            searches -= 1
        else:
            break
    assert advice.action is (Action.ANSWER if enough else Action.ABSTAIN)


@pytest.mark.parametrize("bad", [-1, 1.0, True, "1"])
def test_the_stopping_rule_takes_whole_numbers(bad):
    with pytest.raises(Refused):
        what_next(PARTLY, candidates_left=bad)
    with pytest.raises(Refused):
        what_next(PARTLY, searches_left=bad)


def test_the_four_cells():
    table = abstentions(
        {"q1": True, "q2": True, "q3": False, "q4": False, "q5": True},
        {"q1": True, "q2": False, "q3": True, "q4": False, "q5": True},
    )
    assert table.rightly_abstained == ("q1", "q5")
    assert table.wrongly_answered == ("q2",)
    assert table.wrongly_abstained == ("q3",)
    assert table.answered == ("q4",)
    assert (table.kept_back, table.abstained_rightly) == (2 / 3, 2 / 3)


def test_shares_of_nothing_are_none():
    table = abstentions({"q": False}, {"q": False})
    assert (table.kept_back, table.abstained_rightly) == (None, None)


@given(st.dictionaries(st.text(min_size=1), st.tuples(st.booleans(), st.booleans())))
def test_every_query_is_in_exactly_one_cell(queries):
    table = abstentions(
        {q: should for q, (should, _) in queries.items()},
        {q: did for q, (_, did) in queries.items()},
    )
    cells = (
        *table.rightly_abstained,
        *table.wrongly_answered,
        *table.wrongly_abstained,
        *table.answered,
    )
    assert sorted(cells) == sorted(queries)


@pytest.mark.parametrize(
    ("should", "did"),
    [({"q": 1}, {"q": True}), ({"q": True}, {}), ({}, {"q": True}), (["q"], {}), ({3: True}, {})],
)
def test_bad_tables_are_refused(should, did):
    with pytest.raises(Refused) as refusal:
        abstentions(should, did)
    assert refusal.value.in_language("zh")


@pytest.mark.parametrize("lang", languages())
def test_every_state_action_and_cell_has_words(lang):
    for state in AnswerState:
        assert say(f"evidence.state.{state}", lang, missing="x")
    for action in Action:
        assert say(f"evidence.action.{action}", lang)
    for cell in ("rightly_abstained", "wrongly_answered", "wrongly_abstained", "answered"):
        assert say(f"evidence.abstention.{cell}", lang)
