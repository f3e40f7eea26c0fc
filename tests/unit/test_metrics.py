"""Metrics against facts, plain formulas, other libraries, faults others had, and hostile input."""

from __future__ import annotations

import math
import random
from decimal import Decimal
from fractions import Fraction

import ir_measures
import numpy as np
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import dcg_score, ndcg_score, precision_score, recall_score

from rankwalk import Refused, evaluate, metrics
from rankwalk.metrics import METRICS, best_first

ids = st.sampled_from([*"ABCDEFGH", "文", "10", "9"])
grades = st.dictionaries(ids, st.integers(0, 4) | st.sampled_from([0.5, 1.5]), max_size=8)
cutoffs = st.integers(1, 12) | st.sampled_from([1000, 10**6, 10**400])
gains = st.sampled_from(["exponential", "linear"])


def values(ranking, relevance, k, gain="exponential"):
    found = metrics(ranking, relevance, k, gain)
    assert tuple(found) == METRICS
    return tuple(found.values())


# --- facts ------------------------------------------------------------------------------------------


def test_a_x_y():
    assert values(["A", "X", "Y"], {"A": 1, "B": 1}, 3) == pytest.approx(
        (1 / 3, 1 / 2, 1, 0.61314719), abs=5e-9
    )


def test_graded():
    assert metrics(["B", "A"], {"A": 1, "B": 2}, 2)["ndcg_at_k"] == 1
    exponential = metrics(["A", "B"], {"A": 1, "B": 2}, 2)["ndcg_at_k"]
    linear = metrics(["A", "B"], {"A": 1, "B": 2}, 2, "linear")["ndcg_at_k"]
    second = 1 / math.log2(3)
    assert exponential == pytest.approx((1 + 3 * second) / (3 + second))
    assert linear == pytest.approx((1 + 2 * second) / (2 + second))


def test_repeats_without_a_hit():
    assert values(["d3", "d3"], {"d1": 1}, 2) == (0, 0, 0, 0)


@pytest.mark.parametrize("relevance", [{}, {"A": 0}, {"A": 0, "B": 0.0}])
def test_nothing_relevant_is_undefined(relevance):
    assert values(["A"], relevance, 3) == (0, None, 0, None)


@pytest.mark.parametrize(
    ("order", "k", "expected"),
    [
        (["d3", "d1", "d2"], 2, (0.5, 0.5, 0.5, 0.387)),
        (["d3", "d1", "d2"], 3, (2 / 3, 1.0, 0.5, 0.693)),
        (["d1", "d2", "d3"], 2, (1.0, 1.0, 1.0, 1.0)),
        (["d1", "d2", "d3"], 3, (2 / 3, 1.0, 1.0, 1.0)),
    ],
)
def test_the_example_of_lesson_3(order, k, expected):
    assert values(order, {"d1": 1, "d2": 1}, k) == pytest.approx(expected, abs=5e-4)


def test_an_empty_ranking_finds_nothing():
    assert values([], {"A": 1}, 3) == (0, 0, 0, 0)


def test_precision_divides_by_the_cutoff_asked_for():
    assert metrics(["A"], {"A": 1}, 10)["precision_at_k"] == 0.1


# --- properties -------------------------------------------------------------------------------------


@settings(max_examples=200)
@given(st.lists(ids, max_size=12), grades, cutoffs, gains)
def test_the_formulas(ranking, relevance, k, gain):
    """Written place by place, as one would on paper."""
    seen = []
    for id in ranking:
        if id not in seen:
            seen.append(id)
    relevant = {id for id, grade in relevance.items() if grade > 0}
    hits = [place for place, id in enumerate(seen, 1) if place <= k and id in relevant]

    def dcg(order):
        total = 0.0
        for place, grade in enumerate(order, 1):
            if place <= k:
                total += (2**grade - 1 if gain == "exponential" else grade) / math.log2(place + 1)
        return total

    precision, recall, reciprocal, ndcg = values(ranking, relevance, k, gain)
    assert precision == pytest.approx(float(Fraction(len(hits), k)))
    assert reciprocal == (1 / hits[0] if hits else 0)
    if not relevant:
        assert recall is ndcg is None
    else:
        assert recall == len(hits) / len(relevant)
        best = dcg(sorted(relevance.values(), reverse=True))
        assert ndcg == pytest.approx(dcg([relevance.get(id, 0) for id in seen]) / best)
        assert 0 <= ndcg <= 1


