"""The tables of lesson 3, computed and in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import log2, nan
from random import Random
from statistics import fmean
from typing import get_args

from rankwalk.lessons.compare import FEW, Comparison, Interval
from rankwalk.lessons.conventions import CASES, Value
from rankwalk.lessons.edits import Response
from rankwalk.messages import say
from rankwalk.metrics import METRICS, Evaluation, Gain, Metric, evaluate, metrics
from rankwalk.readers import Qrels, Run
from rankwalk.tables import Table


def measured(
    rankings: Iterable[Sequence[str]],
    grades: Mapping[str, float],
    cutoffs: Iterable[int],
    lang: str,
    gain: Gain = "exponential",
) -> Table:
    """Return the four metrics of each ranking at each cutoff, a row for each metric."""
    rankings, cutoffs = [list(one) for one in rankings], list(cutoffs)
    head = [say("measure.table.metric", lang)]
    columns = []
    for ranking in rankings:
        for n in cutoffs:
            head.append(f"{' '.join(ranking)} @{n}")
            columns.append(metrics(ranking, grades, n, gain))
    rows = [
        [say(f"measure.metric.{metric}", lang, n="n"), *(shown(c[metric], lang) for c in columns)]
        for metric in METRICS
    ]
    return Table(head, rows)


def shown(value: float | None, lang: str) -> str:
    """Return a metric to three places, or the word for undefined."""
    return say("measure.undefined", lang) if value is None else f"{value:.3f}"


def ndcg_on_paper(
    ranking: Sequence[str], grades: Mapping[str, int], n: int, lang: str, gain: Gain = "exponential"
) -> Table:
    """Return nDCG as one adds it up on paper: each place's gain and discount, and the best order's."""

    def gained(id: str) -> float:
        grade = grades.get(id, 0)
        return grade if gain == "linear" else 2**grade - 1

    best = sorted(grades, key=lambda id: (-grades[id], id))
    rows: list[list[str]] = []
    sums = [0.0, 0.0]
    for place in range(1, n + 1):
        discount = 1 / log2(place + 1)
        cells = [str(place)]
        id = ranking[place - 1] if place <= len(ranking) else ""
        products = []
        for column, at in enumerate((id, best[place - 1] if place <= len(best) else "")):
            products.append(gained(at) * discount if at else 0.0)
            sums[column] += products[-1]
        cells += [id, str(grades.get(id, 0)), f"{gained(id):g}", f"{discount:.4f}"]
        cells += [f"{products[0]:.4f}", best[place - 1] if place <= len(best) else ""]
        rows.append([*cells, f"{products[1]:.4f}"])
    value = sums[0] / sums[1]
    rows.append(
        [say("measure.table.sum", lang), "", "", "", "", f"{sums[0]:.4f}", "", f"{sums[1]:.4f}"]
    )
    columns = (
        "place", "document", "grade", "gain", "discount", "product", "ideal", "ideal_product",
    )  # fmt: skip
    name = say("measure.metric.ndcg_at_k", lang, n=n)
    caption = f"{name} = {sums[0]:.4f} / {sums[1]:.4f} = {value:.4f}"
    return Table([say(f"measure.table.{column}", lang) for column in columns], rows, caption)


def gains_disagree(
    rankings: Sequence[Sequence[str]], grades: Mapping[str, int], n: int, lang: str
) -> Table:
    """Return nDCG of rankings under both gains."""
    rows = [
        [
            " ".join(ranking),
            *(
                shown(metrics(ranking, grades, n, gain)["ndcg_at_k"], lang)
                for gain in get_args(Gain)[::-1]
            ),
        ]
        for ranking in rankings
    ]  # fmt: skip
    columns = ("order", "linear", "exponential")
    return Table([say(f"measure.table.{column}", lang) for column in columns], rows)


def averages(first_hits: Sequence[int | None], lang: str) -> Table:
    """Return three numbers that have been called MRR, for the ranks of the first hits."""
    hits = [rank for rank in first_hits if rank is not None]
    rows = [
        ["mean_of_reciprocals", fmean(1 / rank if rank else 0.0 for rank in first_hits)],
        ["without_misses", fmean(1 / rank for rank in hits)],
        ["reciprocal_of_mean", 1 / fmean(hits)],
    ]
    return Table(
        [say("measure.table.ways", lang), say("measure.table.value", lang)],
        [[say(f"measure.table.{name}", lang), f"{value:.3f}"] for name, value in rows],
    )


def means(found: Evaluation, lang: str) -> Table:
    """Return the means of an evaluation, and over how many queries each is."""
    rows = [
        [
            say(f"measure.mean.{metric}", lang, n=found.k),
            shown(found.means[metric], lang),
            str(found.counted[metric]),
        ]
        for metric in METRICS
    ]
    return Table([say(f"measure.table.{c}", lang) for c in ("metric", "mean", "queries")], rows)


def left_out(found: Evaluation, lang: str) -> Table:
    """Return the queries that are no plain part of the means, each with the reason."""
    rows = [
        [query, say(f"measure.many.{reason}", lang)]
        for reason, queries in (
            ("abstain", found.should_abstain),
            ("not_in_run", found.not_in_run),
            ("not_judged", found.not_judged),
        )
        for query in queries
    ]
    return Table([say("measure.table.query", lang), say("measure.table.reason", lang)], rows)


def conventions(lang: str) -> Table:
    """Return the stored table of conventions."""
    rows = [
        [say(f"measure.convention.{case.name}", lang), tool, measure, _value(value, lang)]
        for case in CASES
        for (tool, measure), value in case.values.items()
    ]
    return Table(
        [say(f"measure.table.{c}", lang) for c in ("case", "tool", "measure", "value")], rows
    )


def _value(value: Value, lang: str) -> str:
    if isinstance(value, float):
        return f"{value:.4f}"
    return say(f"measure.table.{value or 'undefined'}", lang)


def responses(found: Mapping[Metric, Sequence[Response]], n: int, lang: str) -> Table:
    """Return the numbers behind the figure of noise."""
    metrics_shown = list(found)
    head = [say("measure.table.noise", lang)]
    head += [say(f"measure.metric.{metric}", lang, n=n) for metric in metrics_shown]
    rows = [
        [
            str(found[metrics_shown[0]][index].noise),
            *(
                f"{row[index].median:.3f} ({row[index].low:.3f}–{row[index].high:.3f})"
                for row in found.values()
            ),
        ]
        for index in range(len(found[metrics_shown[0]]))
    ]
    return Table(head, rows, say("measure.table.quartiles", lang))


def told_interval(interval: Interval, lang: str) -> list[str]:
    """Say a mean with its interval, and warn where the queries are few."""
    told = [
        say(
            "measure.many.interval", lang, mean=f"{interval.mean:.3f}", low=f"{interval.low:.3f}",
            high=f"{interval.high:.3f}", n=interval.queries,
        )
    ]  # fmt: skip
    if interval.few:
        told.append(say("measure.many.few", lang, n=interval.queries, few=FEW))
    return told


def told_comparison(found: Comparison, lang: str) -> list[str]:
    """Say how two systems compare, and whether the queries decide."""
    wins = say("measure.many.wins", lang, better=found.better, worse=found.worse, equal=found.equal)
    if found.clear:
        way = say(
            "measure.many.better" if found.difference.mean > 0 else "measure.many.worse", lang
        )
        verdict = say("measure.many.clear", lang, way=way)
    else:
        verdict = say("measure.many.unclear", lang)
    return [wins, *told_interval(found.difference, lang), verdict]


def example(seed: int = 7, queries: int = 24) -> tuple[Run, Run, Qrels]:
    """Return two made-up runs and judgements: each query needs two documents of twelve.

    Run b puts the second needed document a little higher on average. One query has nothing relevant,
    one is missing from both runs, and one that both answer is not judged.
    """
    random = Random(seed)
    docs = [f"d{number}" for number in range(1, 13)]
    run_a: Run = {}
    run_b: Run = {}
    qrels: Qrels = {}
    for number in range(1, queries + 1):
        query = f"q{number:02}"
        first, second = random.sample(docs, 2)
        qrels[query] = {first: 2, second: 1}
        easy = random.gauss(1.5, 1)  # a hard query is hard for both
        for run, help in ((run_a, 0.0), (run_b, 0.5)):
            run[query] = {doc: round(random.gauss(0, 1), 3) for doc in docs}
            run[query][first] = round(run[query][first] + easy, 3)
            run[query][second] = round(run[query][second] + easy / 2 + help, 3)
    qrels["nothing"] = {"d1": 0}
    qrels["missing"] = {"d1": 1}
    for run in (run_a, run_b):
        run["nothing"] = {"d1": 1.0}
        run["unjudged"] = {"d1": 1.0}
    return run_a, run_b, qrels


# ---- spot the fault ----------------------------------------------------------------------------------


def _dcg(gains: Iterable[float], late: int = 0) -> float:
    """Sum the discounted gains; ``late`` shifts the discount by so many places, as a fault did."""
    return sum(
        gain / (log2(place + 1 - late) or 1) for place, gain in enumerate(gains, start=1) if gain
    )


def _mrr(first_hits: Sequence[int | None]) -> float:
    """Return MRR@10 of queries whose first hit is at these ranks, by `evaluate`."""
    run: Run = {}
    for number, rank in enumerate(first_hits):
        docs = [f"x{place}" for place in range(1, rank or 4)] + (["A"] if rank else [])
        run[f"q{number}"] = {doc: float(-place) for place, doc in enumerate(docs)}
    mean = evaluate(run, {query: {"A": 1} for query in run}, 10).means["reciprocal_rank_at_k"]
    assert mean is not None
    return mean


_TWELVE = [f"d{number}" for number in range(1, 13)]

FAULTS: dict[str, tuple[Callable[[], float], Callable[[], float | None]]] = {
    "M1": (
        lambda: _dcg([1, 1]) / _dcg([1]),
        lambda: metrics(["A", "A"], {"A": 1}, 2)["ndcg_at_k"],
    ),
    "M2": (
        lambda: 2 / 1,
        lambda: metrics(["A", "A", "X"], {"A": 1}, 3)["recall_at_k"],
    ),
    "M5": (
        lambda: _dcg([1, 0, 1]) / _dcg([1, 1]),
        lambda: metrics(["A", "X", "B"], {"A": 1, "B": 1, "C": 1}, 3)["ndcg_at_k"],
    ),
    "M6": (
        lambda: _dcg([1] * 10) / _dcg([1] * 12),
        lambda: metrics(_TWELVE, dict.fromkeys(_TWELVE, 1), 10)["ndcg_at_k"],
    ),
    "M7": (
        lambda: _dcg([0, 1], late=1) / _dcg([1], late=1),
        lambda: metrics(["X", "A"], {"A": 1}, 2)["ndcg_at_k"],
    ),
    "M9": (
        lambda: fmean([1 / 1, 1 / 2]),
        lambda: _mrr([1, 2, None]),
    ),
    "M10": (lambda: 1 / fmean([1, 4]), lambda: _mrr([1, 4])),
    "M13": (
        lambda: fmean([1, 1, 1]),
        lambda: evaluate(
            {"a": {"A": 1}, "b": {"A": 1}, "c": {}, "d": {"A": 1}}, {q: {"A": 1} for q in "abcd"}, 1
        ).means["precision_at_k"],
    ),
    "M14": (lambda: nan, lambda: metrics(["A"], {}, 1)["recall_at_k"]),
}
"""Real faults, reduced: what the faulty code gives, and what is right. The given is in the catalogue."""


def spot(lang: str, *, solved: bool = False) -> Table:
    """Return the faults as a table; with ``solved``, what went wrong and what is right."""
    columns = ["case", "given", "seen", *(["fault", "right"] if solved else [])]
    rows = []
    for case, (faulty, right) in FAULTS.items():
        cells = [case, say(f"measure.spot.given.{case}", lang), f"{faulty():.4g}"]
        if solved:
            value = right()
            said = say("measure.undefined", lang) if value is None else f"{value:.4g}"
            cells += [say(f"measure.spot.fault.{case}", lang), said]
        rows.append(cells)
    return Table([say(f"measure.spot.head.{column}", lang) for column in columns], rows)
