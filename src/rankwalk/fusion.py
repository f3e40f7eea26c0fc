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
from itertools import groupby, pairwise
from typing import TypeAlias

from rankwalk import checks
from rankwalk.checks import Number
from rankwalk.messages import Refused

DEFAULT_K = 60
"""The smoothing constant of the 2009 paper."""

LARGEST_RANK = 10**9
"""The largest rank that `flip_points` takes: far beyond any list, and safe to turn into a float."""

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
    lists, exact_k, exact_weights = _checked(rankings, k, weights)
    sums = _sums(lists, exact_k, exact_weights)
    return [(id, top / bottom) for id, (top, bottom) in _ordered(sums)]


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
    for place, (id, (top, bottom)) in enumerate(
        _ordered(_sums(lists, exact_k, exact_weights)), start=1
    ):
        own_ranks = tuple(of_list.get(id) for of_list in ranks)
        score = Fraction(top, bottom)
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


def _sums(lists: list[tuple[str, ...]], k: Fraction, weights: tuple[Fraction, ...]) -> Sums:
    """Add up every id's terms. With k = p/q and weight a/b a term is a·q / (b·(p + rank·q))."""
    p, q = k.numerator, k.denominator
    sums: Sums = {}
    for ids, weight in zip(lists, weights, strict=True):
        term_top = weight.numerator * q
        for rank, id in enumerate(ids, start=1):
            term_bottom = weight.denominator * (p + rank * q)
            if id in sums:
                top, bottom = sums[id]
                sums[id] = (top * term_bottom + term_top * bottom, bottom * term_bottom)
            else:
                sums[id] = (term_top, term_bottom)
    return sums


def _ordered(sums: Sums) -> list[tuple[str, tuple[int, int]]]:
    """Sort by score descending, then id ascending.

    Floats sort fast and, being rounded once, never swap two fractions; but they can make unequal ones
    equal. So only runs of equal floats are compared exactly.
    """
    rough = sorted((-(top / bottom), id) for id, (top, bottom) in sums.items())
    ordered: list[str] = []
    for _, run in groupby(rough, key=lambda pair: pair[0]):
        ids = [id for _, id in run]
        if len(ids) > 1:
            ids.sort(key=lambda id: (-Fraction(*sums[id]), id))
        ordered += ids
    return [(id, sums[id]) for id in ordered]


def flip_points(
    ranks_a: Sequence[int | None], ranks_b: Sequence[int | None]
) -> list[Fraction | float]:
    """Find every k > 0 at which two candidates change places, all weights being 1.

    The difference of the two scores is a quotient of polynomials in k whose denominator is positive;
    so they change places where the numerator changes its sign. The roots are isolated by Sturm's
    theorem, in exact arithmetic, then closed in on.

    Args:
        ranks_a: one candidate's rank in each list, from 1; ``None`` where the list lacks it.
        ranks_b: the other's, for the same lists.

    Returns:
        The points in ascending order: a `Fraction` where the point is a fraction with a denominator
        up to a million, else the nearest float. Empty if one leads throughout or they always tie.

    Raises:
        Refused: if the lengths differ, or a rank is neither ``None`` nor a whole number ≥ 1.

    Example:
        >>> flip_points((1, 4), (2, 2))
        [Fraction(2, 1)]
    """
    a, b = _checked_ranks(ranks_a, "ranks_a"), _checked_ranks(ranks_b, "ranks_b")
    if len(a) != len(b):
        raise Refused("same_lists", field="ranks_b", found_a=len(a), found_b=len(b))
    numerator = _difference(
        [rank for rank in a if rank is not None], [rank for rank in b if rank is not None]
    )
    return [_closed_in(numerator, low, high) for low, high in _sign_changes(numerator)]


def _checked_ranks(ranks: Sequence[int | None], where: str) -> list[int | None]:
    if isinstance(ranks, (str, bytes)) or not isinstance(ranks, Iterable):
        raise Refused("not_ranks", field=where, where=where, found=checks.shown(ranks))
    return [
        None if rank is None else _checked_rank(rank, f"{where}[{index}]", where)
        for index, rank in enumerate(ranks)
    ]


