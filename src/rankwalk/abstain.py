"""Abstaining: what an answer in progress may do next, when looking stops, and how that is scored.

"Not enough evidence, no answer" is a right end. So it is a state of its own with its own next steps,
and queries that should be refused are scored in a table of their own, not through recall.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from rankwalk import checks
from rankwalk.evidence import Sufficiency
from rankwalk.messages import Refused


class AnswerState(StrEnum):
    """Where an answer stands."""

    SEARCHING = "searching"
    ENOUGH = "enough"
    MISSING = "missing"
    ABSTAINED = "abstained"
    HANDED_OVER = "handed_over"


class Action(StrEnum):
    """What can be done to an answer in progress."""

    FIND_ENOUGH = "find_enough"
    FIND_MISSING = "find_missing"
    ANSWER = "answer"
    NEXT_CANDIDATE = "next_candidate"
    SEARCH_AGAIN = "search_again"
    ABSTAIN = "abstain"
    CHECK_AGAIN = "check_again"
    HAND_OVER = "hand_over"


ALLOWED: Mapping[AnswerState, Mapping[Action, AnswerState]] = MappingProxyType(
    {
        AnswerState.SEARCHING: MappingProxyType(
            {
                Action.FIND_ENOUGH: AnswerState.ENOUGH,
                Action.FIND_MISSING: AnswerState.MISSING,
                Action.HAND_OVER: AnswerState.HANDED_OVER,
            }
        ),
        AnswerState.ENOUGH: MappingProxyType(
            {
                Action.ANSWER: AnswerState.ENOUGH,
                Action.CHECK_AGAIN: AnswerState.SEARCHING,
                Action.HAND_OVER: AnswerState.HANDED_OVER,
            }
        ),
        AnswerState.MISSING: MappingProxyType(
            {
                Action.NEXT_CANDIDATE: AnswerState.SEARCHING,
                Action.SEARCH_AGAIN: AnswerState.SEARCHING,
                Action.ABSTAIN: AnswerState.ABSTAINED,
                Action.HAND_OVER: AnswerState.HANDED_OVER,
            }
        ),
        AnswerState.ABSTAINED: MappingProxyType(
            {
                Action.CHECK_AGAIN: AnswerState.SEARCHING,
                Action.HAND_OVER: AnswerState.HANDED_OVER,
            }
        ),
        AnswerState.HANDED_OVER: MappingProxyType({Action.CHECK_AGAIN: AnswerState.SEARCHING}),
    }
)
"""What each state may do next, and where that leads. Only ``ENOUGH`` may answer."""


def act(state: AnswerState, action: Action) -> AnswerState:
    """Return the state that ``action`` leads to.

    Args:
        state: where the answer stands.
        action: what is to be done.

    Raises:
        Refused: a `ValueError`, if the state does not allow it; it names what is allowed.
    """
    allowed = ALLOWED[AnswerState(state)]
    if action not in allowed:
        raise Refused(
            "not_allowed_now",
            field="action",
            found=repr(str(action)),
            state=str(state),
            allowed=", ".join(allowed),
        )
    return allowed[Action(action)]


@dataclass(frozen=True, slots=True)
class Advice:
    """What to do about the evidence found so far.

    Attributes:
        state: where the answer stands: ``ENOUGH`` or ``MISSING``.
        action: what to do next.
        fetch: the conditions to look for; empty unless something is to be looked for.
    """

    state: AnswerState
    action: Action
    fetch: tuple[str, ...] = ()


def what_next(
    sufficiency: Sufficiency, *, candidates_left: int = 0, searches_left: int = 0
) -> Advice:
    """Say what to do next: answer, fetch what is missing, or stop and abstain.

    The stopping rule is stated before the search, as two numbers, and not decided along the way.
    What is at hand comes first: a candidate already retrieved costs less than a search.

    Args:
        sufficiency: what `rankwalk.check_sufficiency` found.
        candidates_left: retrieved candidates not looked at yet.
        searches_left: how many more searches the rule allows.

    Returns:
        An `Advice`; its action is allowed in its state.

    Raises:
        Refused: a `ValueError`, unless both are whole numbers of 0 or more.
    """
    candidates = checks.whole(candidates_left, "candidates_left", minimum=0)
    searches = checks.whole(searches_left, "searches_left", minimum=0)
    if sufficiency.enough:
        return Advice(AnswerState.ENOUGH, Action.ANSWER)
    if candidates:
        return Advice(AnswerState.MISSING, Action.NEXT_CANDIDATE, sufficiency.missing)
    if searches:
        return Advice(AnswerState.MISSING, Action.SEARCH_AGAIN, sufficiency.missing)
    return Advice(AnswerState.MISSING, Action.ABSTAIN)


@dataclass(frozen=True, slots=True)
class Abstentions:
    """The 2 × 2 of *should abstain* × *abstained*, each cell the queries in it.

    Attributes:
        rightly_abstained: should, and did.
        wrongly_answered: should, and did not: an answer without evidence.
        wrongly_abstained: should not, and did: the evidence was there.
        answered: should not, and did not. Whether what it says is right is judged by
            `rankwalk.check_answer`; this table does not know.
    """

    rightly_abstained: tuple[str, ...]
    wrongly_answered: tuple[str, ...]
    wrongly_abstained: tuple[str, ...]
    answered: tuple[str, ...]

    @property
    def kept_back(self) -> float | None:
        """Share of the queries that should abstain and did; ``None`` if none should."""
        return _share(self.rightly_abstained, self.wrongly_answered)

    @property
    def abstained_rightly(self) -> float | None:
        """Share of the abstentions that were right; ``None`` if it never abstained."""
        return _share(self.rightly_abstained, self.wrongly_abstained)


def _share(part: tuple[str, ...], rest: tuple[str, ...]) -> float | None:
    whole = len(part) + len(rest)
    return len(part) / whole if whole else None


def abstentions(should_abstain: Mapping[str, bool], abstained: Mapping[str, bool]) -> Abstentions:
    """Sort queries into the 2 × 2 of should abstain × abstained.

    Args:
        should_abstain: the label of each query.
        abstained: what the system did, for the same queries.

    Returns:
        An `Abstentions`, the queries in the order of the labels.

    Raises:
        Refused: a `ValueError`: other queries in one than in the other, or a value that is no bool.
    """
    for where, table in (("should_abstain", should_abstain), ("abstained", abstained)):
        if not isinstance(table, Mapping):
            raise Refused("not_yes_no", field=where, where=where, found=checks.shown(table))
        checks.ids(table, where)
        for query, value in table.items():
            if not isinstance(value, bool):
                place = f"{where}[{query!r}]"
                raise Refused("not_yes_no", field=where, where=place, found=checks.shown(value))
    only_one = [q for q in should_abstain if q not in abstained]
    only_one += [q for q in abstained if q not in should_abstain]
    if only_one:
        raise Refused("same_queries", field="abstained", found=repr(only_one[0]))

    def cell(should: bool, did: bool) -> tuple[str, ...]:
        return tuple(
            q for q, label in should_abstain.items() if label is should and abstained[q] is did
        )

    return Abstentions(
        rightly_abstained=cell(True, True),
        wrongly_answered=cell(True, False),
        wrongly_abstained=cell(False, True),
        answered=cell(False, False),
    )
