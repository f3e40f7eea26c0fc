"""Ranking metrics: precision, recall, reciprocal rank and nDCG at a cutoff, for one query or many.

The cutoff is called ``k`` here, as everywhere in the literature. It has nothing to do with the k of
reciprocal rank fusion; the lessons say "@n" and "RRF k".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import expm1, fsum, log, log2
from operator import mul
from typing import Literal, TypeAlias, get_args

from rankwalk import checks
from rankwalk.checks import Number
from rankwalk.messages import Refused

Gain: TypeAlias = Literal["exponential", "linear"]
Metric: TypeAlias = Literal["precision_at_k", "recall_at_k", "reciprocal_rank_at_k", "ndcg_at_k"]
METRICS: tuple[Metric, ...] = get_args(Metric)

LARGEST_GRADE: dict[Gain, float] = {"exponential": 1000, "linear": 1e300}
"""The gain, and a sum of millions of them, must stay a float."""
LARGEST_USUAL_GRADE = 100
SMALLEST_GRADE = 1e-300
"""A grade above 0 must have a gain above 0."""


def metrics(
    ranking: Sequence[str],
    relevance: Mapping[str, float],
    k: int,
    gain: Gain = "exponential",
) -> dict[Metric, float | None]:
    """Measure the first ``k`` places of one ranking.

    - precision: distinct relevant ids in the first k, divided by k. Missing places are misses.
    - recall: distinct relevant ids in the first k, divided by all relevant ids.
    - reciprocal rank: 1 / rank of the first relevant id, 0 if none is in the first k. Its mean over
      queries is the MRR.
    - nDCG: Σ gain / log2(rank + 1), divided by the same sum for the best order of *all* judged ids,
      cut at k (Järvelin and Kekäläinen, "Cumulated gain-based evaluation of IR techniques", 2002;
      the exponential gain is from Burges et al., "Learning to rank using gradient descent", 2005).

    Args:
        ranking: ids, best first. A repeated id counts once, at its first place; later ones close up.
        relevance: a finite grade ≥ 0 for each judged id; above 0 is relevant, unjudged is 0.
        k: the cutoff, a whole number ≥ 1.
        gain: ``"exponential"`` for 2^grade - 1, ``"linear"`` for the grade itself.

    Returns:
        The four metrics by name. With nothing relevant recall and nDCG are ``None``: undefined,
        neither 0 nor 1.

    Raises:
        Refused: a `ValueError` that names the place, for anything else.

    Example:
        >>> metrics(["A", "X", "Y"], {"A": 1, "B": 1}, k=3)["recall_at_k"]
        0.5
    """
    ids = checks.ranking(ranking, "ranking")
    cutoff = checks.whole(k, "k", minimum=1)
    _check_gain(gain)
    return _measured(
        checks.distinct(ids)[:cutoff], _gains(relevance, gain, "relevance", "relevance"), cutoff
    )


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A run measured over many queries.

    Attributes:
        k: the cutoff.
        gain: the gain used by nDCG.
        per_query: the four metrics of each judged query, in the order of the judgements.
        means: the mean of each metric over the queries that count; ``None`` if none does. That of
            ``reciprocal_rank_at_k`` is the MRR@k.
        counted: how many queries each mean is over.
        should_abstain: judged queries with nothing relevant, left out of every mean.
        not_judged: queries of the run without judgements, left out altogether.
        not_in_run: queries with something relevant that the run lacks; they count 0.
        negatives_read_as_0: how many negative grades were read as 0.
    """

    k: int
    gain: Gain
    per_query: dict[str, dict[Metric, float | None]]
    means: dict[Metric, float | None]
    counted: dict[Metric, int]
    should_abstain: tuple[str, ...]
    not_judged: tuple[str, ...]
    not_in_run: tuple[str, ...]
    negatives_read_as_0: int = 0


def evaluate(
    run: Mapping[str, Mapping[str, float]],
    qrels: Mapping[str, Mapping[str, float]],
    k: int,
    gain: Gain = "exponential",
    *,
    negative_grades_as_0: bool = False,
) -> Evaluation:
    """Measure a run over many queries.

    Args:
        run: ``{query: {doc: score}}``. Higher is better; equal scores are ordered by id, ascending.
        qrels: ``{query: {doc: grade}}``.
        k: the cutoff, a whole number ≥ 1.
        gain: as for `metrics`.
        negative_grades_as_0: read negative grades as 0 and count them, instead of refusing them.

    Returns:
        An `Evaluation`. Means are over the judged queries with something relevant; such a query that
        the run lacks counts 0. What was left out is listed there, with the reason.

    Raises:
        Refused: a `ValueError` that names the query and the document.
    """
    cutoff = checks.whole(k, "k", minimum=1)
    _check_gain(gain)
    check_nested(run, "run", "run")
    check_nested(qrels, "qrels", "qrels")
    negatives = 0
    per_query: dict[str, dict[Metric, float | None]] = {}
    for query, grades in qrels.items():
        if negative_grades_as_0:
            below = [doc for doc, grade in grades.items() if _is_negative(grade)]
            negatives += len(below)
            grades = {**grades, **dict.fromkeys(below, 0)}
        first = best_first(run.get(query, {}), f"run[{query!r}]", cutoff, field="run")
        gains = _gains(grades, gain, f"qrels[{query!r}]", "qrels")
        per_query[query] = _measured(first, gains, cutoff)
    counted = [query for query, values in per_query.items() if values["recall_at_k"] is not None]
    means: dict[Metric, float | None] = {}
    for metric in METRICS:
        values = [value for query in counted if (value := per_query[query][metric]) is not None]
        means[metric] = fsum(values) / len(values) if values else None
    return Evaluation(
        k=cutoff,
        gain=gain,
        per_query=per_query,
        means=means,
        counted=dict.fromkeys(METRICS, len(counted)),
        should_abstain=tuple(q for q, v in per_query.items() if v["recall_at_k"] is None),
        not_judged=tuple(query for query in run if query not in qrels),
        not_in_run=tuple(query for query in counted if query not in run),
        negatives_read_as_0=negatives,
    )


