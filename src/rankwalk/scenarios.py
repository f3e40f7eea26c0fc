"""What a walk starts from: a question, two ranked lists, and what is known about the passages.

The built-in scenarios take their words from the catalogue, so they exist in every language with the
same ids, orders, scores and dates.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache

from rankwalk import checks
from rankwalk.messages import Refused, check_language, lookup, say


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage that a search can return, and all that a walk takes as given about it.

    Attributes:
        id: what the lists call it.
        label: a few words for its card.
        text: its words.
        source: where it comes from; empty if that is not known.
        version: the edition, as its source names it.
        valid_from: the first day its version holds; ``None`` if not known.
        valid_until: the last day it holds, itself included; ``None`` if it has no end yet.
        supports: the conditions of the question that its words support.
        rerank_score: what the stand-in for a reranker gives it, any finite number, higher is better;
            ``None`` if not given.

    Raises:
        Refused: a `ValueError` that names the attribute.
    """

    id: str
    label: str = ""
    text: str = ""
    source: str = ""
    version: str = ""
    valid_from: date | None = None
    valid_until: date | None = None
    supports: tuple[str, ...] = ()
    rerank_score: float | None = None

    def __post_init__(self) -> None:
        for name in ("label", "text", "source", "version"):
            checks.text(getattr(self, name), name)
        for name in ("valid_from", "valid_until"):
            object.__setattr__(self, name, checks.day(getattr(self, name), name))
        object.__setattr__(self, "supports", checks.ids(self.supports, "supports"))
        if self.rerank_score is not None:
            score = checks.score(self.rerank_score, "rerank_score")
            object.__setattr__(self, "rerank_score", score)


@dataclass(frozen=True, slots=True)
class Condition:
    """Something that an answer to the question needs evidence for."""

    id: str
    label: str

    def __post_init__(self) -> None:
        checks.text(self.label, "label")


@dataclass(frozen=True, slots=True)
class SecondSearch:
    """A search for what is missing, given with what it returns: its query and passages, best first."""

    query: str
    passages: tuple[Passage, ...]

    def __post_init__(self) -> None:
        checks.text(self.query, "query")
        object.__setattr__(self, "passages", checks.parts(self.passages, Passage, "passages"))


@dataclass(frozen=True, slots=True)
class Scenario:
    """The givens of a walk. Only the two lists are required; a step that lacks something says what.

    Attributes:
        keyword: ids that keyword search returns, best first.
        semantic: ids that semantic search returns, best first.
        question: what is asked.
        conditions: what an answer needs.
        passages: what is known about the passages; an id without an entry is known by its id only.
        keyword_scores: the raw scores of ``keyword``, place by place; empty if not given.
        semantic_scores: the same for ``semantic``.
        day: the day the question is about.
        unrelated: passages that noise puts in, in this order; without them they are named X1, X2, …
        second_search: what a second search would find.
        name: the built-in scenario's name; empty for one of your own.

    Raises:
        Refused: a `ValueError` that names the place and says what is allowed.
    """

    keyword: tuple[str, ...]
    semantic: tuple[str, ...]
    question: str = ""
    conditions: tuple[Condition, ...] = ()
    passages: tuple[Passage, ...] = ()
    keyword_scores: tuple[float, ...] = ()
    semantic_scores: tuple[float, ...] = ()
    day: date | None = None
    unrelated: tuple[Passage, ...] = ()
    second_search: SecondSearch | None = None
    name: str = ""

    def __post_init__(self) -> None:
        for field in ("question", "name"):
            checks.text(getattr(self, field), field)
        for field in ("keyword", "semantic"):
            ids = checks.distinct(checks.ranking(getattr(self, field), field))
            if len(ids) > LONGEST_LIST:
                raise Refused(
                    "list_too_long", field=field, where=field, found=len(ids), maximum=LONGEST_LIST
                )
            object.__setattr__(self, field, ids)
            scores = _scores(getattr(self, f"{field}_scores"), f"{field}_scores")
            object.__setattr__(self, f"{field}_scores", scores)
            if scores and len(scores) != len(ids):
                raise Refused(
                    "scores_each", field=field, where=field, found=len(scores), ids=len(ids)
                )
        for field, kind in (
            ("conditions", Condition), ("passages", Passage), ("unrelated", Passage)
        ):  # fmt: skip
            object.__setattr__(self, field, checks.parts(getattr(self, field), kind, field))
        object.__setattr__(self, "day", checks.day(self.day, "day"))
        if self.second_search is not None:
            checks.parts((self.second_search,), SecondSearch, "second_search")
        self._check_ids("conditions", [condition.id for condition in self.conditions])
        known = self.known
        self._check_ids("passages", [passage.id for passage in known])
        condition_ids = {condition.id for condition in self.conditions}
        for passage in known:
            for condition in passage.supports:
                if condition not in condition_ids:
                    raise Refused(
                        "unknown_condition",
                        field="passages",
                        where=f"passages, {passage.id!r} supports",
                        found=repr(condition),
                        allowed=", ".join(sorted(condition_ids)) or "-",
                    )

    @staticmethod
    def _check_ids(where: str, ids: Sequence[str]) -> None:
        checked = checks.ranking(ids, where)
        repeated = sorted({id for id in checked if checked.count(id) > 1})
        if repeated:
            raise Refused("repeated", field=where, where=where, found=", ".join(repeated))

    @property
    def candidates(self) -> tuple[str, ...]:
        """The ids of both lists, each once."""
        return checks.distinct(self.keyword + self.semantic)

    @property
    def known(self) -> tuple[Passage, ...]:
        """Every passage that has an entry, those of noise and of a second search too."""
        second = self.second_search.passages if self.second_search else ()
        return (*self.passages, *self.unrelated, *second)

    def passage(self, id: str) -> Passage:
        """Return what is known about ``id``: its entry, or a passage with nothing but the id."""
        for passage in self.known:
            if passage.id == id:
                return passage
        return Passage(id)


