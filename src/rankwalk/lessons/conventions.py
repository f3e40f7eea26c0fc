"""Where reports of the same name differ: tiny cases, and what each tool makes of them.

The table is stored, so that a lesson shows it without those tools; a test recomputes it through them
(pytrec_eval, which is trec_eval; ir_measures; scikit-learn).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

Value: TypeAlias = float | Literal["absent", "error"] | None
"""A number; ``None`` for undefined; or that the tool leaves the query out, or raises an error."""


@dataclass(frozen=True, slots=True)
class Case:
    """A tiny run with its judgements, on which tools differ.

    Attributes:
        name: its entry in the catalogue.
        run: ``{query: {doc: score}}``.
        qrels: ``{query: {doc: grade}}``.
        values: what each tool gives, under ``(tool, measure)``.
    """

    name: str
    run: Mapping[str, Mapping[str, float]]
    qrels: Mapping[str, Mapping[str, int]]
    values: Mapping[tuple[str, str], Value]


SECOND = 0.6309297535714575
"""The discount at rank 2, 1/log2(3)."""

CASES = (
    Case(
        "nothing_relevant",
        run={"q": {"A": 2.0, "B": 1.0}},
        qrels={"q": {"A": 0, "B": 0}},
        values={
            ("rankwalk", "recall@2"): None,
            ("rankwalk", "nDCG@2"): None,
            ("pytrec_eval", "recall_2"): 0.0,
            ("pytrec_eval", "ndcg_cut_2"): 0.0,
            ("ir_measures", "R@2"): 0.0,
            ("ir_measures", "nDCG@2"): 0.0,
            ("scikit-learn", "recall_score, zero_division=nan"): None,
            ("scikit-learn", "ndcg_score"): 0.0,
        },
    ),
    Case(
        "one_document",
        run={"q": {"A": 1.0}},
        qrels={"q": {"A": 1}},
        values={
            ("rankwalk", "nDCG@2"): 1.0,
            ("pytrec_eval", "ndcg_cut_2"): 1.0,
            ("ir_measures", "nDCG@2"): 1.0,
            ("scikit-learn", "ndcg_score"): "error",
        },
    ),
    Case(
        "few_came_back",
        run={"q": {"A": 1.0}},
        qrels={"q": {"A": 1}},
        values={
            ("rankwalk", "precision@5"): 0.2,
            ("pytrec_eval", "P_5"): 0.2,
            ("ir_measures", "P@5"): 0.2,
            ("ir_measures", "SetP"): 1.0,
            ("scikit-learn", "precision_score"): 1.0,
        },
    ),
    Case(
        "equal_scores",
        run={"q": {"A": 1.0, "B": 1.0}},
        qrels={"q": {"A": 1, "B": 0}},
        values={
            ("rankwalk", "reciprocal rank@10"): 1.0,
            ("pytrec_eval", "recip_rank"): 0.5,
            ("ir_measures", "RR"): 0.5,
            ("ir_measures", "RR@10"): 1.0,
            ("rankwalk", "nDCG@2"): 1.0,
            ("pytrec_eval", "ndcg_cut_2"): SECOND,
            ("scikit-learn", "ndcg_score"): (1 + SECOND) / 2,
            ("scikit-learn", "ndcg_score, ignore_ties"): SECOND,
        },
    ),
    Case(
        "nearly_equal_scores",
        run={"q": {"A": 1.000000001, "B": 1.0}},
        qrels={"q": {"A": 1, "B": 0}},
        values={
            ("rankwalk", "reciprocal rank@10"): 1.0,
            ("pytrec_eval", "recip_rank"): 0.5,
            ("ir_measures", "RR"): 0.5,
            ("ir_measures", "RR@10"): 1.0,
        },
    ),
    Case(
        "gain",
        run={"q": {"A": 2.0, "B": 1.0}},
        qrels={"q": {"A": 1, "B": 2}},
        values={
            ("rankwalk", "nDCG@2"): 0.7967075809905066,
            ("rankwalk", "nDCG@2, linear"): 0.8597186998521972,
            ("pytrec_eval", "ndcg_cut_2"): 0.8597186998521972,
            ("ir_measures", "nDCG@2"): 0.8597186998521972,
            ("scikit-learn", "ndcg_score"): 0.8597186998521972,
        },
    ),
    Case(
        "query_not_in_run",
        run={"q": {"A": 1.0}},
        qrels={"q": {"A": 1}, "p": {"A": 1}},
        values={
            ("rankwalk", "MRR@10"): 0.5,
            ("pytrec_eval", "recip_rank, query p"): "absent",
            ("pytrec_eval", "recip_rank, mean of what came back"): 1.0,
            ("ir_measures", "RR@10"): 0.5,
        },
    ),
    Case(
        "negative_grade",
        run={"q": {"B": 2.0, "A": 1.0}},
        qrels={"q": {"A": 1, "B": -1}},
        values={
            ("rankwalk", "nDCG@2"): "error",
            ("rankwalk", "nDCG@2, negative_grades_as_0"): SECOND,
            ("pytrec_eval", "ndcg_cut_2"): SECOND,
            ("ir_measures", "nDCG@2"): SECOND,
            ("scikit-learn", "ndcg_score"): "error",
        },
    ),
)
