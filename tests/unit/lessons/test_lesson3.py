"""What lesson 3 computes: edits, draws, comparisons, tables, real faults."""

from __future__ import annotations

import io
import math

import matplotlib as mpl
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import bootstrap

from rankwalk import Refused, evaluate, metrics, plots
from rankwalk.lessons import edits, measure
from rankwalk.lessons.compare import FEW, RESAMPLES, all_needed, compare, mean_interval
from rankwalk.lessons.edits import BASE, EDITS, GRADES, add, effects, remove, swap
from rankwalk.messages import languages


@pytest.fixture(autouse=True)
def _own_settings():
    with mpl.rc_context({"backend": "agg"}):
        yield


# --- edits ------------------------------------------------------------------------------------------


def test_add_swap_remove():
    assert add(("A", "B"), "top") == ("X1", "A", "B")
    assert add(("A", "B"), "middle") == ("A", "X1", "B")
    assert add(("A", "X1"), "end") == ("A", "X1", "X2")
    assert add((), "middle") == ("X1",)
    assert swap(("A", "B", "C"), 2) == ("A", "C", "B")
    assert remove(("A", "B"), "A") == ("B",)


@pytest.mark.parametrize(
    "call",
    [
        lambda: add(("A",), "left"),
        lambda: add(tuple(f"d{n}" for n in range(edits.LONGEST)), "top"),
        lambda: swap(("A", "B"), 2),
        lambda: swap(("A", "B"), 0),
        lambda: swap(("A", "B"), "1"),
        lambda: remove(("A",), "B"),
    ],
)
def test_an_edit_that_cannot_be_made_is_refused(call):
    with pytest.raises(Refused) as caught:
        call()
    assert caught.value.field == "edit"


@given(st.lists(st.sampled_from("ABCDE"), unique=True), st.integers(1, 6))
def test_noise_at_the_end_moves_nothing_when_the_list_reaches_the_cutoff(ranking, n):
    found = effects(ranking, add(ranking, "end"), GRADES, n)
    assert all(effect.moved == "same" for effect in found)


@given(st.lists(st.sampled_from("ABCDE"), unique=True), st.integers(1, 6))
def test_noise_at_the_top_lifts_nothing(ranking, n):
    found = effects(ranking, add(ranking, "top"), GRADES, n)
    assert all(effect.moved in ("same", "down") for effect in found)


MOVED = {  # precision, recall, reciprocal rank, nDCG at 3
    "noise_top": "same same down down",
    "noise_end": "same same same same",
    "swap_inside": "same same same down",
    "swap_unneeded": "same same same same",
    "swap_across": "up up same up",
    "remove_needed": "same same same down",
    "remove_unneeded": "up up same up",
}


def test_the_grid():
    for name, ranking in EDITS.items():
        assert [effect.moved for effect in effects(BASE, ranking, GRADES, 3)] == MOVED[name].split()
    assert {effect.moved for effect in effects(("A",), ("B",), {}, 1)} == {"same", "undefined"}


def test_draws_are_seeded_and_begin_without_noise():
    found = edits.respond(draws=40, most=3)
    assert found == edits.respond(draws=40, most=3)
    assert found != edits.respond(draws=40, most=3, seed=2)
    for metric, rows in found.items():
        assert [row.noise for row in rows] == [0, 1, 2, 3]
        assert rows[0].low == rows[0].median == rows[0].high == metrics(BASE, GRADES, 3)[metric]
        assert all(row.low <= row.median <= row.high for row in rows)


# --- comparison -------------------------------------------------------------------------------------


def test_the_interval_is_scipys():
    values = [0.0, 1.0, 0.5, 0.25, 1.0, 0.0]
    found = mean_interval(values, seed=3)
    theirs = bootstrap(
        (values,), np.mean, n_resamples=RESAMPLES, method="percentile", rng=3
    ).confidence_interval
    assert (found.low, found.high) == (theirs.low, theirs.high)
    assert found.low < found.mean < found.high
    assert found == mean_interval(values, seed=3)
    assert found.few
    assert not mean_interval(values * 5).few
    assert FEW == 30


def test_an_interval_without_spread_and_without_values():
    found = mean_interval([0.5, 0.5])
    assert (found.low, found.mean, found.high) == (0.5, 0.5, 0.5)
    for values in ([], [1.0]):
        with pytest.raises(Refused, match="at least two"):
            mean_interval(values)


def test_systems_are_compared_query_by_query():
    a = {f"q{n}": n / 50 for n in range(40)}
    b = {query: value + 0.1 for query, value in a.items()}
    found = compare(a, b)
    assert (found.better, found.worse, found.equal) == (40, 0, 0)
    assert found.difference.mean == pytest.approx(0.1)
    assert found.clear
    assert not compare(a, dict(a)).clear
    backwards = compare(b, a)
    assert backwards.worse == 40
    assert backwards.clear
    with pytest.raises(Refused, match="q99"):
        compare(a, b | {"q99": 1.0})


