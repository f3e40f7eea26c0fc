"""The core beside other libraries: how long it takes, and whether the results are the same.

Everything starts from dicts, ``{query: {doc: number}}``, since that is what people have; what a library
needs to take them in is part of its time. Times are medians of several rounds, the first one thrown
away, so that ranx has compiled what it compiles.
"""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from rankwalk import evaluate
from rankwalk.readers import fuse_runs

Run = dict[str, dict[str, float]]
Qrels = dict[str, dict[str, int]]

QUERIES, DOCUMENTS, CUTOFF, ROUNDS = 2_000, 100, 10, 5


def made_up(seed: int) -> tuple[Run, Run, Qrels]:
    """Return two runs and judgements: distinct scores, every query with something relevant."""
    chance = random.Random(seed)
    runs: tuple[Run, Run] = ({}, {})
    qrels: Qrels = {}
    for number in range(QUERIES):
        query, pool = f"q{number}", [f"d{doc}" for doc in range(3 * DOCUMENTS // 2)]
        for run in runs:
            scores = chance.sample(range(10 * DOCUMENTS), DOCUMENTS)
            run[query] = dict(zip(chance.sample(pool, DOCUMENTS), map(float, scores), strict=True))
        qrels[query] = {doc: chance.choice((0, 1, 2)) for doc in chance.sample(pool, 20)}
        qrels[query][chance.choice(pool)] = 1
    return *runs, qrels


def in_turn(works: dict[str, Callable[[], Any]]) -> tuple[dict[str, float], dict[str, Any]]:
    """Return the median seconds of each and what it gave.

    They take turns, so that whatever else the machine does slows all of them down alike. The first
    round does not count: ranx compiles then.
    """
    seconds: dict[str, list[float]] = {name: [] for name in works}
    results: dict[str, Any] = {}
    for number in range(ROUNDS + 1):
        for name, work in works.items():
            start = time.perf_counter()
            results[name] = work()
            if number:
                seconds[name].append(time.perf_counter() - start)
    return {name: statistics.median(of) for name, of in seconds.items()}, results


def table(seconds: dict[str, float]) -> None:
    """Print each time, and how many times that of the first it is."""
    ours = next(iter(seconds.values()))
    for name, value in seconds.items():
        print(f"  {name:36}{value:6.3f} s   {value / ours:4.1f} × rankwalk's")


def cut(run: Run) -> Run:
    """Return the best of each query: some libraries do not cut the reciprocal rank."""
    return {
        query: {doc: row[doc] for doc in sorted(row, key=row.__getitem__, reverse=True)[:CUTOFF]}
        for query, row in run.items()
    }


def import_time() -> None:
    """Print how long ``import rankwalk`` takes in a fresh Python that finds its bytecode, as usual."""
    code = "import time; s = time.perf_counter(); import rankwalk; print(time.perf_counter() - s)"
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    seconds = [
        float(subprocess.check_output([sys.executable, "-c", code], text=True, env=environment))
        for _ in range(2 * ROUNDS + 2)
    ][1:]  # the first one may have had to write the bytecode
    print(f"import rankwalk: {1000 * statistics.median(seconds):.0f} ms (at most 60 are wanted)")


def fusion_and_metrics() -> None:
    """Print the time of fusing and measuring, beside ranx, and how far the results are apart."""
    from ranx import Qrels as RanxQrels
    from ranx import Run as RanxRun
    from ranx import evaluate as ranx_evaluate
    from ranx import fuse as ranx_fuse

    first, second, qrels = made_up(seed=1)
    names = [f"precision@{CUTOFF}", f"recall@{CUTOFF}", f"mrr@{CUTOFF}", f"ndcg@{CUTOFF}"]

    def ours() -> tuple[dict[str, list[tuple[str, float]]], Any]:
        fused = fuse_runs([first, second])
        return fused, evaluate({q: dict(row) for q, row in fused.items()}, qrels, CUTOFF, "linear")

    def of_ranx(runs: list[Any], judged: Any) -> tuple[Any, Any]:
        fused = ranx_fuse(runs=runs, norm=None, method="rrf", params={"k": 60})
        return fused, ranx_evaluate(judged, fused, names, make_comparable=True)

    def taken_in() -> tuple[list[Any], Any]:
        return [RanxRun(first), RanxRun(second)], RanxQrels(qrels)

    before = taken_in()
    seconds, results = in_turn(
        {
            "rankwalk": ours,
            "ranx, warm": lambda: of_ranx(*taken_in()),
            "ranx, warm, dicts taken in before": lambda: of_ranx(*before),
        }
    )
    print(f"fusion and metrics, {QUERIES} queries × 2 lists × {DOCUMENTS} documents:")
    table(seconds)
    fused, (theirs, _) = results["rankwalk"][0], results["ranx, warm"]  # its metrics: see below
    apart = max(
        abs(score - theirs.run[query][doc]) for query, row in fused.items() for doc, score in row
    )
    print(f"  largest difference of a fused score: {apart:.1e}")
    # Equal fused scores are many, and each library orders them in its own way. So both measure one
    # order here, told by distinct scores.
    ordered = {
        query: {doc: -float(place) for place, (doc, _) in enumerate(row)}
        for query, row in fused.items()
    }
    means = ranx_evaluate(RanxQrels(qrels), RanxRun(ordered), names, make_comparable=True)
    ours_of_it = evaluate(ordered, qrels, CUTOFF, "linear").means.values()
    apart = max(abs(a - b) for a, b in zip(means.values(), ours_of_it, strict=True))
    print(f"  largest difference of a mean from ranx, of one fused order: {apart:.1e}")


def metrics_alone() -> None:
    """Print the time of measuring one run, beside two libraries, and how far apart the means are."""
    import ir_measures
    import pytrec_eval

    run, _, qrels = made_up(seed=2)
    asked = [f"P_{CUTOFF}", f"recall_{CUTOFF}", "recip_rank", f"ndcg_cut_{CUTOFF}"]
    measures = [ir_measures.parse_measure(f"{name}@{CUTOFF}") for name in ("P", "R", "RR", "nDCG")]

    def of_pytrec_eval(of: Run) -> list[float]:
        # the families without their cutoffs' values: pytrec_eval wants "P.10" in and gives "P_10"
        wanted = {f"P.{CUTOFF}", f"recall.{CUTOFF}", "recip_rank", f"ndcg_cut.{CUTOFF}"}
        per_query = pytrec_eval.RelevanceEvaluator(qrels, wanted).evaluate(of)
        return [statistics.fmean(row[name] for row in per_query.values()) for name in asked]

    def of_ir_measures(of: Run) -> list[float]:
        found = ir_measures.calc_aggregate(measures, qrels, of)
        return [found[measure] for measure in measures]

    libraries = {"pytrec_eval": of_pytrec_eval, "ir_measures": of_ir_measures}
    seconds, results = in_turn(
        {
            "rankwalk": lambda: evaluate(run, qrels, CUTOFF, gain="linear"),
            "pytrec_eval": lambda: of_pytrec_eval(run),
            "ir_measures": lambda: of_ir_measures(run),
        }
    )
    print(f"metrics alone, {QUERIES} queries × {DOCUMENTS} documents, conversion included:")
    table(seconds)
    means = results["rankwalk"].means.values()
    for name, library in libraries.items():
        apart = max(abs(a - b) for a, b in zip(means, library(cut(run)), strict=True))
        print(f"  largest difference of a mean from {name}, the run cut at {CUTOFF}: {apart:.1e}")


def main() -> None:
    """Measure everything."""
    import_time()
    fusion_and_metrics()
    metrics_alone()
