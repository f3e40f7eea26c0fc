"""The walk: a pure function of a scenario and the settings, giving five steps.

1. `Searched`: two searches, two orders.
2. `Fused`: reciprocal rank fusion adds them by rank.
3. `Reranked`: a closer reading reorders the first few.
4. `Checked`: version, source, and what each passage's words support.
5. `Decided`: is it enough to answer, and if not, what next?

The steps hold ids and numbers, no words; `rankwalk.story` tells them in a language.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Literal, NamedTuple

from rankwalk.evidence import Sufficiency, Validity, check_sufficiency, validity
from rankwalk.flips import flip_points, score
from rankwalk.fusion import Fusion, explain_rrf
from rankwalk.scenarios import Passage, Scenario
from rankwalk.settings import Settings


@dataclass(frozen=True, slots=True)
class SearchedList:
    """One search's list.

    Attributes:
        ids: best first, as it goes into fusion.
        scores: the raw score at each place; empty where the order is no longer the one that the
            search gave, since no score was ever given for it.
        moves: for each id that the search itself returned, how many places it stands higher than
            there; negative is lower.
        removed: what was taken out of it.
    """

    ids: tuple[str, ...]
    scores: tuple[float, ...]
    moves: Mapping[str, int]
    removed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Searched:
    """Step 1: the two lists.

    Attributes:
        keyword: the keyword list.
        semantic: the semantic list.
        added: the unrelated passages that noise put in.
        removed: what was taken out.
        only_keyword: candidates that semantic search does not find.
        only_semantic: candidates that keyword search does not find.
    """

    keyword: SearchedList
    semantic: SearchedList
    added: tuple[str, ...]
    removed: tuple[str, ...]
    only_keyword: tuple[str, ...]
    only_semantic: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Flip:
    """A k at which two candidates of these lists change places; ``below`` leads for a smaller k."""

    k: Fraction | float
    below: str
    above: str


@dataclass(frozen=True, slots=True)
class Fused:
    """Step 2: the fused list, and every k > 0 at which its order would change, ascending."""

    fusion: Fusion
    flips: tuple[Flip, ...]


@dataclass(frozen=True, slots=True)
class Reranked:
    """Step 3: the order after the reranker.

    Attributes:
        order: all candidates; those below the reranker's depth stay where fusion put them.
        read: the candidates that the reranker read; empty if it did not run.
        scores: the score of each one read.
        moves: for each id how many places it rose; negative is down, 0 is unmoved.
        lacking: candidates within the depth that have no rerank score, so that it could not run.
        cut: how many lie above the budget line; ``None`` if passages are checked before the cut.
    """

    order: tuple[str, ...]
    read: tuple[str, ...]
    scores: Mapping[str, float]
    moves: Mapping[str, int]
    lacking: tuple[str, ...]
    cut: int | None


class Finding(StrEnum):
    """What the check of one passage found; only ``USABLE`` may go on."""

    USABLE = "usable"
    SUPERSEDED = "superseded"
    NOT_YET = "not_yet"
    NO_DATES = "no_dates"
    NO_SOURCE = "no_source"
    NO_SUPPORT = "no_support"


@dataclass(frozen=True, slots=True)
class Check:
    """The check of one passage: what was found, and the conditions that its words support."""

    id: str
    finding: Finding
    supports: tuple[str, ...]

    @property
    def usable(self) -> bool:
        """Whether the passage may go on to the answer."""
        return self.finding is Finding.USABLE


@dataclass(frozen=True, slots=True)
class Checked:
    """Step 4: a check of each candidate, in the order of step 3.

    Attributes:
        checks: empty if the scenario names no conditions or no day, for then nothing can be checked.
        lacking: what the scenario would need: ``"conditions"``, ``"day"``.
        taken: the ids that the cut to the budget lets through, checked and usable.
        day: the day they were checked for.
    """

    checks: tuple[Check, ...]
    lacking: tuple[str, ...]
    taken: tuple[str, ...]
    day: date | None


Action = Literal["cut", "next", "second_search"]
Ending = Literal["enough", "budget_full", "no_more", "unknown"]


@dataclass(frozen=True, slots=True)
class Round:
    """One look at whether it is enough.

    Attributes:
        action: where the passages came from: the cut, the next usable candidate, a second search.
        added: what this round brought.
        sufficiency: the conditions met by all that was taken so far.
        checks: the checks of what a second search found; empty in other rounds.
    """

    action: Action
    added: tuple[str, ...]
    sufficiency: Sufficiency
    checks: tuple[Check, ...] = ()


@dataclass(frozen=True, slots=True)
class Decided:
    """Step 5: the rounds, and how they end.

    Attributes:
        rounds: in order; empty if the scenario names no conditions.
        taken: the passages that go on to the answer.
        ending: ``"enough"``; or not enough, since the budget is full or there is nothing more to
            look at; ``"unknown"`` if it could not be checked.
        out_of_reach: usable candidates that meet a missing condition but lie beyond a full budget.
    """

    rounds: tuple[Round, ...]
    taken: tuple[str, ...]
    ending: Ending
    out_of_reach: tuple[str, ...] = ()

    @property
    def sufficiency(self) -> Sufficiency | None:
        """The last round's finding."""
        return self.rounds[-1].sufficiency if self.rounds else None


