from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from walks import scenarios, settings_for

from rankwalk.evidence import validity
from rankwalk.messages import Refused
from rankwalk.scenarios import Condition, Passage, Scenario, SecondSearch, built_in
from rankwalk.settings import Settings
from rankwalk.walk import Finding, Flip, Walk, walk

F29 = built_in("f29")


def f29(**changes: Any) -> Walk:
    return walk(F29, Settings(**changes))


# ---- F29, step by step ------------------------------------------------------------------------------


def test_f29_step_1_two_searches_two_orders() -> None:
    searched = f29().searched
    assert searched.keyword.ids == ("A", "B", "C")
    assert searched.keyword.scores == (12.4, 9.1, 7.0)
    assert searched.semantic.ids == ("B", "C", "A")
    assert searched.semantic.scores == (0.91, 0.88, 0.73)
    assert searched.keyword.moves == searched.semantic.moves == {"A": 0, "B": 0, "C": 0}
    assert searched.added == searched.removed == ()
    assert searched.only_keyword == searched.only_semantic == ()


def test_f29_step_2_fused_by_rank() -> None:
    fused = f29().fused
    rows = {row.id: row for row in fused.fusion.rows}
    assert fused.fusion.order == ("B", "A", "C")
    assert rows["B"].terms == (Fraction(1, 62), Fraction(1, 61))
    assert rows["A"].terms == (Fraction(1, 61), Fraction(1, 63))
    assert rows["C"].terms == (Fraction(1, 63), Fraction(1, 62))
    exact = {id: row.score for id, row in rows.items()}
    assert exact == {"B": Fraction(123, 3782), "A": Fraction(124, 3843), "C": Fraction(125, 3906)}
    assert [f"{float(row.score):.8f}" for row in fused.fusion.rows] == [
        "0.03252247",
        "0.03226646",
        "0.03200205",
    ]
    assert not any(row.tied for row in fused.fusion.rows)
    assert fused.flips == ()


def test_f29_step_3_reranked_and_cut() -> None:
    reranked = f29().reranked
    assert reranked.order == ("C", "B", "A")
    assert reranked.read == ("B", "A", "C")
    assert reranked.scores == {"B": 0.71, "A": 0.64, "C": 0.93}
    assert reranked.moves == {"C": 2, "B": -1, "A": -1}
    assert reranked.lacking == ()
    assert reranked.cut == 2


def test_f29_step_4_c_is_out_since_it_is_superseded() -> None:
    checked = f29().checked
    assert [(check.id, check.finding) for check in checked.checks] == [
        ("C", Finding.SUPERSEDED),
        ("B", Finding.USABLE),
        ("A", Finding.USABLE),
    ]
    assert [check.supports for check in checked.checks] == [
        ("limit", "approval"),
        ("approval",),
        ("limit",),
    ]
    assert checked.taken == ("B",)
    assert checked.day == date(2026, 3, 16)


def test_f29_step_5_one_condition_is_missing_so_the_next_usable_candidate_is_taken() -> None:
    decided = f29().decided
    first, second = decided.rounds
    assert (first.action, first.added) == ("cut", ("B",))
    assert first.sufficiency.met == {"approval": ("B",)}
    assert first.sufficiency.missing == ("limit",)
    assert (second.action, second.added) == ("next", ("A",))
    assert second.sufficiency.met == {"limit": ("A",), "approval": ("B",)}
    assert (decided.taken, decided.ending, decided.out_of_reach) == (("B", "A"), "enough", ())


def test_the_same_candidates_in_all_steps_of_f29() -> None:
    steps = f29()
    for ids in (
        steps.searched.keyword.ids,
        steps.searched.semantic.ids,
        steps.fused.fusion.order,
        steps.reranked.order,
        [check.id for check in steps.checked.checks],
    ):
        assert sorted(ids) == ["A", "B", "C"]


# ---- what changes how F29 ends ----------------------------------------------------------------------


def end(steps: Walk) -> tuple[tuple[str, ...], str]:
    return steps.decided.taken, steps.decided.ending


@pytest.mark.parametrize(
    ("changes", "at_the_cut", "taken", "ending"),
    [
        ({"budget": 1}, (), ("B",), "budget_full"),
        ({"budget": 3}, ("B", "A"), ("B", "A"), "enough"),
        ({"check": "before"}, ("B", "A"), ("B", "A"), "enough"),
        ({"rerank": False}, ("B", "A"), ("B", "A"), "enough"),
        ({"depth": 1}, ("B", "A"), ("B", "A"), "enough"),
        ({"depth": 2}, ("B", "A"), ("B", "A"), "enough"),
        ({"removed": ("A",)}, ("B",), ("B",), "no_more"),
        ({"removed": ("B",)}, ("A",), ("A",), "no_more"),
        ({"removed": ("C",)}, ("B", "A"), ("B", "A"), "enough"),
        ({"removed": ("A", "B", "C")}, (), (), "no_more"),
        ({"day": "2025-12-31"}, ("C",), ("C",), "enough"),
        ({"day": "2026-01-01"}, ("B",), ("B", "A"), "enough"),
        ({"day": "2023-12-31"}, (), (), "no_more"),
    ],
)
def test_what_changes_the_end_of_f29(
    changes: dict[str, Any], at_the_cut: tuple[str, ...], taken: tuple[str, ...], ending: str
) -> None:
    steps = f29(**changes)
    assert steps.checked.taken == at_the_cut
    assert end(steps) == (taken, ending)


