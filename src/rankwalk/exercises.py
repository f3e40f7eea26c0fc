"""Exercises: six kinds of question, with ids, versions, and feedback that says why.

In a lesson (the widget, in `rankwalk.widgets.exercise`)::

    Exercise("01", "fusion-order", lang=LANG)     # lesson, id of the exercise, language
    Exercise("01", "fusion-order", lang=LANG, feedback=False, folder="elsewhere")

Here is what it stands on, for use without a widget::

    questions("01", "en")                         # every exercise of a lesson, in order
    question("01", "fusion-order", "en")          # one of them
    grade(question("01", "fusion-order", "en"), ["B", "A", "C"])

The parts without words (kind, version, options, right answers, computed by Rankwalk itself) are in
`rankwalk.exercise_keys`; the words are in the topics ``exercises`` (shared) and ``exercises_NN`` (a
lesson's own). Choice, order and number are told at once whether they hold, and why. Short text, code
and scenario show criteria to check oneself by: nothing reads or runs what was typed. There is no grade.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from re import fullmatch

from rankwalk import checks
from rankwalk.exercise_keys import KEYS, Key, Kind
from rankwalk.messages import Refused, check_language, lookup, say

LONGEST_TEXT = 10_000
"""Characters in a typed answer; more is surely pasted by mistake."""
LONGEST_NUMBER = 60

Answer = str | tuple[str, ...]
"""An answer in its stored form: the ids of options, or the text as typed."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a choice, or one thing to put in order.

    Attributes:
        id: its id, the same in every language.
        label: its words.
    """

    id: str
    label: str


@dataclass(frozen=True, slots=True)
class Question:
    """One exercise in one language.

    Attributes:
        lesson: the lesson's two digits.
        id: unique in the lesson.
        version: raised when a change makes former answers mean something else.
        kind: which of the six kinds.
        lang: the language of the words below.
        place: its number in the lesson, from 1.
        of: how many the lesson has.
        point: the point of knowledge it belongs to, in words.
        text: the question.
        options: what to choose from or to put in order; else empty.
        starter: what a code exercise starts from; else empty.
        several: whether more than one option holds (choice only).
        tolerance: how far a number may be off.
        criteria: what to check oneself by (short text, code, scenario); else empty.
        example: one answer that meets the criteria; else empty.
        key: the part without words, which holds the right answer.
    """

    lesson: str
    id: str
    version: int
    kind: Kind
    lang: str
    place: int
    of: int
    point: str
    text: str
    options: tuple[Option, ...]
    starter: str
    several: bool
    tolerance: Fraction
    criteria: tuple[str, ...]
    example: str
    key: Key

    def label(self, option: str) -> str:
        """The words of an option."""
        return next(o.label for o in self.options if o.id == option)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why one part of an answer holds or not.

    Attributes:
        about: the option or the place that it is about; ``""`` for the whole answer.
        mark: a word for what was chosen and whether that holds; ``""`` where there is none.
        text: the reason.
    """

    about: str
    mark: str
    text: str


@dataclass(frozen=True, slots=True)
class Feedback:
    """What is said after an answer.

    Attributes:
        holds: whether the answer holds; ``None`` where the learner is the judge.
        headline: the same in a sentence.
        reasons: why, part by part.
        criteria: what to check oneself by.
        example: one answer that meets the criteria.
    """

    holds: bool | None
    headline: str
    reasons: tuple[Reason, ...] = ()
    criteria: tuple[str, ...] = ()
    example: str = ""


def lessons() -> tuple[str, ...]:
    """The lessons that have exercises, as two digits."""
    return tuple(KEYS)


def questions(lesson: str, lang: str) -> tuple[Question, ...]:
    """Return every exercise of a lesson, in order.

    Args:
        lesson: the lesson's two digits, such as ``"01"``.
        lang: a language that has a catalogue.

    Raises:
        Refused: a `ValueError`, for an unknown lesson or language.
    """
    check_language(lang)
    if not isinstance(lesson, str) or lesson not in KEYS:
        raise Refused(
            "unknown_lesson",
            field="lesson",
            found=checks.shown(lesson),
            allowed=", ".join(KEYS),
        )
    keys = KEYS[lesson]()
    return tuple(_worded(key, lesson, lang, place, len(keys)) for place, key in enumerate(keys, 1))


