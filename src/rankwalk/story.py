"""A walk told in a language: every word and mark that a learner sees, and where it belongs.

`tell` turns the five steps into a `Story`. The widget draws it, `rankwalk.forms` prints it as text and
as HTML. So whatever the form, the words and numbers are the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from itertools import pairwise
from typing import Any, Literal

from rankwalk.fusion import FusedRow
from rankwalk.messages import say
from rankwalk.scenarios import Scenario
from rankwalk.settings import Settings
from rankwalk.walk import (
    Check,
    Checked,
    Decided,
    Finding,
    Flip,
    Fused,
    Reranked,
    Round,
    SearchedList,
    Walk,
)

STEPS = 5
ROWS_TOLD = 6
"""How many rows of a long list the sentences spell out; the picture and the table show all."""
LISTED = 12
"""How many ids, scores or checks it names before it says how many more there are."""

Sign = Literal["", "added", "removed", "up", "down", "same", "tied", "ok", "out", "missing"]


@dataclass(frozen=True, slots=True)
class Card:
    """One passage in one column.

    Attributes:
        id: the passage.
        title: the upper line.
        note: the lower line.
        sign: a mark, drawn as an icon.
        sign_words: what the mark says, in a word or two.
        bars: the share of each list's term in the largest possible score, 0 to 1.
        faded: whether it is out, or was taken out.
    """

    id: str
    title: str
    note: str
    sign: Sign = ""
    sign_words: str = ""
    bars: tuple[float, ...] = ()
    faded: bool = False


@dataclass(frozen=True, slots=True)
class Column:
    """Cards below each other.

    Attributes:
        title: what stands above them.
        cards: the passages in order.
        note: what stands below them.
        line_after: how many cards are above the budget line; ``None`` where none is drawn.
        line_words: the words at the budget line.
        removed: the passages that the learner took out of this list; they have no place in it.
    """

    title: str
    cards: tuple[Card, ...]
    note: str = ""
    line_after: int | None = None
    line_words: str = ""
    removed: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class Socket:
    """A condition, and the passages that meet it."""

    label: str
    note: str
    met_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lens:
    """The gaps between scores, enlarged: each id's place between the lowest and the highest, 0 to 1."""

    dots: tuple[tuple[str, float], ...]
    low: str
    high: str
    words: str


@dataclass(frozen=True, slots=True)
class StoryStep:
    """One step in words: its title, the upshot in a sentence, and all that the picture says."""

    title: str
    upshot: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """All that the picture's cards say, in words: a row a passage, a column a stage.

    Attributes:
        head: the words above the columns.
        rows: each passage's id with its cells, the first of which names it; in fused order, then what
            was taken out, then what only a second search found.
        notes: what the picture says besides, each with the step that brings it.
    """

    head: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    notes: tuple[tuple[int, str], ...] = ()

    def until(self, step: int, order: Sequence[str]) -> Table:
        """Return the table as far as a step has come.

        Args:
            step: 1 to 5. Both lists are known from step 1 on, and every later step adds a column.
            order: the ids in the order they have while there is no fused one.
        """
        width = step + 2
        place = {id: number for number, id in enumerate(order)}
        rows = sorted(self.rows, key=lambda row: place[row[0]]) if step == 1 else self.rows
        shown = [(id, cells[:width]) for id, cells in rows if any(cells[1:width])]
        notes = tuple(note for note in self.notes if note[0] <= step)
        return Table(self.head[:width], tuple(shown), notes)


@dataclass(frozen=True, slots=True)
class Story:
    """A whole walk in one language.

    Attributes:
        lang: the language.
        guide: the question that guides the walk.
        question: what is asked in it; empty if the scenario has none.
        scope: what is given and not computed.
        badges: each passage's letter or number, in order of first appearance.
        steps: the five steps in words.
        keyword: the keyword list; so ``semantic``, ``fused``, ``reranked`` and ``checked`` for the other
            columns of the picture.
        semantic: see ``keyword``.
        fused: see ``keyword``.
        lens: the gaps between the fused scores; ``None`` where no scores differ.
        reranked: see ``keyword``.
        checked: see ``keyword``.
        found: what a second search found; ``None`` if there was none.
        sockets: the conditions, and what meets them; none if nothing was checked.
        verdict: how the walk ends.
        enough: whether that is enough to answer; ``None`` if it is not known.
        reasons: for each passage in fused order why it stands there.
        table: all that the cards say, in words.
    """

    lang: str
    guide: str
    question: str
    scope: str
    badges: tuple[tuple[str, str], ...]
    steps: tuple[StoryStep, ...]
    keyword: Column
    semantic: Column
    fused: Column
    lens: Lens | None
    reranked: Column
    checked: Column
    found: Column | None
    sockets: tuple[Socket, ...]
    verdict: str
    enough: bool | None
    reasons: tuple[tuple[str, str], ...]
    table: Table


