"""All 36 pairs of orders of three candidates; one chosen opens in the player."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from rankwalk import checks, tables
from rankwalk.fusion import explain_rrf
from rankwalk.lessons.swaps import CANDIDATES, Pair, all_pairs, orders
from rankwalk.messages import Refused, lookup, say
from rankwalk.widgets.base import Setting, css, esm
from rankwalk.widgets.flips import paragraphs
from rankwalk.widgets.plain import PlainStage
from rankwalk.widgets.walkthrough import Walkthrough


@dataclass(frozen=True, slots=True)
class SwapSettings:
    """The pair that is chosen.

    Attributes:
        keyword: the order of the keyword list: A, B and C, each once.
        semantic: the order of the semantic list.
    """

    keyword: tuple[str, ...] = ("A", "B", "C")
    semantic: tuple[str, ...] = ("B", "C", "A")

    def __post_init__(self) -> None:
        for name in ("keyword", "semantic"):
            order = checks.ranking(getattr(self, name), name)
            if order not in orders():
                allowed = ", ".join(" ".join(one) for one in orders())
                raise Refused(
                    "one_of", field=name, where=name, found=checks.shown(order), allowed=allowed
                )
            object.__setattr__(self, name, order)


class SwapGrid(PlainStage):
    """See at a glance what every pair of orders becomes, and where it ties.

    ``grid.player`` is a `Walkthrough` that follows the chosen pair.

    Args:
        lang: ``"en"`` or ``"zh"``.
        keyword: the order of the keyword list.
        semantic: the order of the semantic list.

    Raises:
        SettingError: a `ValueError` that says what was wrong and what is allowed.
    """

    name = "swapgrid"
    _esm = esm(name)
    _css = css(name)
    settings_type = SwapSettings

    keyword = Setting()
    semantic = Setting()

    def __init__(self, lang: str = "en", **settings: Any) -> None:
        super().__init__(lang, **settings)
        self._player: Walkthrough | None = None
        self.observe(self._follow, names=["keyword", "semantic"])

    @property
    def player(self) -> Walkthrough:
        """The player with the chosen pair, at the step that fuses; it follows every choice."""
        if self._player is None:
            self._player = Walkthrough(
                lang=self.lang, step=2, predict=False,
                keyword=self.keyword, semantic=self.semantic,
            )  # fmt: skip
        return self._player

    def _follow(self, _: Any) -> None:
        chosen = (self._settings.keyword, self._settings.semantic)
        if self._player and (self._player.keyword, self._player.semantic) != chosen:
            self._player.set(keyword=chosen[0], semantic=chosen[1])

    def _picture(self, settings: SwapSettings, lang: str) -> dict[str, Any]:
        pairs = all_pairs()
        chosen = Pair(
            settings.keyword, settings.semantic,
            explain_rrf([settings.keyword, settings.semantic]),
        )  # fmt: skip
        return {
            "orders": [" ".join(order) for order in orders()],
            "cells": [
                {
                    "keyword": list(pair.first),
                    "semantic": list(pair.second),
                    "text": pair.shown,
                    "winner": CANDIDATES.index(pair.fusion.order[0]),
                    "tie": pair.has_tie,
                    "words": told(pair, lang),
                    "chosen": (pair.first, pair.second) == (chosen.first, chosen.second),
                }
                for pair in pairs
            ],
            "count": counted(pairs, lang),
            "said": told(chosen, lang),
            "ui": lookup("byhand.swaps", lang) | lookup("byhand.ui", lang),
        }

    def _text(self) -> str:
        view = self._view
        return "\n".join([view["count"], view["said"], "", tables.text(*_table(view))])

    def _html(self) -> str:
        view = self._view
        return (
            f'<div lang="{self.lang}">{paragraphs([view["count"], view["said"]])}'
            f"{tables.html(*_table(view))}{paragraphs([view['ui']['scope']])}</div>"
        )


def told(pair: Pair, lang: str) -> str:
    """Say what a pair becomes."""
    rows = pair.fusion.rows
    tied = [(before.id, row.id) for before, row in pairwise(rows) if row.tied]
    values = {
        "first": " ".join(pair.first),
        "second": " ".join(pair.second),
        "order": " ".join(pair.fusion.order),
    }
    if not tied:
        return say("byhand.swaps.without_tie", lang, **values)
    joined = ", ".join(f"{a} = {b}" for a, b in tied)
    return say("byhand.swaps.with_tie", lang, tied=joined, **values)


def counted(pairs: tuple[Pair, ...], lang: str) -> str:
    """Say how many of the pairs contain a tie."""
    ties = sum(pair.has_tie for pair in pairs)
    return say("byhand.swaps.count", lang, pairs=len(pairs), ties=ties)


def _table(view: dict[str, Any]) -> tuple[list[str], list[list[str]]]:
    width = len(view["orders"])
    rows = [
        [order, *(cell["text"] for cell in view["cells"][row * width : (row + 1) * width])]
        for row, order in enumerate(view["orders"])
    ]
    return [view["ui"]["corner"], *view["orders"]], rows