def test_all_needed():
    rankings = {"a": ["A", "B", "X"], "b": ["A", "A", "X", "B"], "c": []}
    needed = {query: {"A", "B"} for query in "abcd"}
    assert all_needed(rankings, needed, 2) == 0.25
    assert all_needed(rankings, needed, 3) == 0.5
    for bad in ({}, {"a": set()}):
        with pytest.raises(Refused, match="needed"):
            all_needed(rankings, bad, 2)


# --- tables -----------------------------------------------------------------------------------------


def test_by_hand():
    table = measure.measured([["d3", "d1", "d2"]], {"d1": 1, "d2": 1}, [2, 3], "en")
    assert [row[1:] for row in table.rows] == [
        ["0.500", "0.667"], ["0.500", "1.000"], ["0.500", "0.500"], ["0.387", "0.693"],
    ]  # fmt: skip


@pytest.mark.parametrize("gain", ["linear", "exponential"])
@pytest.mark.parametrize("ranking", [["d3", "d1"], ["d1"], [], ["d2", "d4", "d1", "d3"]])
@pytest.mark.parametrize("n", [1, 2, 5])
def test_ndcg_on_paper_is_ndcg(ranking, n, gain):
    grades = {"d1": 2, "d2": 1, "d3": 0}
    caption = measure.ndcg_on_paper(ranking, grades, n, "en", gain).caption
    assert float(caption.split(" = ")[-1]) == pytest.approx(
        metrics(ranking, grades, n, gain)["ndcg_at_k"], abs=5e-5
    )


def test_three_numbers_that_were_called_mrr():
    values = [row[1] for row in measure.averages([1, 2, None], "en").rows]
    assert values == ["0.500", "0.750", "0.667"]


def test_the_gains_disagree_in_the_lesson_s_example():
    rows = measure.gains_disagree(
        [["B", "A", "C"], ["A", "D", "B"]], {"A": 2, "B": 1, "C": 1, "D": 0}, 3, "en"
    ).rows
    assert rows[0][1] > rows[1][1]
    assert rows[0][2] < rows[1][2]


def test_the_example_has_every_kind_of_query():
    a, b, qrels = measure.example()
    assert measure.example() == (a, b, qrels)
    found = evaluate(a, qrels, 5)
    assert (found.should_abstain, found.not_in_run, found.not_judged) == (
        ("nothing",), ("missing",), ("unjudged",),
    )  # fmt: skip
    assert [row[0] for row in measure.left_out(found, "en").rows] == [
        "nothing",
        "missing",
        "unjudged",
    ]
    assert set(a) == set(b)


WRONG = {
    "M1": 1.6309, "M2": 2.0, "M5": 0.9197, "M6": 0.8922, "M7": 1.0, "M9": 0.75, "M10": 0.4, "M13": 1.0,
    "M14": math.nan,
}  # fmt: skip
RIGHT = {
    "M1": 1.0, "M2": 1.0, "M5": 0.7039, "M6": 1.0, "M7": 0.6309, "M9": 0.5, "M10": 0.625, "M13": 0.75,
    "M14": None,
}  # fmt: skip


@pytest.mark.parametrize("case", measure.FAULTS)
def test_a_fault_gives_the_value_that_was_seen(case):
    faulty, right = measure.FAULTS[case]
    assert faulty() == pytest.approx(WRONG[case], abs=5e-5, nan_ok=True)
    assert right() == (RIGHT[case] and pytest.approx(RIGHT[case], abs=5e-5))


@pytest.mark.parametrize("lang", languages())
def test_words(lang):
    a, b, qrels = measure.example()
    first, second = evaluate(a, qrels, 5), evaluate(b, qrels, 5)
    assert len(measure.means(first, lang).rows) == 4
    assert len(measure.conventions(lang).rows) > 30
    assert len(measure.spot(lang).head) == 3
    assert len(measure.spot(lang, solved=True).rows) == len(measure.FAULTS)
    values = [{q: v["ndcg_at_k"] or 0 for q, v in e.per_query.items()} for e in (first, second)]
    for pair in (values, values[::-1], [values[0]] * 2):
        assert len(measure.told_comparison(compare(*pair), lang)) >= 3
    clear = compare({f"q{n}": 0 for n in range(30)}, {f"q{n}": 1 for n in range(30)})
    assert len(measure.told_comparison(clear, lang)) == 3  # no warning: thirty are enough


@pytest.mark.parametrize("lang", languages())
def test_the_figure_of_noise(lang):
    found = edits.respond(draws=20, most=2)
    figure = plots.noise_response(found, 3, lang)
    for axes, rows in zip(figure.axes, found.values(), strict=True):
        assert list(axes.lines[0].get_ydata()) == [row.median for row in rows]
    figure.savefig(io.BytesIO(), format="png")
    assert len(measure.responses(found, 3, lang).rows) == 3