class Walk(NamedTuple):
    """The five steps, in order."""

    searched: Searched
    fused: Fused
    reranked: Reranked
    checked: Checked
    decided: Decided


def walk(scenario: Scenario, settings: Settings | None = None) -> Walk:
    """Walk from two ranked lists to a decision.

    Args:
        scenario: the givens.
        settings: what was changed; the defaults if not given.

    Returns:
        The five steps. What the scenario does not give is said to be lacking, never made up.

    Raises:
        Refused: a `ValueError`, if the settings name ids that the scenario does not have.
    """
    settings = settings or Settings()
    settings.check_for(scenario)
    searched = search(scenario, settings)
    fused = fuse(searched, settings)
    reranked = rerank(scenario, settings, fused.fusion.order)
    checked = check(scenario, settings, reranked.order)
    return Walk(searched, fused, reranked, checked, decide(scenario, settings, checked))


def search(scenario: Scenario, settings: Settings) -> Searched:
    """Step 1: the lists in the learner's order, without what was taken out, with the noise put in."""
    found = {"keyword": scenario.keyword, "semantic": scenario.semantic}
    chosen = {
        name: ids if getattr(settings, name) is None else getattr(settings, name)
        for name, ids in found.items()
    }
    lists = {name: [id for id in ids if id not in settings.removed] for name, ids in chosen.items()}
    added = _noise_ids(scenario, settings.noise)
    from random import Random  # only here: with its hashes it is slow to import

    draw = Random(settings.seed)
    for id in added:
        for name in draw.choice((("keyword",), ("semantic",), ("keyword", "semantic"))):
            lists[name].insert(draw.randint(0, len(lists[name])), id)
    for ids in lists.values():
        for _ in range(settings.swaps if len(ids) > 1 else 0):
            upper = draw.randrange(len(ids) - 1)
            ids[upper], ids[upper + 1] = ids[upper + 1], ids[upper]
    keyword, semantic = (
        _searched_list(lists[name], found[name], scores, chosen[name])
        for name, scores in (
            ("keyword", scenario.keyword_scores),
            ("semantic", scenario.semantic_scores),
        )
    )
    return Searched(
        keyword=keyword,
        semantic=semantic,
        added=added,
        removed=settings.removed,
        only_keyword=tuple(id for id in keyword.ids if id not in semantic.ids),
        only_semantic=tuple(id for id in semantic.ids if id not in keyword.ids),
    )


def _noise_ids(scenario: Scenario, count: int) -> tuple[str, ...]:
    """Name unrelated passages: the scenario's own first, then X1, X2, … that it does not use."""
    names = [passage.id for passage in scenario.unrelated if passage.id not in scenario.candidates]
    used = {*scenario.candidates, *(passage.id for passage in scenario.known)}
    number = 0
    while len(names) < count:
        number += 1
        name = f"X{number}"
        if name not in used:
            names.append(name)
    return tuple(names[:count])


def _searched_list(
    ids: list[str], found: tuple[str, ...], scores: tuple[float, ...], chosen: Sequence[str]
) -> SearchedList:
    return SearchedList(
        ids=tuple(ids),
        scores=scores if tuple(ids) == found else (),
        moves={id: found.index(id) - ids.index(id) for id in ids if id in found},
        removed=tuple(id for id in chosen if id not in ids),
    )


def fuse(searched: Searched, settings: Settings) -> Fused:
    """Step 2: reciprocal rank fusion of the two lists."""
    lists = (searched.keyword.ids, searched.semantic.ids)
    return Fused(fusion=explain_rrf(lists, k=settings.k), flips=_flips(lists))


