"""Changes to a ranking, and which metrics notice them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal, TypeAlias, get_args

from rankwalk import checks
from rankwalk.messages import Refused
from rankwalk.metrics import METRICS, Gain, Metric, metrics

Where: TypeAlias = Literal["top", "middle", "end"]
Moved: TypeAlias = Literal["up", "down", "same", "undefined"]

BASE: tuple[str, ...] = ("A", "C", "D", "B", "E")
GRADES: dict[str, int] = {"A": 2, "B": 2, "C": 1, "D": 0, "E": 0}
"""The ranking that is played with: two documents answer fully, one partly, two not."""

LONGEST = 30


def unrelated(ranking: Sequence[str]) -> str:
    """Return the first of X1, X2, … that is not in the ranking."""
    number = 1
    while f"X{number}" in ranking:
        number += 1
    return f"X{number}"


def add(ranking: Sequence[str], where: Where) -> tuple[str, ...]:
    """Put an unrelated document in.

    Raises:
        Refused: if ``where`` is none of the three, or the ranking is as long as it may be.
    """
    if where not in get_args(Where):
        allowed = ", ".join(get_args(Where))
        raise Refused(
            "one_of", field="edit", where="edit", found=checks.shown(where), allowed=allowed
        )
    if len(ranking) >= LONGEST:
        raise Refused(
            "list_too_long", field="edit", where="ranking", found=len(ranking) + 1, maximum=LONGEST
        )
    place = {"top": 0, "middle": (len(ranking) + 1) // 2, "end": len(ranking)}[where]
    return (*ranking[:place], unrelated(ranking), *ranking[place:])


def swap(ranking: Sequence[str], place: int) -> tuple[str, ...]:
    """Exchange the documents at ``place`` (from 1) and after it.

    Raises:
        Refused: if there is no such pair.
    """
    place = checks.whole(place, "edit", minimum=1, maximum=max(1, len(ranking) - 1))
    changed = list(ranking)
    changed[place - 1 : place + 1] = reversed(changed[place - 1 : place + 1])
    return tuple(changed)


def remove(ranking: Sequence[str], id: str) -> tuple[str, ...]:
    """Take one document out.

    Raises:
        Refused: if it is not there.
    """
    if id not in ranking:
        allowed = ", ".join(ranking)
        raise Refused("one_of", field="edit", where="edit", found=checks.shown(id), allowed=allowed)
    return tuple(other for other in ranking if other != id)


@dataclass(frozen=True, slots=True)
class Effect:
    """One metric before and after a change.

    Attributes:
        metric: which one.
        before: its value before.
        after: its value after.
    """

    metric: Metric
    before: float | None
    after: float | None

    @property
    def moved(self) -> Moved:
        """Which way it moved."""
        if self.before is None or self.after is None:
            return "undefined"
        if self.before == self.after:
            return "same"
        return "up" if self.after > self.before else "down"


def effects(
    before: Sequence[str],
    after: Sequence[str],
    grades: Mapping[str, float],
    n: int,
    gain: Gain = "exponential",
) -> tuple[Effect, ...]:
    """Return every metric at the cutoff ``n``, before and after."""
    old, new = metrics(before, grades, n, gain), metrics(after, grades, n, gain)
    return tuple(Effect(metric, old[metric], new[metric]) for metric in METRICS)


EDITS: dict[str, tuple[str, ...]] = {
    "noise_top": add(BASE, "top"),
    "noise_end": add(BASE, "end"),
    "swap_inside": swap(BASE, 1),
    "swap_unneeded": swap(swap(BASE, 4), 3),
    "swap_across": swap(BASE, 3),
    "remove_needed": remove(BASE, "A"),
    "remove_unneeded": remove(BASE, "D"),
}
"""Each edit of the grid with what it makes of `BASE`, to be measured at 3."""


@dataclass(frozen=True, slots=True)
class Response:
    """How one metric answers to an amount of noise, over many draws.

    Attributes:
        noise: how many unrelated documents were put in.
        low: the lower quartile.
        median: the median.
        high: the upper quartile.
    """

    noise: int
    low: float
    median: float
    high: float


def respond(
    grades: Mapping[str, float] = GRADES,
    ranking: Sequence[str] = BASE,
    n: int = 3,
    most: int = 8,
    draws: int = 200,
    seed: int = 1,
) -> dict[Metric, tuple[Response, ...]]:
    """Put 0 to ``most`` unrelated documents at random places, many times, and measure.

    Args:
        grades: the judgements.
        ranking: where it starts from.
        n: the cutoff.
        most: the largest amount of noise.
        draws: how many draws for each amount.
        seed: the same seed gives the same draws.

    Returns:
        For each metric its quartiles for each amount of noise.
    """
    random = Random(seed)
    found: dict[Metric, list[Response]] = {metric: [] for metric in METRICS}
    for noise in range(most + 1):
        values: dict[Metric, list[float]] = {metric: [] for metric in METRICS}
        for _ in range(draws):
            changed = list(ranking)
            for number in range(1, noise + 1):
                changed.insert(random.randint(0, len(changed)), f"X{number}")
            for metric, value in metrics(changed, grades, n).items():
                values[metric].append(0.0 if value is None else value)
        for metric in METRICS:
            ordered = sorted(values[metric])
            low, median, high = (ordered[int(q * (draws - 1))] for q in (0.25, 0.5, 0.75))
            found[metric].append(Response(noise, low, median, high))
    return {metric: tuple(rows) for metric, rows in found.items()}
