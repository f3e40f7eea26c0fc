"""The two-stage funnel in numbers: what it costs, how long it takes, and what is still there at its end.

A model, not a measurement. Every assumption is a named constant below or a setting, and each question
has exactly one passage that it needs:

- In each search the needed passage's rank is log-normal: half of the questions have it at the median
  rank or better, and a few have it very far down. The more the two lists have in common (the setting
  ``overlap``), the more alike are the two ranks: they miss the same questions.
- The reranker gives the needed passage a score from a normal distribution around `ADVANTAGE`, and every
  other one a score around 0, both with standard deviation 1. So each further candidate is one more
  chance to be put before the needed one.
- Time: embedding, then the slower search, then the pairs one after the other. Cost: the pairs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import ceil, exp, hypot, sqrt
from random import Random
from statistics import NormalDist

from rankwalk import checks

VECTOR_MEDIAN_RANK = 5.0
KEYWORD_MEDIAN_RANK = 9.0
RANK_SPREAD = 2.0
"""Standard deviation of the natural logarithm of the rank."""
ADVANTAGE = 3.0
"""How many standard deviations the needed passage's rerank score lies above the others', on average."""
EMBEDDING_MS = 20.0
SEARCH_MS = 25.0
"""A search over an index, whatever its depth."""
SEARCH_MS_A_RESULT = 0.05
"""Fetching one result's text."""

DEPTHS = (1, 2, 3, 5, 8, 12, 20, 30, 45, 70, 100)
"""The depths of the chart of recall against latency, each for both searches."""
MAX_DEPTH = 1000
MOST_CHUNKS = 1_000_000_000_000
LARGEST_SEED = 999_999_999
_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class FunnelSettings:
    """The funnel's controls.

    Attributes:
        chunks: how many passages there are, 1000 to `MOST_CHUNKS`.
        vector_depth: how many of them vector search brings.
        keyword_depth: how many keyword search brings.
        overlap: percent of the shorter list that the other list has too.
        limit: how many the reranker hands on.
        budget: how many may go on to the answer.
        ms_a_pair: milliseconds to read question and passage together.
        cost_a_million_pairs: in any currency.
        questions: how many questions are simulated.
        seed: the same seed gives the same questions, 0 to `LARGEST_SEED`.
    """

    chunks: int = 1_000_000
    vector_depth: int = 30
    keyword_depth: int = 30
    overlap: int = 67
    limit: int = 5
    budget: int = 3
    ms_a_pair: float = 10.0
    cost_a_million_pairs: float = 25.0
    questions: int = 2000
    seed: int = 1

    def __post_init__(self) -> None:
        whole: dict[str, tuple[int, int]] = {
            "chunks": (MAX_DEPTH, MOST_CHUNKS),
            "vector_depth": (1, MAX_DEPTH),
            "keyword_depth": (1, MAX_DEPTH),
            "overlap": (0, 100),
            "limit": (1, 100),
            "budget": (1, 100),
            "questions": (100, 20_000),
            "seed": (0, LARGEST_SEED),
        }
        for name, (least, most) in whole.items():
            value = checks.whole(getattr(self, name), name, minimum=least, maximum=most)
            object.__setattr__(self, name, value)
        for name in ("ms_a_pair", "cost_a_million_pairs"):
            number = checks.between(
                getattr(self, name), name, minimum=0, maximum=1_000_000, most="1,000,000"
            )
            object.__setattr__(self, name, number)


@dataclass(frozen=True, slots=True)
class Question:
    """One simulated question: where its needed passage stands before any setting is known.

    Attributes:
        shared: what makes it hard for both searches alike, standard normal.
        vector: what makes it hard for vector search alone, standard normal.
        keyword: the same for keyword search.
        score: the needed passage's rerank score.
        luck: uniform, from 0 to 1; decides how many others score higher.
    """

    shared: float
    vector: float
    keyword: float
    score: float
    luck: float


@cache
def questions(count: int, seed: int) -> tuple[Question, ...]:
    """Draw questions. All settings are tried on the same ones, so differences are not chance."""
    random = Random(seed)
    return tuple(
        Question(
            shared=random.gauss(0, 1),
            vector=random.gauss(0, 1),
            keyword=random.gauss(0, 1),
            score=random.gauss(ADVANTAGE, 1),
            luck=random.random(),
        )
        for _ in range(count)
    )


@dataclass(frozen=True, slots=True)
class Funnel:
    """What a setting of the funnel gives.

    Attributes:
        settings: the settings.
        candidates: how many different passages both searches bring; the reranker reads each.
        repeats: how many both of them bring.
        reranked: how many the reranker hands on.
        in_context: how many go on to the answer.
        in_vector: share of questions whose needed passage is in the vector list, from 0 to 1.
        in_keyword: the same for the keyword list.
        retrieved: the same for either list: what is not here can never come back.
        kept_by_rerank: the same for the reranker's list.
        kept_in_context: the same for the context.
        latency_ms: milliseconds for one question.
        cost_a_thousand: cost of the pairs of a thousand questions.
        read_all_hours: hours to read question and passage together for every passage there is.
    """

    settings: FunnelSettings
    candidates: int
    repeats: int
    reranked: int
    in_context: int
    in_vector: float
    in_keyword: float
    retrieved: float
    kept_by_rerank: float
    kept_in_context: float
    latency_ms: float
    cost_a_thousand: float
    read_all_hours: float

    def error_of(self, share: float) -> float:
        """Return the standard error of a simulated share: chance alone moves it by about so much."""
        return sqrt(share * (1 - share) / self.settings.questions)