@settings(max_examples=100)
@given(st.lists(ids, max_size=8), grades, cutoffs, gains)
def test_what_does_not_matter(ranking, relevance, k, gain):
    expected = values(ranking, relevance, k, gain)
    assert values([*ranking, *ranking], relevance, k, gain) == expected
    assert values(tuple(ranking), {**relevance, "judged 0": 0}, k, gain) == expected
    assert values(ranking, dict(reversed(relevance.items())), k, gain) == expected


@settings(max_examples=100)
@given(grades.filter(lambda g: any(g.values())), st.integers(1, 10), gains)
def test_the_best_order_has_ndcg_1_exactly(relevance, k, gain):
    best = sorted(relevance, key=lambda id: -relevance[id])
    assert metrics(best, relevance, k, gain)["ndcg_at_k"] == 1


@settings(max_examples=100)
@given(st.lists(ids, unique=True, min_size=2, max_size=8), grades, st.data())
def test_a_swap_that_moves_a_better_document_up_never_lowers_a_metric(ranking, relevance, data):
    place = data.draw(st.integers(0, len(ranking) - 2))
    if relevance.get(ranking[place], 0) > relevance.get(ranking[place + 1], 0):
        ranking[place], ranking[place + 1] = ranking[place + 1], ranking[place]
    swapped = ranking[:]
    swapped[place], swapped[place + 1] = swapped[place + 1], swapped[place]
    for k in (1, 2, 5):
        before, after = values(ranking, relevance, k), values(swapped, relevance, k)
        for one, other in zip(before, after, strict=True):
            assert (one is None) == (other is None)
            assert one is None or other >= one - 1e-12


# --- other libraries, where the conventions agree ------------------------------------------------------


def random_case(seed: int, queries: int = 20):
    """Distinct scores, every query judged with something relevant, whole grades, full depth."""
    rng = random.Random(seed)
    run, qrels = {}, {}
    for number in range(queries):
        docs = [f"d{n}" for n in rng.sample(range(60), rng.randint(5, 40))]
        run[f"q{number}"] = {
            doc: float(s) for doc, s in zip(docs, rng.sample(range(999), len(docs)), strict=True)
        }
        judged = rng.sample(range(60), rng.randint(1, 30))
        qrels[f"q{number}"] = {f"d{n}": rng.randint(0, 3) for n in judged}
        qrels[f"q{number}"]["d0"] = rng.randint(1, 3)
    return run, qrels


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("k", [1, 5, 10, 30])
def test_pytrec_eval_agrees(seed, k):
    run, qrels = random_case(seed)
    measured = pytrec_eval.RelevanceEvaluator(
        qrels, {f"P.{k}", f"recall.{k}", f"ndcg_cut.{k}", "recip_rank"}
    ).evaluate(
        {query: dict(sorted(s.items(), key=lambda p: -p[1])[:k]) for query, s in run.items()}
    )
    ours = evaluate(run, qrels, k, gain="linear")
    for query, theirs in measured.items():
        assert list(ours.per_query[query].values()) == pytest.approx(
            [theirs[f"P_{k}"], theirs[f"recall_{k}"], theirs["recip_rank"], theirs[f"ndcg_cut_{k}"]]
        )


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("k", [1, 5, 10])
def test_ir_measures_agrees_on_means_also_where_the_run_lacks_a_query(seed, k):
    run, qrels = random_case(seed)
    del run["q0"]
    measures = [
        ir_measures.P @ k,
        ir_measures.R @ k,
        ir_measures.RR @ k,
        ir_measures.nDCG @ k,
    ]
    theirs = ir_measures.calc_aggregate(measures, qrels, run)
    ours = evaluate(run, qrels, k, gain="linear")
    assert ours.not_in_run == ("q0",)
    assert list(ours.means.values()) == pytest.approx([theirs[measure] for measure in measures])
    exponential = ir_measures.nDCG(gains={1: 1, 2: 3, 3: 7}) @ k
    theirs = ir_measures.calc_aggregate([exponential], qrels, run)
    ours = evaluate(run, qrels, k)
    assert ours.means["ndcg_at_k"] == pytest.approx(theirs[exponential])


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("k", [1, 5, 10])
def test_scikit_learn_agrees(seed, k):
    rng = random.Random(seed)
    docs = [f"d{n:02}" for n in range(30)]
    relevance = {doc: rng.randint(0, 3) for doc in docs} | {"d00": 1}
    ranking = rng.sample(docs, len(docs))
    y_true = np.array([[relevance[doc] for doc in ranking]])
    y_score = np.array([[-float(place) for place in range(len(ranking))]])
    linear = metrics(ranking, relevance, k, "linear")
    assert linear["ndcg_at_k"] == pytest.approx(ndcg_score(y_true, y_score, k=k))
    gains = 2.0**y_true - 1
    ideal = np.sort(gains)[:, ::-1]
    assert metrics(ranking, relevance, k)["ndcg_at_k"] == pytest.approx(
        dcg_score(gains, y_score, k=k) / dcg_score(ideal, y_score, k=k)
    )
    shown = [place < k for place in range(len(ranking))]
    assert linear["precision_at_k"] == pytest.approx(precision_score(y_true[0] > 0, shown))
    assert linear["recall_at_k"] == pytest.approx(recall_score(y_true[0] > 0, shown))


