"""Fusing by the scores themselves, to be held against fusing by rank.

Each method is on exact fractions where it can be, so that ties are ties. A document that a list lacks
gets nothing from it, as in reciprocal rank fusion.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import fmean, pstdev
from typing import TypeAlias

from rankwalk import checks
from rankwalk.checks import Number
from rankwalk.fusion import explain_rrf
from rankwalk.metrics import best_first

Scores: TypeAlias = Mapping[str, Number]
Ranked: TypeAlias = list[tuple[str, float]]

_ROUNDED = 12
"""Digits that are compared where a root makes exactness impossible."""


@dataclass(frozen=True, slots=True)
class Example:
    """The raw scores of two searches over the same documents.

    Attributes:
        keyword: a score without an upper end, such as BM25.
        semantic: a cosine.
    """

    keyword: Mapping[str, str]
    semantic: Mapping[str, str]


EXAMPLES = {
    "two_scales": Example(
        {"A": "12.6", "B": "12.1", "C": "11.5", "D": "9.8"},
        {"D": "0.86", "B": "0.84", "C": "0.80", "A": "0.75"},
    ),
    "margin": Example(
        {"B": "31.0", "A": "12.2", "C": "11.9"},
        {"A": "0.801", "B": "0.799", "C": "0.62"},
    ),
}
"""Made up. In ``margin`` B leads one list by far and trails the other by a hair."""


def fuse_sum(lists: Sequence[Scores]) -> Ranked:
    """Add up the raw scores."""
    return _ranked(lists, lambda scores: scores)


def fuse_min_max(lists: Sequence[Scores]) -> Ranked:
    """Stretch each list to 0 … 1, then add up. A list of equal scores gives 1 to each."""

    def stretched(scores: dict[str, Fraction]) -> dict[str, Fraction]:
        low, high = min(scores.values()), max(scores.values())
        if low == high:
            return dict.fromkeys(scores, Fraction(1))
        return {id: (score - low) / (high - low) for id, score in scores.items()}

    return _ranked(lists, stretched)


def fuse_z_score(lists: Sequence[Scores]) -> Ranked:
    """Measure each list in standard deviations from its mean, then add up. Equal scores give 0."""

    def standardised(scores: dict[str, Fraction]) -> dict[str, Fraction]:
        values = [float(score) for score in scores.values()]
        mean, deviation = fmean(values), pstdev(values)
        if not deviation:
            return dict.fromkeys(scores, Fraction(0))
        return {
            id: Fraction(round((float(score) - mean) / deviation, _ROUNDED))
            for id, score in scores.items()
        }

    return _ranked(lists, standardised)


def fuse_ranks(lists: Sequence[Scores]) -> Ranked:
    """Reciprocal rank fusion of the same lists, k = 60."""
    orders = [best_first({id: _number(s) for id, s in scores.items()}, "") for scores in lists]
    return [(row.id, float(row.score)) for row in explain_rrf(orders).rows]


METHODS: dict[str, Callable[[Sequence[Scores]], Ranked]] = {
    "sum": fuse_sum,
    "min_max": fuse_min_max,
    "z_score": fuse_z_score,
    "rrf": fuse_ranks,
}


def scaled(example: Example, scale: Number = 1) -> tuple[dict[str, Fraction], dict[str, Fraction]]:
    """Return the two lists of an example, the keyword scores multiplied by ``scale``."""
    factor = checks.exact(scale, "scale")
    return (
        {id: factor * Fraction(score) for id, score in example.keyword.items()},
        {id: Fraction(score) for id, score in example.semantic.items()},
    )


def _number(value: Number) -> float:
    return float(value)


def _ranked(
    lists: Sequence[Scores], change: Callable[[dict[str, Fraction]], dict[str, Fraction]]
) -> Ranked:
    """Change each list's scores, add them up, and sort by score, then id."""
    total: dict[str, Fraction] = {}
    for scores in lists:
        exact = {id: checks.exact(score, id) for id, score in scores.items()}
        for id, score in change(exact).items():
            total[id] = total.get(id, Fraction(0)) + score
    return [(id, float(s)) for id, s in sorted(total.items(), key=lambda pair: (-pair[1], pair[0]))]
