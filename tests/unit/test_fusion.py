"""RRF against facts, an exact oracle written apart from it, faults others had, and hostile input."""

from __future__ import annotations

import random
from decimal import Decimal
from fractions import Fraction
from itertools import combinations_with_replacement, pairwise, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rankwalk import Refused, explain_rrf, flip_points, flips, rrf

F29 = [["A", "B", "C"], ["B", "C", "A"]]

ids = st.sampled_from(["A", "B", "C", "D", "a", "é", "文", "🙂", "10", "9", " ", "{0}"])
rankings = st.lists(st.lists(ids, max_size=8), max_size=5)
ks = st.one_of(
    st.integers(0, 10**6),
    st.decimals(0, 1000, places=3).map(float),
    st.decimals(0, 1000, places=3),
    st.fractions(0, 1000, max_denominator=1000),
)
weights_of = st.one_of(
    st.integers(0, 5), st.decimals(0, 5, places=2).map(float), st.fractions(0, 5, max_denominator=9)
)


def typed(number: object) -> Fraction:
    """What its author wrote: 0.1 is one tenth."""
    return number if isinstance(number, Fraction) else Fraction(str(number))


def oracle(lists, k=60, weights=None) -> dict[str, Fraction]:
    """The formula, looked up candidate by candidate instead of summed list by list."""
    weights = [1] * len(lists) if weights is None else weights
    everyone = {id for one in lists for id in one}
    scores = {}
    for id in everyone:
        score = Fraction(0)
        for one, weight in zip(lists, weights, strict=True):
            if id in one:
                before = one[: one.index(id)]
                score += typed(weight) / (typed(k) + len(set(before)) + 1)
        scores[id] = score
    return scores


def oracle_order(scores: dict[str, Fraction]) -> list[str]:
    return [id for _, id in sorted((-score, id) for id, score in scores.items())]


# --- facts ------------------------------------------------------------------------------------------


def test_f29():
    assert {row.id: row.score for row in explain_rrf(F29).rows} == {
        "B": Fraction(123, 3782),
        "A": Fraction(124, 3843),
        "C": Fraction(125, 3906),
    }
    assert [(id, round(score, 8)) for id, score in rrf(F29)] == [
        ("B", 0.03252247),
        ("A", 0.03226646),
        ("C", 0.03200205),
    ]


def test_the_demo_lists():
    fused = rrf([["A", "B", "C"], ["B", "D", "A"]])
    assert [(id, f"{score:.7f}") for id, score in fused] == [
        ("B", "0.0325225"),
        ("A", "0.0322665"),
        ("D", "0.0161290"),
        ("C", "0.0158730"),
    ]


def test_k_0_adds_reciprocals():
    assert rrf([["A", "A"], ["B"]], k=0) == [("A", 1.0), ("B", 1.0)]


def test_nothing_to_fuse():
    assert rrf([]) == []
    assert rrf([[], []]) == []
    assert explain_rrf([]).largest_possible == 0


@pytest.mark.parametrize("k", [0, 0.5, 1, 2, 10, 60, 1000, 10**6])
def test_f29_keeps_its_order_for_every_k(k):
    assert explain_rrf(F29, k=k).order == ("B", "A", "C")


def test_no_pair_of_orders_of_three_depends_on_k_and_half_hold_a_tie():
    pairs = list(product(permutations("ABC"), repeat=2))
    ties = 0
    for pair in pairs:
        at_60 = explain_rrf(pair)
        ties += any(row.tied for row in at_60.rows)
        for k in (0, 1, 10**6):
            other = explain_rrf(pair, k=k)
            assert other.order == at_60.order
            assert [row.tied for row in other.rows] == [row.tied for row in at_60.rows]
    assert (len(pairs), ties) == (36, 18)