def test_orders_matter_through_the_depth() -> None:
    a_first = ("A", "C", "B")
    b_first = ("B", "C", "A")
    ends = {
        first: end(f29(keyword=order, semantic=order, depth=1, budget=1))
        for first, order in (("A", a_first), ("B", b_first))
    }
    assert ends == {"A": (("A",), "budget_full"), "B": (("B",), "budget_full")}
    assert f29(keyword=a_first, semantic=a_first, depth=2).reranked.order == ("C", "A", "B")
    assert f29(keyword=a_first, semantic=a_first, depth=1).reranked.order == ("A", "C", "B")


def test_noise_can_change_the_end() -> None:
    ends = {end(f29(noise=4, swaps=3, rerank=False, budget=1, seed=seed)) for seed in range(12)}
    assert ends == {(("A",), "budget_full"), (("B",), "budget_full")}
    rounds = {len(f29(noise=4, swaps=3, rerank=False, seed=s).decided.rounds) for s in range(12)}
    assert len(rounds) > 1


def test_what_lies_beyond_a_full_budget_is_named() -> None:
    assert f29(budget=1).decided.out_of_reach == ("A",)
    assert f29(budget=1, removed=("A",)).decided.out_of_reach == ()


@given(k=st.one_of(st.integers(0, 1000), st.floats(0, 1000)))
@settings(max_examples=80)
def test_no_k_alone_changes_f29(k: float) -> None:
    steps = f29(k=k)
    assert steps.fused.fusion.order == ("B", "A", "C")
    assert steps.reranked == f29().reranked
    assert (steps.checked, steps.decided) == (f29().checked, f29().decided)
    assert steps.fused.flips == ()


@given(k=st.integers(0, 999))
@settings(max_examples=60)
def test_a_larger_k_shrinks_the_gaps(k: int) -> None:
    def gap(k: int) -> Fraction:
        rows = f29(k=k).fused.fusion.rows
        return rows[0].score - rows[-1].score

    assert gap(k + 1) < gap(k)


# ---- the other scenarios ----------------------------------------------------------------------------


def test_a_second_search_helps() -> None:
    decided = walk(built_in("second_search")).decided
    assert [(look.action, look.added) for look in decided.rounds] == [
        ("cut", ("P",)),
        ("second_search", ("S",)),
    ]
    assert decided.rounds[0].sufficiency.missing == ("collects",)
    assert [check.finding for check in decided.rounds[1].checks] == [Finding.USABLE]
    assert (decided.taken, decided.ending) == (("P", "S"), "enough")


def test_a_second_search_does_not_help_and_the_walk_ends_without_an_answer() -> None:
    decided = walk(built_in("no_answer")).decided
    assert decided.rounds[-1].action == "second_search"
    assert decided.rounds[-1].added == ()
    assert [check.finding for check in decided.rounds[-1].checks] == [Finding.SUPERSEDED]
    assert (decided.taken, decided.ending) == (("P",), "no_more")
    assert decided.sufficiency is not None
    assert decided.sufficiency.missing == ("collects",)


def test_no_second_search_beyond_a_full_budget() -> None:
    decided = walk(built_in("second_search"), Settings(budget=1)).decided
    assert [look.action for look in decided.rounds] == ["cut"]
    assert decided.ending == "budget_full"


@pytest.mark.parametrize(
    ("k", "order", "tied"),
    [
        (1, ("C", "A", "B", "D"), ()),
        (2, ("C", "A", "B", "D"), ("B",)),
        (3, ("C", "B", "A", "D"), ()),
        (60, ("C", "B", "A", "D"), ()),
    ],
)
def test_the_smallest_case_where_k_matters(
    k: int, order: tuple[str, ...], tied: tuple[str, ...]
) -> None:
    fused = walk(built_in("flip"), Settings(k=k)).fused
    assert fused.fusion.order == order
    assert tuple(row.id for row in fused.fusion.rows if row.tied) == tied
    assert fused.flips == (Flip(Fraction(2), below="A", above="B"),)


