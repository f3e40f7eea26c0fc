"""Validity, sufficiency, and answers checked against labels."""

from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankwalk import Refused, Validity, Verdict, check_answer, check_sufficiency, validity
from rankwalk.messages import languages, say

RETURNS = [("days", ["d1"]), ("fresh", ["d2"]), ("any", ["d1"])]
LABELS = {"days": {"d1": "within 7 days"}, "fresh": {"d2": "except fresh food"}}


def ratios(check):
    return (check.supported_claims, check.claims, check.correct_links, check.links)


# --- the cases worked by hand


def test_two_of_three_claims_and_links():
    check = check_answer(RETURNS, LABELS, too_wide={"any": {"d1": "unopened orders"}})
    assert ratios(check) == (2, 3, 2, 3)
    assert round(check.faithfulness, 3) == round(check.citation_correctness, 3) == 0.667
    assert [c.verdict for c in check.claim_checks] == ["supported", "supported", "over_wide"]
    assert check.link_checks[0].basis == "within 7 days"
    assert check.link_checks[2].basis == "unopened orders"


def test_the_two_ratios_need_not_agree():
    """Beside the case where both are 0.667 by coincidence."""
    check = check_answer([("days", ["d1", "d2", "d3"]), ("fresh", [])], LABELS)
    assert (check.faithfulness, check.citation_correctness) == (1 / 2, 1 / 3)


def test_one_of_two_claims_and_links():
    check = check_answer([("a", ["d1", "d2"]), ("b", [])], {"a": ["d1"]})
    assert ratios(check) == (1, 2, 1, 2)


def test_no_citations_and_no_claims():
    uncited = check_answer({"a": []}, {})
    assert (uncited.faithfulness, uncited.citation_correctness) == (0.0, None)
    empty = check_answer([], {})
    assert (empty.faithfulness, empty.citation_correctness) == (None, None)
    assert empty.claims == empty.links == 0
    assert empty.citation_coverage is None


def test_r6_every_link_counts():
    check = check_answer([["c1", ["s1", "s2"]]], {"c1": ["s1"]})
    assert ratios(check) == (1, 1, 1, 2)
    assert [link.verdict for link in check.link_checks] == ["supported", "unsupported"]


def test_r7_citing_everything_covers_all_and_is_mostly_wrong():
    noise = ["x1", "x2", "x3", "x4"]  # 45 right links, 45 × 3 + 27 = 162 wrong ones
    claims = {f"c{n}": [f"s{n}", *noise[: 4 if n < 27 else 3]] for n in range(45)}
    check = check_answer(claims, {f"c{n}": [f"s{n}"] for n in range(45)}, needs_citation=claims)
    assert (check.links, check.correct_links) == (207, 45)
    assert check.citation_coverage == 1.0
    assert round(check.citation_correctness, 4) == 0.2174


def test_r8_a_source_that_was_not_retrieved_supports_nothing_and_is_named():
    check = check_answer(
        [("c", ["s1", "s2", "s9"])], {"c": ["s1", "s2", "s9"]}, retrieved={"s1", "s2"}
    )
    assert Fraction(check.correct_links, check.links) == Fraction(2, 3)
    assert check.unknown_sources == ("s9",)
    assert check.link_checks[2].verdict is Verdict.UNKNOWN_SOURCE


@pytest.mark.parametrize("needs", [[], set(), None])
def test_r1_an_empty_denominator_is_none(needs):
    check = check_answer([], {}, retrieved=[], needs_citation=needs)
    assert check.faithfulness is check.citation_correctness is check.citation_coverage is None


# --- verdicts


