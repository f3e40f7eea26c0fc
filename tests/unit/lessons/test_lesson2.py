"""What lesson 2 computes: pairs of orders, flips, raw scores, systems, real faults."""

from __future__ import annotations

import io
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise, product

import matplotlib as mpl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwalk import Refused, explain_rrf, flip_points, plots
from rankwalk.flips import Stretch, lead_at, limit, score, stretches
from rankwalk.lessons import byhand
from rankwalk.lessons.rawscores import EXAMPLES, METHODS, fuse_min_max, fuse_ranks, fuse_sum, scaled
from rankwalk.lessons.swaps import all_pairs, orders
from rankwalk.lessons.systems import SYSTEMS
from rankwalk.messages import languages


@pytest.fixture(autouse=True)
def _own_settings():
    with mpl.rc_context({"backend": "agg"}):
        yield


# --- swaps ------------------------------------------------------------------------------------------


def test_36_pairs_of_which_18_tie():
    pairs = all_pairs()
    assert len(pairs) == len({(pair.first, pair.second) for pair in pairs}) == 36
    assert sum(pair.has_tie for pair in pairs) == 18
    assert [(pair.first, pair.second) for pair in pairs] == list(product(orders(), orders()))


def test_a_pair_shows_its_ties():
    shown = {(pair.first, pair.second): pair.shown for pair in all_pairs()}
    assert shown[tuple("ABC"), tuple("BCA")] == "B A C"
    assert shown[tuple("ABC"), tuple("BAC")] == "A=B C"
    assert shown[tuple("ABC"), tuple("CBA")] == "A=C B"


def test_exchanging_the_lists_changes_nothing():
    shown = {(pair.first, pair.second): pair.shown for pair in all_pairs()}
    assert all(shown[first, second] == shown[second, first] for first, second in shown)


# --- flips ------------------------------------------------------------------------------------------

ranks = st.tuples(*[st.none() | st.integers(1, 20)] * 2)


@settings(max_examples=100)
@given(ranks, ranks)
def test_stretches_are_what_a_scan_finds(first, second):
    found = stretches(first, second)
    points = flip_points(first, second)
    assert [stretch.low for stretch in found] == [0, *points]
    assert [stretch.high for stretch in found] == [*points, None]
    for k in (Fraction(n, 3) for n in range(1, 400)):
        for stretch in found:
            if stretch.low < k and (stretch.high is None or k < stretch.high):
                assert lead_at(first, second, k) == stretch.lead
    for before, after in pairwise(found):
        assert {before.lead, after.lead} == {"first", "second"}


@settings(max_examples=100)
@given(ranks, ranks)
def test_the_limit_is_who_leads_beyond_the_last_flip(first, second):
    far = max([0, *flip_points(first, second)]) * 2 + 10**9
    assert limit(first, second).lead == lead_at(first, second, Fraction(far))


@pytest.mark.parametrize(
    ("first", "second", "lead", "by"),
    [
        ((1, None), (3, 3), "second", "lists"),
        ((1, 4), (2, 2), "second", "sum"),
        ((1, 3), (2, 2), "first", "spread"),
        ((1, 2), (2, 1), "tie", "same"),
        ((None, None), (None, None), "tie", "same"),
    ],
)
def test_what_decides_for_a_large_k(first, second, lead, by):
    assert (limit(first, second).lead, limit(first, second).by) == (lead, by)


def test_stretches_known():
    assert stretches((1, 4), (2, 2)) == (Stretch("first", 0, 2), Stretch("second", 2, None))
    assert stretches((1, 2), (2, 1)) == (Stretch("tie", 0, None),)
    # They meet at k = 0, which is no flip above it.
    assert stretches((None, 1), (2, 2)) == (Stretch("second", 0, None),)
    assert score((1, None), 60) == Fraction(1, 61)


# --- raw scores -------------------------------------------------------------------------------------


def names(ranked):
    return [id for id, _ in ranked]


def test_the_scale_turns_the_sum_upside_down_and_leaves_rrf_alone():
    example = EXAMPLES["two_scales"]
    by_keyword = sorted(example.keyword, key=lambda id: -Fraction(example.keyword[id]))
    by_semantic = sorted(example.semantic, key=lambda id: -Fraction(example.semantic[id]))
    assert names(fuse_sum(scaled(example, 100))) == by_keyword
    assert names(fuse_sum(scaled(example, Decimal("0.001")))) == by_semantic
    for name, fuse in METHODS.items():
        kept = {tuple(names(fuse(scaled(example, Decimal(s))))) for s in ("0.001", "1", "1000")}
        assert (len(kept) == 1) == (name != "sum")


def test_rrf_throws_a_margin_away():
    lists = scaled(EXAMPLES["margin"])
    assert names(fuse_min_max(lists)) == ["B", "A", "C"]
    (first, a), (second, b), _ = fuse_ranks(lists)
    assert (first, second) == ("A", "B")
    assert a == b


