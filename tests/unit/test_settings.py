from __future__ import annotations

import math
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankwalk.messages import Refused, languages
from rankwalk.scenarios import Scenario, built_in
from rankwalk.settings import NAMES, Settings


def test_the_defaults_are_those_of_f29() -> None:
    settings = Settings()
    assert settings.differing() == {}
    assert (settings.k, settings.depth, settings.budget, settings.check) == (60, 3, 2, "after")


BAD: list[tuple[str, Any]] = [
    ("k", -1),
    ("k", 1000.5),
    ("k", 1001),
    ("k", math.nan),
    ("k", math.inf),
    ("k", True),
    ("k", "sixty"),
    ("k", None),
    ("k", [60]),
    ("rerank", 1),
    ("rerank", "yes"),
    ("rerank", None),
    ("depth", 0),
    ("depth", 101),
    ("depth", 2.0),
    ("depth", True),
    ("depth", "3"),
    ("budget", 0),
    ("budget", 21),
    ("budget", ""),
    ("check", "never"),
    ("check", True),
    ("noise", -1),
    ("noise", 11),
    ("swaps", -1),
    ("swaps", 11),
    ("swaps", 1.5),
    ("seed", -1),
    ("seed", 10_000),
    ("day", "16.3.2026"),
    ("day", "2026-02-30"),
    ("day", 20260316.5),
    ("keyword", "ABC"),
    ("keyword", ["A", 4]),
    ("keyword", {"A", "B"}),
    ("keyword", [""]),
    ("keyword", [f"p{n}" for n in range(51)]),
    ("semantic", {"A": 1}),
    ("semantic", 7),
    ("semantic", ["A", None]),
    ("removed", "A"),
    ("removed", [1]),
    ("removed", None),
]


@pytest.mark.parametrize(("field", "value"), BAD, ids=lambda value: repr(value)[:20])
def test_a_bad_value_is_refused_in_every_language_with_its_field(field: str, value: Any) -> None:
    with pytest.raises(Refused) as caught:
        Settings(**{field: value})
    assert caught.value.field == field
    assert isinstance(caught.value, ValueError)
    said = {lang: caught.value.in_language(lang) for lang in languages()}
    assert str(caught.value) == said["en"]
    assert "Allowed" in said["en"]
    assert len(set(said.values())) == len(said)
    for text in said.values():
        assert "{" not in text.replace(repr(value), "")
        named = {"k": ("RRF k", "RRF 的 k")}.get(field, (field,))
        assert any(name in text for name in named)


def test_a_long_value_makes_no_long_message() -> None:
    with pytest.raises(Refused) as caught:
        Settings(k="9" * 10_000)  # type: ignore[arg-type]
    assert len(str(caught.value)) < 200


def test_an_unknown_setting_is_refused_by_name() -> None:
    with pytest.raises(Refused, match="no setting 'kk'") as caught:
        Settings().changed(kk=3)
    assert caught.value.field == "kk"
    for odd in ("self", "__class__", "scenario"):
        with pytest.raises(Refused, match="no setting"):
            Settings().changed(**{odd: 1})


def test_changing_makes_new_settings_and_leaves_the_old() -> None:
    before = Settings(budget=1)
    after = before.changed(k=10, depth=2)
    assert (before.k, before.depth) == (60, 3)
    assert (after.k, after.depth, after.budget) == (10, 2, 1)
    assert after.differing() == {"k": 10, "depth": 2, "budget": 1}
    with pytest.raises(Refused):
        before.changed(k=10, depth=0)


@pytest.mark.parametrize(
    ("given_k", "kept"),
    [
        (60.0, 60),
        (Fraction(120, 2), 60),
        (Decimal("2.50"), 2.5),
        (0.1, 0.1),
        (0, 0),
        (1000, 1000),
        (Fraction(11, 3), float(Fraction(11, 3))),
    ],
)
def test_k_has_one_form(given_k: Any, kept: float) -> None:
    k = Settings(k=given_k).k
    assert k == kept
    assert type(k) is type(kept)


def test_orders_and_removed_have_one_form() -> None:
    settings = Settings(keyword=["B", "A", "B"], removed=("C", "A", "C"))  # type: ignore[arg-type]
    assert settings.keyword == ("B", "A")
    assert settings.removed == ("A", "C")


@pytest.mark.parametrize("day", ["2026-03-16", date(2026, 3, 16), datetime(2026, 3, 16, 12, 30)])
def test_a_day_has_one_form(day: Any) -> None:
    kept = Settings(day=day).day
    assert kept == date(2026, 3, 16)
    assert type(kept) is date


def test_input_is_never_changed() -> None:
    keyword = ["A", "A", "B"]
    Settings(keyword=keyword)  # type: ignore[arg-type]
    assert keyword == ["A", "A", "B"]


def test_ids_are_checked_against_a_scenario() -> None:
    settings = Settings(keyword=("A", "{0}"), removed=("Z",))
    with pytest.raises(Refused, match=r"keyword: found '\{0\}'") as caught:
        settings.check_for(built_in("f29"))
    assert caught.value.field == "keyword"
    settings.check_for(Scenario(("A", "{0}"), ("Z",)))


def made_or_refused(name: str, value: Any) -> Settings | Refused:
    try:
        return Settings(**{name: value})
    except Refused as refused:
        return refused


@given(
    value=st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.binary())
)
def test_any_value_is_taken_or_refused_and_nothing_else_happens(value: Any) -> None:
    for name in NAMES:
        outcome = made_or_refused(name, value)
        if isinstance(outcome, Refused):
            assert outcome.field == name
        else:
            assert Settings(**{name: getattr(outcome, name)}) == outcome
