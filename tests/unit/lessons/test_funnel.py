from dataclasses import replace
from statistics import NormalDist

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from rankwalk.lessons.funnel import (
    DEPTHS,
    MAX_DEPTH,
    FunnelSettings,
    Point,
    Question,
    funnel,
    knee,
    others_before,
    questions,
    recall_against_latency,
    search_ranks,
)
from rankwalk.messages import Refused, languages


def test_a_million_to_30_and_30_to_40_to_5_to_the_budget():
    result = funnel(FunnelSettings())
    assert (result.repeats, result.candidates) == (20, 40)
    assert (result.reranked, result.in_context) == (5, 3)


def test_cost_and_time_by_hand():
    result = funnel(FunnelSettings(ms_a_pair=10, cost_a_million_pairs=25, questions=100))
    assert result.latency_ms == 20 + 25 + 30 * 0.05 + 40 * 10
    assert result.cost_a_thousand == 40 * 1000 * 25 / 1_000_000
    assert result.read_all_hours == pytest.approx(1_000_000 * 0.010 / 3600)


def test_the_same_seed_gives_the_same_and_another_differs_by_chance_only():
    one, two = funnel(FunnelSettings(seed=1)), funnel(FunnelSettings(seed=2))
    assert one == funnel(FunnelSettings(seed=1))
    assert one.retrieved != two.retrieved
    assert abs(one.retrieved - two.retrieved) < 6 * one.error_of(one.retrieved)


small = st.builds(
    FunnelSettings,
    vector_depth=st.integers(1, MAX_DEPTH),
    keyword_depth=st.integers(1, MAX_DEPTH),
    overlap=st.integers(0, 100),
    limit=st.integers(1, 100),
    budget=st.integers(1, 100),
    questions=st.just(200),
    seed=st.integers(0, 3),
)


@settings(max_examples=100)
@given(small)
def test_what_is_lost_does_not_come_back(s):
    result = funnel(s)
    assert max(s.vector_depth, s.keyword_depth) <= result.candidates
    assert result.candidates + result.repeats == s.vector_depth + s.keyword_depth
    assert result.in_context <= result.reranked <= result.candidates
    assert result.kept_in_context <= result.kept_by_rerank <= result.retrieved
    assert max(result.in_vector, result.in_keyword) <= result.retrieved
    assert result.retrieved <= result.in_vector + result.in_keyword + 1e-12
    assert 0 <= result.kept_in_context <= result.retrieved <= 1


@settings(max_examples=50)
@given(small)
def test_deeper_never_retrieves_less_and_a_larger_budget_never_keeps_less(s):
    result = funnel(s)
    deeper = funnel(replace(s, vector_depth=min(MAX_DEPTH, s.vector_depth + 50)))
    assert deeper.retrieved >= result.retrieved
    assert deeper.latency_ms >= result.latency_ms
    wider = funnel(replace(s, budget=min(100, s.budget + 5), limit=min(100, s.limit + 5)))
    assert wider.kept_in_context >= result.kept_in_context


def test_searches_that_are_alike_miss_the_same():
    apart, alike = funnel(FunnelSettings(overlap=0)), funnel(FunnelSettings(overlap=100))
    assert apart.retrieved > alike.retrieved
    assert alike.retrieved == alike.in_vector  # the second list then adds nothing


@given(
    st.floats(-1, 5),
    st.floats(0, 1, exclude_max=True),
    st.integers(0, 400),
    st.integers(1, 60),
)
def test_the_number_before_is_the_binomial_quantile(score, luck, others, at_most):
    found = others_before(Question(0, 0, 0, score, luck), others, at_most=at_most)
    chance = 1 - NormalDist().cdf(score)
    assert 0 <= found <= min(others, at_most)
    # The smallest number at which the distribution function reaches the luck, as scipy computes it.
    assert found == 0 or binom.cdf(found - 1, others, chance) <= luck + 1e-9
    assert found == min(others, at_most) or binom.cdf(found, others, chance) >= luck - 1e-9


def test_ranks_are_from_1_and_end_at_the_last_passage():
    s = FunnelSettings()
    assert search_ranks(Question(-9, -9, -9, 0, 0), s) == (1, 1)
    assert search_ranks(Question(20, 20, 20, 0, 0), s) == (s.chunks, s.chunks)


def test_half_of_the_ranks_are_at_the_median_or_better():
    result = funnel(FunnelSettings(vector_depth=5, keyword_depth=9, questions=20_000))
    assert result.in_vector == pytest.approx(0.5, abs=0.02)
    assert result.in_keyword == pytest.approx(0.5, abs=0.02)


def test_questions_do_not_depend_on_the_settings():
    assert questions(100, 1) is questions(100, 1)
    assert questions(100, 1) == questions(200, 1)[:100]


# --- Recall against latency ---


def test_the_chart_has_a_point_for_each_depth_and_its_knee_is_inside():
    points = recall_against_latency(FunnelSettings(questions=500))
    assert [point.depth for point in points] == list(DEPTHS)
    assert points == tuple(sorted(points, key=lambda point: point.latency_ms))
    assert knee(points) not in (points[0], points[-1])


def test_the_knee_by_hand():
    points = [Point(d, d * 10.0, 1.0, r) for d, r in ((1, 0.2), (2, 0.8), (3, 0.85), (4, 0.9))]
    assert knee(points).depth == 2
    straight = [Point(d, d * 10.0, 1.0, d / 10) for d in (1, 2)]
    assert knee(straight) == straight[-1]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"vector_depth": 0}, "vector_depth"),
        ({"keyword_depth": 1001}, "keyword_depth"),
        ({"overlap": 101}, "overlap"),
        ({"overlap": 0.5}, "overlap"),
        ({"ms_a_pair": -1}, "ms_a_pair"),
        ({"cost_a_million_pairs": float("nan")}, "cost_a_million_pairs"),
        ({"budget": True}, "budget"),
        ({"chunks": 10}, "chunks"),
    ],
)
def test_bad_settings_are_refused_at_their_field(change, field):
    with pytest.raises(Refused) as caught:
        FunnelSettings(**change)
    assert caught.value.field == field
    assert all(caught.value.in_language(lang) for lang in languages())