def test_without_texts_the_later_steps_say_what_they_lack() -> None:
    steps = walk(built_in("flip"))
    assert steps.reranked.lacking == ("C", "B", "A")
    assert steps.reranked.read == ()
    assert steps.reranked.order == steps.fused.fusion.order
    assert steps.checked.checks == ()
    assert steps.checked.lacking == ("conditions", "day")
    assert steps.decided.ending == "unknown"
    assert steps.decided.sufficiency is None


# ---- own lists --------------------------------------------------------------------------------------


def own(keyword: Sequence[str], semantic: Sequence[str], **changes: Any) -> Walk:
    return walk(Scenario(tuple(keyword), tuple(semantic)), Settings(**changes))


def test_uneven_lists() -> None:
    steps = own("PQRS", "S")
    assert steps.searched.only_keyword == ("P", "Q", "R")
    assert steps.searched.only_semantic == ()
    assert steps.fused.fusion.order == ("S", "P", "Q", "R")


def test_disjoint_lists_tie_in_pairs() -> None:
    steps = own("PQ", "RS")
    assert steps.fused.fusion.order == ("P", "R", "Q", "S")
    assert [row.tied for row in steps.fused.fusion.rows] == [False, True, False, True]


def test_an_empty_list_and_two() -> None:
    assert own("PQ", "").fused.fusion.order == ("P", "Q")
    nothing = own("", "", noise=0, swaps=3)
    assert nothing.fused.fusion.order == nothing.reranked.order == ()
    assert nothing.decided.ending == "unknown"


def test_repeats_keep_their_first_place() -> None:
    steps = own("PPQPQ", "QQ")
    assert steps.searched.keyword.ids == ("P", "Q")
    assert steps.fused.fusion.order == ("Q", "P")


def test_fifty_a_list() -> None:
    keyword = [f"p{n}" for n in range(50)]
    semantic = [f"q{n}" for n in range(50)]
    assert len(own(keyword, semantic).fused.fusion.order) == 100


def test_a_passage_known_by_its_id_only_is_out_and_nothing_is_guessed() -> None:
    scenario = Scenario(("P",), ("P",), conditions=(Condition("c", "C"),), day=date(2026, 1, 1))
    assert walk(scenario).checked.checks[0].finding is Finding.NO_DATES


@pytest.mark.parametrize(
    ("passage", "finding"),
    [
        (Passage("P", valid_from=date(2027, 1, 1), source="s", supports=("c",)), Finding.NOT_YET),
        (Passage("P", valid_from=date(2020, 1, 1), supports=("c",)), Finding.NO_SOURCE),
        (Passage("P", valid_from=date(2020, 1, 1), source="s"), Finding.NO_SUPPORT),
        (Passage("P", source="s", supports=("c",)), Finding.NO_DATES),
        (
            Passage("P", valid_until=date(2025, 12, 31), source="s", supports=("c",)),
            Finding.SUPERSEDED,
        ),
        (
            Passage("P", valid_from=date(2026, 1, 1), source="s", supports=("c",)),
            Finding.USABLE,
        ),
    ],
)
def test_each_finding(passage: Passage, finding: Finding) -> None:
    scenario = Scenario(
        ("P",),
        ("P",),
        conditions=(Condition("c", "C"),),
        day=date(2026, 1, 1),
        passages=(passage,),
    )
    steps = walk(scenario)
    assert [check.finding for check in steps.checked.checks] == [finding]
    assert steps.decided.ending == ("enough" if finding is Finding.USABLE else "no_more")


def test_one_missing_rerank_score_stops_the_reranker_and_is_named() -> None:
    without = replace(
        F29,
        passages=tuple(
            replace(passage, rerank_score=None) if passage.id == "A" else passage
            for passage in F29.passages
        ),
    )
    assert walk(without).reranked.lacking == ("A",)
    assert walk(without).reranked.scores == {}
    assert walk(without, Settings(depth=1)).reranked.read == ("B",)


def test_equal_rerank_scores_keep_the_fused_order() -> None:
    equal = replace(
        F29, passages=tuple(replace(passage, rerank_score=0.5) for passage in F29.passages)
    )
    assert walk(equal).reranked.order == ("B", "A", "C")


# ---- noise ------------------------------------------------------------------------------------------


def test_the_same_seed_draws_the_same_noise_and_another_seed_another() -> None:
    draws = [f29(noise=4, swaps=3, seed=seed).searched for seed in range(20)]
    again = [f29(noise=4, swaps=3, seed=seed).searched for seed in range(20)]
    assert draws == again
    assert len({(draw.keyword.ids, draw.semantic.ids) for draw in draws}) > 10


def test_a_move_is_told_against_the_order_that_the_search_gave() -> None:
    keyword = f29(keyword=("C", "A", "B")).searched.keyword
    assert keyword.moves == {"C": 2, "A": -1, "B": -1}
    assert keyword.scores == ()


