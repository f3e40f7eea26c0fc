"""The parts of the exercises that have no words: kind, version, options, and the right answers.

Every right answer that is a number or follows from one is computed here by Rankwalk, so it cannot
disagree with what the lesson shows. The words are in the topics ``exercises_NN``, under the id.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from rankwalk.evidence import check_answer
from rankwalk.flips import flip_points
from rankwalk.fusion import explain_rrf, rrf
from rankwalk.metrics import Metric, metrics


class Kind(StrEnum):
    """The kinds of exercise."""

    CHOICE = "choice"
    ORDER = "order"
    NUMBER = "number"
    SHORT_TEXT = "short_text"
    CODE = "code"
    SCENARIO = "scenario"


@dataclass(frozen=True, slots=True)
class Key:
    """One exercise without its words.

    Attributes:
        id: unique in the lesson.
        kind: which kind.
        point: the point of knowledge, a key in ``exercises.point``.
        version: raised when a change makes former answers mean something else.
        options: the ids of the options, in the order shown.
        right: the ids that hold (choice), or all in their order (order).
        number: the right number.
        tolerance: how far from it an answer may be.
        values: computed values that the words name; a tuple is joined as the language does.
    """

    id: str
    kind: Kind
    point: str
    version: int = 1
    options: tuple[str, ...] = ()
    right: tuple[str, ...] = ()
    number: Fraction = Fraction(0)
    tolerance: Fraction = Fraction(0)
    values: Mapping[str, object] = field(default_factory=dict)


_FOUR_DIGITS = Fraction(5, 10_000)
"""What rounding to three decimals may cost."""


def _choice(id: str, point: str, options: str, right: str, **values: object) -> Key:
    return Key(
        id,
        Kind.CHOICE,
        point,
        options=tuple(options.split()),
        right=tuple(right.split()),
        values=values,
    )


def _working_habits(options: str, *, failing: str, inputs: str) -> tuple[Key, ...]:
    """Return the four exercises on ways of working that every lesson has, in its own words."""
    return (
        _choice("safer-way", "way_of_working", options, "plan"),
        Key("failing-input", Kind.SHORT_TEXT, failing),
        Key("three-inputs", Kind.CODE, inputs),
        Key("hand-over", Kind.SCENARIO, "insufficient_evidence"),
    )


def _lesson_01() -> tuple[Key, ...]:
    lists = (["A", "B", "C"], ["B", "C", "A"])
    fused = explain_rrf(lists)
    first = fused.rows[0]
    return (
        Key(
            "fusion-order",
            Kind.ORDER,
            "fusion",
            options=("A", "B", "C"),
            right=fused.order,
            values={"scores": tuple(f"{row.id} {row.score}" for row in fused.rows)},
        ),
        Key(
            "first-score",
            Kind.NUMBER,
            "fusion",
            number=first.score,
            tolerance=Fraction(5, 100_000),
            values={
                "id": first.id,
                "ranks": first.ranks,
                "terms": " + ".join(map(str, first.terms)),
            },
        ),
        _choice("rerank-blind", "rerank", "current relevant enough true", "relevant"),
        _choice("why-three-stages", "stages", "find speed one safety", "find"),
        *_working_habits("start plan trust more", failing="retrieval", inputs="sufficiency"),
    )


def _lesson_02() -> tuple[Key, ...]:
    ranks = (1, 3)
    row = explain_rrf([["P", "x", "y"], ["u", "v", "P"]])
    own = next(r for r in row.rows if r.id == "P")
    (flip,) = flip_points((1, 4), (2, 2))
    twice = rrf([["A", "A", "B"], ["B"]], k=60)
    return (
        Key(
            "one-sum",
            Kind.NUMBER,
            "fusion",
            number=own.score,
            tolerance=Fraction(5, 100_000),
            values={
                "first": ranks[0],
                "second": ranks[1],
                "terms": " + ".join(map(str, own.terms)),
            },
        ),
        Key(
            "flip-point",
            Kind.NUMBER,
            "rrf_k",
            number=Fraction(flip),
            tolerance=Fraction(1, 100),
            values={},
        ),
        _choice("raw-scores", "scores", "units negative slow order", "units"),
        Key(
            "repeat-in-list",
            Kind.ORDER,
            "fusion",
            options=("A", "B"),
            right=tuple(id for id, _ in twice),
            values={"scores": tuple(f"{id} {score:.6f}" for id, score in twice)},
        ),
        *_working_habits("trust start more plan", failing="fusion", inputs="fusion"),
    )


def _lesson_03() -> tuple[Key, ...]:
    needed = {"d1": 1, "d2": 1}
    found = metrics(["d3", "d1", "d2"], needed, k=2)
    clean, noisy = metrics(["d1", "d2"], needed, k=2), metrics(["d1", "X", "d2"], needed, k=2)
    first_hits = (1, 2, None, 4)
    reciprocals = [Fraction(0) if rank is None else Fraction(1, rank) for rank in first_hits]
    names: dict[str, Metric] = {
        "precision": "precision_at_k",
        "recall": "recall_at_k",
        "rr": "reciprocal_rank_at_k",
        "ndcg": "ndcg_at_k",
    }
    return (
        Key(
            "recall-at-2",
            Kind.NUMBER,
            "recall",
            number=Fraction(str(found["recall_at_k"])),
            tolerance=_FOUR_DIGITS,
        ),
        Key(
            "mean-reciprocal",
            Kind.NUMBER,
            "mrr",
            number=sum(reciprocals, Fraction(0)) / len(reciprocals),
            tolerance=_FOUR_DIGITS,
            values={"terms": " + ".join(map(str, reciprocals)), "queries": len(reciprocals)},
        ),
        Key(
            "what-moves",
            Kind.CHOICE,
            "metrics",
            options=tuple(names),
            right=tuple(short for short, name in names.items() if clean[name] != noisy[name]),
            values={
                f"{short}_{when}": f"{value[name]:.3f}"
                for short, name in names.items()
                for when, value in (("before", clean), ("after", noisy))
            },
        ),
        _choice("nothing-relevant", "metrics", "zero one none skip", "none"),
        *_working_habits("plan trust start more", failing="metrics", inputs="metrics"),
    )


def _lesson_04() -> tuple[Key, ...]:
    depth, in_both, budget = 30, 20, 5
    pairs = depth + depth - in_both
    stages = ("search", "fuse", "rerank", "budget")
    return (
        Key(
            "funnel-order",
            Kind.ORDER,
            "stages",
            options=("rerank", "budget", "search", "fuse"),
            right=stages,
        ),
        Key(
            "pairs-to-read",
            Kind.NUMBER,
            "rerank",
            number=Fraction(pairs),
            values={"depth": depth, "both": in_both, "budget": budget},
        ),
        _choice("never-retrieved", "depth", "reranker depth budget rrfk", "depth"),
        _choice("timed-out", "degraded", "silent marked made_up swallow", "marked"),
        *_working_habits("more start plan trust", failing="rerank", inputs="degraded"),
    )


def _lesson_05() -> tuple[Key, ...]:
    check = check_answer([("a", ["d1", "d2", "d3"]), ("b", [])], {"a": ["d1"]})
    return (
        Key(
            "link-ratio",
            Kind.NUMBER,
            "citations",
            number=Fraction(check.correct_links, check.links),
            tolerance=_FOUR_DIGITS,
            values={
                "links": check.links,
                "correct": check.correct_links,
                "claims": check.claims,
                "supported": check.supported_claims,
            },
        ),
        _choice("not-cited", "citations", "supported uncited unsupported wide", "uncited"),
        _choice(
            "faithful-and-wrong",
            "versions",
            "faithful wrong_today recall fluent",
            "faithful wrong_today",
        ),
        Key(
            "next-step",
            Kind.ORDER,
            "insufficient_evidence",
            options=("abstain", "search", "candidate", "name"),
            right=("name", "candidate", "search", "abstain"),
        ),
        *_working_habits("start trust more plan", failing="citations", inputs="citations"),
    )


KEYS: Mapping[str, Callable[[], tuple[Key, ...]]] = {
    "01": _lesson_01,
    "02": _lesson_02,
    "03": _lesson_03,
    "04": _lesson_04,
    "05": _lesson_05,
}
"""The exercises of each lesson; computed when asked for, so that importing stays quick."""
