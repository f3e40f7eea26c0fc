"""A reranker that fails, as a widget: what is served, how it is marked, how long it takes."""

from __future__ import annotations

from dataclasses import asdict
from html import escape
from typing import Any

from rankwalk import tables
from rankwalk.lessons.rerank_cases import (
    EMBEDDING_S,
    KEYWORD_S,
    OUTAGE_QUESTION,
    PROVIDERS,
    RERANK_S,
    RESERVE_S,
    VECTOR_S,
    Outage,
    OutageSettings,
    outage,
    passages,
    question,
)
from rankwalk.messages import lookup, say
from rankwalk.widgets.base import Setting, css, esm
from rankwalk.widgets.plain import PlainStage

MARKS = ("rerank_score", "rerank_degraded", "rerank_degraded_reason")


class RerankOutage(PlainStage):
    """Choose what is wrong with the reranker and what the pipeline does about it.

    Args:
        lang: ``"en"`` or ``"zh"``.
        settings: those of `rankwalk.lessons.rerank_cases.OutageSettings`, by name; each is also an
            attribute.

    Raises:
        SettingError: a `ValueError` that says what was wrong and what is allowed.
    """

    name = "outage"
    settings_type = OutageSettings
    _esm = esm(name)
    _css = css(name)

    provider = Setting()
    strategy = Setting()
    delay_s = Setting()
    deadline_s = Setting()

    @property
    def outcome(self) -> Outage:
        """What the pipeline did with the present settings."""
        return outage(self._settings, self.lang)

    def _picture(self, settings: OutageSettings, lang: str) -> dict[str, Any]:
        outcome = outage(settings, lang)
        name, needed = OUTAGE_QUESTION
        said = _said(outcome, needed, lang)
        return {
            "scope": _scope(lang),
            "question": say("rerank.outage.question", lang, question=question(name, lang)),
            "needed": f"{say('rerank.outage.needed', lang, id=needed)} · {passages(lang)[needed]}",
            "ended": _ended(outcome),
            "said": said,
            "head": [
                say("rerank.outage.place", lang),
                say("rerank.outage.passage", lang),
                "score",
                *MARKS,
            ],
            "rows": _rows(outcome, lang),
            "needed_id": needed,
            "timings": _timings(outcome),
            "deadline_ms": settings.deadline_s * 1000,
            "reserve_ms": RESERVE_S * 1000,
            "values": asdict(settings),
            "providers": [[kind, say(f"rerank.outage.{kind}", lang)] for kind in PROVIDERS],
            "strategies": [
                ["raise", say("rerank.outage.raise", lang)],
                ["degrade", say("rerank.outage.degrade", lang)],
            ],
            "notes": _notes(settings, outcome, lang),
            "ui": {**lookup("rerank.outage", lang), **lookup("rerank.ui", lang)},
        }

    def _text(self) -> str:
        view = self._view
        rows = [" · ".join(row) for row in view["rows"]]
        timings = ", ".join(f"{name} {ms:.0f}" for name, ms in view["timings"])
        return "\n".join(
            [
                view["question"],
                view["needed"],
                view["said"],
                *rows,
                f"{view['ui']['timings']}: {timings}",
                view["scope"],
            ]
        )

    def _html(self) -> str:
        view = self._view
        words = view["ui"]
        timings = [[name, f"{ms:.0f}"] for name, ms in view["timings"]]
        served = tables.html(view["head"], view["rows"]) if view["rows"] else ""
        return (
            f'<div lang="{escape(self.lang)}"><p><b>{escape(words["name"])}</b></p>'
            f"<p>{escape(view['question'])}<br>{escape(view['needed'])}</p>"
            f"<p><b>{escape(view['said'])}</b></p>{served}"
            f"{tables.html([words['stage'], words['ms']], timings)}"
            f"<p><small>{escape(words['stand_in'])} {escape(view['scope'])}</small></p></div>"
        )


def _scope(lang: str) -> str:
    return say(
        "rerank.outage.scope",
        lang,
        embedding=f"{EMBEDDING_S * 1000:.0f}",
        vector=f"{VECTOR_S * 1000:.0f}",
        keyword=f"{KEYWORD_S * 1000:.0f}",
        rerank=f"{RERANK_S * 1000:.0f}",
        reserve=f"{RESERVE_S * 1000:.0f}",
    )


def _ended(outcome: Outage) -> str:
    """Return ``"raised"``, ``"degraded"`` or ``"served"``."""
    if outcome.result is None:
        return "raised"
    return "degraded" if outcome.result.degraded else "served"


def _said(outcome: Outage, needed: str, lang: str) -> str:
    total = f"{dict(outcome.stages)['total'] * 1000:,.0f}"
    if outcome.error is not None:
        return say(
            "rerank.outage.raised",
            lang,
            ms=total,
            type=type(outcome.error).__name__,
            status=outcome.error.http_status,
            text=outcome.error.in_language(lang),
        )
    assert outcome.result is not None  # one of the two is given
    ids = [chunk.id for chunk in outcome.result.chunks]
    place = ids.index(needed) + 1 if needed in ids else None
    if outcome.result.degraded:
        key = "rerank.outage.degraded_ok" if place else "rerank.outage.degraded_gone"
    else:
        key = "rerank.outage.served_ok" if place else "rerank.outage.served_gone"
    return say(key, lang, ms=total, place=place)


def _rows(outcome: Outage, lang: str) -> list[list[str]]:
    """Return a row a passage: what is not in its diagnostics is said not to be there."""
    none = say("rerank.outage.none", lang)
    chunks = outcome.result.chunks if outcome.result else ()
    return [
        [
            str(place),
            f"{chunk.id} · {chunk.text}",
            f"{chunk.score:.4f}",
            *(_note(chunk.diagnostics.get(mark), none) for mark in MARKS),
        ]
        for place, chunk in enumerate(chunks, start=1)
    ]


def _note(value: object, none: str) -> str:
    if value is None:
        return none
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def _timings(outcome: Outage) -> list[list[Any]]:
    order = ("embedding", "vector", "keyword", "rerank", "total")
    seconds = dict(outcome.stages)
    timings: list[list[Any]] = [[name, seconds[name] * 1000] for name in order if name in seconds]
    if outcome.result is not None and outcome.result.degraded:
        timings.append(["rerank_degraded", outcome.result.timings["rerank_degraded"]])
    return timings


def _notes(settings: OutageSettings, outcome: Outage, lang: str) -> dict[str, str]:
    """Say of each control that changes nothing here why it does not."""
    notes: dict[str, str] = {}
    if settings.provider != "slow":
        notes["delay_s"] = say("rerank.outage.note_delay", lang)
    if settings.provider not in ("works", "slow", "fails"):
        notes["strategy"] = say("rerank.outage.note_strategy_nonsense", lang)
    elif _ended(outcome) == "served":
        notes["strategy"] = say("rerank.outage.note_strategy_works", lang)
    return notes
