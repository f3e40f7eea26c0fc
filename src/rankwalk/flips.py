"""Two candidates' scores over every RRF k: who leads where, and where they change places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Literal, TypeAlias

from rankwalk.fusion import flip_points

Lead: TypeAlias = Literal["first", "second", "tie"]
Ranks: TypeAlias = Sequence[int | None]


@dataclass(frozen=True, slots=True)
class Stretch:
    """Values of k between which one candidate leads.

    Attributes:
        lead: which one.
        low: where it begins; 0 for the first stretch.
        high: where it ends; ``None`` for the last, which has no end.
    """

    lead: Lead
    low: Fraction | float
    high: Fraction | float | None


def score(ranks: Ranks, k: Fraction | float) -> Fraction:
    """Return the exact score of a candidate with these ranks."""
    return sum((1 / (Fraction(k) + rank) for rank in ranks if rank is not None), Fraction(0))


def lead_at(first: Ranks, second: Ranks, k: Fraction | float) -> Lead:
    """Say who leads at this k."""
    a, b = score(first, k), score(second, k)
    return "tie" if a == b else "first" if a > b else "second"


def stretches(first: Ranks, second: Ranks) -> tuple[Stretch, ...]:
    """Return who leads from k = 0 upwards: one stretch more than there are flips."""
    points = flip_points(first, second)
    ends: list[Fraction | float | None] = [Fraction(0), *points, None]
    found = []
    for low, high in pairwise(ends):
        assert low is not None
        inside = Fraction(low) + 1 if high is None else (Fraction(low) + Fraction(high)) / 2
        lead = lead_at(first, second, inside)
        while lead == "tie" and score(first, 0) != score(second, 0):  # they touch just there
            inside = (Fraction(low) + inside) / 2
            lead = lead_at(first, second, inside)
        found.append(Stretch(lead, low, high))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Limit:
    """What decides when k grows without end: the first of three counts that differs.

    Attributes:
        lead: who leads then.
        by: ``"lists"``: how many lists hold it; ``"sum"``: the sum of its ranks; ``"spread"``: how
            unequal its ranks are; ``"same"``: nothing, the ranks are the same.
    """

    lead: Lead
    by: Literal["lists", "sum", "spread", "same"]


def limit(first: Ranks, second: Ranks) -> Limit:
    """Say what decides for a k large enough: number of lists, then sum of ranks, then their spread."""
    a, b = ([rank for rank in ranks if rank is not None] for ranks in (first, second))
    if sorted(a) == sorted(b):
        return Limit("tie", "same")
    if len(a) != len(b):
        return Limit("first" if len(a) > len(b) else "second", "lists")
    if sum(a) != sum(b):
        return Limit("first" if sum(a) < sum(b) else "second", "sum")
    return Limit(stretches(first, second)[-1].lead, "spread")
