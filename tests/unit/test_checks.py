"""The shared checks of input."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankwalk import Refused, checks


@given(st.floats(0, allow_nan=False, allow_infinity=False))
def test_a_float_is_the_decimal_that_was_typed(value):
    assert checks.exact(value, "x") == Fraction(repr(value))
    assert float(checks.exact(value, "x")) == value


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0, 0),
        (0.1, Fraction(1, 10)),
        (Decimal("0.1"), Fraction(1, 10)),
        (Fraction(1, 3), Fraction(1, 3)),
        (np.float32(0.1), Fraction(1, 10)),
        (np.float64(1e-3), Fraction(1, 1000)),
        (np.int8(3), 3),
        (10**400, 10**400),
        (Decimal("1e400"), 10**400),
        (-0.0, 0),
    ],
)
def test_exact(value, expected):
    found = checks.exact(value, "x")
    assert type(found) is Fraction
    assert found == expected


NOT_FINITE = [
    math.nan,
    math.inf,
    Decimal("sNaN"),
    True,
    np.True_,
    "1",
    None,
    1j,
    [],
    Decimal("-Inf"),
]


@pytest.mark.parametrize("value", NOT_FINITE, ids=repr)
def test_not_finite(value):
    assert not checks.is_finite(value)
    with pytest.raises(Refused, match="here: found"):
        checks.exact(value, "here")


@pytest.mark.parametrize(
    "value", [0, -1, 0.5, Decimal("-1"), Fraction(-1, 2), np.float16(1)], ids=repr
)
def test_finite(value):
    assert checks.is_finite(value)


@pytest.mark.parametrize("value", [-1, -0.1, Decimal("-1"), Fraction(-1, 9), -(10**400)], ids=str)
def test_negative_is_not_exact(value):
    with pytest.raises(Refused):
        checks.exact(value, "x")


def test_whole():
    assert checks.whole(np.int64(3), "x", minimum=1) == 3
    assert type(checks.whole(np.int64(3), "x", minimum=1)) is int
    assert checks.whole(5, "x", minimum=1, maximum=5) == 5
    for value in (0, 6, 2.0, True, "3", None, math.nan, -(10**5000)):
        with pytest.raises(Refused, match=r"x: found .*from 1 to 5") as caught:
            checks.whole(value, "x", minimum=1, maximum=5, field="f")
        assert caught.value.field == "f"
    with pytest.raises(Refused, match=r"x: found 0.*of 1 or more") as caught:
        checks.whole(0, "x", minimum=1)
    assert caught.value.field == "x"


def test_ranking_keeps_order_and_repeats():
    assert checks.ranking(iter("BAB"), "x") == ("B", "A", "B")
    assert checks.distinct("BAB") == ("B", "A")
    assert checks.ranking(np.array(["B", "A"]), "x") == ("B", "A")


@given(st.text(min_size=1))
def test_any_text_is_an_id(text):
    assert checks.ranking([text], "x") == (text,)


def test_shown_is_short():
    assert checks.shown("a") == "'a'"
    assert len(checks.shown("a" * 1000)) == 60
    assert checks.shown("a" * 1000, limit=9) == "'aaaaaaa…"
    assert checks.shown(10**5000) == "<int>"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_message_says_place_and_value_in_each_language(lang):
    with pytest.raises(Refused) as caught:
        checks.ranking(["A", 4], "keyword")
    text = caught.value.in_language(lang)
    assert "keyword" in text
    assert "4" in text
    assert "2" in text


class NoAnswer:
    """As arrays and tables of data are: ``==`` gives something that is neither true nor false."""

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> NoAnswer:
        return self

    def __bool__(self) -> bool:
        raise ValueError("the truth value is ambiguous")


@pytest.mark.parametrize(
    "value",
    [
        None,
        {},
        [],
        1,
        "",
        math.nan,
        Decimal("sNaN"),
        np.array([1, 2]),
        np.array(["a", "b"]),
        NoAnswer(),
    ],
)
def test_one_of_refuses_what_cannot_even_be_compared(value):
    for allowed in (("a", "b"), (True, False)):
        with pytest.raises(Refused, match="Allowed") as refusal:
            checks.one_of(value, "x", allowed)
        assert refusal.value.field == "x"


def test_one_of_gives_the_plain_value():
    assert type(checks.one_of(np.str_("a"), "x", ("a", "b"))) is str
    assert checks.one_of(False, "x", (True, False)) is False


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (3, int),
        (3.5, float),
        (np.int64(3), int),
        (np.float64(3.5), float),
        (np.float32(0.5), float),
        (Decimal("3.5"), float),
        (Fraction(1, 3), float),
    ],
)
def test_between_gives_a_plain_number(value, kind):
    found = checks.between(value, "x", minimum=0.001, maximum=10)
    assert type(found) is kind
    assert found == pytest.approx(float(value))


@pytest.mark.parametrize(
    "value", [None, "3", True, math.nan, math.inf, -1, 10.5, 10**400, [3], 3j, np.array([1, 2])]
)
def test_between_refuses(value):
    with pytest.raises(Refused, match="from 0 to ten"):
        checks.between(value, "x", minimum=0, maximum=10, most="ten")


def test_ids_of_numpy_become_plain_ones():
    assert list(map(type, checks.ranking(np.array(["A", "B"]), "x"))) == [str, str]
