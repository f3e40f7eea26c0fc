"""What a learner can change about a walk, checked in one place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from datetime import date
from fractions import Fraction
from typing import Any, Literal, get_args

from rankwalk import checks
from rankwalk.checks import Number
from rankwalk.fusion import DEFAULT_K
from rankwalk.messages import Refused
from rankwalk.scenarios import LONGEST_LIST, Scenario

Check = Literal["after", "before"]
"""Whether version and source are checked after or before the cut to the budget."""

LARGEST_K = 1000
LARGEST_BUDGET = 20
LARGEST_DEPTH = 100
MOST_NOISE = 10
LARGEST_SEED = 9999


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a walk. Bad values are refused when it is made.

    Attributes:
        keyword: the order of the keyword list; ``None`` for the scenario's own.
        semantic: the order of the semantic list; ``None`` for the scenario's own.
        removed: passages taken out of both lists.
        k: the RRF constant, 0 to 1000.
        rerank: whether the reranker runs.
        depth: how many of the fused list it reads, 1 to 100.
        budget: how many passages may go on to the answer, 1 to 20.
        check: whether passages are checked ``"after"`` or ``"before"`` the cut to the budget.
        noise: how many unrelated passages are put in, 0 to 10.
        swaps: how many times neighbours are exchanged in each list, 0 to 10.
        seed: which draw of noise, 0 to 9999.
        day: the day the question is about; ``None`` for the scenario's own.

    Raises:
        Refused: a `ValueError` whose ``field`` is the setting at fault.
    """

    keyword: tuple[str, ...] | None = None
    semantic: tuple[str, ...] | None = None
    removed: tuple[str, ...] = ()
    k: int | float = DEFAULT_K
    rerank: bool = True
    depth: int = 3
    budget: int = 2
    check: Check = "after"
    noise: int = 0
    swaps: int = 0
    seed: int = 1
    day: date | None = None

    def __post_init__(self) -> None:
        canonical = {
            "keyword": _order(self.keyword, "keyword"),
            "semantic": _order(self.semantic, "semantic"),
            "removed": tuple(sorted(set(checks.ranking(self.removed, "removed")))),
            "k": _k(self.k),
            "rerank": checks.one_of(self.rerank, "rerank", (True, False)),
            "depth": checks.whole(self.depth, "depth", minimum=1, maximum=LARGEST_DEPTH),
            "budget": checks.whole(self.budget, "budget", minimum=1, maximum=LARGEST_BUDGET),
            "check": checks.one_of(self.check, "check", get_args(Check)),
            "noise": checks.whole(self.noise, "noise", minimum=0, maximum=MOST_NOISE),
            "swaps": checks.whole(self.swaps, "swaps", minimum=0, maximum=MOST_NOISE),
            "seed": checks.whole(self.seed, "seed", minimum=0, maximum=LARGEST_SEED),
            "day": checks.day(self.day, "day"),
        }
        for name, value in canonical.items():
            object.__setattr__(self, name, value)

    def changed(self, /, **changes: Any) -> Settings:
        """Return settings with ``changes`` made; the others stay.

        Raises:
            Refused: for an unknown name or a bad value.
        """
        for name in changes:
            if name not in NAMES:
                raise Refused("no_setting", field=name, found=repr(name), allowed=", ".join(NAMES))
        return replace(self, **changes)

    def differing(self) -> dict[str, Any]:
        """Return the settings that differ from the defaults, by name."""
        return {
            field.name: value
            for field in fields(self)
            if (value := getattr(self, field.name)) != field.default
        }

    def check_for(self, scenario: Scenario) -> None:
        """Check that every id named here is one that ``scenario`` has.

        Raises:
            Refused: naming those that it lacks, and those that it has.
        """
        for name in ("keyword", "semantic", "removed"):
            unknown = [id for id in getattr(self, name) or () if id not in scenario.candidates]
            if unknown:
                raise Refused(
                    "unknown_ids",
                    field=name,
                    where=name,
                    found=checks.shown(", ".join(unknown)),
                    allowed=checks.shown(", ".join(scenario.candidates)),
                )


NAMES: tuple[str, ...] = tuple(field.name for field in fields(Settings))


def _order(value: Iterable[str] | None, name: str) -> tuple[str, ...] | None:
    if value is None:
        return None
    ids = checks.distinct(checks.ranking(value, name))
    if len(ids) > LONGEST_LIST:
        raise Refused("list_too_long", field=name, where=name, found=len(ids), maximum=LONGEST_LIST)
    return ids


def _k(value: Number) -> int | float:
    """Return k as an int where it is whole, else as the float nearest to what was typed."""
    try:
        number = checks.exact(value, "k")
    except Refused:
        number = Fraction(-1)
    if not 0 <= number <= LARGEST_K:
        raise Refused("k_range", field="k", found=checks.shown(value), maximum=LARGEST_K)
    return number.numerator if number.denominator == 1 else float(number)
