"""All pairs of orders of a few candidates, and what reciprocal rank fusion makes of each."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

from rankwalk.fusion import Fusion, explain_rrf

CANDIDATES = ("A", "B", "C")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two orders of the same candidates, fused.

    Attributes:
        first: one order.
        second: the other.
        fusion: what they become.
    """

    first: tuple[str, ...]
    second: tuple[str, ...]
    fusion: Fusion

    @property
    def has_tie(self) -> bool:
        """Whether two candidates have equal scores, so that the id decided."""
        return any(row.tied for row in self.fusion.rows)

    @property
    def shown(self) -> str:
        """The fused order, with ``=`` before what ties with the one ahead: ``B A=C``."""
        return "".join(("=" if row.tied else " ") + row.id for row in self.fusion.rows).strip()


def orders(candidates: tuple[str, ...] = CANDIDATES) -> tuple[tuple[str, ...], ...]:
    """Return every order of the candidates, in dictionary order."""
    return tuple(permutations(candidates))


def all_pairs(candidates: tuple[str, ...] = CANDIDATES) -> tuple[Pair, ...]:
    """Return every pair of orders: 36 for three candidates, row by row of a square table."""
    return tuple(
        Pair(first, second, explain_rrf([first, second]))
        for first in orders(candidates)
        for second in orders(candidates)
    )
