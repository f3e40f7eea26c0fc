"""The widgets of lesson 4, their Python side: settings in, a view and static forms out."""

from __future__ import annotations

import json
from html.parser import HTMLParser

import pytest
from wishes import wishes

from rankwalk.lessons.funnel import DEPTHS, FunnelSettings, funnel
from rankwalk.lessons.rerank_cases import PROVIDERS, complaints, passages
from rankwalk.messages import languages, say
from rankwalk.pipeline import Fate
from rankwalk.widgets.base import SettingError
from rankwalk.widgets.blame import WhoIsToBlame
from rankwalk.widgets.funnel import RerankFunnel
from rankwalk.widgets.outage import RerankOutage

LANGS = languages()
WIDGETS = [RerankFunnel, RerankOutage, WhoIsToBlame]


def asked(widget, **changes):
    """Send what the browser would send; return what Python sent back apart from a view."""
    sent = []
    widget.send = sent.append
    widget._on_message(widget, wishes(changes, first=1, asker=str(changes)), [])
    return sent


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open = []
        self.seen = set()

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("widget", WIDGETS)
def test_every_form_is_there_and_says_the_call_first(widget, lang):
    shown = widget(lang=lang)
    bundle, _ = shown._repr_mimebundle_()
    assert bundle["text/plain"].startswith(f"{shown!r}\n")
    tags = Tags()
    tags.feed(bundle["text/html"])
    assert tags.open == []
    assert not tags.seen & {"script", "style", "img", "svg"}  # plain: it is read without a page
    json.dumps(shown._view)
    assert "{" not in bundle["text/html"]  # no template was left unfilled


@pytest.mark.parametrize("widget", WIDGETS)
def test_the_call_makes_the_same_again(widget):
    first = widget(lang="zh")
    assert eval(repr(first))._view == first._view


@pytest.mark.parametrize("widget", WIDGETS)
def test_an_unknown_language_or_setting_is_refused(widget):
    with pytest.raises(ValueError, match="fr"):
        widget(lang="fr")
    sent = asked(widget(), nonsense=1)
    assert sent[0]["refused"]["field"] == "nonsense"


# --- The funnel ---


@pytest.mark.parametrize("lang", LANGS)
def test_the_funnel_shows_what_the_model_gives(lang):
    view = RerankFunnel(lang=lang, vector_depth=12, keyword_depth=40)._view
    result = funnel(FunnelSettings(vector_depth=12, keyword_depth=40))
    shares = [stage["share"] for stage in view["stages"]]
    assert shares == [
        1.0,
        result.in_vector,
        result.in_keyword,
        result.retrieved,
        result.kept_by_rerank,
        result.kept_in_context,
    ]
    assert f"{100 * result.retrieved:.1f}" in view["stages"][3]["still"]
    assert f"{100 * (1 - result.retrieved):.1f}" in view["stages"][3]["lost"]
    assert [point["depth"] for point in view["chart"]["points"]] == list(DEPTHS)
    assert view["values"]["keyword_depth"] == 40


def test_a_setting_from_either_side_is_one_view():
    widget = RerankFunnel()
    views = []
    widget.observe(lambda change: views.append(change["new"]), names="_view")
    widget.vector_depth = 5
    assert asked(widget, keyword_depth=7) == []
    widget.set(overlap=0, budget=1)
    assert len(views) == 3
    assert views[1]["answers"].endswith(" 1")
    assert (widget.vector_depth, widget.keyword_depth, widget.overlap) == (5, 7, 0)
    assert widget.result == funnel(
        FunnelSettings(vector_depth=5, keyword_depth=7, overlap=0, budget=1)
    )
    assert repr(widget) == "RerankFunnel(vector_depth=5, keyword_depth=7, overlap=0, budget=1)"


@pytest.mark.parametrize("lang", LANGS)
def test_a_bad_value_leaves_the_last_view_and_is_said_at_its_control(lang):
    widget = RerankFunnel(lang=lang)
    before = widget._view
    (refused,) = asked(widget, vector_depth="many")
    assert refused["refused"]["field"] == "vector_depth"
    with pytest.raises(SettingError, match="vector_depth"):
        widget.vector_depth = 0
    assert widget._view is before
    assert widget.vector_depth == 30


