"""One answer on the desk: its passages in order, its claims, its links, and a day.

The ranking side (`rankwalk.metrics`) and the answer side (`rankwalk.check_answer`) of one case, so that
each can be changed while the other is watched. The passages are made up; every number is computed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from types import MappingProxyType
from typing import Any

from rankwalk import checks
from rankwalk.evidence import AnswerCheck, Validity, check_answer, validity
from rankwalk.messages import Refused
from rankwalk.metrics import Metric, metrics
from rankwalk.versions import Version

Links = tuple[tuple[str, str], ...]

TODAY = date(2026, 3, 16)
_POLICY = "returns policy, section 1"
EDITIONS: Mapping[str, Version] = MappingProxyType(
    {
        "d1": Version(_POLICY, "2026", date(2026, 1, 1)),
        "d2": Version("returns policy, section 2", "2026", date(2026, 1, 1)),
        "d3": Version("delivery notes", "2026", date(2026, 1, 1)),
        "d4": Version(_POLICY, "2025", date(2025, 1, 1), date(2025, 12, 31)),
    }
)
"""The edition of each passage that was retrieved: d4 is what d1 replaced."""

NEVER_RETRIEVED = "d9"
"""An id that an answer can cite although no search returned it."""

SOURCES = (*EDITIONS, NEVER_RETRIEVED)
CLAIMS = ("days", "fresh", "any", "thirty")
NEEDED: Mapping[str, int] = MappingProxyType({"d1": 1, "d2": 1})
"""The judgements of the ranking: an answer about today needs these two."""

# What a person wrote down after reading each passage beside each claim. The words that a label rests
# on are in the catalogue, under evidence_matrix.basis, since they are quoted from the passages.
SUPPORTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"days": ("d1",), "fresh": ("d2",), "thirty": ("d4",)}
)
TOO_WIDE: Mapping[str, tuple[str, ...]] = MappingProxyType({"any": ("d1", "d4")})


@dataclass(frozen=True, slots=True)
class Desk:
    """What a learner can change about the case.

    Attributes:
        order: the retrieved passages, best first; the same four in any order.
        claims: the claims that the answer makes.
        links: ``(claim, source)`` for each citation, of claims that the answer makes.
        day: the day the question is about.

    Raises:
        Refused: a `ValueError` whose ``field`` is the setting at fault.
    """

    order: tuple[str, ...]
    claims: tuple[str, ...]
    links: Links
    day: date = TODAY

    def __post_init__(self) -> None:
        object.__setattr__(self, "order", _order(self.order))
        object.__setattr__(self, "claims", _claims(self.claims))
        object.__setattr__(self, "links", _links(self.links, self.claims))
        object.__setattr__(self, "day", _day(self.day))


def _order(value: Iterable[str]) -> tuple[str, ...]:
    ids = checks.ranking(value, "order")
    if sorted(ids) != sorted(EDITIONS):
        raise Refused(
            "same_passages",
            field="order",
            found=checks.shown(list(ids)),
            allowed=", ".join(EDITIONS),
        )
    return ids


def _claims(value: Iterable[str]) -> tuple[str, ...]:
    chosen = checks.ids(value, "claims")
    for claim in chosen:
        _known(claim, CLAIMS, "claims")
    return tuple(claim for claim in CLAIMS if claim in chosen)


def _links(value: Any, claims: tuple[str, ...]) -> Links:
    """Return links in the order of the matrix, each once; those of claims not made are left out."""
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise Refused("not_links", field="links", found=checks.shown(value))
    pairs = set()
    for pair in value:
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise Refused("not_links", field="links", found=checks.shown(pair))
        claim, source = pair
        pairs.add((_known(claim, CLAIMS, "links"), _known(source, SOURCES, "links")))
    return tuple((c, s) for c in claims for s in SOURCES if (c, s) in pairs)


def _known(value: Any, allowed: tuple[str, ...], field: str) -> str:
    if not isinstance(value, str) or value not in allowed:
        raise Refused(
            "one_of",
            field=field,
            where=field,
            found=checks.shown(value),
            allowed=", ".join(allowed),
        )
    return value


def _day(value: Any) -> date:
    if isinstance(value, str):
        try:
            return date.fromisoformat(value)
        except ValueError:
            pass
    elif isinstance(value, date) and not isinstance(value, datetime):
        return value
    raise Refused("not_a_day", field="day", where="day", found=checks.shown(value))


@dataclass(frozen=True, slots=True)
class Examined:
    """Both sides of a case.

    Attributes:
        ranking: the four metrics at each cutoff from 1 to the number of passages.
        answer: the check of the answer.
        validities: whether each retrieved passage is in force on the day.
    """

    ranking: Mapping[int, Mapping[Metric, float | None]]
    answer: AnswerCheck
    validities: Mapping[str, Validity]


def examine(desk: Desk, quotes: Mapping[str, str] | None = None) -> Examined:
    """Measure the ranking and check the answer.

    Args:
        desk: the case.
        quotes: the words that each label rests on, by ``"claim_source"``; kept in the links.
    """
    quotes = quotes or {}

    def with_basis(labels: Mapping[str, tuple[str, ...]]) -> dict[str, dict[str, str]]:
        return {
            claim: {source: quotes.get(f"{claim}_{source}", "") for source in sources}
            for claim, sources in labels.items()
        }

    holds = {
        id: validity(edition.valid_from, edition.valid_until, desk.day)
        for id, edition in EDITIONS.items()
    }
    answer = check_answer(
        {claim: [s for c, s in desk.links if c == claim] for claim in desk.claims},
        with_basis(SUPPORTS),
        retrieved=desk.order,
        needs_citation=desk.claims,
        too_wide=with_basis(TOO_WIDE),
        validities=holds,
    )
    cutoffs = range(1, len(desk.order) + 1)
    ranking = {n: metrics(desk.order, NEEDED, n) for n in cutoffs}
    return Examined(ranking=ranking, answer=answer, validities=holds)


_BASE = Desk(
    order=("d3", "d1", "d2", "d4"),
    claims=("days", "fresh", "any"),
    links=(("days", "d1"), ("fresh", "d2"), ("any", "d1")),
)
_TWO_RIGHT = replace(_BASE, claims=("days", "fresh"), links=(("days", "d1"), ("fresh", "d2")))

CASES: Mapping[str, Desk] = MappingProxyType(
    {
        "base": _BASE,
        "late": replace(_TWO_RIGHT, order=("d3", "d4", "d1", "d2")),
        "over_claim": replace(_BASE, order=("d1", "d2", "d3", "d4")),
        "many_links": replace(
            _BASE,
            order=("d1", "d2", "d3", "d4"),
            links=tuple((claim, source) for claim in _BASE.claims for source in EDITIONS),
        ),
        "two_reports": _TWO_RIGHT,
        "outdated": replace(
            _BASE, order=("d1", "d4", "d2", "d3"), claims=("thirty",), links=(("thirty", "d4"),)
        ),
        "not_cited": replace(
            _BASE,
            claims=("days", "fresh"),
            links=(("days", "d1"), ("days", "d2"), ("days", "d3")),
        ),
        "unknown": replace(_TWO_RIGHT, links=(("days", "d1"), ("fresh", "d9"))),
    }
)
"""Cases by name: the one worked by hand, and those of "what you see, where to look"."""
