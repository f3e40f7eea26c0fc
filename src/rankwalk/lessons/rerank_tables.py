"""The tables of lesson 4: what the pipeline, the model and the metrics computed, headed in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rankwalk.lessons.funnel import FunnelSettings, Point
from rankwalk.lessons.rerank_cases import (
    PROVIDERS,
    BeforeAfter,
    Outage,
    OutageSettings,
    outage,
    question,
)
from rankwalk.messages import say
from rankwalk.metrics import Metric
from rankwalk.pipeline import Fate
from rankwalk.rerank import RerankItem, RetrievedChunk
from rankwalk.tables import Table

ABSENT = "–"
NOTES = ("vector_rank", "keyword_rank", "rrf_score", "rerank_score")


def chunks(found: Iterable[RetrievedChunk], lang: str, notes: Sequence[str] = NOTES) -> Table:
    """Return a row a chunk, best first: its score and some of its diagnostics."""
    return Table(
        [say("rerank.outage.place", lang), say("rerank.table.passage", lang), "score", *notes],
        [
            [
                place,
                chunk.id,
                f"{chunk.score:.5f}",
                *(_cell(chunk.diagnostics.get(note)) for note in notes),
            ]
            for place, chunk in enumerate(found, start=1)
        ],
    )


def _cell(value: object) -> str:
    if value is None:
        return ABSENT
    return f"{value:.5f}" if isinstance(value, float) else str(value)


def reading_everything(sizes: Iterable[int], lang: str) -> Table:
    """Return how long it would take to read question and passage together for every passage."""
    ms = FunnelSettings().ms_a_pair
    return Table(
        [
            say("rerank.table.millions", lang),
            say("rerank.table.seconds", lang, ms=f"{ms:g}"),
        ],
        [[f"{size:,}", f"{size * ms / 1000:,.1f}"] for size in sizes],
    )


def fates(by_depth: Mapping[int, Fate], id: str, lang: str) -> Table:
    """Return what becomes of a passage at each retrieval depth."""
    return Table(
        [say("rerank.table.depth", lang), say("rerank.table.fate", lang, id=id)],
        [
            [
                depth,
                say("rerank.table.served", lang)
                if fate is Fate.SERVED
                else say(f"rerank.fate.{fate}", lang),
            ]
            for depth, fate in by_depth.items()
        ],
    )


def points(curve: Iterable[Point], lang: str) -> Table:
    """Return the numbers behind the chart of recall against latency."""
    return Table(
        [
            say("rerank.funnel.depth_column", lang),
            say("rerank.funnel.ms_column", lang),
            say("rerank.funnel.retrieved", lang),
            say("rerank.funnel.kept", lang),
        ],
        [
            [
                point.depth,
                f"{point.latency_ms:,.0f}",
                f"{point.retrieved:.1%}",
                f"{point.kept_in_context:.1%}",
            ]
            for point in curve
        ],
    )


def means(result: BeforeAfter, caption: str, lang: str) -> Table:
    """Return the means of three metrics without and with the reranker."""
    n = result.before.k
    names: dict[Metric, str] = {
        "recall_at_k": say("rerank.table.recall", lang, n=n),
        "reciprocal_rank_at_k": say("rerank.table.mrr", lang, n=n),
        "ndcg_at_k": say("rerank.table.ndcg", lang, n=n),
    }
    return Table(
        [
            say("rerank.table.measure", lang),
            say("rerank.table.means_before", lang),
            say("rerank.table.means_after", lang),
        ],
        [
            [words, _mean(result.before.means, name), _mean(result.after.means, name)]
            for name, words in names.items()
        ],
        caption,
    )


def _mean(values: Mapping[Metric, float | None], name: Metric) -> str:
    value = values[name]
    return ABSENT if value is None else f"{value:.3f}"


def places(result: BeforeAfter, lang: str) -> Table:
    """Return for each question where its passage stood without and with the reranker."""
    rows = []
    for name, needed in result.needed.items():
        before = _place(result.orders_before[name], needed)
        after = _place(result.orders_after[name], needed)
        far = len(result.orders_before[name]) + 1
        change = (before or far) - (after or far)
        if change == 0:
            said = say("rerank.table.same", lang)
        elif change > 0:
            said = say("rerank.table.better", lang)
        else:
            said = say("rerank.table.worse", lang)
        gone = say("rerank.table.not_in", lang, n=far - 1)
        rows.append(
            [
                question(name, lang),
                needed,
                before or gone,
                after or gone,
                said,
            ]
        )
    return Table(
        [
            say("rerank.table.question", lang),
            say("rerank.table.needed", lang),
            say("rerank.table.before", lang),
            say("rerank.table.after", lang),
            say("rerank.table.change", lang),
        ],
        rows,
    )


def _place(order: Sequence[str], id: str) -> int | None:
    return order.index(id) + 1 if id in order else None


def outcomes(lang: str) -> Table:
    """Return how a request ends for each reranker under strategy A and B."""

    def ended(outcome: Outage) -> str:
        if outcome.error is not None:
            return say(
                "rerank.table.raised",
                lang,
                type=type(outcome.error).__name__,
                status=outcome.error.http_status,
            )
        degraded = outcome.result is not None and outcome.result.degraded
        return say("rerank.table.degraded" if degraded else "rerank.table.served", lang)

    return Table(
        [
            say("rerank.table.provider", lang),
            say("rerank.table.strategy_a", lang),
            say("rerank.table.strategy_b", lang),
        ],
        [
            [
                say(f"rerank.outage.{provider}", lang),
                ended(outage(OutageSettings(provider, "raise"), lang)),
                ended(outage(OutageSettings(provider, "degrade"), lang)),
            ]
            for provider in PROVIDERS
        ],
    )


def sent(items: Iterable[RerankItem], whole: Mapping[str, str], lang: str) -> Table:
    """Return what a reranker got to read, beside the length of the whole passages."""
    return Table(
        [
            say("rerank.table.passage", lang),
            say("rerank.table.sent", lang),
            say("rerank.table.sent_part", lang),
        ],
        [[item.id, item.text, f"{len(item.text)} / {len(whole[item.id])}"] for item in items],
    )