def question(lesson: str, id: str, lang: str) -> Question:
    """Return one exercise.

    Raises:
        Refused: a `ValueError`, for an unknown lesson, id or language.
    """
    every = questions(lesson, lang)
    for one in every:
        if one.id == id:
            return one
    raise Refused(
        "unknown_exercise",
        field="id",
        found=checks.shown(id),
        lesson=lesson,
        allowed=", ".join(one.id for one in every),
    )


def _values(key: Key, lang: str) -> dict[str, object]:
    """Return the values that the words name, several of them joined as the language does."""
    joint = say("exercises.joint", lang)
    return {
        name: joint.join(map(str, value)) if isinstance(value, tuple) else value
        for name, value in key.values.items()
    }


def _worded(key: Key, lesson: str, lang: str, place: int, of: int) -> Question:
    topic = f"exercises_{lesson}.{key.id}"
    words = lookup(topic, lang)
    values = _values(key, lang)
    return Question(
        lesson=lesson,
        id=key.id,
        version=key.version,
        kind=key.kind,
        lang=lang,
        place=place,
        of=of,
        point=say(f"exercises.point.{key.point}", lang),
        text=say(f"{topic}.text", lang, **values),
        options=tuple(
            Option(id, say(f"{topic}.options.{id}", lang, **values)) for id in key.options
        ),
        starter=words.get("starter", ""),
        several=key.kind is Kind.CHOICE and len(key.right) > 1,
        tolerance=key.tolerance,
        criteria=tuple(words.get("criteria", ())),
        example=words.get("example", ""),
        key=key,
    )


def read_answer(question: Question, answer: str | Iterable[str]) -> Answer:
    """Check that an answer can be an answer to ``question``, and return it as it is stored.

    Args:
        question: the exercise.
        answer: ids of options for choice and order, else text.

    Raises:
        Refused: a `ValueError` that says what to put in instead; its field is ``answer``.
    """
    if question.kind in (Kind.CHOICE, Kind.ORDER):
        return _read_options(question, answer)
    if not isinstance(answer, str) or not answer.strip():
        raise Refused("answer_empty", field="answer")
    if len(answer) > LONGEST_TEXT:
        raise Refused("answer_too_long", field="answer", found=len(answer), maximum=LONGEST_TEXT)
    if question.kind is Kind.NUMBER:
        read_number(answer)
    return answer


def _read_options(question: Question, answer: str | Iterable[str]) -> tuple[str, ...]:
    allowed = tuple(option.id for option in question.options)
    read = checks.ranking if question.kind is Kind.ORDER else checks.ids
    chosen = (answer,) if isinstance(answer, str) else read(answer, "answer")
    for one in chosen:
        if one not in allowed or chosen.count(one) > 1:
            raise Refused(
                "answer_option",
                field="answer",
                found=checks.shown(one),
                allowed=", ".join(allowed),
            )
    if not chosen:
        raise Refused("answer_empty", field="answer")
    if question.kind is Kind.ORDER and len(chosen) < len(allowed):
        raise Refused("answer_incomplete", field="answer", found=len(chosen), needed=len(allowed))
    if question.kind is Kind.CHOICE and not question.several and len(chosen) > 1:
        raise Refused("answer_only_one", field="answer", found=len(chosen))
    return chosen


_SIGNS = str.maketrans(
    {
        "．": ".",
        "。": ".",  # a Chinese keyboard gives this where a decimal point was meant
        "／": "/",
        "⁄": "/",
        "÷": "/",
        "－": "-",
        "−": "-",
        "＋": "+",
        "％": "%",
        "\u3000": " ",
    }
)


def read_number(text: str) -> Fraction:
    """Read a number as people type it: ``2/3``, ``0.667``, ``66.7%``, ``２／３``, ``０．６６７``.

    Digits of any script are taken. A comma is not: it means a decimal point here and thousands there.

    Raises:
        Refused: a `ValueError`, for anything else, division by zero included.
    """
    plain = "".join(
        ch if (digit := unicodedata.decimal(ch, None)) is None else str(digit) for ch in text
    ).translate(_SIGNS)
    plain = "".join(plain.split())
    decimal = r"\d+\.?\d*|\.\d+"
    match = fullmatch(rf"([+-]?)({decimal})(?:/({decimal}))?(%?)", plain)
    if not match or len(plain) > LONGEST_NUMBER:
        raise Refused("answer_number", field="answer", found=checks.shown(text))
    sign, top, bottom, percent = match.groups()
    divisor = Fraction(bottom or "1") * (100 if percent else 1)
    if divisor == 0:
        raise Refused("answer_by_zero", field="answer", found=checks.shown(text))
    return Fraction(top) / divisor * (-1 if sign == "-" else 1)


