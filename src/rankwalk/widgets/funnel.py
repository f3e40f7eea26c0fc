"""The two-stage funnel as a widget: cost, time, and what is lost at which stage."""

from __future__ import annotations

from dataclasses import asdict
from html import escape
from math import log10
from typing import Any

from rankwalk import tables
from rankwalk.lessons.funnel import (
    ADVANTAGE,
    EMBEDDING_MS,
    KEYWORD_MEDIAN_RANK,
    SEARCH_MS,
    SEARCH_MS_A_RESULT,
    VECTOR_MEDIAN_RANK,
    Funnel,
    FunnelSettings,
    Point,
    funnel,
    knee,
    recall_against_latency,
)
from rankwalk.messages import lookup, say
from rankwalk.widgets.base import Setting, css, esm
from rankwalk.widgets.plain import PlainStage


class RerankFunnel(PlainStage):
    """Change depths, overlap, prices and budget, and see what they cost and what they lose.

    Args:
        lang: ``"en"`` or ``"zh"``.
        settings: those of `rankwalk.lessons.funnel.FunnelSettings`, by name; each is an attribute too.

    Raises:
        SettingError: a `ValueError` that says what was wrong and what is allowed.
    """

    name = "funnel"
    settings_type = FunnelSettings
    _esm = esm(name)
    _css = css(name)

    chunks = Setting()
    vector_depth = Setting()
    keyword_depth = Setting()
    overlap = Setting()
    limit = Setting()
    budget = Setting()
    ms_a_pair = Setting()
    cost_a_million_pairs = Setting()
    questions = Setting()
    seed = Setting()

    @property
    def result(self) -> Funnel:
        """Everything that the present settings give."""
        return funnel(self._settings)

    def _picture(self, settings: FunnelSettings, lang: str) -> dict[str, Any]:
        result = funnel(settings)
        points = recall_against_latency(settings)
        facts = _facts(result, lang)
        return {
            "name": say("rerank.funnel.name", lang),
            "scope": _scope(settings, lang),
            "stages": _stages(result, lang),
            "facts": facts,
            "said": " ".join(facts),
            "chart": _chart(result, points, lang),
            "values": asdict(settings),
            "notes": _notes(result, lang),
            "ui": {**lookup("rerank.funnel", lang), **lookup("rerank.ui", lang)},
        }

    def _text(self) -> str:
        view = self._view
        stages = [
            f"{stage['title']}: {stage['count']} · {stage['still']}"
            + (f" · {stage['lost']}" if stage["lost"] else "")
            for stage in view["stages"]
        ]
        return "\n".join([*stages, "", *view["facts"], view["scope"]])

    def _html(self) -> str:
        view = self._view
        words = view["ui"]
        names = ("stage_column", "count_column", "share_column", "lost_column")
        head = [words[name] for name in names]
        rows = [
            [stage["title"], stage["count"], stage["still"], stage["lost"]]
            for stage in view["stages"]
        ]
        chart = view["chart"]
        points = [point["cells"] for point in chart["points"]]
        return (
            f'<div lang="{escape(self.lang)}"><p><b>{escape(view["name"])}</b></p>'
            f"{tables.html(head, rows)}"
            f"<p>{'<br>'.join(escape(fact) for fact in view['facts'])}</p>"
            f"<p><b>{escape(words['chart'])}</b></p>{tables.html(chart['head'], points)}"
            f"<p><small>{escape(view['scope'])}</small></p></div>"
        )


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _number(value: float) -> str:
    """Return a number with commas, and with no more digits than are worth reading."""
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:,.3g}"


def _scope(settings: FunnelSettings, lang: str) -> str:
    return say(
        "rerank.funnel.scope",
        lang,
        questions=_number(settings.questions),
        seed=settings.seed,
        chunks=_number(settings.chunks),
        vector_median=_number(VECTOR_MEDIAN_RANK),
        keyword_median=_number(KEYWORD_MEDIAN_RANK),
        advantage=ADVANTAGE,
    )


