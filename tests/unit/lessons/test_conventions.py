"""The stored table of conventions, recomputed through the tools it speaks of."""

from __future__ import annotations

import math

import ir_measures
import pytest
import pytrec_eval
from ir_measures import RR, P, R, SetP, nDCG
from sklearn.metrics import ndcg_score, precision_score, recall_score

from rankwalk import Refused, evaluate
from rankwalk.lessons.conventions import CASES


def rankwalk(metric, k, gain="exponential", **options):
    def value(case):
        try:
            found = evaluate(case.run, case.qrels, k, gain, **options)
        except Refused:
            return "error"
        return found.means[metric]

    return value


def pytrec(measure, query="q"):
    def value(case):
        name = measure.rpartition("_")
        asked = f"{name[0]}.{name[2]}" if name[2].isdigit() else measure
        found = pytrec_eval.RelevanceEvaluator(case.qrels, {asked}).evaluate(case.run)
        if query is None:
            return sum(row[measure] for row in found.values()) / len(found)
        return found[query][measure] if query in found else "absent"

    return value


def measures(measure):
    return lambda case: ir_measures.calc_aggregate([measure], case.qrels, case.run)[measure]


def arrays(case):
    docs = sorted(case.run["q"])
    return [case.qrels["q"].get(d, 0) for d in docs], [case.run["q"][d] for d in docs]


def sklearn_ndcg(**options):
    def value(case):
        grades, scores = arrays(case)
        try:
            return ndcg_score([grades], [scores], **options)
        except ValueError:
            return "error"

    return value


def sklearn_set(score, **options):
    def value(case):
        grades, _ = arrays(case)
        found = score([grade > 0 for grade in grades], [True] * len(grades), **options)
        return None if math.isnan(found) else found

    return value


TOOLS = {
    ("rankwalk", "recall@2"): rankwalk("recall_at_k", 2),
    ("rankwalk", "nDCG@2"): rankwalk("ndcg_at_k", 2),
    ("rankwalk", "nDCG@2, linear"): rankwalk("ndcg_at_k", 2, "linear"),
    ("rankwalk", "nDCG@2, negative_grades_as_0"): rankwalk(
        "ndcg_at_k", 2, negative_grades_as_0=True
    ),
    ("rankwalk", "precision@5"): rankwalk("precision_at_k", 5),
    ("rankwalk", "reciprocal rank@10"): rankwalk("reciprocal_rank_at_k", 10),
    ("rankwalk", "MRR@10"): rankwalk("reciprocal_rank_at_k", 10),
    ("pytrec_eval", "recall_2"): pytrec("recall_2"),
    ("pytrec_eval", "ndcg_cut_2"): pytrec("ndcg_cut_2"),
    ("pytrec_eval", "P_5"): pytrec("P_5"),
    ("pytrec_eval", "recip_rank"): pytrec("recip_rank"),
    ("pytrec_eval", "recip_rank, query p"): pytrec("recip_rank", "p"),
    ("pytrec_eval", "recip_rank, mean of what came back"): pytrec("recip_rank", None),
    ("ir_measures", "R@2"): measures(R @ 2),
    ("ir_measures", "nDCG@2"): measures(nDCG @ 2),
    ("ir_measures", "P@5"): measures(P @ 5),
    ("ir_measures", "SetP"): measures(SetP),
    ("ir_measures", "RR"): measures(RR),
    ("ir_measures", "RR@10"): measures(RR @ 10),
    ("scikit-learn", "ndcg_score"): sklearn_ndcg(),
    ("scikit-learn", "ndcg_score, ignore_ties"): sklearn_ndcg(ignore_ties=True),
    ("scikit-learn", "precision_score"): sklearn_set(precision_score),
    ("scikit-learn", "recall_score, zero_division=nan"): sklearn_set(
        recall_score, zero_division=math.nan
    ),
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_stored_values_are_what_the_tools_give(case):
    found = {key: TOOLS[key](case) for key in case.values}
    for key, stored in case.values.items():
        if isinstance(stored, float):
            assert found[key] == pytest.approx(stored, abs=1e-12), key
        else:
            assert found[key] == stored, key


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_case_shows_a_difference(case):
    assert len(set(case.values.values())) > 1