@lru_cache(maxsize=64)  # the flips do not depend on k, and a k slider asks again and again
def _flips(lists: tuple[tuple[str, ...], ...]) -> tuple[Flip, ...]:
    found: list[Flip] = []
    for one, other in combinations(explain_rrf(lists).rows, 2):
        previous = Fraction(0)
        for k in flip_points(one.ranks, other.ranks):
            between = (previous + Fraction(k)) / 2
            below, above = sorted(
                (one, other), key=lambda row: score(row.ranks, between), reverse=True
            )
            found.append(Flip(k, below.id, above.id))
            previous = Fraction(k)
    return tuple(sorted(found, key=lambda flip: (flip.k, flip.below)))


def rerank(scenario: Scenario, settings: Settings, fused: Sequence[str]) -> Reranked:
    """Step 3: order the first ``depth`` by rerank score; the former place decides ties."""
    within = fused[: settings.depth] if settings.rerank else ()
    given = {id: scenario.passage(id).rerank_score for id in within}
    scores = {id: score for id, score in given.items() if score is not None}
    lacking = tuple(id for id in within if id not in scores)
    read = () if lacking else tuple(within)
    order = (*sorted(read, key=lambda id: -scores[id]), *fused[len(read) :])
    return Reranked(
        order=order,
        read=read,
        scores={} if lacking else scores,
        moves={id: fused.index(id) - place for place, id in enumerate(order)},
        lacking=lacking,
        cut=settings.budget if settings.check == "after" else None,
    )


def check(scenario: Scenario, settings: Settings, order: Sequence[str]) -> Checked:
    """Step 4: check every candidate, then or before that cut to the budget."""
    day = settings.day or scenario.day
    lacking = (() if scenario.conditions else ("conditions",)) + (() if day else ("day",))
    if day is None or lacking:
        return Checked(checks=(), lacking=lacking, taken=(), day=day)
    checks = tuple(_check(scenario.passage(id), day) for id in order)
    if settings.check == "before":
        taken = [check.id for check in checks if check.usable][: settings.budget]
    else:
        taken = [check.id for check in checks[: settings.budget] if check.usable]
    return Checked(checks=checks, lacking=(), taken=tuple(taken), day=day)


def _check(passage: Passage, day: date) -> Check:
    """Check version, then source, then support; the first fault is the finding."""
    findings = {
        Validity.SUPERSEDED: Finding.SUPERSEDED,
        Validity.NOT_YET: Finding.NOT_YET,
        Validity.UNKNOWN: Finding.NO_DATES,
    }
    finding = findings.get(validity(passage.valid_from, passage.valid_until, day))
    if finding is None and not passage.source:
        finding = Finding.NO_SOURCE
    if finding is None and not passage.supports:
        finding = Finding.NO_SUPPORT
    return Check(passage.id, finding or Finding.USABLE, passage.supports)


def decide(scenario: Scenario, settings: Settings, checked: Checked) -> Decided:
    """Step 5: enough? If not, take the next usable candidate, then search again; else stop."""
    if checked.lacking:
        return Decided(rounds=(), taken=(), ending="unknown")
    taken = list(checked.taken)
    rounds = [Round("cut", tuple(taken), _sufficiency(scenario, taken))]
    waiting = [check.id for check in checked.checks if check.usable and check.id not in taken]

    def short() -> bool:
        return not rounds[-1].sufficiency.enough and len(taken) < settings.budget

    while short() and waiting:
        taken.append(waiting.pop(0))
        rounds.append(Round("next", (taken[-1],), _sufficiency(scenario, taken)))
    if short() and scenario.second_search and checked.day:
        found = tuple(_check(passage, checked.day) for passage in scenario.second_search.passages)
        usable = [check.id for check in found if check.usable and check.id not in taken]
        added = usable[: settings.budget - len(taken)]
        taken += added
        waiting += usable[len(added) :]
        rounds.append(Round("second_search", tuple(added), _sufficiency(scenario, taken), found))
    last = rounds[-1].sufficiency
    if last.enough:
        return Decided(tuple(rounds), tuple(taken), "enough")
    full = len(taken) >= settings.budget
    return Decided(
        rounds=tuple(rounds),
        taken=tuple(taken),
        ending="budget_full" if full else "no_more",
        out_of_reach=tuple(
            id for id in waiting if set(scenario.passage(id).supports) & set(last.missing)
        ),
    )


def _sufficiency(scenario: Scenario, taken: Sequence[str]) -> Sufficiency:
    conditions = [condition.id for condition in scenario.conditions]
    evidence = {
        condition: [id for id in taken if condition in scenario.passage(id).supports]
        for condition in conditions
    }
    return check_sufficiency(conditions, evidence, usable=taken)