def _stages(result: Funnel, lang: str) -> list[dict[str, Any]]:
    """Return the funnel's stages from wide to narrow, each with its share and what it lost."""
    s = result.settings
    rows = [
        ("all", s.chunks, 1.0, None),
        ("vector", s.vector_depth, result.in_vector, None),
        ("keyword", s.keyword_depth, result.in_keyword, None),
        ("fused", result.candidates, result.retrieved, 1.0),
        ("rerank", result.reranked, result.kept_by_rerank, result.retrieved),
        ("budget", result.in_context, result.kept_in_context, result.kept_by_rerank),
    ]
    stages = []
    for name, count, share, before in rows:
        lost = None if before is None else before - share
        lost_key = "lost_forever" if name == "fused" else "lost"
        stages.append(
            {
                "key": name,
                "title": say(f"rerank.funnel.{name}", lang),
                "count": say(
                    "rerank.funnel.fused_count" if name == "fused" else "rerank.funnel.count",
                    lang,
                    n=f"{count:,}",
                    repeats=f"{result.repeats:,}",
                ),
                # The width of a bar: logarithmic, or nothing but the first one would be seen.
                "width": (log10(count) + 0.4) / (log10(s.chunks) + 0.4),
                "share": share,
                "lost_share": lost or 0.0,
                "still": say("rerank.funnel.still_all", lang)
                if name == "all"
                else say(
                    "rerank.funnel.still",
                    lang,
                    share=_percent(share),
                    error=_percent(result.error_of(share)),
                ),
                "lost": ""
                if lost is None
                else say(f"rerank.funnel.{lost_key}", lang, lost=_percent(lost)),
            }
        )
    return stages


def _facts(result: Funnel, lang: str) -> list[str]:
    s = result.settings
    search = SEARCH_MS + SEARCH_MS_A_RESULT * max(s.vector_depth, s.keyword_depth)
    return [
        say(
            "rerank.funnel.lost_before",
            lang,
            questions=f"{s.questions:,}",
            lost=f"{round((1 - result.retrieved) * s.questions):,}",
        ),
        say(
            "rerank.funnel.time",
            lang,
            ms=_number(round(result.latency_ms)),
            embedding=_number(EMBEDDING_MS),
            search=_number(round(search)),
            pairs=f"{result.candidates:,}",
            rerank=_number(round(result.candidates * s.ms_a_pair)),
        ),
        say(
            "rerank.funnel.cost",
            lang,
            cost=_number(result.cost_a_thousand),
            price=_number(s.cost_a_million_pairs),
        ),
        say("rerank.funnel.read_all", lang, hours=_number(result.read_all_hours)),
    ]


def _notes(result: Funnel, lang: str) -> dict[str, str]:
    """Say of each control that changes nothing here why it does not."""
    notes: dict[str, str] = {}
    if result.settings.budget > result.reranked:
        notes["budget"] = say("rerank.funnel.note_budget", lang, n=result.reranked)
    if result.candidates == 1:
        notes["limit"] = say("rerank.funnel.note_one", lang)
    return notes


def _chart(result: Funnel, points: tuple[Point, ...], lang: str) -> dict[str, Any]:
    """Return the points of the chart, with what to say when the learner takes one for the knee."""
    rule = knee(points)

    def words(point: Point) -> str:
        return say(
            "rerank.funnel.knee_words",
            lang,
            depth=point.depth,
            share=_percent(point.kept_in_context),
            ms=_number(round(point.latency_ms)),
        )

    def verdict(point: Point) -> str:
        key = "knee_same" if point == rule else "knee_differs"
        return say(
            f"rerank.funnel.{key}",
            lang,
            rule=rule.depth,
            mine_words=words(point),
            rule_words=words(rule),
        )

    head = ("depth_column", "ms_column", "retrieved", "kept")
    return {
        "head": [say(f"rerank.funnel.{key}", lang) for key in head],
        "words": say("rerank.funnel.chart_words", lang, n=len(points)),
        "points": [
            {
                "depth": point.depth,
                "ms": point.latency_ms,
                "retrieved": point.retrieved,
                "kept": point.kept_in_context,
                "cells": [
                    str(point.depth),
                    _number(round(point.latency_ms)),
                    f"{_percent(point.retrieved)} %",
                    f"{_percent(point.kept_in_context)} %",
                ],
                "verdict": verdict(point),
            }
            for point in points
        ],
        "rule": rule.depth,
        "now": {"ms": result.latency_ms, "kept": result.kept_in_context},
    }