def test_the_funnel_says_when_a_control_changes_nothing():
    assert "budget" in RerankFunnel(limit=2, budget=5)._view["notes"]
    assert "budget" not in RerankFunnel(limit=5, budget=5)._view["notes"]
    assert "limit" in RerankFunnel(vector_depth=1, keyword_depth=1, overlap=100)._view["notes"]


def test_the_notes_of_the_funnel_are_true():
    view = RerankFunnel(limit=2, budget=5)._view
    other = RerankFunnel(limit=2, budget=2)._view
    assert [s["share"] for s in view["stages"]] == [s["share"] for s in other["stages"]]


def test_the_verdict_on_the_knee_names_both():
    view = RerankFunnel()._view
    rule = view["chart"]["rule"]
    for point in view["chart"]["points"]:
        assert str(rule) in point["verdict"]
        assert f"{100 * point['kept']:.1f}" in point["verdict"]


# --- The outage ---


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("strategy", ["raise", "degrade"])
def test_how_each_failure_ends(provider, strategy, lang):
    view = RerankOutage(lang=lang, provider=provider, strategy=strategy)._view
    if provider == "works":
        expected = "served"
    elif provider in ("slow", "fails") and strategy == "degrade":
        expected = "degraded"
    else:
        expected = "raised"
    assert view["ended"] == expected
    assert len(view["rows"]) == (0 if expected == "raised" else 3)
    none = say("rerank.outage.none", lang)
    for row in view["rows"]:
        score, degraded, reason = row[-3:]
        assert (score == none) is (expected == "degraded")
        assert (degraded == "True") is (expected == "degraded")
        assert (reason == none) is (expected == "served")
    timings = dict(view["timings"])
    assert ("rerank_degraded" in timings) is (expected == "degraded")
    assert timings["total"] <= view["deadline_ms"] - view["reserve_ms"] + 1e-6


@pytest.mark.parametrize("lang", LANGS)
def test_the_price_of_degrading_is_seen(lang):
    works = RerankOutage(lang=lang, provider="works").outcome.result
    degraded = RerankOutage(lang=lang, strategy="degrade").outcome.result
    assert works.chunks[0].id == "P7"
    assert degraded.fate("P7") is Fate.NOT_RERANKED


def test_notes_of_the_outage_are_true():
    """Where the strategy is said to change nothing, both end alike."""
    for provider in PROVIDERS:
        a, b = (RerankOutage(provider=provider, strategy=s)._view for s in ("raise", "degrade"))
        for view in (a, b):
            assert ("strategy" in view["notes"]) is (a["said"] == b["said"])


def test_a_slow_one_within_the_deadline_is_no_outage():
    view = RerankOutage(provider="slow", delay_s=1.0)._view
    assert view["ended"] == "served"
    assert dict(view["timings"])["rerank"] == pytest.approx(1000)
    assert "strategy" in view["notes"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"provider": "<img src=x>"}, "provider"),
        ({"strategy": None}, "strategy"),
        ({"delay_s": -1}, "delay_s"),
        ({"deadline_s": 0.1}, "deadline_s"),
        ({"deadline_s": float("inf")}, "deadline_s"),
        ({"delay_s": True}, "delay_s"),
    ],
)
def test_bad_values_of_the_outage_are_refused_at_their_field(change, field):
    widget = RerankOutage()
    (refused,) = asked(widget, **change)
    assert refused["refused"]["field"] == field


# --- Blame ---


@pytest.mark.parametrize("lang", LANGS)
def test_every_complaint_is_shown_with_its_own_answer(lang):
    view = WhoIsToBlame(lang=lang)._view
    options = dict(view["options"])
    for case, complaint in zip(view["cases"], complaints(lang), strict=True):
        assert case["fate"] == complaint.fate
        assert options[case["fate"]] in case["right"]
        assert set(case["wrong"]) == set(options) - {case["fate"]}
        assert passages(lang)[complaint.needed] in case["needed"]
        assert "None" not in case["why"]
        assert all(value and "None" not in value for _, value in case["notes"])
    assert len(options) == len(view["cases"]) + 1  # so the last is not found by elimination