def grade(question: Question, answer: str | Iterable[str]) -> Feedback:
    """Say whether an answer holds and why; or give the criteria, where the learner is the judge.

    Args:
        question: the exercise.
        answer: as for `read_answer`.

    Raises:
        Refused: as `read_answer` does.
    """
    read = read_answer(question, answer)
    if question.kind is Kind.NUMBER:
        return _grade_number(question, str(read))
    if isinstance(read, tuple):
        return (_grade_choice if question.kind is Kind.CHOICE else _grade_order)(question, read)
    return Feedback(
        holds=None,
        headline=say("exercises.feedback.check_yourself", question.lang),
        criteria=question.criteria,
        example=question.example,
    )


def _headline(question: Question, holds: bool) -> str:
    key = "exercises.feedback.holds" if holds else "exercises.feedback.does_not_hold"
    return say(key, question.lang)


def _why(question: Question, of: str = "why") -> str:
    values = _values(question.key, question.lang)
    return say(f"exercises_{question.lesson}.{question.id}.{of}", question.lang, **values)


def _grade_choice(question: Question, chosen: Sequence[str]) -> Feedback:
    right = question.key.right
    reasons = []
    for option in question.options:
        if option.id in chosen:
            mark = "chosen_right" if option.id in right else "chosen_wrong"
        else:
            mark = "missed" if option.id in right else "left_out"
        reasons.append(
            Reason(
                about=option.label,
                mark=say(f"exercises.mark.{mark}", question.lang),
                text=_why(question, f"why.{option.id}"),
            )
        )
    holds = set(chosen) == set(right)
    return Feedback(holds, _headline(question, holds), tuple(reasons))


def _grade_order(question: Question, chosen: Sequence[str]) -> Feedback:
    right = question.key.right
    reasons = [
        Reason(
            about=say("exercises.feedback.place", question.lang, place=place),
            mark="",
            text=say(
                "exercises.feedback.place_differs",
                question.lang,
                yours=question.label(yours),
                right=question.label(theirs),
            ),
        )
        for place, (yours, theirs) in enumerate(zip(chosen, right, strict=True), start=1)
        if yours != theirs
    ]
    holds = not reasons
    reasons.append(Reason("", "", _why(question)))
    return Feedback(holds, _headline(question, holds), tuple(reasons))


def _grade_number(question: Question, typed: str) -> Feedback:
    value, right = read_number(typed), question.key.number
    holds = abs(value - right) <= question.tolerance
    reasons = [
        Reason(
            "",
            "",
            say(
                "exercises.feedback.number",
                question.lang,
                typed=typed.strip(),
                value=shown_number(value),
                right=shown_number(right),
                tolerance=shown_decimal(question.tolerance),
            ),
        )
    ]
    if not holds and abs(value / 100 - right) <= question.tolerance:
        reasons.append(Reason("", "", say("exercises.feedback.as_percent", question.lang)))
    reasons.append(Reason("", "", _why(question)))
    return Feedback(holds, _headline(question, holds), tuple(reasons))


def shown_decimal(value: Fraction) -> str:
    """Return a decimal of up to six significant digits, never in scientific notation."""
    text = f"{float(value):.6g}"
    if "e" in text:
        text = f"{float(value):.12f}".rstrip("0").rstrip(".")
    return text


def shown_number(value: Fraction) -> str:
    """Return a number as a fraction with its decimal, or alone where it is whole or long."""
    if value.denominator == 1:
        return str(value.numerator)
    decimal = shown_decimal(value)
    exact = Fraction(decimal) == value
    if value.denominator > 1_000_000:
        return decimal
    return f"{value.numerator}/{value.denominator} {'=' if exact else '≈'} {decimal}"


def solution(question: Question) -> tuple[str, ...]:
    """Return the solution in paragraphs, for a handout: the right answer and why, or the criteria."""
    if question.kind is Kind.CHOICE:
        return tuple(
            say(
                "exercises.solution_option",
                question.lang,
                label=option.label,
                mark=say(
                    "exercises.mark.right"
                    if option.id in question.key.right
                    else "exercises.mark.wrong",
                    question.lang,
                ),
                why=_why(question, f"why.{option.id}"),
            )
            for option in question.options
        )
    if question.kind is Kind.ORDER:
        order = " → ".join(question.label(id) for id in question.key.right)
        return (order, _why(question))
    if question.kind is Kind.NUMBER:
        return (shown_number(question.key.number), _why(question))
    return question.criteria