def _scores(values: Iterable[float], where: str) -> tuple[float, ...]:
    if not isinstance(values, Iterable):
        raise Refused("not_a_score", field=where, where=where, found=checks.shown(values))
    return tuple(
        checks.score(value, f"{where}[{index}]", field=where) for index, value in enumerate(values)
    )


LONGEST_LIST = 50
"""The longest list that a walk takes: more cannot be followed by eye."""


def built_in(name: str, lang: str = "en") -> Scenario:
    """Return a built-in scenario with its words in ``lang``.

    Args:
        name: one of `SCENARIOS`.
        lang: a language with a catalogue.

    Raises:
        Refused: for another name or language.
    """
    if not isinstance(name, str) or name not in SCENARIOS:
        raise Refused(
            "scenario", field="scenario", found=checks.shown(name), allowed=", ".join(SCENARIOS)
        )
    return _built_in(name, check_language(lang))


@cache
def _built_in(name: str, lang: str) -> Scenario:
    return SCENARIOS[name](lang)


_NEW = date(2026, 1, 1)
_OLD, _OLD_END = date(2024, 1, 1), date(2025, 12, 31)


def _worded(
    scenario: str,
    id: str,
    lang: str,
    *,
    valid_from: date | None = _NEW,
    valid_until: date | None = None,
    supports: tuple[str, ...] = (),
    rerank_score: float | None = None,
) -> Passage:
    words = lookup(f"scenarios.{scenario}.passages.{id}", lang)
    return Passage(
        id=id,
        label=words["label"],
        text=words["text"],
        source=words["source"],
        version=words["version"],
        valid_from=valid_from,
        valid_until=valid_until,
        supports=supports,
        rerank_score=rerank_score,
    )


def _conditions(scenario: str, lang: str) -> tuple[Condition, ...]:
    labels = lookup(f"scenarios.{scenario}.conditions", lang)
    return tuple(Condition(id, label) for id, label in labels.items())


def _unrelated(lang: str) -> tuple[Passage, ...]:
    """Passages about something else: in force, with a source, and of no use to any question here."""
    words = lookup("scenarios.unrelated", lang)
    return tuple(
        Passage(
            id=f"X{number}",
            label=entry["label"],
            text=entry["text"],
            source=say("scenarios.unrelated_source", lang),
            version="2026",
            valid_from=_NEW,
            rerank_score=round(0.12 - number / 100, 2),
        )
        for number, entry in enumerate(words, start=1)
    )


def _f29(lang: str) -> Scenario:
    """The mission's scenario: what its two orders and k = 60 give is fixed, the passages are ours.

    C answers both conditions at once, in other words and by the rules of 2024: so keyword search
    puts it last, a close reader first, and today it is wrong.
    """
    return Scenario(
        name="f29",
        question=say("scenarios.f29.question", lang),
        keyword=("A", "B", "C"),
        semantic=("B", "C", "A"),
        keyword_scores=(12.4, 9.1, 7.0),
        semantic_scores=(0.91, 0.88, 0.73),
        day=date(2026, 3, 16),
        conditions=_conditions("f29", lang),
        passages=(
            _worded("f29", "A", lang, supports=("limit",), rerank_score=0.64),
            _worded("f29", "B", lang, supports=("approval",), rerank_score=0.71),
            _worded(
                "f29",
                "C",
                lang,
                valid_from=_OLD,
                valid_until=_OLD_END,
                supports=("limit", "approval"),
                rerank_score=0.93,
            ),
        ),
        unrelated=_unrelated(lang),
    )


def _laptop(name: str, lang: str, found: tuple[Passage, ...]) -> Scenario:
    """A question whose second condition no candidate meets, so that one has to search again."""
    return Scenario(
        name=name,
        question=say("scenarios.laptop.question", lang),
        keyword=("P", "R", "Q"),
        semantic=("Q", "P", "R"),
        keyword_scores=(10.2, 8.8, 6.1),
        semantic_scores=(0.86, 0.84, 0.79),
        day=date(2026, 3, 16),
        conditions=_conditions("laptop", lang),
        passages=(
            _worded("laptop", "P", lang, supports=("period",), rerank_score=0.82),
            _worded("laptop", "Q", lang, rerank_score=0.58),
            _worded(
                "laptop",
                "R",
                lang,
                valid_from=_OLD,
                valid_until=_OLD_END,
                supports=("collects",),
                rerank_score=0.66,
            ),
        ),
        unrelated=_unrelated(lang),
        second_search=SecondSearch(say("scenarios.laptop.second_query", lang), found),
    )


def _second_search(lang: str) -> Scenario:
    found = _worded("laptop", "S", lang, supports=("collects",))
    return _laptop("second_search", lang, (found,))


def _no_answer(lang: str) -> Scenario:
    found = _worded(
        "laptop", "T", lang, valid_from=_OLD, valid_until=_OLD_END, supports=("collects",)
    )
    return _laptop("no_answer", lang, (found,))


def _flip(lang: str) -> Scenario:
    """The smallest complete lists whose order depends on k: A (1, 4) and B (2, 2) tie at k = 2."""
    return Scenario(name="flip", keyword=("A", "B", "C", "D"), semantic=("C", "B", "D", "A"))


SCENARIOS = {
    "f29": _f29,
    "second_search": _second_search,
    "no_answer": _no_answer,
    "flip": _flip,
}
"""The built-in scenarios by name."""