def funnel(settings: FunnelSettings) -> Funnel:
    """Work out cost and time, and simulate how often the needed passage is still there."""
    s = settings
    # Half up, by whole numbers: 67 % of 30 are 20.
    repeats = (min(s.vector_depth, s.keyword_depth) * s.overlap + 50) // 100
    candidates = s.vector_depth + s.keyword_depth - repeats
    reranked = min(s.limit, candidates)
    in_context = min(s.budget, reranked)
    counts = dict.fromkeys(("vector", "keyword", "either", "reranked", "context"), 0)
    for question in questions(s.questions, s.seed):
        by_vector, by_keyword = search_ranks(question, s)
        in_vector, in_keyword = by_vector <= s.vector_depth, by_keyword <= s.keyword_depth
        counts["vector"] += in_vector
        counts["keyword"] += in_keyword
        if in_vector or in_keyword:
            counts["either"] += 1
            before = others_before(question, candidates - 1, at_most=reranked)
            counts["reranked"] += before < reranked
            counts["context"] += before < in_context
    return Funnel(
        settings=s,
        candidates=candidates,
        repeats=repeats,
        reranked=reranked,
        in_context=in_context,
        in_vector=counts["vector"] / s.questions,
        in_keyword=counts["keyword"] / s.questions,
        retrieved=counts["either"] / s.questions,
        kept_by_rerank=counts["reranked"] / s.questions,
        kept_in_context=counts["context"] / s.questions,
        latency_ms=EMBEDDING_MS
        + SEARCH_MS
        + SEARCH_MS_A_RESULT * max(s.vector_depth, s.keyword_depth)
        + candidates * s.ms_a_pair,
        cost_a_thousand=1000 * candidates * s.cost_a_million_pairs / 1_000_000,
        read_all_hours=s.chunks * s.ms_a_pair / 3_600_000,
    )


def search_ranks(question: Question, settings: FunnelSettings) -> tuple[int, int]:
    """Return the needed passage's rank in vector and in keyword search."""
    alike, apart = sqrt(settings.overlap / 100), sqrt(1 - settings.overlap / 100)
    ranks = [
        ceil(median * exp(RANK_SPREAD * (alike * question.shared + apart * own)))
        for median, own in (
            (VECTOR_MEDIAN_RANK, question.vector),
            (KEYWORD_MEDIAN_RANK, question.keyword),
        )
    ]
    return min(ranks[0], settings.chunks), min(ranks[1], settings.chunks)


def others_before(question: Question, others: int, *, at_most: int) -> int:
    """Return how many of ``others`` the reranker puts before the needed passage.

    Each does with the same probability, so the number is binomial; it is read off the distribution
    at the question's own ``luck``. More than ``at_most`` are not counted out.
    """
    chance = 1 - _NORMAL.cdf(question.score)
    if others == 0 or chance <= 0:
        return 0
    probability = (1 - chance) ** others
    total = probability
    number = 0
    while question.luck > total and number < min(at_most, others):
        probability *= (others - number) / (number + 1) * chance / (1 - chance)
        total += probability
        number += 1
    return number


@dataclass(frozen=True, slots=True)
class Point:
    """One depth of the chart: both searches to this depth, all else as set."""

    depth: int
    latency_ms: float
    retrieved: float
    kept_in_context: float


def recall_against_latency(
    settings: FunnelSettings, depths: Iterable[int] = DEPTHS
) -> tuple[Point, ...]:
    """Return a point for each depth."""
    points = []
    for depth in depths:
        result = funnel(replace(settings, vector_depth=depth, keyword_depth=depth))
        points.append(Point(depth, result.latency_ms, result.retrieved, result.kept_in_context))
    return tuple(points)


def knee(points: Sequence[Point]) -> Point:
    """Return the point of the curve that lies furthest above the straight line between its ends.

    Both axes are stretched to run from 0 to 1 first. A rule of thumb (the idea of Kneedle: Satopää et
    al., "Finding a 'Kneedle' in a haystack", 2011): it depends on where the curve was begun and ended.
    """
    if len(points) < 3:
        return points[-1]
    first, last = points[0], points[-1]
    width = (last.latency_ms - first.latency_ms) or 1.0
    best = max(point.kept_in_context for point in points)
    height = (best - first.kept_in_context) or 1.0

    def above(point: Point) -> float:
        x = (point.latency_ms - first.latency_ms) / width
        y = (point.kept_in_context - first.kept_in_context) / height
        slope = (last.kept_in_context - first.kept_in_context) / height
        return (y - slope * x) / hypot(1, slope)

    return max(points, key=lambda point: (above(point), -point.latency_ms))