def best_first(
    scores: Mapping[str, float], where: str, limit: int | None = None, *, field: str = ""
) -> list[str]:
    """Return the ids of one query's scores, best first, equal scores by id ascending.

    Args:
        scores: a finite score for each id, of either sign.
        where: what to call it in a message.
        limit: return no more than so many.
        field: the argument that it came in, for whoever catches the error; ``where`` if not given.

    Raises:
        Refused: for an id that is no string, or a score that is no finite number.
    """
    if not checks.all_ids(scores):
        checks.refuse_id(scores, where, field)
    if not checks.all_finite(scores.values()):
        id, score = next(pair for pair in scores.items() if not checks.is_finite(pair[1]))
        raise Refused(
            "not_a_score", field=field or where, where=f"{where}[{id!r}]", found=checks.shown(score)
        )
    ids: Iterable[str] = scores
    if limit is not None and limit < len(scores):  # do not sort what will be cut
        last = sorted(scores.values())[-limit]
        ids = [id for id, score in scores.items() if score >= last]
    order = sorted(ids)  # by id first: the next sort is stable, so equal scores stay by id
    order.sort(key=scores.__getitem__, reverse=True)
    return order[:limit]


def check_nested(table: object, where: str, field: str) -> None:
    """Check that a run or the judgements are a mapping of mappings with usable query ids."""
    if not isinstance(table, Mapping):
        raise Refused("not_nested", field=field, where=where, found=checks.shown(table))
    for place, (query, row) in enumerate(table.items(), start=1):
        if not isinstance(query, str) or not query:
            raise Refused(
                "not_an_id", field=field, where=where, place=place, found=checks.shown(query)
            )
        if not isinstance(row, Mapping):
            raise Refused(
                "not_nested", field=field, where=f"{where}[{query!r}]", found=checks.shown(row)
            )


def _gains(grades: Mapping[str, float], gain: Gain, where: str, field: str) -> dict[str, float]:
    """Return the gain of every relevant id."""
    if not isinstance(grades, Mapping):
        raise Refused("not_judgements", field=field, where=where, found=checks.shown(grades))
    if not checks.all_ids(grades):
        checks.refuse_id(grades, where, field)
    # The usual grades, small whole numbers, need no look one by one.
    if not set(map(type, grades.values())) <= {int} or not all(
        0 <= grade <= LARGEST_USUAL_GRADE for grade in set(grades.values())
    ):
        for id, grade in grades.items():
            _check_grade(grade, gain, f"{where}[{id!r}]", field)
    to_gain = float if gain == "linear" else _exponential
    return {id: to_gain(grade) for id, grade in grades.items() if grade > 0}


def _exponential(grade: float) -> float:
    """Return 2^grade - 1: exact for whole grades, and above 0 for the smallest."""
    grade = float(grade)
    return 2**grade - 1 if grade.is_integer() else expm1(grade * log(2))


def _check_gain(gain: Gain) -> None:
    if gain not in get_args(Gain):
        raise Refused("not_a_gain", field="gain", found=checks.shown(gain))


def _check_grade(grade: Number, gain: Gain, where: str, field: str) -> None:
    checks.exact(grade, where, field=field)
    if grade > 0 and not SMALLEST_GRADE <= grade <= LARGEST_GRADE[gain]:
        raise Refused(
            "grade_range",
            field=field,
            where=where,
            found=checks.shown(grade),
            gain=gain,
            minimum=SMALLEST_GRADE,
            maximum=LARGEST_GRADE[gain],
        )


def _is_negative(grade: Number) -> bool:
    """Whether it is a number below 0; what is no number at all is for `_check_grade` to refuse."""
    return checks.is_finite(grade) and grade < 0


@lru_cache
def _discounts(length: int) -> tuple[float, ...]:
    return tuple(1 / log2(rank + 1) for rank in range(1, length + 1))


def _dcg(gained: Sequence[float]) -> float:
    """Return the discounted cumulative gain of the gains in the order of the places."""
    return fsum(map(mul, gained, _discounts(len(gained))))


def _measured(
    first: Sequence[str], gains: Mapping[str, float], cutoff: int
) -> dict[Metric, float | None]:
    """Measure ids without repeats, already cut at ``cutoff``, against the gains of the relevant."""
    gained = [gains.get(id, 0.0) for id in first]
    hits = [rank for rank, value in enumerate(gained, start=1) if value]
    ideal = sorted(gains.values(), reverse=True)[:cutoff]
    return {
        "precision_at_k": len(hits) / cutoff,
        "recall_at_k": len(hits) / len(gains) if gains else None,
        "reciprocal_rank_at_k": 1 / hits[0] if hits else 0.0,
        "ndcg_at_k": _dcg(gained) / _dcg(ideal) if gains else None,
    }
