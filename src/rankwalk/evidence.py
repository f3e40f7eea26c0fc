"""Evidence: is a passage in force, do the passages meet a question's conditions, is it enough?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from rankwalk import checks
from rankwalk.messages import Refused


class Validity(StrEnum):
    """Whether a passage's version holds on a day."""

    IN_FORCE = "in_force"
    NOT_YET = "not_yet"
    SUPERSEDED = "superseded"
    UNKNOWN = "unknown"


def validity(valid_from: date | None, valid_until: date | None, day: date) -> Validity:
    """Say whether a version holds on ``day``.

    Args:
        valid_from: its first day; ``None`` if that is not known.
        valid_until: its last day, itself included; ``None`` if it has no end yet.
        day: the day the question is about.

    Returns:
        ``UNKNOWN`` where the first day is missing and the last does not decide: a date that nobody
        wrote down is told, not guessed.
    """
    if valid_until is not None and day > valid_until:
        return Validity.SUPERSEDED
    if valid_from is None:
        return Validity.UNKNOWN
    return Validity.NOT_YET if day < valid_from else Validity.IN_FORCE


@dataclass(frozen=True, slots=True)
class Sufficiency:
    """Which required conditions of a question are met.

    Attributes:
        met: the usable passages for each condition that has any, in the order of the conditions.
        missing: the conditions that no usable passage meets.
    """

    met: Mapping[str, tuple[str, ...]]
    missing: tuple[str, ...]

    @property
    def enough(self) -> bool:
        """Whether every condition is met."""
        return not self.missing

    @property
    def state(self) -> str:
        """``"enough"``, ``"partly"`` or ``"not"``."""
        if self.enough:
            return "enough"
        return "partly" if self.met else "not"


def check_sufficiency(
    conditions: Sequence[str],
    evidence: Mapping[str, Iterable[str]],
    usable: Iterable[str] | None = None,
) -> Sufficiency:
    """Say which required conditions are met, by what, and what is missing.

    Relevance plays no part: a passage counts if its words support the condition and it may be used.

    Args:
        conditions: the ids of everything that the question needs, each once; at least one.
        evidence: for each condition the ids of the passages whose words support it. A condition that
            is not in it has none.
        usable: the ids of the passages that may be used, in the order of preference; all of
            ``evidence`` if not given.

    Returns:
        A `Sufficiency`.

    Raises:
        Refused: a `ValueError`: no condition, one named twice, or evidence for one that was not asked.
    """
    needed = checks.ranking(conditions, "conditions")
    if not needed or len(set(needed)) != len(needed):
        raise Refused("conditions", field="conditions", found=checks.shown(list(needed)))
    if not isinstance(evidence, Mapping):
        raise Refused("not_evidence", field="evidence", found=checks.shown(evidence))
    supporters = {
        condition: checks.distinct(checks.ranking(ids, f"evidence[{condition!r}]"))
        for condition, ids in evidence.items()
    }
    for condition in supporters:
        if condition not in needed:
            raise Refused(
                "unknown_condition",
                field="evidence",
                found=repr(condition),
                allowed=", ".join(needed),
            )
    if usable is None:
        order = checks.distinct(id for ids in supporters.values() for id in ids)
    else:
        order = checks.distinct(checks.ranking(usable, "usable"))
    met: dict[str, tuple[str, ...]] = {}
    for condition in needed:
        own = frozenset(supporters.get(condition, ()))
        if ids := tuple(id for id in order if id in own):
            met[condition] = ids
    return Sufficiency(met=met, missing=tuple(c for c in needed if c not in met))