def tell(scenario: Scenario, settings: Settings, steps: Walk, lang: str) -> Story:
    """Tell a walk.

    Args:
        scenario: what the walk started from, its words in ``lang``.
        settings: what was changed.
        steps: what `rankwalk.walk.walk` gave for these two.
        lang: a language with a catalogue.

    Returns:
        All that any form of the walk shows, in words.

    Raises:
        Refused: a `ValueError`, for a language without a catalogue.
    """
    return _Teller(scenario, settings, steps, lang).story()


def badges(ids: Sequence[str]) -> dict[str, str]:
    """Return the letter of each passage: the ids themselves if all are short, else numbers."""
    if all(len(id) <= 2 for id in ids):
        return {id: id for id in ids}
    return {id: str(number) for number, id in enumerate(ids, start=1)}


def short(id: str, limit: int = 28) -> str:
    """Return an id fit for a sentence: cut if it is long, and kept apart if it runs right to left."""
    text = re.sub(
        r"[\s\u2066-\u2069]+", " ", id
    )  # neither a new line nor an end of what keeps it apart
    text = text if len(text) <= limit else f"{text[: limit - 1]}…"
    return text if text.isascii() else f"\u2068{text}\u2069"


def exactly(value: Fraction) -> str:
    """Return a fraction as one writes it: 123/3782, or 2 for a whole number."""
    return str(value)


def rounded(value: Fraction | float, digits: int = 5) -> str:
    """Return a number with so many decimals, or with three digits that count if it is smaller."""
    number = float(value)
    return (
        f"{number:.{digits}f}"
        if number == 0 or abs(number) >= 10**-digits * 100
        else f"{number:.3g}"
    )


def typed(value: float) -> str:
    """Return a number as one types it: 60, also where it is 60.0, and 123.45 with all its decimals."""
    return str(int(value)) if value == int(value) else str(value)


def number(value: Fraction | float) -> str:
    """Return a number rounded for a sentence: 60, 2.5, 3.667."""
    return f"{float(value):.4g}" if value != int(value) else str(int(value))