# --- evaluate ---------------------------------------------------------------------------------------

QRELS = {"hit": {"A": 1}, "second": {"A": 1, "B": 0}, "none": {"A": 0}, "lacking": {"A": 1}}
RUN = {"hit": {"A": 2, "B": 1}, "second": {"A": 1, "B": 2}, "none": {"A": 1}, "unjudged": {"A": 1}}


def test_evaluate_leaves_out_with_a_reason():
    found = evaluate(RUN, QRELS, 2)
    assert found.should_abstain == ("none",)
    assert found.not_judged == ("unjudged",)
    assert found.not_in_run == ("lacking",)
    assert set(found.per_query) == set(QRELS)
    assert list(found.per_query["lacking"].values()) == [0, 0, 0, 0]
    assert list(found.per_query["none"].values()) == [0, None, 0, None]
    assert found.counted == dict.fromkeys(METRICS, 3)
    assert found.means["reciprocal_rank_at_k"] == (1 + 1 / 2 + 0) / 3
    assert found.means["recall_at_k"] == 2 / 3
    assert (found.k, found.gain, found.negatives_read_as_0) == (2, "exponential", 0)


def test_evaluate_of_nothing():
    for run, qrels in [({}, {}), ({"q": {"A": 1}}, {}), ({}, {"q": {}})]:
        found = evaluate(run, qrels, 3)
        assert set(found.means.values()) == {None}
        assert set(found.counted.values()) == {0}


def test_equal_scores_are_ordered_by_id():
    run = {"q": {"b": 1.0, "a": 1.0, "c": 2.0, "B": 1}}
    assert best_first(run["q"], "run") == ["c", "B", "a", "b"]
    assert best_first(run["q"], "run", 2) == ["c", "B"]
    assert evaluate(run, {"q": {"a": 1}}, 3).per_query["q"]["reciprocal_rank_at_k"] == 1 / 3


@settings(max_examples=100)
@given(st.dictionaries(ids, st.integers(-3, 3) | st.sampled_from([0.5, -0.0]), max_size=10))
def test_best_first_is_score_then_id(scores):
    assert best_first(scores, "run") == sorted(scores, key=lambda id: (-scores[id], id))