def test_a_tie_that_plain_floats_miss():
    assert 1 / 66 + 1 / 99 != 1 / 72 + 1 / 88
    lists = [[f"x{n}" for n in range(1, 41)] for _ in range(2)]
    lists[0][5], lists[1][38] = "Z", "Z"
    lists[0][11], lists[1][27] = "Y", "Y"
    rows = {row.id: row for row in explain_rrf(lists).rows}
    assert rows["Y"].score == rows["Z"].score == Fraction(5, 198)
    assert rows["Y"].place < rows["Z"].place
    scores = dict(rrf(lists))
    assert scores["Y"] == scores["Z"] == 5 / 198


def test_different_sums_that_round_to_one_float_are_no_tie():
    tiny = Fraction(1, 10**30)
    rows = explain_rrf([["Z"], ["A"]], k=0, weights=[1 + tiny, 1]).rows
    assert [(row.id, row.tied) for row in rows] == [("Z", False), ("A", False)]
    assert rrf([["Z"], ["A"]], k=0, weights=[1 + tiny, 1]) == [("Z", 1.0), ("A", 1.0)]


def test_a_float_means_the_decimal_as_typed():
    assert explain_rrf([["A"]], k=0.1).rows[0].score == Fraction(10, 11)
    assert explain_rrf([["A"]], k=0, weights=[0.1]).rows[0].score == Fraction(1, 10)
    assert rrf([["A"], ["B"]], k=0.1, weights=[0.3, Decimal("0.3")]) == [
        ("A", 3 / 11),
        ("B", 3 / 11),
    ]


def test_equal_weights_change_the_scale_only():
    fused, doubled = rrf(F29), rrf(F29, weights=[2, 2])
    assert [(id, 2 * score) for id, score in fused] == doubled


def test_numpy_numbers_are_numbers():
    assert rrf(F29, k=np.int64(60), weights=[np.float64(1), np.int32(1)]) == rrf(F29)


def test_input_is_not_changed_and_may_be_any_ordered_iterable():
    lists = [["A", "B", "A"], ["B"]]
    rrf(lists, weights=[1, 2])
    assert lists == [["A", "B", "A"], ["B"]]
    assert rrf(iter([("A", "B"), (id for id in "BA")])) == rrf([["A", "B"], ["B", "A"]])


# --- properties -------------------------------------------------------------------------------------


@settings(max_examples=200)
@given(rankings, ks, st.data())
def test_scores_and_order_are_those_of_the_formula(lists, k, data):
    if not any(lists):
        assert rrf(lists, k=k) == []
        return
    weights = data.draw(
        st.none() | st.lists(weights_of, min_size=len(lists), max_size=len(lists)), "weights"
    )
    expected = oracle(lists, k, weights)
    fused = rrf(lists, k=k, weights=weights)
    assert [id for id, _ in fused] == oracle_order(expected)
    assert all(score == float(expected[id]) for id, score in fused)
    explained = explain_rrf(lists, k=k, weights=weights)
    assert {row.id: row.score for row in explained.rows} == expected
    assert [(row.id, float(row.score)) for row in explained.rows] == fused


@settings(max_examples=100)
@given(rankings, ks)
def test_the_explanation_adds_up(lists, k):
    made = explain_rrf(lists, k=k)
    assert [row.place for row in made.rows] == list(range(1, len(made.rows) + 1))
    for row in made.rows:
        assert sum(row.terms) == row.score <= made.largest_possible
        for rank, term in zip(row.ranks, row.terms, strict=True):
            assert term == (0 if rank is None else 1 / (made.k + rank))
    for before, row in pairwise(made.rows):
        assert row.tied == (before.score == row.score)
        assert not row.tied or before.id < row.id
    assert not made.rows or not made.rows[0].tied


@settings(max_examples=100)
@given(rankings, ks, st.randoms(use_true_random=False))
def test_the_order_of_the_lists_does_not_matter(lists, k, rng):
    weights = [rng.choice([0, 0.1, 1, 3]) for _ in lists]
    pairs = list(zip(lists, weights, strict=True))
    rng.shuffle(pairs)
    assert rrf(lists, k=k, weights=weights) == rrf(
        [one for one, _ in pairs], k=k, weights=[weight for _, weight in pairs]
    )


