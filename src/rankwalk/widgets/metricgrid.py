"""A grid of edits and metrics: guess which metric moves, then see it computed."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any

from rankwalk import checks, tables
from rankwalk.lessons.edits import BASE, EDITS, GRADES, effects
from rankwalk.messages import lookup, say
from rankwalk.metrics import METRICS
from rankwalk.widgets.base import Setting, css, esm
from rankwalk.widgets.flips import paragraphs
from rankwalk.widgets.plain import PlainStage
from rankwalk.widgets.playground import number


@dataclass(frozen=True, slots=True)
class GridSettings:
    """How the grid is measured.

    Attributes:
        n: the cutoff, 1 to 6.
    """

    n: int = 3

    def __post_init__(self) -> None:
        n = checks.whole(self.n, "n", minimum=1, maximum=len(BASE) + 1)
        object.__setattr__(self, "n", n)


class MetricGrid(PlainStage):
    """Guess for each edit and metric whether it moves or stays, then compare.

    Args:
        lang: ``"en"`` or ``"zh"``.
        n: the cutoff.

    Raises:
        SettingError: a `ValueError` that says what was wrong and what is allowed.
    """

    name = "metricgrid"
    _esm = esm(name)
    _css = css(name)
    settings_type = GridSettings

    n = Setting()

    def _picture(self, settings: GridSettings, lang: str) -> dict[str, Any]:
        rows = []
        for name, ranking in EDITS.items():
            found = effects(BASE, ranking, GRADES, settings.n)
            rows.append(
                {
                    "words": say(f"measure.edit.{name}", lang),
                    "ranking": " ".join(ranking),
                    "cells": [
                        {
                            "moves": effect.moved != "same",
                            "words": say(f"measure.moved.{effect.moved}", lang),
                            "numbers": f"{number(effect.before, lang)} → {number(effect.after, lang)}",
                        }
                        for effect in found
                    ],
                }
            )
        return {
            "start": say("measure.grid.start", lang, ranking=" ".join(BASE), n=settings.n),
            "judged": judged(lang),
            "head": [say(f"measure.metric.{metric}", lang, n=settings.n) for metric in METRICS],
            "rows": rows,
            "values": {"n": settings.n},
            "largest": len(BASE) + 1,
            "ui": lookup("measure.grid", lang) | lookup("measure.ui", lang),
        }

    def _table(self) -> tuple[list[str], list[list[str]]]:
        view = self._view
        rows = [
            [
                row["words"], row["ranking"],
                *(f"{cell['numbers']}, {cell['words']}" for cell in row["cells"]),
            ]
            for row in view["rows"]
        ]  # fmt: skip
        return [view["ui"]["edit"], view["ui"]["ranking"], *view["head"]], rows

    def _text(self) -> str:
        view = self._view
        return "\n".join([view["start"], view["judged"], "", tables.text(*self._table())])

    def _html(self) -> str:
        view = self._view
        return (
            f'<div lang="{self.lang}">{paragraphs([view["start"], view["judged"]])}'
            f"<details><summary>{escape(view['ui']['reveal'])}</summary>"
            f"{tables.html(*self._table())}</details>{paragraphs([view['ui']['scope']])}</div>"
        )


def judged(lang: str) -> str:
    """Say which documents answer the question, and how fully."""

    def graded(wanted: int) -> str:
        comma = say("measure.ui.comma", lang)
        return comma.join(id for id, grade in GRADES.items() if grade == wanted)

    return say("measure.grid.judged", lang, fully=graded(2), partly=graded(1), none=graded(0))