@settings(max_examples=50)
@given(
    st.dictionaries(ids, st.dictionaries(ids, st.integers(-3, 3), max_size=6), max_size=4),
    st.dictionaries(ids, st.dictionaries(ids, st.integers(0, 3), max_size=6), max_size=4),
    st.integers(1, 5),
    gains,
)
def test_evaluate_is_metrics_query_by_query(run, qrels, k, gain):
    found = evaluate(run, qrels, k, gain)
    for query, relevance in qrels.items():
        order = best_first(run.get(query, {}), "run")
        assert found.per_query[query] == metrics(order, relevance, k, gain)
    with_some = [q for q in qrels if any(qrels[q].values())]
    for name, mean in found.means.items():
        parts = [found.per_query[query][name] for query in with_some]
        assert mean == (pytest.approx(sum(parts) / len(parts)) if parts else None)
    assert set(found.should_abstain) == set(qrels) - set(with_some)
    assert set(found.not_judged) == set(run) - set(qrels)


def test_negative_grades_are_refused_unless_asked_for():
    qrels = {"q": {"A": -2, "B": 1, "C": -1.5}}
    with pytest.raises(Refused, match=r"qrels\['q'\]\['A'\]: found -2"):
        evaluate({}, qrels, 1)
    found = evaluate({"q": {"A": 1}}, qrels, 1, negative_grades_as_0=True)
    assert found.negatives_read_as_0 == 2
    assert found.per_query["q"]["precision_at_k"] == 0
    assert qrels == {"q": {"A": -2, "B": 1, "C": -1.5}}


def test_many_queries_and_documents():
    docs = [f"d{n}" for n in range(100_000)]
    relevance = {doc: n % 4 for n, doc in enumerate(docs)}
    found = evaluate({"q": {doc: -n for n, doc in enumerate(docs)}}, {"q": relevance}, 100_000)
    assert found.per_query["q"] == metrics(docs, relevance, 100_000)
    assert found.means["precision_at_k"] == 0.75
    assert found.means["recall_at_k"] == 1


# --- hostile input ----------------------------------------------------------------------------------

NO_GRADES = [
    float("nan"), float("inf"), -1, -0.5, True, False, "1", None, [1], 1j, Decimal("NaN"),
    Decimal("sNaN"), np.float64("nan"), np.True_,
]  # fmt: skip


@pytest.mark.parametrize("grade", NO_GRADES, ids=repr)
@pytest.mark.parametrize("gain", ["exponential", "linear"])
def test_a_grade_is_a_finite_number(grade, gain):
    with pytest.raises(Refused, match=r"relevance\['B'\]: found .*Allowed"):
        metrics(["A"], {"A": 1, "B": grade}, 1, gain)
    with pytest.raises(Refused, match=r"qrels\['q'\]\['B'\]: found"):
        evaluate({}, {"q": {"A": 1, "B": grade}}, 1, gain)


@pytest.mark.parametrize(
    "grade",
    [g for g in NO_GRADES if not isinstance(g, (int, float)) or g is True or g != g],
    ids=repr,
)
def test_what_is_no_number_is_not_read_as_0(grade):
    with pytest.raises(Refused, match=r"qrels\['q'\]\['B'\]"):
        evaluate({}, {"q": {"B": grade}}, 1, negative_grades_as_0=True)


@pytest.mark.parametrize("k", [0, -1, 1.0, 2.5, True, "3", None, float("nan")], ids=repr)
def test_the_cutoff_is_a_whole_number(k):
    with pytest.raises(Refused, match="k: found"):
        metrics(["A"], {"A": 1}, k)
    with pytest.raises(Refused, match="k: found"):
        evaluate({}, {}, k)


@pytest.mark.parametrize("gain", ["exp", "", None, 1, "Linear", ["linear"]], ids=repr)
def test_the_gain_is_one_of_two(gain):
    with pytest.raises(Refused, match="gain: found"):
        metrics(["A"], {"A": 1}, 1, gain)
    for qrels in ({"q": {"A": 1}}, {}):
        with pytest.raises(Refused, match="gain: found"):
            evaluate({}, qrels, 1, gain)