def test_each_verdict_of_a_claim():
    check = check_answer(
        {
            "now": ["new"],
            "old": ["old"],
            "soon": ["soon"],
            "dateless": ["dateless"],
            "uncited": [],
            "miscited": ["old"],
            "wide": ["new"],
            "nothing": ["new"],
            "ghost": ["ghost"],
            "bare": [],
        },
        {
            "now": ["new"],
            "old": ["old"],
            "soon": ["soon"],
            "dateless": ["dateless"],
            "uncited": ["new"],
            "miscited": ["new"],
            "ghost": ["ghost"],
        },
        retrieved=["new", "old", "soon", "dateless"],
        too_wide={"wide": ["new"]},
        validities={
            "old": Validity.SUPERSEDED,
            "soon": Validity.NOT_YET,
            "dateless": Validity.UNKNOWN,
        },
    )
    assert {c.claim: str(c.verdict) for c in check.claim_checks} == {
        "now": "supported",
        "old": "outdated",
        "soon": "not_yet",
        "dateless": "undated",
        "uncited": "uncited",
        "miscited": "uncited",
        "wide": "over_wide",
        "nothing": "unsupported",
        "ghost": "unknown_source",
        "bare": "unsupported",
    }


def test_faithful_and_wrong_are_both_shown():
    """An outdated source changes no ratio: the answer is faithful, and wrong on that day."""
    check = check_answer({"a": ["v1"]}, {"a": ["v1"]}, validities={"v1": Validity.SUPERSEDED})
    assert check.faithfulness == check.citation_correctness == 1.0
    assert check.claims_in_force == 0
    assert check.faithful_but_not_in_force == ("a",)


def test_a_current_source_beside_an_outdated_one_carries_the_claim():
    check = check_answer(
        {"a": ["v1", "v2"]}, {"a": ["v1", "v2"]}, validities={"v1": Validity.SUPERSEDED}
    )
    assert check.claim_checks[0].verdict is Verdict.SUPPORTED
    assert check.faithful_but_not_in_force == ()


def test_the_order_of_passages_changes_nothing_once_the_answer_is_written():
    one = check_answer(RETURNS, LABELS, retrieved=["d3", "d1", "d2"])
    other = check_answer(RETURNS, LABELS, retrieved=["d1", "d2", "d3"])
    assert one == other


def test_labels_for_claims_not_made_are_told():
    assert check_answer({}, {"a": ["d1"]}, too_wide={"b": ["d1"]}).labels_unused == ("a", "b")


@pytest.mark.parametrize("lang", languages())
def test_every_verdict_has_words(lang):
    for verdict in Verdict:
        assert say(f"evidence.claim.{verdict}", lang)
        if verdict is not Verdict.UNCITED:
            assert say(f"evidence.link.{verdict}", lang)
    for holds in Validity:
        assert say(f"evidence.validity.{holds}", lang)
    for state in ("enough", "partly", "not"):
        assert say(f"evidence.sufficiency.{state}", lang)


# --- refusals


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        (("abc", {}), "claims"),
        ((None, {}), "claims"),
        ((["ab"], {}), "claims"),
        (([("a", "d1")], {}), "claims['a']"),
        (([("a", ["d1"]), ("a", [])], {}), "claims"),
        (([(4, [])], {}), "claims"),
        (([("", [])], {}), "claims"),
        (([("a", [4])], {}), "claims['a']"),
        (([("a", [])], ["a"]), "supports"),
        (([("a", [])], {"a": "d1"}), "supports['a']"),
        (([("a", [])], {7: ["d1"]}), "supports"),
        (([("a", [])], {}, "d1"), "retrieved"),
        (([("a", [])], {}, [None]), "retrieved"),
        (([("a", [])], {}, None, ["b"]), "needs_citation"),
        (([("a", [])], {}, None, "a"), "needs_citation"),
    ],
)
def test_bad_input_is_refused_with_its_place(arguments, field):
    with pytest.raises(Refused) as refusal:
        check_answer(*arguments)
    assert refusal.value.field == field
    assert refusal.value.in_language("zh")


def test_a_label_is_one_thing_and_a_validity_is_a_known_word():
    with pytest.raises(Refused, match="one of the two"):
        check_answer([], {"a": ["d1"]}, too_wide={"a": ["d1"]})
    with pytest.raises(Refused, match="in_force"):
        check_answer([], {}, validities={"d1": "fresh"})
    with pytest.raises(Refused, match="in_force"):
        check_answer([], {}, validities=["d1"])