@settings(max_examples=100)
@given(
    st.lists(
        st.dictionaries(st.sampled_from("ABCDE"), st.integers(0, 20), min_size=1),
        min_size=1,
        max_size=3,
    ),
    st.integers(1, 1000),
)
def test_scaling_one_list_changes_no_order_but_that_of_the_sum(lists, factor):
    grown = [{id: factor * s for id, s in lists[0].items()}, *lists[1:]]
    for name in ("min_max", "z_score", "rrf"):
        assert names(METHODS[name](grown)) == names(METHODS[name](lists))


def test_equal_scores_in_a_list():
    lists = [{"B": 1, "A": 1}, {"A": 1, "C": 1}]
    for fuse in METHODS.values():
        assert names(fuse(lists))[0] == "A"


def test_scores_are_checked():
    with pytest.raises(Refused):
        fuse_sum([{"A": float("nan")}])
    with pytest.raises(Refused):
        scaled(EXAMPLES["margin"], -1)


# --- systems ----------------------------------------------------------------------------------------


def test_an_engine_that_counts_from_0_amounts_to_one_less():
    by_name = {system.name: system for system in SYSTEMS}
    assert by_name["Qdrant"].textbook_k == 1
    assert by_name["Elasticsearch"].textbook_k == 60
    assert by_name["Weaviate, rankedFusion"].textbook_k == 59
    for system in SYSTEMS:
        for rank in (1, 2, 50):
            assert system.constant + system.first + rank - 1 == system.textbook_k + rank


def test_no_default_changes_the_order_of_f29_and_qdrants_changes_the_pair():
    for system in SYSTEMS:
        assert explain_rrf(byhand.F29, k=system.textbook_k).order == ("B", "A", "C")
        lead = lead_at((1, 4), (2, 2), system.textbook_k)
        assert lead == ("first" if system.name == "Qdrant" else "second")


def test_every_system_has_a_source():
    assert all(system.source for system in SYSTEMS)


# --- real faults ------------------------------------------------------------------------------------

WRONG = {
    "F1": {"B": Fraction(121, 3660), "A": Fraction(61, 1860), "C": Fraction(123, 3782)},
    "F4": {"A": Fraction(1, 61) + Fraction(1, 62), "B": Fraction(1, 61)},
    "F11": dict.fromkeys("AB", Fraction(1, 61) + Fraction(1, 62)),
    "F15": dict.fromkeys("ABC", 0),
    "F19": {"A": 1, "B": Fraction(2, 3), "c": 1},
    "F20": {},
}


@pytest.mark.parametrize("case", byhand.CASES)
def test_a_fault_shows_in_the_scores(case):
    seen, right = byhand.spotted(case)
    assert seen != right
    if case in WRONG:
        assert seen == WRONG[case]


def test_the_fault_of_an_absent_document_puts_x_first():
    seen, right = byhand.spotted("F2")
    assert max(seen, key=lambda id: (seen[id], id == "X")) == "X"
    assert max(right, key=right.__getitem__) == "Y"


def test_the_fault_of_an_early_cut_loses_x():
    seen, right = byhand.spotted("F12")
    assert "X" not in seen
    assert max(right, key=right.__getitem__) == "X"


# --- tables and figures -------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", languages())
def test_the_tables(lang):
    fusion = explain_rrf([["A", "B"], ["B"]], names=["<b>", "2"])
    table = byhand.terms(fusion, lang)
    assert [row[0] for row in table.rows] == ["B", "A"]
    assert "1/61" in repr(table)
    assert "&lt;b&gt;" in table._repr_html_()
    assert "<b>" not in table._repr_html_()
    assert len(byhand.systems(lang).rows) == len(SYSTEMS)
    assert len(byhand.notes_on_systems(lang)) >= 5
    assert len(byhand.spot(lang).head) == 3
    assert len(byhand.spot(lang, solved=True).head) == 5
    assert [row[1] for row in byhand.gaps(byhand.F29, (0, 60), lang).rows] == ["B A C"] * 2


def test_where_the_last_digit_differs():
    lists = [[f"d{n}" for n in range(1, 40)] for _ in "12"]
    lists[0][5], lists[1][38] = "Z", "Z"
    lists[0][11], lists[1][27] = "Y", "Y"
    rows = {row[0]: row for row in byhand.ways_of_adding(lists, 60, "en").rows}
    assert rows["Y"][3] == rows["Z"][3]
    assert rows["Y"][2] != rows["Z"][2]


@pytest.mark.parametrize("lang", languages())
def test_figures_are_drawn_from_the_numbers_and_miss_no_glyph(lang):
    fusion = explain_rrf(byhand.F29, names=["关键词 1", "语义 2"])
    bars = plots.contribution_bars(fusion, lang)
    widths = [bar.get_width() for container in bars.axes[0].containers for bar in container]
    assert widths == pytest.approx([float(row.terms[n]) for n in (0, 1) for row in fusion.rows])
    hatches = {bar.get_hatch() for container in bars.axes[0].containers for bar in container}
    assert len(hatches) == 2
    curves = plots.score_curves([((1, 4), (2, 2)), ((1, 3), (2, 2))], lang)
    marks = [line for line in curves.axes[0].lines if line.get_marker() == "o"]
    assert [list(mark.get_xdata()) for mark in marks] == [[3.0]]  # k = 2, drawn at k + 1
    for figure in (bars, curves):
        figure.savefig(io.BytesIO(), format="png")
