"""Ranking and answer of one case: what each change moves, and what it leaves."""

from __future__ import annotations

from datetime import date
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankwalk import EvidenceMatrix, Refused
from rankwalk.lessons.answer_desk import CASES, CLAIMS, EDITIONS, SOURCES, Desk, examine
from rankwalk.messages import languages, lookup, say
from rankwalk.widgets.base import SettingError

LINKS = st.lists(st.tuples(st.sampled_from(CLAIMS), st.sampled_from(SOURCES)), max_size=12)


def test_the_case_worked_by_hand():
    found = examine(CASES["base"])
    answer = found.answer
    assert (answer.supported_claims, answer.claims) == (2, 3)
    assert (answer.correct_links, answer.links) == (2, 3)
    at2, at3 = found.ranking[2], found.ranking[3]
    assert (at2["recall_at_k"], at2["reciprocal_rank_at_k"]) == (0.5, 0.5)
    assert round(at2["ndcg_at_k"], 3) == 0.387
    assert (at3["recall_at_k"], at3["reciprocal_rank_at_k"]) == (1.0, 0.5)
    assert round(at3["ndcg_at_k"], 3) == 0.693


def test_beside_it_stands_a_case_with_different_ratios():
    answer = examine(CASES["not_cited"]).answer
    assert answer.faithfulness != answer.citation_correctness


def test_each_case_shows_what_its_row_says():
    found = {name: examine(desk) for name, desk in CASES.items()}
    last = max(found["late"].ranking)
    assert found["late"].ranking[last]["recall_at_k"] == 1
    assert found["late"].ranking[last]["reciprocal_rank_at_k"] < 0.5
    assert found["over_claim"].ranking[2]["recall_at_k"] == 1
    assert "over_wide" in {c.verdict for c in found["over_claim"].answer.claim_checks}
    many = found["many_links"].answer
    assert many.citation_coverage == 1
    assert many.citation_correctness < 0.25
    reports = found["two_reports"].ranking
    assert reports[2]["recall_at_k"] != reports[3]["recall_at_k"]
    outdated = found["outdated"].answer
    assert outdated.faithfulness == outdated.citation_correctness == outdated.citation_coverage == 1
    assert outdated.claims_in_force == 0
    assert "uncited" in {c.verdict for c in found["not_cited"].answer.claim_checks}
    assert found["unknown"].answer.unknown_sources == ("d9",)


@given(LINKS, st.lists(st.sampled_from(CLAIMS)), st.dates())
def test_no_order_of_passages_ever_changes_the_answer(links, claims, day):
    desks = [Desk(order, claims, links, day) for order in permutations(EDITIONS)]
    answers = [examine(desk).answer for desk in desks]
    assert all(answer == answers[0] for answer in answers)


@given(LINKS, st.lists(st.sampled_from(CLAIMS)), st.permutations(list(EDITIONS)))
def test_no_answer_ever_changes_the_ranking(links, claims, order):
    assert examine(Desk(order, claims, links)).ranking == examine(Desk(order, (), ())).ranking


def test_the_same_passages_another_day_another_verdict():
    desk = CASES["outdated"]
    then = Desk(desk.order, desk.claims, desk.links, date(2025, 6, 1))
    assert examine(desk).answer.claim_checks[0].verdict == "outdated"
    assert examine(then).answer.claim_checks[0].verdict == "supported"
    base = CASES["base"]
    then = Desk(base.order, base.claims, base.links, date(2025, 6, 1))
    assert examine(then).answer.claim_checks[0].verdict == "not_yet"


