"""How sure a mean over queries is, and whether one system is better than another. Needs scipy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from rankwalk import checks
from rankwalk.messages import Refused

FEW = 30
"""Under so many queries a comparison says little; the lesson says so."""
RESAMPLES = 2000


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean with its bootstrap interval.

    Attributes:
        mean: the mean.
        low: the lower end of the 95 % interval.
        high: the upper end.
        queries: how many values there are.
    """

    mean: float
    low: float
    high: float
    queries: int

    @property
    def few(self) -> bool:
        """Whether there are too few queries to say much."""
        return self.queries < FEW


def mean_interval(values: Sequence[float], seed: int = 1) -> Interval:
    """Return the mean and its 95 % percentile bootstrap interval.

    Draws queries with replacement, `RESAMPLES` times (Efron, "Bootstrap methods", 1979).

    Args:
        values: one value for each query, at least two.
        seed: the same seed gives the same interval.

    Raises:
        Refused: for fewer than two values.
    """
    from numpy import mean as mean_of
    from scipy.stats import bootstrap  # type: ignore[import-untyped, unused-ignore]

    if len(values) < 2:
        raise Refused("too_few_queries", field="values", found=len(values))
    mean = fmean(values)
    if len(set(values)) == 1:  # every draw is the same
        return Interval(mean, mean, mean, len(values))
    drawn = bootstrap(
        (list(values),), mean_of, n_resamples=RESAMPLES, method="percentile", rng=seed
    ).confidence_interval
    return Interval(mean, float(drawn.low), float(drawn.high), len(values))


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two systems on the same queries.

    Attributes:
        difference: the mean of b - a over the queries, with its interval.
        better: on how many queries b is better.
        worse: on how many a is.
        equal: on how many they are equal.
    """

    difference: Interval
    better: int
    worse: int
    equal: int

    @property
    def clear(self) -> bool:
        """Whether 0 lies outside of the interval."""
        return not self.difference.low <= 0 <= self.difference.high


def compare(a: Mapping[str, float], b: Mapping[str, float], seed: int = 1) -> Comparison:
    """Compare two systems query by query: paired, since hard queries are hard for both.

    Args:
        a: one value for each query.
        b: the other system's, for the same queries.
        seed: as for `mean_interval`.

    Raises:
        Refused: if the queries differ, or are fewer than two.
    """
    if set(a) != set(b):
        odd = sorted(set(a) ^ set(b))
        raise Refused("other_queries", field="b", found=checks.shown(odd))
    differences = [b[query] - a[query] for query in a]
    return Comparison(
        mean_interval(differences, seed),
        better=sum(d > 0 for d in differences),
        worse=sum(d < 0 for d in differences),
        equal=sum(d == 0 for d in differences),
    )


def all_needed(
    rankings: Mapping[str, Sequence[str]], needed: Mapping[str, set[str]], n: int
) -> float:
    """Return all-needed@n: the share of queries with every needed document in the first ``n``.

    Args:
        rankings: for each query its ids, best first.
        needed: for each query the ids that it needs, at least one; a query without a ranking counts 0.
        n: the cutoff.

    Raises:
        Refused: if there is no query, or one that needs nothing.
    """
    n = checks.whole(n, "n", minimum=1)
    if not needed or not all(needed.values()):
        raise Refused("nothing_needed", field="needed")
    complete = sum(
        ids <= set(checks.distinct(rankings.get(query, ()))[:n]) for query, ids in needed.items()
    )
    return complete / len(needed)
