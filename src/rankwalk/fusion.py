"""Reciprocal rank fusion (RRF): several rankings become one.

A candidate's score is the sum, over the lists that hold it, of ``weight / (k + rank)``, ranks
counted from 1. Source: Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet
and individual Rank Learning Methods", SIGIR 2009, where k = 60.

Everything is decided on exact fractions. Floats would call the ranks (6, 39) and (12, 28) different
at k = 60, though both give 5/198; so a sum is kept as two whole numbers and divided once, at the end.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import compress, count, pairwise
from operator import eq
from typing import TypeAlias

from rankwalk import checks
from rankwalk.checks import Number
from rankwalk.messages import Refused

DEFAULT_K = 60
"""The smoothing constant of the 2009 paper."""


Sums: TypeAlias = dict[str, tuple[int, int]]
"""Each id with its score as (numerator, denominator), not reduced."""


@dataclass(frozen=True, slots=True)
class FusedRow:
    """One candidate of a fused list.

    Attributes:
        id: the candidate.
        place: its place in the fused list, from 1.
        ranks: its rank in each list, from 1; ``None`` where the list lacks it.
        terms: what each list adds, exactly; 0 where the list lacks it.
        score: the exact sum of the terms.
        tied: whether its score equals that of the row before, so that only the id decided.
    """

    id: str
    place: int
    ranks: tuple[int | None, ...]
    terms: tuple[Fraction, ...]
    score: Fraction
    tied: bool


@dataclass(frozen=True, slots=True)
class Fusion:
    """A fused list with everything that it was made from.

    Attributes:
        k: the smoothing constant in force.
        names: a name for each list.
        weights: a weight for each list.
        rows: the candidates, best first.
    """

    k: Fraction
    names: tuple[str, ...]
    weights: tuple[Fraction, ...]
    rows: tuple[FusedRow, ...]

    @property
    def order(self) -> tuple[str, ...]:
        """The ids, best first."""
        return tuple(row.id for row in self.rows)

    @property
    def largest_possible(self) -> Fraction:
        """The score of a candidate that every list puts first: no score is higher."""
        return sum((weight / (self.k + 1) for weight in self.weights), Fraction(0))


def rrf(
    rankings: Iterable[Sequence[str]],
    k: Number = DEFAULT_K,
    weights: Sequence[Number] | None = None,
) -> list[tuple[str, float]]:
    """Fuse rankings by reciprocal rank.

    Args:
        rankings: lists of ids, best first. A repeated id keeps its first place and the later ones
            close up; an id that a list lacks gets nothing from it.
        k: smoothing constant, finite and ≥ 0. A float means the decimal as typed.
        weights: one finite weight ≥ 0 for each list; all 1 if not given. A list of weight 0 still
            brings its ids.

    Returns:
        ``(id, score)`` pairs by score descending, then id ascending. Order and ties are decided
        exactly; each score is the exact sum rounded once.

    Raises:
        Refused: a `ValueError`, for anything else; it names the place.

    Example:
        >>> [id for id, score in rrf([["A", "B", "C"], ["B", "C", "A"]])]
        ['B', 'A', 'C']
    """
    return fuse_checked(*_checked(rankings, k, weights))


def fuse_checked(
    lists: Sequence[Sequence[str]], k: Fraction, weights: Sequence[Fraction]
) -> list[tuple[str, float]]:
    """Fuse what is known to be good: `rrf` after its checks, for whoever fuses thousands of queries.

    Args:
        lists: non-empty ids, best first, none twice in a list.
        k: ≥ 0.
        weights: one ≥ 0 for each list.

    Returns:
        What `rrf` returns.
    """
    return _best_first(_sums(lists, k, weights))


def explain_rrf(
    rankings: Iterable[Sequence[str]],
    k: Number = DEFAULT_K,
    weights: Sequence[Number] | None = None,
    names: Sequence[str] | None = None,
) -> Fusion:
    """Fuse rankings as `rrf` does, and keep each list's rank and term as exact fractions.

    Args:
        rankings: as for `rrf`.
        k: as for `rrf`.
        weights: as for `rrf`.
        names: a name for each list; "1", "2", … if not given.

    Returns:
        A `Fusion`, whose rows have the order of `rrf`.

    Raises:
        Refused: as for `rrf`, and if there is not one name for each list.
    """
    lists, exact_k, exact_weights = _checked(rankings, k, weights)
    if names is None:
        names = [str(number) for number in range(1, len(lists) + 1)]
    names = checks.ranking(names, "names")
    if len(names) != len(lists):
        raise Refused("one_each", field="names", where="names", found=len(names), lists=len(lists))
    ranks = [{id: rank for rank, id in enumerate(ids, start=1)} for ids in lists]
    rows: list[FusedRow] = []
    sums = _sums(lists, exact_k, exact_weights)
    for place, (id, _) in enumerate(_best_first(sums), start=1):
        own_ranks = tuple(of_list.get(id) for of_list in ranks)
        score = Fraction(*sums[id])
        rows.append(
            FusedRow(
                id=id,
                place=place,
                ranks=own_ranks,
                terms=tuple(
                    Fraction(0) if rank is None else weight / (exact_k + rank)
                    for rank, weight in zip(own_ranks, exact_weights, strict=True)
                ),
                score=score,
                tied=bool(rows) and rows[-1].score == score,
            )
        )
    return Fusion(k=exact_k, names=names, weights=exact_weights, rows=tuple(rows))


def _checked(
    rankings: Iterable[Sequence[str]], k: Number, weights: Sequence[Number] | None
) -> tuple[list[tuple[str, ...]], Fraction, tuple[Fraction, ...]]:
    """Return the lists without repeats, k and the weights, all checked."""
    if isinstance(rankings, (str, bytes)) or not isinstance(rankings, Iterable):
        raise Refused("not_rankings", field="rankings", found=checks.shown(rankings))
    lists = [
        checks.distinct(checks.ranking(ids, f"rankings[{index}]"))
        for index, ids in enumerate(rankings)
    ]
    if weights is None:
        return lists, checks.exact(k, "k"), (Fraction(1),) * len(lists)
    if isinstance(weights, (str, bytes)) or not isinstance(weights, Iterable):
        raise Refused("not_weights", field="weights", found=checks.shown(weights))
    exact_weights = tuple(
        checks.exact(weight, f"weights[{index}]", field="weights")
        for index, weight in enumerate(weights)
    )
    if len(exact_weights) != len(lists):
        raise Refused(
            "one_each", field="weights", where="weights", found=len(exact_weights), lists=len(lists)
        )
    if sum(exact_weights) > sys.float_info.max:  # no score is above that sum: all will be floats
        raise Refused("weights_too_large", field="weights", maximum=f"{sys.float_info.max:.2g}")
    return lists, checks.exact(k, "k"), exact_weights


def _sums(lists: Sequence[Sequence[str]], k: Fraction, weights: Sequence[Fraction]) -> Sums:
    """Add up every id's terms. With k = p/q and weight a/b a term is a·q / (b·(p + rank·q))."""
    p, q = k.numerator, k.denominator
    sums: Sums = {}
    for ids, weight in zip(lists, weights, strict=True):
        term_top = weight.numerator * q
        first, step = weight.denominator * (p + q), weight.denominator * q
        for id, term_bottom in zip(ids, count(first, step), strict=False):
            if id in sums:
                top, bottom = sums[id]
                sums[id] = (top * term_bottom + term_top * bottom, bottom * term_bottom)
            else:
                sums[id] = (term_top, term_bottom)
    return sums


def _best_first(sums: Sums) -> list[tuple[str, float]]:
    """Return every id with its score as a float, by exact score descending, then id ascending.

    Floats sort fast and, being rounded once, never swap two fractions; but they can make unequal ones
    equal. Only then are fractions compared. Both sorts by score are stable: what is equal stays by id.
    """
    scores = {id: top / bottom for id, (top, bottom) in sums.items()}
    ids = sorted(scores)
    ids.sort(key=scores.__getitem__, reverse=True)
    floats = [scores[id] for id in ids]
    same = compress(pairwise(ids), map(eq, floats, floats[1:]))
    if any(not _equal(sums[left], sums[right]) for left, right in same):
        ids.sort(key=lambda id: Fraction(*sums[id]), reverse=True)  # the floats stay in their order
    return list(zip(ids, floats, strict=True))


def _equal(left: tuple[int, int], right: tuple[int, int]) -> bool:
    return left[0] * right[1] == right[0] * left[1]
