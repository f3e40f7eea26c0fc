"""Checks of input that several parts share: rankings, ids, numbers.

Each returns the value in its canonical form, or raises `Refused` that names the place. None changes
what it was given.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Set
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import Any, NoReturn, TypeVar, cast

from rankwalk.messages import Refused

T = TypeVar("T")
Number = int | float | Decimal | Fraction
"""What is taken where a number is asked for; numpy's numbers are too, a bool never is."""


def shown(value: object, limit: int = 60) -> str:
    """Return a short ``repr`` for a message, so that a huge input does not become a huge message."""
    try:
        text = repr(value)
    except ValueError:  # a whole number of more digits than Python writes out
        text = f"<{type(value).__name__}>"
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def is_finite(value: object) -> bool:
    """Whether ``value`` is a number that is neither infinite nor NaN; a bool is none."""
    if isinstance(value, bool):
        return False
    if isinstance(value, Decimal):
        return value.is_finite()
    return isinstance(value, Rational) or (isinstance(value, Real) and math.isfinite(value))


def all_finite(values: Collection[object]) -> bool:
    """Whether `is_finite` holds for all. The common kinds are looked at without a loop in Python."""
    kinds = set(map(type, values))
    if kinds <= {float} and math.isfinite(sum(cast(Collection[float], values))):
        return True  # an infinity or a NaN among them would have shown in the sum
    return kinds <= {int} or all(map(is_finite, values))


def all_ids(values: Collection[object]) -> bool:
    """Whether all are non-empty strings that UTF-8 can write, told without a loop in Python."""
    try:
        "".join(
            cast(Collection[str], values)
        ).encode()  # takes strings only, and no half characters
    except (TypeError, UnicodeEncodeError):
        return False
    return "" not in values


def ranking(value: Iterable[str], where: str) -> tuple[str, ...]:
    """Return ``value`` as a tuple of ids, best first, repeats still in it.

    Raises:
        Refused: if it is one string or has no order, or an id is not a non-empty string.
    """
    if isinstance(value, (str, bytes, Mapping, Set)) or not isinstance(value, Iterable):
        raise Refused("not_a_ranking", field=where, where=where, found=shown(value))
    ids = tuple(value)
    if not all_ids(ids):
        refuse_id(ids, where)
    # A numpy string equals the plain one, but its repr is no Python that anyone would type.
    return ids if set(map(type, ids)) <= {str} else tuple(map(str, ids))


def refuse_id(values: Iterable[object], where: str, field: str = "") -> NoReturn:
    """Name the first that is no id, where `all_ids` found that there is one."""
    place, found = next(
        (place, value) for place, value in enumerate(values, start=1) if not all_ids([value])
    )
    raise Refused("not_an_id", field=field or where, where=where, place=place, found=shown(found))


def ids(value: Iterable[str], where: str) -> tuple[str, ...]:
    """Return ids whose order means nothing: a set or the keys of a dict will do, one string will not.

    Raises:
        Refused: if it is one string or no iterable, or an id is not a non-empty string.
    """
    if isinstance(value, (Mapping, Set)):
        value = tuple(value)
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise Refused("not_ids", field=where, where=where, found=shown(value))
    return ranking(value, where)


def distinct(ids: Iterable[str]) -> tuple[str, ...]:
    """Return the ids with each at its first place only; later ones close up."""
    return tuple(dict.fromkeys(ids))


def exact(value: Number, where: str, *, field: str = "") -> Fraction:
    """Return a finite number ≥ 0 as the exact fraction that was typed: 0.1 is 1/10.

    A float's shortest decimal is what its author typed, which ``Fraction(value)`` would not give.

    Raises:
        Refused: if it is no number (a bool is none), not finite, or negative.
    """
    if not is_finite(value) or value < 0:
        raise Refused("not_a_number", field=field or where, where=where, found=shown(value))
    if isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    return Fraction(value if isinstance(value, Decimal) else str(value))


def whole(
    value: int, where: str, *, minimum: int, maximum: int | None = None, field: str = ""
) -> int:
    """Return a whole number from ``minimum`` to ``maximum``; a bool or a float such as 2.0 is none.

    Raises:
        Refused: if it is not.
    """
    is_whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not is_whole or value < minimum or (maximum is not None and value > maximum):
        key = "not_whole" if maximum is None else "not_whole_between"
        raise Refused(
            key,
            field=field or where,
            where=where,
            found=shown(value),
            minimum=minimum,
            maximum=maximum,
        )
    return int(value)


def between(
    value: Number, where: str, *, minimum: float, maximum: float, most: str = ""
) -> int | float:
    """Return a number from ``minimum`` to ``maximum`` as a plain int or float.

    So a view that is made of it is plain data for JSON, whatever kind of number was given.

    Args:
        value: a finite number of any kind; a bool is none.
        where: the setting.
        minimum: the smallest that is taken.
        maximum: the largest.
        most: how the message writes ``maximum``, where its digits alone are hard to read.

    Raises:
        Refused: if it is not.
    """
    if not is_finite(value) or not minimum <= value <= maximum:
        raise Refused(
            "not_between",
            field=where,
            where=where,
            found=shown(value),
            minimum=minimum,
            maximum=most or maximum,
        )
    return int(value) if isinstance(value, Integral) else float(value)


def one_of(value: Any, where: str, allowed: Collection[T]) -> T:
    """Return the one of ``allowed`` that ``value`` is.

    Only a value of the same kind is compared: an array or a table of data has no single answer to
    ``==``, and 1 is not ``True``.

    Raises:
        Refused: if it is none of them.
    """
    for choice in allowed:
        if isinstance(value, type(choice)) and value == choice:
            return choice
    raise Refused(
        "one_of",
        field=where,
        where=where,
        found=shown(value),
        allowed=", ".join(map(repr, allowed)),
    )


def day(value: date | str | None, where: str, *, field: str = "") -> date | None:
    """Return a day, also one written as in 2026-03-16 or given with an hour; ``None`` stays.

    Raises:
        Refused: if it is none.
    """
    if isinstance(value, datetime):
        return value.date()
    if value is None or isinstance(value, date):
        return value
    try:
        return date.fromisoformat(value)
    except (TypeError, ValueError):
        raise Refused("not_a_day", field=field or where, where=where, found=shown(value)) from None


def score(value: Number, where: str, *, field: str = "") -> int | float:
    """Return a finite number as a plain int or float.

    Raises:
        Refused: if it is not finite or no number.
    """
    if not is_finite(value):
        raise Refused("not_a_score", field=field or where, where=where, found=shown(value))
    return int(value) if isinstance(value, Integral) else float(value)


def text(value: str, where: str) -> str:
    """Return words as they are; none at all will do.

    Raises:
        Refused: if it is no string, or has half a character that UTF-8 cannot write.
    """
    if not isinstance(value, str) or (value and not all_ids([value])):
        raise Refused("not_words", field=where, where=where, found=shown(value))
    return value


def parts(value: Iterable[T], kind: type[T], where: str) -> tuple[T, ...]:
    """Return ``value`` as a tuple whose every item is a ``kind``.

    Raises:
        Refused: naming what is none.
    """
    items = tuple(value) if isinstance(value, Iterable) else (value,)
    for item in items:
        if not isinstance(item, kind):
            raise Refused(
                "not_parts", field=where, where=where, found=shown(item), kind=kind.__name__
            )
    return items