class _Teller:
    """Holds what every sentence needs, so that the sentences below stay short."""

    def __init__(self, scenario: Scenario, settings: Settings, steps: Walk, lang: str) -> None:
        self.scenario = scenario
        self.settings = settings
        self.steps = steps
        self.lang = lang

    @property
    def ids(self) -> list[str]:
        """Every passage that can come to be seen, each once, in order of first appearance."""
        second = self.scenario.second_search
        found = [passage.id for passage in second.passages] if second else []
        return list(dict.fromkeys((*self.scenario.candidates, *self.steps.searched.added, *found)))

    def say(self, key: str, **values: object) -> str:
        return say(f"walk.{key}", self.lang, **values)

    def enumerated(self, parts: Iterable[str]) -> str:
        """Return parts as a list in a sentence; what is cut off a long one is told by number."""
        told = list(parts)
        text = self.say("comma").join(told[:LISTED])
        rest = len(told) - LISTED
        return self.say("and_more", ids=text, n=rest) if rest > 0 else text

    def listed(self, ids: Iterable[str]) -> str:
        """Return ids as a list in a sentence."""
        return self.enumerated(short(id) for id in ids) or self.say("nothing")

    def joined(self, parts: Iterable[str]) -> str:
        return self.say("semicolon").join(parts)

    def day(self, day: date) -> str:
        return self.say("day", year=day.year, month=day.month, day=day.day, iso=day.isoformat())

    # ---- the whole ------------------------------------------------------------------------------

    def story(self) -> Story:
        searched, fused, reranked, checked, decided = self.steps
        stages = (
            self.list_column("keyword", searched.keyword),
            self.list_column("semantic", searched.semantic),
            self.fused_column(fused),
            self.reranked_column(reranked),
            self.checked_column(checked),
        )
        found = self.found_column(decided)
        return Story(
            lang=self.lang,
            guide=self.say("guide"),
            question=self.scenario.question,
            scope=self.scope(),
            badges=tuple(badges(self.ids).items()),
            steps=(
                self.step1(),
                self.step2(fused),
                self.step3(reranked),
                self.step4(checked),
                self.step5(decided),
            ),
            keyword=stages[0],
            semantic=stages[1],
            fused=stages[2],
            lens=self.lens(fused),
            reranked=stages[3],
            checked=stages[4],
            found=found,
            sockets=self.sockets(decided),
            verdict=self.verdict(decided),
            enough=None if decided.ending == "unknown" else decided.ending == "enough",
            reasons=tuple((row.id, self.reason(row)) for row in fused.fusion.rows),
            table=self.table([*stages, *([found] if found else [])], self.lens(fused)),
        )

    def table(self, columns: Sequence[Column], lens: Lens | None) -> Table:
        keyword, semantic, fused, *_ = columns
        letters = badges(self.ids)
        cards = (*fused.cards, *keyword.removed, *semantic.removed, *columns[-1].cards)

        def cells(id: str) -> tuple[str, ...]:
            lists = (self.cell(column, id, numbered=False) for column in (keyword, semantic))
            letter = "" if letters[id] == id else f"{letters[id]} · "
            return (
                f"{letter}{self.named(id)}",
                *lists,
                *(self.cell(column, id) for column in columns[2:]),
            )

        return Table(
            head=(self.say("table.passage"), *(column.title for column in columns)),
            rows=tuple((id, cells(id)) for id in dict.fromkeys(card.id for card in cards)),
            notes=(
                *((step, column.note) for step, column in enumerate(columns) if column.note),
                *([(2, f"{lens.low} – {lens.high}. {lens.words}")] if lens else []),
            ),
        )

    def named(self, id: str) -> str:
        label = self.label(id)
        return id if label == id else self.say("table.named", id=id, label=label)

    def cell(self, column: Column, id: str, *, numbered: bool = True) -> str:
        """Say what a column shows of a passage beyond its label: its place, its lines, its mark.

        A card of a list says its rank itself, so it needs no number.
        """
        for place, card in enumerate(column.cards, start=1):
            if card.id == id:
                title = "" if card.title == self.label(id) else card.title
                number = f"{place}." if numbered else ""
                told = " ".join(part for part in (number, title, card.note) if part)
                below = column.line_after is not None and place > column.line_after
                signs = (card.sign_words, self.say("table.below") if below else "")
                marks = self.say("comma").join(sign for sign in signs if sign)
                return self.say("table.marked", told=told, marks=marks) if marks else told
        return next((card.sign_words for card in column.removed if card.id == id), "")

    def scope(self) -> str:
        given = [self.say("scope.lists")]
        if self.scenario.keyword_scores or self.scenario.semantic_scores:
            given.append(self.say("scope.scores"))
        if any(passage.rerank_score is not None for passage in self.scenario.passages):
            given.append(self.say("scope.rerank"))
        if self.scenario.conditions:
            given.append(self.say("scope.checks"))
        if self.scenario.second_search:
            given.append(self.say("scope.second"))
        made_up = self.say("scope.made_up") if self.scenario.name else self.say("scope.own")
        return self.say("scope.line", given=self.joined(given), made_up=made_up)

    def label(self, id: str) -> str:
        return self.scenario.passage(id).label or id

    # ---- step 1 ---------------------------------------------------------------------------------

    def list_column(self, name: str, searched: SearchedList) -> Column:
        cards = []
        for place, id in enumerate(searched.ids):
            if searched.scores:
                score = f"{searched.scores[place]:g}"
                note = self.say(f"list.{name}_score", rank=place + 1, score=score)
            else:
                note = self.say("list.rank", rank=place + 1)
            sign, words = (
                self.moved(searched.moves[id])
                if id in searched.moves
                else ("added", self.say("sign.added"))
            )
            cards.append(
                Card(
                    id,
                    self.label(id),
                    note,
                    "" if sign == "same" else sign,
                    "" if sign == "same" else words,
                )
            )
        removed = tuple(
            Card(id, self.label(id), "", "removed", self.say("sign.removed"), faded=True)
            for id in searched.removed
        )
        return Column(self.say(f"column.{name}"), tuple(cards), removed=removed)

    def moved(self, places: int) -> tuple[Sign, str]:
        if places == 0:
            return "same", self.say("sign.same")
        sign: Sign = "up" if places > 0 else "down"
        return sign, self.say(f"sign.{sign}", n=abs(places))

    def moves(self, moves: Iterable[tuple[str, int]]) -> str:
        """Say who moved how far: "C up 2, B down 1"."""
        told = [self.say("moved", id=short(id), how=self.moved(by)[1]) for id, by in moves if by]
        return self.enumerated(told)

    def scores(self, searched: SearchedList) -> str:
        return self.enumerated(f"{score:g}" for score in searched.scores)

    def labels_told(self, ids: Iterable[str]) -> list[str]:
        """Say what the cards say of each passage; nothing where they show no more than the id."""
        told = [
            self.say("step1.label", id=short(id), label=self.label(id))
            for id in dict.fromkeys(ids)
            if self.label(id) != id
        ]
        return [self.say("step1.labels", labels=self.enumerated(told))] if told else []

    def step1(self) -> StoryStep:
        searched = self.steps.searched
        keyword, semantic = searched.keyword, searched.semantic
        upshot = self.say(
            "step1.lists", keyword=self.listed(keyword.ids), semantic=self.listed(semantic.ids)
        )
        shown = (*keyword.ids, *semantic.ids, *keyword.removed, *semantic.removed)
        said = self.labels_told(shown)
        lists = (
            ("keyword", keyword, self.scenario.keyword_scores),
            ("semantic", semantic, self.scenario.semantic_scores),
        )
        if keyword.scores and semantic.scores:
            said.append(
                self.say(
                    "step1.scores",
                    keyword=self.scores(keyword),
                    semantic=self.scores(semantic),
                )
            )
        else:
            if not any(given for _, _, given in lists):
                said.append(self.say("step1.no_scores"))
            elif any(given and of_list.ids and not of_list.scores for _, of_list, given in lists):
                said.append(self.say("step1.scores_changed"))
            said += [
                self.say(
                    "step1.scores_one",
                    list=self.say(f"column.{name}"),
                    scores=self.scores(of_list),
                )
                for name, of_list, _ in lists
                if of_list.scores
            ]
        if searched.only_keyword:
            said.append(self.say("step1.only_keyword", ids=self.listed(searched.only_keyword)))
        if searched.only_semantic:
            said.append(self.say("step1.only_semantic", ids=self.listed(searched.only_semantic)))
        if keyword.ids == semantic.ids:
            said += [self.say("step1.alike")] if keyword.ids else []
        elif not searched.only_keyword and not searched.only_semantic:
            said.append(self.say("step1.both"))
        said.append(self.say("step1.blind"))
        if searched.added:
            said.append(self.say("step1.added", ids=self.listed(searched.added)))
        if searched.removed:
            said.append(self.say("step1.removed", ids=self.listed(searched.removed)))
        for name, of_list in (("keyword", keyword), ("semantic", semantic)):
            if moves := self.moves(of_list.moves.items()):
                said.append(self.say(f"step1.moved_{name}", moves=moves))
        return StoryStep(self.say("step1.title"), upshot, tuple(said))

    # ---- step 2 ---------------------------------------------------------------------------------

    def terms(self, row: FusedRow) -> str:
        return " + ".join(exactly(term) for term in row.terms if term) or "0"

    def sum_words(self, row: FusedRow) -> str:
        if sum(term > 0 for term in row.terms) < 2:  # one term is its own sum
            return self.say("fused.sum_rounded", rounded=rounded(row.score))
        value = self.say("fused.sum", exact=exactly(row.score), rounded=rounded(row.score))
        return (
            value if len(value) <= 34 else self.say("fused.sum_rounded", rounded=rounded(row.score))
        )

    def fused_column(self, fused: Fused) -> Column:
        largest = fused.fusion.largest_possible
        rows = fused.fusion.rows
        ties = [row.tied or after.tied for row, after in pairwise(rows)]
        ties += [row.tied for row in rows[-1:]]
        cards = tuple(
            Card(
                id=row.id,
                title=self.terms(row),
                note=self.sum_words(row),
                sign="tied" if tied else "",
                sign_words=self.say("sign.tied") if tied else "",
                bars=tuple(float(term / largest) for term in row.terms),
            )
            for row, tied in zip(rows, ties, strict=True)
        )
        title = self.say("column.fused", k=typed(self.settings.k))
        return Column(title, cards, note=self.say("fused.bars") if cards else "")

    def lens(self, fused: Fused) -> Lens | None:
        """Return the enlarged gaps; ``None`` where no scores differ."""
        rows = fused.fusion.rows
        if not rows or rows[0].score == rows[-1].score:
            return None
        high, low = rows[0].score, rows[-1].score
        times = fused.fusion.largest_possible / (high - low)
        return Lens(
            dots=tuple((row.id, float((row.score - low) / (high - low))) for row in rows),
            low=rounded(low),
            high=rounded(high),
            words=self.say(
                "fused.lens",
                times=f"{float(times):.3g}" if times < 1000 else f"{float(times):,.0f}",
            ),
        )

    def reason(self, row: FusedRow) -> str:
        """Say why a candidate stands where it does, for the learner who guessed."""
        names = (self.say("column.keyword"), self.say("column.semantic"))
        parts = [
            self.say("fused.absent", list=name)
            if rank is None
            else self.say("fused.rank_in", list=name, rank=rank)
            for name, rank in zip(names, row.ranks, strict=True)
        ]
        return self.say(
            "fused.reason",
            ranks=self.say("comma").join(parts),
            terms=self.terms(row),
            sum=self.sum_words(row),
        )

    def step2(self, fused: Fused) -> StoryStep:
        rows = fused.fusion.rows
        k = typed(self.settings.k)
        title = self.say("step2.title")
        if not rows:
            return StoryStep(title, self.say("step2.nothing"), ())
        said = [self.say("step2.rule", k=k)]
        told = [
            self.say("fused.row", id=short(row.id), terms=self.terms(row), sum=self.sum_words(row))
            for row in rows[:ROWS_TOLD]
        ]
        said.append(self.say("step2.rows", rows=self.joined(told)))
        if len(rows) > ROWS_TOLD:
            said.append(self.say("step2.more", n=len(rows) - ROWS_TOLD))
        ties = [(rows[place - 1], row) for place, row in enumerate(rows) if row.tied]
        for before, row in ties[:3]:
            said.append(self.say("step2.tie", a=short(before.id), b=short(row.id)))
        if len(ties) > 3:
            said.append(self.say("step2.more_ties", n=len(ties) - 3))
        gap = rows[0].score - rows[-1].score
        if gap:
            said.append(
                self.say("step2.gap", a=short(rows[0].id), b=short(rows[-1].id), gap=rounded(gap))
            )
        largest = fused.fusion.largest_possible
        said.append(
            self.say(
                "step2.largest",
                largest=exactly(largest),
                share=f"{float(100 * rows[0].score / largest):.1f}",
                id=short(rows[0].id),
            )
        )
        said.append(self.say("fused.bars"))
        if lens := self.lens(fused):
            said.append(lens.words)
        said.append(self.flip_words(fused.flips))
        return StoryStep(
            title, self.say("step2.order", ids=self.listed(fused.fusion.order)), tuple(said)
        )

    def flip_words(self, flips: Sequence[Flip]) -> str:
        if not flips:
            return self.say("step2.no_flip")
        told = [
            self.say(
                "step2.flip", k=number(flip.k), below=short(flip.below), above=short(flip.above)
            )
            for flip in flips[:3]
        ]
        text = self.say("step2.flips", flips=self.joined(told))
        return (
            text if len(flips) <= 3 else self.say("step2.more_flips", flips=text, n=len(flips) - 3)
        )

    # ---- step 3 ---------------------------------------------------------------------------------

    def reranked_column(self, reranked: Reranked) -> Column:
        cards = []
        for id in reranked.order:
            sign, words = self.moved(reranked.moves[id])
            if id in reranked.read:
                title = self.say("reranked.score", score=f"{reranked.scores[id]:g}")
                cards.append(Card(id, title, "", sign, words))
            else:
                cards.append(Card(id, self.label(id), self.say("reranked.not_read")))
        note = ""
        if not reranked.read and reranked.order:
            note = self.say("reranked.lacking" if reranked.lacking else "reranked.off")
        line = reranked.cut if cards else None
        return Column(
            self.say("column.reranked"),
            tuple(cards),
            note=note,
            line_after=line,
            line_words="" if line is None else self.say("budget_line", n=self.settings.budget),
        )

    def step3(self, reranked: Reranked) -> StoryStep:
        said = []
        if reranked.read:
            said.append(self.say("step3.read", ids=self.listed(reranked.read)))
            scores = [
                f"{short(id)} {reranked.scores[id]:g}"
                for id in reranked.order
                if id in reranked.scores
            ]
            said.append(self.say("step3.scores", scores=self.enumerated(scores)))
            moves = self.moves(reranked.moves.items())
            said.append(
                self.say("step3.moves", moves=moves) if moves else self.say("step3.no_moves")
            )
            below = reranked.order[len(reranked.read) :]
            if below:
                said.append(self.say("step3.below", ids=self.listed(below)))
            said.append(self.say("step3.blind"))
        elif reranked.lacking:
            said.append(self.say("step3.lacking", ids=self.listed(reranked.lacking)))
        elif self.settings.rerank:
            said.append(self.say("step2.nothing"))
        else:
            said.append(self.say("step3.off"))
        if reranked.cut is None:
            said.append(self.say("step3.line_later"))
        elif reranked.order:
            said.append(
                self.say(
                    "step3.line",
                    n=self.settings.budget,
                    ids=self.listed(reranked.order[: reranked.cut]),
                )
            )
        upshot = self.say("step3.order", ids=self.listed(reranked.order))
        return StoryStep(self.say("step3.title"), upshot, tuple(said))

    # ---- step 4 ---------------------------------------------------------------------------------

    def conditions(self, ids: Sequence[str]) -> str:
        labels = {condition.id: condition.label for condition in self.scenario.conditions}
        return self.say("comma").join(labels[id] for id in ids)

    def finding_note(self, check: Check) -> str:
        """Return the lower line of a checked card."""
        if check.usable:
            return self.say("checked.usable", conditions=self.conditions(check.supports))
        passage = self.scenario.passage(check.id)
        values = {"until": "", "from_": ""}
        if check.finding is Finding.SUPERSEDED and passage.valid_until:
            values["until"] = passage.valid_until.isoformat()
        if check.finding is Finding.NOT_YET and passage.valid_from:
            values["from_"] = passage.valid_from.isoformat()
        return self.say(f"checked.{check.finding}", **values)

    def finding_words(self, check: Check) -> str:
        """Return a sentence about one check."""
        passage = self.scenario.passage(check.id)
        key = "checked.origin" if passage.version else "checked.origin_only"
        origin = (
            self.say(key, source=passage.source, version=passage.version) if passage.source else ""
        )
        found = self.say(
            f"finding.{check.finding}",
            id=short(check.id),
            origin=origin,
            until=self.day(passage.valid_until) if passage.valid_until else "",
            from_=self.day(passage.valid_from) if passage.valid_from else "",
            conditions=self.conditions(check.supports),
        )
        return found + (self.say("checked.words", text=passage.text) if passage.text else "")

    def checked_card(self, check: Check) -> Card:
        return Card(
            id=check.id,
            title=self.label(check.id),
            note=self.finding_note(check),
            sign="ok" if check.usable else "out",
            sign_words=self.say("sign.usable" if check.usable else "sign.out"),
            faded=not check.usable,
        )

    def checked_column(self, checked: Checked) -> Column:
        taken = checked.taken
        cards = tuple(self.checked_card(check) for check in checked.checks)
        line = None
        if self.settings.check == "before" and taken:
            ids = [check.id for check in checked.checks]
            line = ids.index(taken[-1]) + 1
        elif self.settings.check == "after" and cards:
            line = self.settings.budget
        note = self.say("checked.lacking", what=self.lacking(checked)) if checked.lacking else ""
        return Column(
            self.say("column.checked"),
            cards,
            note=note,
            line_after=line,
            line_words="" if line is None else self.say("budget_line", n=self.settings.budget),
        )

    def lacking(self, checked: Checked) -> str:
        return self.say("and").join(self.say(f"lacking.{what}") for what in checked.lacking)

    def step4(self, checked: Checked) -> StoryStep:
        title = self.say("step4.title")
        if checked.lacking or checked.day is None:
            what = self.lacking(checked)
            return StoryStep(
                title, self.say("step4.lacking", what=what), (self.say("step4.invent"),)
            )
        usable = [check.id for check in checked.checks if check.usable]
        said = [self.say("step4.rule", day=self.day(checked.day))]
        said += [self.finding_words(check) for check in checked.checks[:LISTED]]
        if len(checked.checks) > LISTED:
            said.append(self.say("step2.more", n=len(checked.checks) - LISTED))
        key = "step4.taken_before" if self.settings.check == "before" else "step4.taken_after"
        said.append(self.say(key, n=self.settings.budget, ids=self.listed(checked.taken)))
        return StoryStep(title, self.say("step4.usable", ids=self.listed(usable)), tuple(said))

    # ---- step 5 ---------------------------------------------------------------------------------

    def found_column(self, decided: Decided) -> Column | None:
        for look in decided.rounds:
            if look.action == "second_search" and self.scenario.second_search:
                cards = tuple(self.checked_card(check) for check in look.checks)
                query = self.scenario.second_search.query
                note = "" if cards else self.say("step5.found_nothing")
                return Column(self.say("column.found", query=query), cards, note=note)
        return None

    def sockets(self, decided: Decided) -> tuple[Socket, ...]:
        if decided.sufficiency is None:  # nothing was checked: neither met nor missing
            return ()
        met = decided.sufficiency.met
        return tuple(
            Socket(
                label=condition.label,
                note=self.say("socket.met", ids=self.listed(met[condition.id]))
                if condition.id in met
                else self.say("socket.missing"),
                met_by=met.get(condition.id, ()),
            )
            for condition in self.scenario.conditions
        )

    def verdict(self, decided: Decided) -> str:
        missing = decided.sufficiency.missing if decided.sufficiency else ()
        return self.say(
            f"verdict.{decided.ending}",
            ids=self.listed(decided.taken),
            missing=self.conditions(missing),
        )

    def round_words(self, look: Round) -> list[str]:
        state = []
        for condition in self.scenario.conditions:
            met = look.sufficiency.met.get(condition.id)
            key = "step5.met" if met else "step5.missing"
            state.append(self.say(key, condition=condition.label, ids=self.listed(met or ())))
        values: dict[str, Any] = {"n": self.settings.budget, "ids": self.listed(look.added)}
        if look.action == "second_search" and self.scenario.second_search:
            values["query"] = self.scenario.second_search.query
            said = [self.say("step5.second_search", **values)]
            said += self.labels_told(check.id for check in look.checks)
            said += [self.finding_words(check) for check in look.checks] or [
                self.say("step5.found_nothing")
            ]
        else:
            key = f"step5.{look.action}" if look.added else f"step5.{look.action}_none"
            said = [self.say(key, **values)]
        return [*said, self.say("step5.state", state=self.joined(state))]

    def step5(self, decided: Decided) -> StoryStep:
        title = self.say("step5.title")
        if decided.ending == "unknown":
            what = self.lacking(self.steps.checked)
            return StoryStep(
                title, self.say("step5.lacking", what=what), (self.say("step4.invent"),)
            )
        said = [sentence for look in decided.rounds for sentence in self.round_words(look)]
        if decided.out_of_reach:
            said.append(self.say("step5.out_of_reach", ids=self.listed(decided.out_of_reach)))
        if decided.ending != "enough":
            said.append(self.say("step5.right_end"))
        return StoryStep(title, self.verdict(decided), tuple(said))