@settings(max_examples=100)
@given(rankings, ks)
def test_a_repeat_changes_nothing(lists, k):
    assert rrf([[*one, *one] for one in lists], k=k) == rrf(lists, k=k)
    assert rrf([[id for id in one for _ in (1, 2)] for one in lists], k=k) == rrf(lists, k=k)


@settings(max_examples=100)
@given(rankings, ks)
def test_an_empty_list_changes_nothing(lists, k):
    assert rrf([*lists, []], k=k) == rrf(lists, k=k)


@settings(max_examples=100)
@given(st.lists(ids, unique=True, min_size=1), ks)
def test_one_list_keeps_its_order(ranking, k):
    assert [id for id, _ in rrf([ranking], k=k)] == ranking
    assert [id for id, _ in rrf([ranking] * 3, k=k)] == ranking


@settings(max_examples=100)
@given(rankings, ks)
def test_a_list_of_weight_0_brings_its_ids_with_0(lists, k):
    assert dict(rrf([*lists, ["new"]], k=k, weights=[*[1] * len(lists), 0]))["new"] == 0.0


def test_long_lists():
    rng = random.Random(3)
    one = [f"d{n}" for n in range(100_000)]
    other = rng.sample(one, len(one))
    place = {id: rank for rank, id in enumerate(other, 1)}
    fused = rrf([one, other])
    assert len(fused) == 100_000
    assert all(high[1] >= low[1] for high, low in pairwise(fused))
    scores = dict(fused)
    for rank, id in enumerate(one[:50], 1):
        assert scores[id] == float(Fraction(1, 60 + rank) + Fraction(1, 60 + place[id]))


def test_many_lists():
    assert rrf([["A", "B"]] * 2000) == [("A", 2000 / 61), ("B", 2000 / 62)]


# --- hostile input ----------------------------------------------------------------------------------

NO_NUMBERS = [
    float("nan"), float("inf"), -float("inf"), -1, -0.5, True, False, "60", None, [60], 1j,
    Decimal("NaN"), Decimal("sNaN"), Decimal("Infinity"), np.float64("nan"), np.True_, b"1", object(),
]  # fmt: skip


@pytest.mark.parametrize("value", NO_NUMBERS, ids=repr)
def test_k_must_be_a_number_and_the_message_says_so(value):
    for function in (rrf, explain_rrf):
        with pytest.raises(Refused, match=r"k: found .*Allowed") as caught:
            function(F29, k=value)
        assert caught.value.field == "k"


@pytest.mark.parametrize("value", NO_NUMBERS, ids=repr)
def test_a_weight_must_be_a_number_and_the_message_gives_its_place(value):
    with pytest.raises(Refused, match=r"weights\[1\]: found") as caught:
        rrf(F29, weights=[1, value])
    assert caught.value.field == "weights"


@pytest.mark.parametrize("weights", [[1], [1, 1, 1], [], "11", 1, b"11"], ids=repr)
def test_one_weight_a_list(weights):
    with pytest.raises(Refused, match="weights: found"):
        rrf(F29, weights=weights)


@pytest.mark.parametrize("id", [4, 0, None, "", b"A", True, 1.5, ("A",)], ids=repr)
def test_an_id_is_a_string_that_is_not_empty(id):
    with pytest.raises(Refused, match=r"rankings\[1\], place 2: found"):
        rrf([["A"], ["B", id]])


@pytest.mark.parametrize("ranking", ["ABC", b"ABC", {"A": 1}, {"A"}, 3, None], ids=repr)
def test_a_ranking_has_an_order(ranking):
    with pytest.raises(Refused, match=r"rankings\[0\]: found"):
        rrf([ranking])


@pytest.mark.parametrize("value", ["ABC", 7, None, b""], ids=repr)
def test_rankings_are_a_list_of_lists(value):
    with pytest.raises(Refused, match="rankings: found"):
        rrf(value)