@pytest.mark.parametrize("lang", languages())
def test_every_quote_is_in_the_passage_it_is_from(lang):
    quotes = lookup("evidence_matrix.basis", lang)
    for name, quote in quotes.items():
        text = say(f"evidence_matrix.passage.{name.split('_')[1]}", lang)
        for part in quote.replace("……", "…").split("…"):
            assert part.strip() in text, (name, part)
    for case in CASES.values():
        for link in examine(case, quotes).answer.link_checks:
            assert bool(link.basis) == (link.verdict.holds or link.verdict == "over_wide")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"order": ["d1", "d2", "d3"]}, "order"),
        ({"order": ["d1", "d1", "d2", "d3"]}, "order"),
        ({"order": "d1d2"}, "order"),
        ({"claims": ["nonsense"]}, "claims"),
        ({"links": "days"}, "links"),
        ({"links": ["ab"]}, "links"),
        ({"links": [("days", "d7")]}, "links"),
        ({"links": [("days", ["d1"])]}, "links"),
        ({"day": "yesterday"}, "day"),
        ({"day": 3}, "day"),
    ],
)
def test_bad_settings_are_refused_and_change_nothing(changes, field):
    desk = CASES["base"]
    values = {name: getattr(desk, name) for name in Desk.__dataclass_fields__}
    with pytest.raises(Refused) as refusal:
        Desk(**{**values, **changes})
    assert refusal.value.field == field
    widget = EvidenceMatrix()
    before = widget._view
    with pytest.raises(SettingError):
        widget.set(**changes)
    assert widget._view == before


# --- the widget


def test_one_change_is_one_view_and_says_which_side_moved():
    widget = EvidenceMatrix()
    views = []
    widget.observe(lambda change: views.append(change.new), names=["_view"])
    widget.order = ["d1", "d2", "d3", "d4"]
    assert len(views) == 1
    assert views[0]["told"] == "Changed by this: Ranking. Unchanged: Answer."
    widget.links = [("days", "d1")]
    assert views[1]["told"] == "Changed by this: Answer. Unchanged: Ranking."
    widget.order = ["d1", "d2", "d4", "d3"]
    assert "Neither" in views[2]["told"]
    assert len(views) == 3


def test_every_control_changes_something_that_is_shown_or_says_that_it_does_not():
    """W9: no control is wired to nothing."""
    for name, value in {
        "case": "late",
        "order": ("d2", "d1", "d3", "d4"),
        "claims": ("days",),
        "links": (),
        "day": "2025-06-01",
        "revealed": False,
    }.items():
        widget = EvidenceMatrix()
        before = dict(widget._view)
        widget.set(**{name: value})
        shown = {key for key, now in widget._view.items() if now != before[key]}
        assert shown - {"answers", "call"}, name


def test_the_repr_makes_the_same_again():
    widget = EvidenceMatrix("late", "zh", revealed=False)
    widget.set(order=["d4", "d3", "d2", "d1"], links=[("days", "d9")], day="2025-01-01")
    again = eval(repr(widget), {"EvidenceMatrix": EvidenceMatrix})
    assert repr(again) == repr(widget)
    assert {**again._view, "told": ""} == {**widget._view, "told": "", "answers": ""}
    assert repr(EvidenceMatrix()) == "EvidenceMatrix()"


def test_reset_and_opening_a_case_begin_anew():
    widget = EvidenceMatrix()
    widget.day = "2025-01-01"
    widget.reset()
    assert repr(widget) == "EvidenceMatrix()"
    widget.set(case="outdated", day="2025-02-02")
    assert widget.claims == ("thirty",)
    assert widget.day == date(2025, 2, 2)


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("case", CASES)
def test_the_static_forms_hold_the_numbers(case, lang):
    widget = EvidenceMatrix(case, lang)
    data, _ = widget._repr_mimebundle_()
    recall = f"{widget.examined.ranking[2]['recall_at_k']:.3f}"
    for form in (data["text/plain"], data["text/html"]):
        assert recall in form
        assert say("evidence_matrix.question", lang) in form
    assert "<script" not in data["text/html"]


def test_bad_arguments_are_refused():
    for arguments in ({"case": "x"}, {"lang": "xx"}, {"revealed": 1}, {"grade": 5}):
        with pytest.raises(SettingError):
            EvidenceMatrix(**arguments)