@pytest.mark.parametrize("ranking", ["A", b"A", {"A"}, {"A": 1}, 1, None], ids=repr)
def test_a_ranking_has_an_order(ranking):
    with pytest.raises(Refused, match="ranking: found"):
        metrics(ranking, {"A": 1}, 1)


@pytest.mark.parametrize("id", [4, "", None, True], ids=repr)
def test_ids_are_strings(id):
    with pytest.raises(Refused, match="ranking, place 2"):
        metrics(["A", id], {"A": 1}, 1)
    with pytest.raises(Refused, match="relevance, place 2"):
        metrics(["A"], {"A": 1, id: 1}, 1)
    with pytest.raises(Refused, match=r"run\['q'\], place 1"):
        evaluate({"q": {id: 1.0}}, {"q": {"A": 1}}, 1)
    with pytest.raises(Refused, match="run, place 1"):
        evaluate({id: {}}, {}, 1)
    with pytest.raises(Refused, match="qrels, place 1"):
        evaluate({}, {id: {}}, 1)


@pytest.mark.parametrize("table", [None, [], "q", {"q": ["A"]}, {"q": None}, {"q": "A"}], ids=repr)
def test_runs_and_judgements_are_nested(table):
    with pytest.raises(Refused, match="run"):
        evaluate(table, {}, 1)
    with pytest.raises(Refused, match="qrels"):
        evaluate({}, table, 1)


@pytest.mark.parametrize("table", [None, ["A"], "A", {"A"}], ids=repr)
def test_judgements_are_a_mapping(table):
    with pytest.raises(Refused, match="relevance: found"):
        metrics(["A"], table, 1)


@pytest.mark.parametrize(
    "score",
    [
        float("nan"),
        float("inf"),
        -float("inf"),
        True,
        "1",
        None,
        1j,
        np.float64("nan"),
        Decimal("NaN"),
        Decimal("sNaN"),
        np.True_,
    ],
    ids=repr,
)
def test_a_score_is_a_finite_number(score):
    with pytest.raises(Refused, match=r"run\['q'\]\['B'\]: found"):
        evaluate({"q": {"A": 1.0, "B": score}}, {"q": {"A": 1}}, 1)


def test_grades_at_the_edges_of_floats():
    for tiny in (1e-20, 1e-300):
        for gain in ("exponential", "linear"):
            assert values(["A"], {"A": tiny}, 1, gain) == (1, 1, 1, 1)
    assert values(["A"], {"A": 1000}, 1) == (1, 1, 1, 1)
    with pytest.raises(Refused, match=r"relevance\['A'\].*to 1000"):
        metrics(["A"], {"A": 1001}, 1)
    for huge in (5e-324, 10**400, 1.7e308, Fraction(10**400)):
        with pytest.raises(Refused, match=r"relevance\['A'\]"):
            metrics(["A"], {"A": huge, "B": huge}, 2, "linear")
    with pytest.raises(Refused, match=r"relevance\['A'\]"):
        metrics(["A"], {"A": Fraction(1, 10**400)}, 1)
    assert metrics(["A"], {"A": 3}, 1, "exponential")["ndcg_at_k"] == 1


def test_other_kinds_of_numbers():
    whole = metrics(["B", "A"], {"A": 2, "B": 1}, 2)
    for kind in (np.int64, np.float32, Fraction, Decimal, float):
        assert metrics(["B", "A"], {"A": kind(2), "B": kind(1)}, np.int64(2)) == whole


# --- faults that other projects had, as kinds ---------------------------------------------------------


def test_m1_a_document_earns_its_gain_once():
    assert metrics(["A", "A"], {"A": 1}, 2)["ndcg_at_k"] == 1


def test_m2_repeats_do_not_lift_recall():
    assert metrics(["A", "A", "X"], {"A": 1}, 3)["recall_at_k"] == 1
    assert metrics(["A", "A"], {"A": 1, "B": 1}, 3)["recall_at_k"] == 0.5