def test_a_name_for_each_list():
    assert explain_rrf(F29, names=["keyword", "semantic"]).names == ("keyword", "semantic")
    assert explain_rrf(F29).names == ("1", "2")
    with pytest.raises(Refused, match="names: found 1 for 2"):
        explain_rrf(F29, names=["keyword"])
    with pytest.raises(Refused, match="names"):
        explain_rrf(F29, names="kw")


def test_numbers_beyond_floats():
    assert rrf([["A"]], k=10**400) == [("A", 0.0)]
    assert explain_rrf([["A"], ["B"]], k=10**400, weights=[1, 2]).order == ("B", "A")
    assert rrf([["A"]], k=Decimal("1e400")) == [("A", 0.0)]
    with pytest.raises(Refused, match="weights"):
        rrf([["A"]], k=0, weights=[10**400])
    with pytest.raises(Refused, match="weights"):
        rrf([["A"], ["A"]], k=0, weights=[1.7e308, 1.7e308])


def test_a_huge_value_makes_a_short_message():
    with pytest.raises(Refused) as caught:
        rrf([["A" * 10**6, 4]])
    assert len(str(caught.value)) < 300
    with pytest.raises(Refused) as caught:
        rrf(F29, k=-(10**5000))
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    "id", ["<img src=x onerror=alert(1)>", "{k}", "\"'&", "שלום", "a" * 200, "007", "\u202e", "\0"]
)
def test_any_text_is_an_id(id):
    assert rrf([[id], [id]]) == [(id, 2 / 61)]


# --- flip_points ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "b", "points"),
    [
        ((1, 4), (2, 2), [2]),
        ((1, 8), (3, 3), [Fraction(11, 3)]),
        ((1, None), (3, 3), [1]),
        ((1, 3), (2, 2), []),
        ((1, 2), (2, 1), []),
        ((1, 2), (1, 2), []),
        ((6, 39), (12, 28), [60]),
        ((None, None), (None, None), []),
        ((1, None), (None, None), []),
        ((), (), []),
        ((None, 1), (2, 2), []),  # they meet at k = 0, which is not above 0
    ],
)
def test_flip_points_known(a, b, points):
    assert flip_points(a, b) == flip_points(b, a) == points


@pytest.mark.parametrize(
    ("a", "b", "near"), [((1, 40), (15, 16), 55.50), ((1, 100), (30, 31), 71.998)]
)
def test_flip_points_that_are_no_fraction(a, b, near):
    (point,) = flip_points(a, b)
    assert isinstance(point, float)
    assert point == pytest.approx(near, abs=0.005)


def test_smaller_cases_do_not_flip():
    """(1, 4) against (2, 2) is the smallest case of two full lists: no ranks up to 3 flip."""
    for a, b in product(product(range(1, 4), repeat=2), repeat=2):
        assert flip_points(a, b) == []


def difference(a, b, k: Fraction) -> Fraction:
    return sum((1 / (k + rank) for rank in a if rank), Fraction(0)) - sum(
        (1 / (k + rank) for rank in b if rank), Fraction(0)
    )


def sign(x: Fraction) -> int:
    return (x > 0) - (x < 0)


def scan(a, b, grid: list[Fraction]) -> list[tuple[Fraction, Fraction]]:
    """Neighbouring points of the grid, those that tie left out, between which the sign changes."""
    signed = [(k, s) for k in grid if (s := sign(difference(a, b, k)))]
    return [(low, high) for (low, s), (high, t) in pairwise(signed) if s != t]


GRID = [Fraction(n, 7) for n in range(1, 700)] + [Fraction(n) for n in range(101, 1500, 3)]
rank = st.none() | st.integers(1, 12)