def _checked_rank(rank: int, where: str, field: str) -> int:
    return checks.whole(rank, where, minimum=1, maximum=LARGEST_RANK, field=field)


# A polynomial is its list of coefficients, the constant first, without zeros at the end.
Polynomial: TypeAlias = list[Fraction]


def _difference(a: list[int], b: list[int]) -> Polynomial:
    """Return the numerator of Σ 1/(k + a) - Σ 1/(k + b) over a common positive denominator."""
    for rank in list(a):
        if rank in b:  # equal terms cancel, and would only raise the degree
            a.remove(rank)
            b.remove(rank)
    factors = a + b
    total: Polynomial = []
    for left_out, sign in [(i, 1) for i in range(len(a))] + [
        (i, -1) for i in range(len(a), len(factors))
    ]:
        product = [Fraction(sign)]
        for index, rank in enumerate(factors):
            if index != left_out:
                product = _times_linear(product, rank)
        total = _added(total, product)
    return total


def _times_linear(p: Polynomial, constant: int) -> Polynomial:
    shifted = [Fraction(0), *p]
    return _added(shifted, [c * constant for c in p])


def _added(p: Polynomial, q: Polynomial) -> Polynomial:
    length = max(len(p), len(q))
    padded_p, padded_q = (
        p + [Fraction(0)] * (length - len(p)),
        q + [Fraction(0)] * (length - len(q)),
    )
    return _trimmed([x + y for x, y in zip(padded_p, padded_q, strict=True)])


def _trimmed(p: Polynomial) -> Polynomial:
    while p and p[-1] == 0:
        p = p[:-1]
    return p


def _at(p: Polynomial, x: Fraction) -> Fraction:
    value = Fraction(0)
    for coefficient in reversed(p):
        value = value * x + coefficient
    return value


def _remainder(p: Polynomial, q: Polynomial) -> Polynomial:
    while len(p) >= len(q):
        factor, shift = p[-1] / q[-1], len(p) - len(q)
        p = _trimmed([c - factor * q[i - shift] if i >= shift else c for i, c in enumerate(p)][:-1])
    return p


def _sign_changes(p: Polynomial) -> list[tuple[Fraction, Fraction]]:
    """Return intervals above 0 that hold one root each, where p changes its sign; ends are no roots."""
    while p and p[0] == 0:  # a root at 0 is not above 0, and dividing by k > 0 keeps every sign
        p = p[1:]
    if len(p) < 2:
        return []
    chain = [p, [c * i for i, c in enumerate(p)][1:]]  # Sturm's chain: p, p', remainders negated
    while rest := _remainder(chain[-2], chain[-1]):
        chain.append([-c for c in rest])

    def variations(x: Fraction) -> int:
        signs = [value > 0 for q in chain if (value := _at(q, x)) != 0]
        return sum(left != right for left, right in pairwise(signs))

    bound = 1 + max(abs(c / p[-1]) for c in p[:-1])  # Cauchy: no root lies beyond
    todo: list[tuple[Fraction, Fraction]] = [(Fraction(0), bound)]
    found: list[tuple[Fraction, Fraction]] = []
    while todo:
        low, high = todo.pop()
        roots = variations(low) - variations(high)
        if roots == 1:
            found.append((low, high))
        elif roots > 1:
            middle = (low + high) / 2
            while _at(p, middle) == 0:
                middle = (low + middle) / 2
            todo += [(middle, high), (low, middle)]
    return [(low, high) for low, high in found if (_at(p, low) > 0) != (_at(p, high) > 0)]


def _closed_in(p: Polynomial, low: Fraction, high: Fraction) -> Fraction | float:
    """Return the root between: exact if it is a simple fraction, else the nearest float."""
    sign_high = _at(p, high) > 0
    while float(low) != float(high) and high - low > high / 2**80:  # it may lie between two floats
        middle = (low + high) / 2
        value = _at(p, middle)
        if value == 0:
            return middle
        low, high = (low, middle) if (value > 0) == sign_high else (middle, high)
    simple = ((low + high) / 2).limit_denominator(1_000_000)
    return simple if _at(p, simple) == 0 else float(high)
