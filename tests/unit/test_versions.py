"""Which edition is in force, and what the dates leave open."""

from datetime import date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankwalk import Refused, Version, date_faults, in_force_on
from rankwalk.messages import languages, say
from rankwalk.versions import DateFault, Finding, OnDay, in_words

JAN, JUL, DEC = date(2025, 1, 1), date(2025, 7, 1), date(2025, 12, 31)
DAY = timedelta(days=1)


def names(versions):
    return [version.version for version in versions]


def test_the_edition_changes_from_one_day_to_the_next():
    editions = [Version("policy", "1", JAN, JUL - DAY), Version("policy", "2", JUL)]
    assert in_force_on(editions, JUL - DAY)["policy"].the_one.version == "1"
    assert in_force_on(editions, JUL)["policy"].the_one.version == "2"
    assert in_force_on(editions, JAN - DAY)["policy"].on_day is OnDay.NONE
    assert date_faults(editions) == ()


def test_an_overlap_is_told_and_the_newest_does_not_win():
    editions = [Version("p", "1", JAN, DEC), Version("p", "2", JUL)]
    found = in_force_on(editions, JUL)["p"]
    assert (found.on_day, found.the_one, names(found.in_force)) == (OnDay.SEVERAL, None, ["1", "2"])
    (fault,) = date_faults(editions)
    assert (fault.fault, fault.versions) == (DateFault.OVERLAP, ("1", "2"))
    assert (fault.first_day, fault.last_day) == (JUL, DEC)


def test_an_edition_without_an_end_overlaps_its_successor_for_ever():
    (fault,) = date_faults([Version("p", "1", JAN), Version("p", "2", JUL)])
    assert (fault.fault, fault.last_day) == (DateFault.OVERLAP, None)


def test_a_gap_is_told_with_its_days():
    editions = [Version("p", "1", JAN, date(2025, 3, 31)), Version("p", "2", JUL)]
    assert in_force_on(editions, date(2025, 5, 1))["p"].on_day is OnDay.NONE
    (fault,) = date_faults(editions)
    assert (fault.first_day, fault.last_day) == (date(2025, 4, 1), JUL - DAY)


def test_a_gap_is_not_seen_behind_an_edition_that_covers_it():
    editions = [
        Version("p", "long", JAN, DEC),
        Version("p", "short", JAN + DAY, JAN + 2 * DAY),
        Version("p", "late", JUL, None),
    ]
    assert DateFault.GAP not in {fault.fault for fault in date_faults(editions)}


def test_a_missing_first_day_makes_the_answer_uncertain():
    editions = [Version("p", "1", JAN), Version("p", "2")]
    found = in_force_on(editions, JUL)["p"]
    assert (found.on_day, names(found.undated), found.the_one) == (OnDay.UNSURE, ["2"], None)
    assert DateFault.NO_FIRST_DAY in {fault.fault for fault in date_faults(editions)}


def test_a_missing_first_day_does_not_matter_after_the_last():
    editions = [Version("p", "1", None, JUL), Version("p", "2", JUL + DAY)]
    assert in_force_on(editions, DEC)["p"].the_one.version == "2"


def test_sources_do_not_touch_each_other():
    editions = [Version("p", "1", JAN), Version("q", "1", JUL)]
    found = in_force_on(editions, JAN)
    assert list(found) == ["p", "q"]
    assert (found["p"].on_day, found["q"].on_day) == (OnDay.ONE, OnDay.NONE)
    assert date_faults(editions) == ()


@pytest.mark.parametrize(
    ("make", "field"),
    [
        (lambda: Version("", "1"), "source"),
        (lambda: Version("p", 1), "version"),
        (lambda: Version("p", "1", "2025-01-01"), "valid_from"),
        (lambda: Version("p", "1", datetime(2025, 1, 1)), "valid_from"),
        (lambda: Version("p", "1", JUL, JAN), "valid_until"),
        (lambda: in_force_on([Version("p", "1"), Version("p", "1")], JAN), "versions"),
        (lambda: in_force_on(["p"], JAN), "versions"),
        (lambda: in_force_on([], "today"), "day"),
        (lambda: in_force_on([], datetime(2025, 1, 1)), "day"),
    ],
)
def test_bad_input_is_refused(make, field):
    with pytest.raises(Refused) as refusal:
        make()
    assert refusal.value.field == field
    assert refusal.value.in_language("zh")


@pytest.mark.parametrize("lang", languages())
def test_every_finding_has_words(lang):
    for state in OnDay:
        assert say(f"evidence.on_day.{state}", lang)
    for fault in DateFault:
        for last in (DEC, None):
            words = in_words(Finding("p", fault, ("v1", "v2"), JAN, last), lang)
            assert "v1 / v2" in words
            assert "None" not in words or fault is DateFault.GAP  # a gap always has an end


SPANS = st.lists(
    st.tuples(st.none() | st.integers(0, 30), st.none() | st.integers(0, 12)), max_size=5
)


@given(SPANS)
def test_faults_agree_with_looking_at_every_single_day(spans):
    """The oracle asks day by day, which no gap or overlap between first days can hide from."""
    editions = [
        Version(
            "p",
            str(n),
            None if start is None else JAN + start * DAY,
            None if length is None else JAN + ((start or 0) + length) * DAY,
        )
        for n, (start, length) in enumerate(spans)
    ]
    faults = date_faults(editions)
    dated = [edition for edition in editions if edition.valid_from is not None]
    days = [JAN + n * DAY for n in range(60)]
    holding = {day: names(v for v in dated if in_force_on([v], day)["p"].the_one) for day in days}
    overlapping = {day for day in days if len(holding[day]) > 1}
    covered = [day for day in days if holding[day]]
    empty = {day for day in days if covered and covered[0] < day < covered[-1] and not holding[day]}

    def days_of(kind):
        return {
            day
            for fault in faults
            if fault.fault is kind
            for day in days
            if fault.first_day <= day <= (fault.last_day or days[-1])
        }

    assert days_of(DateFault.OVERLAP) == overlapping
    assert days_of(DateFault.GAP) == empty