def test_noise_takes_no_name_that_is_taken() -> None:
    scenario = Scenario(
        ("X1", "P"),
        ("X3",),
        conditions=(Condition("c", "C"),),
        unrelated=(Passage("P"), Passage("U")),
        second_search=SecondSearch("q", (Passage("X2"),)),
    )
    searched = walk(scenario, Settings(noise=3)).searched
    assert searched.added == ("U", "X4", "X5")


def test_ids_that_the_scenario_lacks_are_refused_by_name() -> None:
    for field in ("keyword", "semantic", "removed"):
        with pytest.raises(Refused, match="found 'Z'") as caught:
            f29(**{field: ("A", "Z")})
        assert caught.value.field == field


# ---- for all orders and settings --------------------------------------------------------------------


@given(data=st.data(), scenario=scenarios())
@settings(max_examples=120)
def test_whatever_the_orders_and_settings(data: st.DataObject, scenario: Scenario) -> None:
    chosen = data.draw(settings_for(scenario))
    searched, fused, reranked, checked, decided = walk(scenario, chosen)

    present = [*searched.keyword.ids, *searched.semantic.ids]
    candidates = sorted(set(present))
    for of_list in (searched.keyword, searched.semantic):
        assert len(set(of_list.ids)) == len(of_list.ids)
        assert not of_list.scores or len(of_list.scores) == len(of_list.ids)
    assert not set(chosen.removed) & set(candidates)
    assert len(searched.added) == chosen.noise
    assert set(candidates) - set(searched.added) <= set(scenario.candidates)
    # Every candidate is in each later step exactly once.
    assert sorted(fused.fusion.order) == candidates
    assert sorted(reranked.order) == candidates
    if not checked.lacking:
        assert [check.id for check in checked.checks] == list(reranked.order)
    scores = [row.score for row in fused.fusion.rows]
    assert scores == sorted(scores, reverse=True)
    # A move is the difference of two places, so all of them add up to nothing.
    assert sum(reranked.moves.values()) == 0
    assert set(reranked.read) <= set(fused.fusion.order[: chosen.depth])
    assert reranked.order[len(reranked.read) :] == fused.fusion.order[len(reranked.read) :]
    # Only what is usable goes on, and never more than the budget.
    usable = {check.id for check in checked.checks if check.usable}
    found = {check.id for look in decided.rounds for check in look.checks if check.usable}
    assert set(checked.taken) <= usable
    assert set(decided.taken) <= usable | found
    assert len(set(decided.taken)) == len(decided.taken) <= chosen.budget
    assert tuple(id for look in decided.rounds for id in look.added) == decided.taken
    assert (decided.ending == "unknown") == bool(checked.lacking)
    if decided.sufficiency:
        assert decided.sufficiency.enough == (decided.ending == "enough")
    if checked.day:
        for check in checked.checks:
            passage = scenario.passage(check.id)
            in_force = validity(passage.valid_from, passage.valid_until, checked.day)
            assert not check.usable or in_force == "in_force"


@given(data=st.data())
@settings(max_examples=60)
def test_the_k_of_a_flip_is_a_tie_and_both_sides_are_as_told(data: st.DataObject) -> None:
    names = list("ABCDEF")
    scenario = Scenario(
        tuple(data.draw(st.permutations(names))[: data.draw(st.integers(1, 6))]),
        tuple(data.draw(st.permutations(names))[: data.draw(st.integers(1, 6))]),
    )
    for flip in walk(scenario).fused.flips:
        if not 1e-6 < flip.k < 900:
            continue
        near = Fraction(1, 10**6)
        for k, leader, other in (
            (Fraction(flip.k) - near, flip.below, flip.above),
            (Fraction(flip.k) + near, flip.above, flip.below),
        ):
            order = walk(scenario, Settings(k=float(k))).fused.fusion.order
            assert order.index(leader) < order.index(other)


def test_what_a_second_search_finds_beyond_the_budget_is_told() -> None:
    day = date(2026, 1, 1)
    found = [Passage(id, source="s", valid_from=day, supports=("c",)) for id in ("S", "T")]
    found[1] = replace(found[1], supports=("d",))
    scenario = Scenario(
        ("A",),
        ("A",),
        conditions=(Condition("a", "a"), Condition("c", "c"), Condition("d", "d")),
        passages=(Passage("A", source="s", valid_from=day, supports=("a",)),),
        second_search=SecondSearch("more", tuple(found)),
        day=day,
    )
    decided = walk(scenario, Settings(budget=2)).decided
    assert (decided.ending, decided.taken) == ("budget_full", ("A", "S"))
    assert decided.out_of_reach == ("T",)
    assert walk(scenario, Settings(budget=3)).decided.ending == "enough"
