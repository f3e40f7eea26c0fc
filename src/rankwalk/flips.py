"""Two candidates' scores over every RRF k: who leads where, and where they change places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Literal, TypeAlias

from rankwalk import checks
from rankwalk.messages import Refused

Lead: TypeAlias = Literal["first", "second", "tie"]
Ranks: TypeAlias = Sequence[int | None]

LARGEST_RANK = 10**9
"""The largest rank that `flip_points` takes: far beyond any list, and safe to turn into a float."""


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
    polynomial = [Fraction(c) for c in numerator]
    return [_closed_in(polynomial, low, high) for low, high in _sign_changes(numerator)]


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


def _difference(a: list[int], b: list[int]) -> list[int]:
    """Return the numerator of Σ 1/(k + a) - Σ 1/(k + b) over a common positive denominator.

    It is Σ ± Π (k + other rank), as whole coefficients, the constant first.
    """
    for rank in list(a):
        if rank in b:  # equal terms cancel, and would only raise the degree
            a.remove(rank)
            b.remove(rank)
    ranks = a + b
    total = [0] * len(ranks)
    for left_out in range(len(ranks)):
        product = [1 if left_out < len(a) else -1]
        for rank in ranks[:left_out] + ranks[left_out + 1 :]:
            by_k, by_rank = [0, *product], [*(rank * c for c in product), 0]
            product = [x + y for x, y in zip(by_k, by_rank, strict=True)]
        total = [x + y for x, y in zip(total, product, strict=True)]
    return total


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


def _sign_changes(coefficients: list[int]) -> list[tuple[Fraction, Fraction]]:
    """Return intervals above 0 that hold one root each, where p changes its sign; ends are no roots."""
    signs = [c > 0 for c in coefficients if c]
    if all(left == right for left, right in pairwise(signs)):
        return []  # Descartes: no change of sign among the coefficients, no root above 0
    p = _trimmed([Fraction(c) for c in coefficients])
    while p[0] == 0:  # a root at 0 is not above 0, and dividing by k > 0 keeps every sign
        p = p[1:]
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