@settings(max_examples=100)
@given(
    st.integers(1, 3).flatmap(lambda n: st.tuples(*[st.lists(rank, min_size=n, max_size=n)] * 2))
)
def test_flip_points_are_the_sign_changes_that_a_scan_finds(pair):
    a, b = pair
    points = flip_points(a, b)
    assert points == sorted(points)
    # Every change that the scan sees has a point in it …
    intervals = scan(a, b, GRID)
    for low, high in intervals:
        assert sum(low <= point <= high for point in points) % 2 == 1
    # … and at every point the sign does change.
    for point in points:
        exact = Fraction(point)
        if isinstance(point, Fraction):
            assert difference(a, b, exact) == 0
        near = exact / 10**9
        assert sign(difference(a, b, exact - near)) == -sign(difference(a, b, exact + near)) != 0


def test_three_lists_can_flip_twice():
    grid = [Fraction(1, 1000)] + [Fraction(n, 20) for n in range(1, 791)]
    found = 0
    for b in combinations_with_replacement((2, 3, 6, 15), 3):
        for a in ((1, 9, 9), (1, 7, 30)):
            points = flip_points(a, b)
            found += len(points) == 2
            assert len([p for p in points if p < 39.5]) == len(scan(a, b, grid))
    assert found, "no example has two flips, so the test says nothing"


def test_flip_points_ends_for_large_ranks():
    (point,) = flip_points((1, None), (10**9, 10**9))
    assert point == 10**9 - 2
    # 2^53 + 1 lies just between two floats, so closing in on the floats alone would never end.
    between = 2**53 + 1
    line = [Fraction(-between), Fraction(1)]
    assert flips._closed_in(line, Fraction(1, 3), Fraction(10**17)) == between
    assert flip_points([1] * 12, [2] * 12) == []
    assert flip_points((1, 10**6), (2, 2)) != []


@pytest.mark.parametrize("value", [0, -1, 1.0, 1.5, True, "1", float("nan"), 10**400], ids=str)
def test_flip_points_refuses_what_is_no_rank(value):
    with pytest.raises(Refused, match=r"ranks_a\[1\]"):
        flip_points((1, value), (1, 2))
    with pytest.raises(Refused, match=r"ranks_b\[0\]"):
        flip_points((1, 2), (value, 2))


def test_flip_points_refuses_lists_that_do_not_match():
    with pytest.raises(Refused, match="2 ranks"):
        flip_points((1, 2), (1, 2, 3))
    with pytest.raises(Refused, match="ranks_a"):
        flip_points("12", (1, 2))
    with pytest.raises(Refused, match="ranks_b"):
        flip_points((1, 2), 12)


# --- faults that other projects had, as kinds ---------------------------------------------------------


def score_of(lists, id, **options) -> Fraction:
    return {row.id: row.score for row in explain_rrf(lists, **options).rows}[id]


@settings(max_examples=50)
@given(st.lists(ids, unique=True, min_size=1), st.integers(0, 1000))
def test_f1_f15_ranks_start_at_1_and_division_is_not_whole(ranking, k):
    """F1: the position used as the rank. F15: 1/(60 + rank) divided as whole numbers."""
    for place, id in enumerate(ranking):
        assert score_of([ranking], id, k=k) == Fraction(1, k + place + 1) > 0


def test_f1_given():
    from_zero = {"B": 0.03306, "A": 0.032796, "C": 0.032522}
    assert all(abs(score - from_zero[id]) > 1e-4 for id, score in rrf(F29))


def test_f2_an_absent_document_gets_nothing():
    lists = [["X", "a", "Y"], ["b", "c", "Y"]]
    assert rrf(lists)[0] == ("Y", 2 / 63)
    assert score_of(lists, "X") == Fraction(1, 61)
    row = next(row for row in explain_rrf(lists).rows if row.id == "X")
    assert row.ranks == (1, None)
    assert row.terms == (Fraction(1, 61), 0)


@settings(max_examples=50)
@given(rankings)
def test_f2_kind_an_added_list_changes_only_what_it_holds(lists):
    before = dict(rrf(lists))
    after = dict(rrf([*lists, ["A", "only here"]]))
    assert all(after[id] == score for id, score in before.items() if id != "A")


