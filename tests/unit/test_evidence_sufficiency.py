"""Validity on a day, and whether the passages meet every condition."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankwalk import Refused, check_sufficiency
from rankwalk.evidence import Validity, validity

DAY = date(2026, 3, 1)
ONE = timedelta(days=1)


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        (DAY, DAY, Validity.IN_FORCE),
        (DAY - ONE, None, Validity.IN_FORCE),
        (DAY, None, Validity.IN_FORCE),
        (DAY + ONE, None, Validity.NOT_YET),
        (DAY + ONE, DAY + ONE, Validity.NOT_YET),
        (DAY - 2 * ONE, DAY - ONE, Validity.SUPERSEDED),
        (None, DAY - ONE, Validity.SUPERSEDED),
        (None, DAY, Validity.UNKNOWN),
        (None, None, Validity.UNKNOWN),
    ],
)
def test_validity(first, last, expected):
    assert validity(first, last, DAY) is expected


@given(st.dates(), st.dates(), st.dates())
def test_a_version_holds_from_its_first_to_its_last_day(first, last, day):
    first, last = min(first, last), max(first, last)
    assert (validity(first, last, day) is Validity.IN_FORCE) == (first <= day <= last)
    assert (validity(first, None, day) is Validity.IN_FORCE) == (first <= day)


def test_f29_with_b_only_then_with_a():
    evidence = {"limit": ["A"], "approver": ["B"]}
    cut = check_sufficiency(["limit", "approver"], evidence, usable=["B"])
    assert (cut.met, cut.missing) == ({"approver": ("B",)}, ("limit",))
    assert (cut.enough, cut.state) == (False, "partly")
    both = check_sufficiency(["limit", "approver"], evidence, usable=["B", "A"])
    assert both.met == {"limit": ("A",), "approver": ("B",)}
    assert (both.enough, both.state, both.missing) == (True, "enough", ())
    none = check_sufficiency(["limit", "approver"], evidence, usable=["C"])
    assert (none.enough, none.state, none.missing) == (False, "not", ("limit", "approver"))


def test_a_condition_without_evidence_is_missing():
    found = check_sufficiency(["a", "b"], {"a": ["P"]})
    assert found.missing == ("b",)


def test_supporters_come_in_the_order_of_preference_each_once():
    found = check_sufficiency(["a"], {"a": ["P", "Q", "R", "P"]}, usable=["R", "X", "P", "R"])
    assert found.met == {"a": ("R", "P")}
    assert check_sufficiency(["a"], {"a": ["P", "Q", "P"]}).met == {"a": ("P", "Q")}


names = st.sampled_from("abcd")
passages = st.sampled_from("PQRS")


@given(
    st.lists(names, unique=True, min_size=1),
    st.dictionaries(names, st.lists(passages)),
    st.lists(passages),
)
def test_met_and_missing_are_the_conditions(conditions, evidence, usable):
    evidence = {c: ids for c, ids in evidence.items() if c in conditions}
    found = check_sufficiency(conditions, evidence, usable)
    assert [*found.met, *found.missing] == sorted(
        conditions, key=lambda c: (c in found.missing, conditions.index(c))
    )
    for condition, ids in found.met.items():
        assert ids
        assert set(ids) == set(evidence[condition]) & set(usable)
    assert all(not set(evidence.get(c, [])) & set(usable) for c in found.missing)
    # A passage more can never make a met condition missing.
    more = check_sufficiency(conditions, evidence, [*usable, "S"])
    assert set(more.missing) <= set(found.missing)


def test_many_passages():
    many = [f"p{n}" for n in range(100_000)]
    found = check_sufficiency(["a", "b"], {"a": many, "b": many[::-1]}, usable=many)
    assert found.met["a"] == found.met["b"] == tuple(many)


@pytest.mark.parametrize("conditions", [[], ["a", "a"]], ids=repr)
def test_conditions_are_each_named_once(conditions):
    with pytest.raises(Refused, match="conditions: found"):
        check_sufficiency(conditions, {})


@pytest.mark.parametrize("conditions", ["a", None, {"a"}, [1], [""]], ids=repr)
def test_conditions_are_ids(conditions):
    with pytest.raises(Refused, match="conditions"):
        check_sufficiency(conditions, {})


@pytest.mark.parametrize("evidence", [None, ["a"], "a", [("a", ["P"])]], ids=repr)
def test_evidence_is_a_mapping(evidence):
    with pytest.raises(Refused, match="evidence: found"):
        check_sufficiency(["a"], evidence)


@pytest.mark.parametrize("supporters", ["P", None, [4], {"P": 1}], ids=repr)
def test_supporters_are_ids(supporters):
    with pytest.raises(Refused, match=r"evidence\['a'\]"):
        check_sufficiency(["a"], {"a": supporters})


def test_evidence_for_what_was_not_asked():
    with pytest.raises(Refused, match=r"'b' was not asked for\. Allowed: a"):
        check_sufficiency(["a"], {"b": ["P"]})


@pytest.mark.parametrize("usable", ["B", {"B"}, [4], 1], ids=repr)
def test_usable_has_an_order(usable):
    with pytest.raises(Refused, match="usable"):
        check_sufficiency(["a"], {"a": ["B"]}, usable=usable)