# --- properties

IDS = st.sampled_from(["a", "b", "c", "<img src=x>", "四", "é" * 200])
CLAIMS = st.dictionaries(IDS, st.lists(IDS, max_size=5), max_size=5)
SUPPORTS = st.dictionaries(IDS, st.sets(IDS, max_size=4), max_size=5)


@given(CLAIMS, SUPPORTS, st.none() | st.sets(IDS))
def test_against_the_definition(claims, supports, retrieved):
    """An oracle that is the definition, written without any of the module's parts."""
    check = check_answer(claims, supports, retrieved)
    good = [
        (claim, source)
        for claim, cited in claims.items()
        for source in cited
        if source in supports.get(claim, ()) and (retrieved is None or source in retrieved)
    ]
    assert check.correct_links == len(good)
    assert check.links == sum(map(len, claims.values()))
    assert check.supported_claims == len({claim for claim, _ in good})
    assert check.claims == len(claims) == len(check.claim_checks)
    assert set(check.unknown_sources) == (
        set() if retrieved is None else {s for cited in claims.values() for s in cited} - retrieved
    )
    assert (check.citation_correctness is None) == (check.links == 0)
    for claim in check.claim_checks:
        assert claim.verdict.holds == (claim.claim in {claim for claim, _ in good})
        uncited = claim.verdict is Verdict.UNCITED
        assert set(claim.by) <= set(supports.get(claim.claim, ()))
        assert bool(claim.by) == (claim.verdict.holds or uncited)


@given(CLAIMS, SUPPORTS, st.dictionaries(IDS, st.sampled_from(list(Validity))))
def test_dates_change_verdicts_and_never_ratios(claims, supports, validities):
    dated, plain = (
        check_answer(claims, supports, validities=validities),
        check_answer(claims, supports),
    )
    assert ratios(dated) == ratios(plain)
    assert dated.faithfulness == plain.faithfulness


@given(CLAIMS, SUPPORTS)
def test_input_is_never_changed(claims, supports):
    before = repr((claims, supports))
    check_answer(claims, supports)
    assert repr((claims, supports)) == before


# --- validity and sufficiency


@pytest.mark.parametrize(
    ("first", "last", "day", "expected"),
    [
        (date(2025, 1, 1), None, date(2025, 1, 1), "in_force"),
        (date(2025, 1, 1), date(2025, 6, 30), date(2025, 6, 30), "in_force"),
        (date(2025, 1, 1), date(2025, 6, 30), date(2025, 7, 1), "superseded"),
        (date(2025, 1, 1), None, date(2024, 12, 31), "not_yet"),
        (None, None, date(2025, 1, 1), "unknown"),
        (None, date(2025, 6, 30), date(2025, 6, 30), "unknown"),
        (None, date(2025, 6, 30), date(2025, 7, 1), "superseded"),
    ],
)
def test_validity_on_the_days_around_the_edges(first, last, day, expected):
    assert validity(first, last, day) == expected


def test_sufficiency_names_what_meets_and_what_is_missing():
    found = check_sufficiency(["limit", "who"], {"limit": ["C", "A"], "who": ["B"]}, usable=["A"])
    assert found.met == {"limit": ("A",)}
    assert found.missing == ("who",)
    assert (found.enough, found.state) == (False, "partly")
    assert check_sufficiency(["limit"], {"limit": ["A"]}).state == "enough"
    assert check_sufficiency(["limit"], {}).state == "not"


@pytest.mark.parametrize(
    "arguments",
    [
        ([], {}),
        (["a", "a"], {}),
        ("a", {}),
        (["a"], []),
        (["a"], {"b": ["A"]}),
        (["a"], {"a": "A"}),
    ],
)
def test_sufficiency_refuses(arguments):
    with pytest.raises(Refused):
        check_sufficiency(*arguments)