def test_f4_f5_one_term_a_list_at_the_best_place():
    assert score_of([["A", "A"], []], "A") == Fraction(1, 61)
    lists = [["A", "A", "B"], ["B", "C"]]
    assert rrf(lists)[0][0] == "B"
    assert score_of(lists, "B") == Fraction(1, 62) + Fraction(1, 61)
    assert score_of(lists, "A") == Fraction(1, 61)


def test_f9_the_weight_multiplies_the_term():
    fused = explain_rrf(F29, weights=[1, 0])
    assert [(row.id, row.score) for row in fused.rows] == [
        ("A", Fraction(1, 61)),
        ("B", Fraction(1, 62)),
        ("C", Fraction(1, 63)),
    ]
    assert fused.rows[0].terms == (Fraction(1, 61), 0)
    assert fused.largest_possible == Fraction(1, 61)


@settings(max_examples=50)
@given(rankings, st.integers(1, 5))
def test_f9_kind_a_whole_weight_is_the_list_given_that_often(lists, weight):
    weights = [weight, *[1] * (len(lists) - 1)][: len(lists)]
    assert rrf(lists, weights=weights) == rrf([*lists, *lists[:1] * (weight - 1)])


def test_f11_all_lists_in_one_pass():
    lists = [["A", "B"], ["A", "B"], ["B", "A"]]
    assert score_of(lists, "A") == Fraction(2, 61) + Fraction(1, 62)
    assert score_of(lists, "B") == Fraction(2, 62) + Fraction(1, 61)
    two_at_a_time = explain_rrf([explain_rrf(lists[:2]).order, lists[2]])
    assert two_at_a_time.rows[1].tied


def test_f12_nothing_is_cut_before_it_is_fused():
    lists = [["A", "B", "X"], ["C", "D", "X"]]
    assert rrf(lists)[0] == ("X", 2 / 63)
    assert "X" not in dict(rrf([one[:2] for one in lists]))


@settings(max_examples=50)
@given(rankings)
def test_f12_kind_every_id_comes_back_once(lists):
    assert sorted(id for id, _ in rrf(lists)) == sorted({id for one in lists for id in one})


def test_f13_f14_which_k_is_in_force():
    """F14's engine counts from 0: its k = 2 is the textbook's 1, and its 61 the textbook's 60."""
    lists = [["Y", "a", "b", "X"], ["c", "d", "e", "X"]]
    assert explain_rrf(lists, k=1).order[0] == "Y"
    assert score_of(lists, "Y", k=1) == Fraction(1, 2)
    assert score_of(lists, "X", k=1) == Fraction(2, 5)
    assert rrf(lists)[:2] == [("X", 2 / 64), ("Y", 1 / 61)]
    assert explain_rrf(lists, k=60).k == 60
    assert flip_points((1, None), (4, 4)) == [2]


def test_f16_a_tie_is_told_and_decided_by_id():
    fused = explain_rrf([["A", "B"], ["B", "A"]])
    assert [(row.id, row.score, row.tied) for row in fused.rows] == [
        ("A", Fraction(1, 61) + Fraction(1, 62), False),
        ("B", Fraction(1, 61) + Fraction(1, 62), True),
    ]
    names = [f"id{n}" for n in range(50)]
    assert [id for id, _ in rrf([[id] for id in reversed(names)])] == sorted(names)


def test_f19_rrf_adds_and_does_not_average():
    lists = [["A", "B"], ["B"], ["c", "B"]]
    assert dict(rrf(lists, k=0)) == {"A": 1.0, "B": 2.0, "c": 1.0}
    over_all = dict(rrf(lists, k=0, weights=[Fraction(1, 3)] * 3))
    assert over_all == {"A": 1 / 3, "B": 2 / 3, "c": 1 / 3}


@settings(max_examples=50)
@given(rankings, ks)
def test_f20_no_score_passes_the_largest_possible(lists, k):
    assert all(row.score <= len(lists) / (typed(k) + 1) for row in explain_rrf(lists, k=k).rows)


def test_f20_given():
    assert explain_rrf([["A", "B"], ["B", "A"]]).largest_possible == Fraction(2, 61) < 0.2