@settings(max_examples=50)
@given(st.lists(ids, max_size=20), grades, st.integers(1, 10))
def test_m1_m2_kind_no_metric_is_above_1(ranking, relevance, k):
    assert all(value is None or 0 <= value <= 1 for value in values(ranking, relevance, k))


def test_m5_the_ideal_comes_from_all_judgements():
    assert round(metrics(["A", "X", "B"], {"A": 1, "B": 1, "C": 1}, 3)["ndcg_at_k"], 4) == 0.7039


@settings(max_examples=50)
@given(st.lists(ids, unique=True, min_size=1), st.integers(1, 5))
def test_m5_kind_an_unretrieved_relevant_document_lowers_ndcg(ranking, k):
    found = dict.fromkeys(ranking, 1)
    before = metrics(ranking, found, len(ranking) + k)["ndcg_at_k"]
    after = metrics(ranking, {**found, "missed": 1}, len(ranking) + k)["ndcg_at_k"]
    assert after < before == 1


@pytest.mark.parametrize("relevant", [10, 11, 12, 50])
def test_m6_the_ideal_is_cut_too(relevant):
    docs = [f"d{n}" for n in range(relevant)]
    assert metrics(docs, dict.fromkeys(docs, 1), 10)["ndcg_at_k"] == 1


def test_m7_the_discount_starts_at_the_first_place():
    assert round(metrics(["X", "A"], {"A": 1}, 2)["ndcg_at_k"], 4) == 0.6309
    for place in range(1, 20):
        ranking = [*(f"x{n}" for n in range(1, place)), "A"]
        assert metrics(ranking, {"A": 1}, 20)["ndcg_at_k"] == pytest.approx(
            1 / math.log2(place + 1)
        )


def run_with_first_hits(places):
    run = {}
    for number, place in enumerate(places):
        docs = [f"x{n}" for n in range(1, place or 5)] + (["A"] if place else [])
        run[f"q{number}"] = {doc: float(-n) for n, doc in enumerate(docs)}
    return run, {query: {"A": 1} for query in run}


@pytest.mark.parametrize(
    ("places", "mrr"), [([1, 2, None], 0.5), ([1, 4], 0.625), ([None, None], 0), ([2], 0.5)]
)
def test_m9_m10_mrr_is_the_mean_of_reciprocals_over_all(places, mrr):
    found = evaluate(*run_with_first_hits(places), 10)
    assert found.means["reciprocal_rank_at_k"] == mrr
    assert found.counted["reciprocal_rank_at_k"] == len(places)


def test_m13_an_empty_result_counts_0():
    run = {"a": {"A": 1}, "b": {"A": 1}, "c": {}, "d": {"A": 1}}
    assert evaluate(run, {query: {"A": 1} for query in run}, 1).means["precision_at_k"] == 0.75
    del run["c"]
    assert evaluate(run, {q: {"A": 1} for q in "abcd"}, 1).means["precision_at_k"] == 0.75


def test_m14_undefined_does_not_spread():
    assert metrics(["A"], {}, 3)["recall_at_k"] is None
    found = evaluate({"q": {"A": 1}, "r": {"A": 1}}, {"q": {}, "r": {"A": 1}}, 1)
    assert found.means == dict.fromkeys(METRICS, 1.0)
    assert found.counted == dict.fromkeys(METRICS, 1)
    assert found.should_abstain == ("q",)


@pytest.mark.parametrize(
    ("run", "qrels", "field"),
    [
        ({"q": {"d": float("inf")}}, {"q": {"d": 1}}, "run"),
        ({"q": {4: 1}}, {"q": {"d": 1}}, "run"),
        ({}, {"q": {"d": -1}}, "qrels"),
        ({}, {"q": {"d": 10**9}}, "qrels"),
        ({}, {"q": {4: 1}}, "qrels"),
        ({}, {"q": [1]}, "qrels"),
    ],
)
def test_a_refusal_names_the_argument(run, qrels, field):
    with pytest.raises(Refused) as refusal:
        evaluate(run, qrels, 3)
    assert refusal.value.field == field
