from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from walks import HOSTILE, scenarios, settings_for
from wishes import wishes

import rankwalk
from rankwalk import Scenario, Settings, Walkthrough
from rankwalk.messages import languages, say
from rankwalk.scenarios import SCENARIOS, Condition, Passage, built_in
from rankwalk.widgets import walkthrough as module
from rankwalk.widgets.base import SettingError


class Watch:
    """Counts the walks and keeps what goes to the browser."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.walks = 0
        self.views: list[dict[str, Any]] = []
        self.notices: list[dict[str, Any]] = []
        walk = module.walk

        def counted(*arguments: Any) -> Any:
            self.walks += 1
            return walk(*arguments)

        monkeypatch.setattr(module, "walk", counted)
        monkeypatch.setattr(
            Walkthrough, "send", lambda widget, content: self.notices.append(content["refused"])
        )
        monkeypatch.setattr(
            Walkthrough,
            "_send",
            lambda widget, msg, buffers=None: self.views.append(msg["state"]),
        )

    def clear(self) -> None:
        self.walks = 0
        self.views.clear()
        self.notices.clear()

    @property
    def counts(self) -> tuple[int, int, int]:
        """Walks, messages with a view, notices."""
        return self.walks, len(self.views), len(self.notices)


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    return Watch(monkeypatch)


def from_browser(widget: Walkthrough, *changes: dict[str, Any]) -> None:
    """Do what controls do: only what JSON can carry."""
    widget._handle_custom_msg(json.loads(json.dumps(wishes(*changes))), [])


def again(widget: Walkthrough) -> Walkthrough:
    """Evaluate the widget's repr, as a learner who pastes it does."""
    names = {name: getattr(rankwalk, name) for name in rankwalk.__all__}
    made = eval(repr(widget), names)
    assert isinstance(made, Walkthrough)
    return made


# ---- one change, one walk, one message --------------------------------------------------------------

CHANGES: dict[str, Any] = {
    "keyword": ["C", "B", "A"],
    "semantic": ["A", "B", "C"],
    "removed": ["A"],
    "k": 10,
    "rerank": False,
    "depth": 1,
    "budget": 1,
    "check": "before",
    "noise": 2,
    "swaps": 3,
    "seed": 7,
    "day": "2025-06-01",
    "scenario": "no_answer",
}


def test_every_setting_is_tried_here() -> None:
    assert set(CHANGES) == {*Settings.__dataclass_fields__, "scenario"}


@pytest.mark.parametrize("name", CHANGES)
def test_an_assignment_is_one_walk_and_one_message(watch: Watch, name: str) -> None:
    widget = Walkthrough()
    watch.clear()
    setattr(widget, name, CHANGES[name])
    assert watch.counts == (1, 1, 0)
    assert list(watch.views[0]) == ["_view"]
    assert repr(widget) == repr(again(widget))
    assert repr(widget) != "Walkthrough()"


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_in_the_browser_is_one_walk_and_one_message(watch: Watch, name: str) -> None:
    by_hand, by_browser = Walkthrough(), Walkthrough()
    setattr(by_hand, name, CHANGES[name])
    watch.clear()
    from_browser(by_browser, {name: CHANGES[name]})
    assert watch.counts == (1, 1, 0)
    assert by_browser._view["answers"].startswith("page ")
    assert {**by_browser._view, "answers": ""} == by_hand._view
    assert getattr(by_browser, name) == getattr(by_hand, name)
    assert repr(by_browser) == repr(by_hand)


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_each_control_changes_what_is_shown_or_says_why_not(name: str, scenario: str) -> None:
    """W9 of the cases: a control that is wired to nothing."""
    widget = Walkthrough(scenario)
    value = CHANGES[name]
    if name in ("keyword", "semantic"):
        value = list(getattr(widget, name))[::-1]
    if name == "removed":
        value = [widget.keyword[0]]
    if name == "scenario":
        value = "f29" if scenario != "f29" else "flip"
    before = widget._view
    setattr(widget, name, value)
    after = widget._view
    note = before["controls"]["notes"].get(name)
    of_nothing = {say("player.note.no_noise", "en"), say("player.note.rerank_off", "en")}
    assert (after["story"] != before["story"]) != (note in of_nothing)
    if name == "seed":
        assert note
        widget.noise = 2
        drawn = widget._view
        assert "seed" not in drawn["controls"]["notes"]
        widget.seed = 8
        assert widget._view["story"] != drawn["story"]


@pytest.mark.parametrize("name", ["budget", "check", "rerank", "depth", "day"])
def test_a_note_at_a_control_that_changes_something_does_not_deny_it(name: str) -> None:
    """Lists alone have no conditions and no rerank scores, and yet each control moves something."""
    widget = Walkthrough(keyword=["p", "q", "r", "s"], semantic=["q", "p", "s", "r"])
    before = widget._view
    setattr(widget, name, CHANGES[name])
    assert widget._view["story"] != before["story"]
    assert "nothing here" not in before["controls"]["notes"][name]


@given(swaps=st.integers(1, 3), noise=st.integers(0, 2), seed=st.integers(0, 300))
def test_another_draw_changes_the_lists_or_says_that_it_does_not(
    swaps: int, noise: int, seed: int
) -> None:
    widget = Walkthrough(swaps=swaps, noise=noise, seed=seed)
    before = widget.story
    widget.seed = seed + 1
    same = say("player.note.same_draw", "en", n=seed + 1, before=seed)
    noted = widget._view["controls"]["notes"].get("seed")
    assert (noted == same) == (widget.story == before)


def test_exchanges_in_lists_of_one_are_said_to_change_nothing() -> None:
    widget = Walkthrough(keyword=["A"], semantic=["B"])
    before = widget._view
    widget.swaps = 3
    assert widget._view["story"] == before["story"]
    assert before["controls"]["notes"]["swaps"] == say("player.note.nothing_to_swap", "en")


def test_a_still_is_of_the_walk_as_it_was_then() -> None:
    widget = Walkthrough(lang="zh", k=10)
    still = widget.still(2)
    told = repr(still)
    assert "1/(10 + " in told
    widget.k = 20
    assert repr(still) == told
    with pytest.raises(SettingError, match="6"):
        widget.still(6)


def test_a_scenario_with_dates_is_pasted_without_an_import() -> None:
    scenario = Scenario(
        keyword=["A"],
        semantic=["A"],
        day="2026-03-16",
        passages=[Passage("A", valid_from="2026-01-01", valid_until=date(2026, 12, 31))],
    )
    widget = Walkthrough(scenario)
    assert "2026-01-01" in repr(widget)
    assert repr(again(widget)) == repr(widget)


def test_an_exchange_of_the_lists_and_several_at_once(watch: Watch) -> None:
    widget = Walkthrough()
    watch.clear()
    widget.set(keyword=widget.semantic, semantic=widget.keyword)
    assert watch.counts == (1, 1, 0)
    assert (widget.keyword, widget.semantic) == (("B", "C", "A"), ("A", "B", "C"))
    assert widget.walk.fused.fusion.order == ("B", "A", "C")
    watch.clear()
    with widget.hold_trait_notifications():
        widget.keyword, widget.semantic = widget.semantic, widget.keyword
        widget.k = 10
    assert watch.counts == (1, 1, 0)
    assert repr(widget) == "Walkthrough(k=10)"


def test_a_reset_is_one_walk_and_goes_back_to_f29(watch: Watch) -> None:
    widget = Walkthrough(**CHANGES | {"scenario": "f29", "keyword": ["C", "A"]}, step=4)
    watch.clear()
    widget.reset()
    assert watch.counts == (1, 1, 0)
    assert repr(widget) == "Walkthrough(step=4)"
    for name in SCENARIOS:
        widget.set(scenario=name, k=1, noise=3)
        from_browser(widget, widget._view["controls"]["defaults"])
        assert repr(widget) == "Walkthrough(step=4)"
        assert {**widget._view, "answers": ""} == Walkthrough()._view


def test_a_step_is_no_walk(watch: Watch) -> None:
    widget = Walkthrough()
    watch.clear()
    widget.step = 3
    assert watch.counts == (0, 1, 0)
    assert watch.views == [{"step": 3}]


def test_the_same_value_is_no_walk(watch: Watch) -> None:
    widget = Walkthrough()
    watch.clear()
    widget.k = 60.0
    widget.keyword = ["A", "B", "C"]
    widget.day = "2026-03-16"
    assert watch.counts == (0, 0, 0)


def test_one_change_calls_an_observer_once() -> None:
    """W1 of the cases: an observer that fires three to five times a change."""
    widget = Walkthrough()
    seen: list[Any] = []
    widget.observe(lambda change: seen.append(change["new"]), "k")
    widget.k = 10
    from_browser(widget, {"k": 20})
    widget.set(k=30, depth=1)
    widget.reset()
    widget.step = 2
    assert seen == [10, 20, 30, 60]


def test_an_observer_that_sets_another_setting() -> None:
    widget = Walkthrough()
    widget.observe(lambda change: setattr(widget, "budget", change["new"]), "depth")
    for change in (lambda: setattr(widget, "depth", 1), lambda: from_browser(widget, {"depth": 2})):
        change()
        assert widget.budget == widget.depth
        assert widget._view["controls"]["budget"]["value"] == widget.budget
        assert widget._view == {**Walkthrough(depth=widget.depth, budget=widget.budget)._view}


@pytest.mark.parametrize(
    ("acts", "call"),
    [
        ([{"exchange": True}], "keyword=['B', 'C', 'A'], semantic=['A', 'B', 'C']"),
        ([{"exchange": True}] * 2, ""),
        ([{"move_keyword": ["C", -1]}] * 2, "keyword=['C', 'A', 'B']"),
        ([{"move_semantic": ["B", 2]}], "semantic=['C', 'A', 'B']"),
        ([{"move_keyword": ["A", -1]}, {"move_keyword": ["C", 5]}], ""),  # there is no further
        ([{"move_keyword": ["Z", 1]}, {"toggle": "Z"}], ""),  # of a scenario that has gone
        ([{"toggle": "B"}, {"toggle": "A"}, {"toggle": "B"}], "removed=['A']"),
        ([{"toggle": "C"}, {"exchange": True}, {"scenario": "flip", "k": 1}], "'flip', k=1"),
        ([{"scenario": "flip"}, {"scenario": "f29"}, {"exchange": True}, {"exchange": True}], ""),
    ],
)
def test_what_a_button_asks_for_is_worked_out_from_the_lists_as_they_are_then(
    acts: list[dict[str, Any]], call: str
) -> None:
    together, apart = Walkthrough(), Walkthrough()
    from_browser(together, *acts)
    for act in acts:
        from_browser(apart, act)
    assert repr(together) == repr(apart) == f"Walkthrough({call})"


@pytest.mark.parametrize(
    "act", [{"exchange": 1}, {"move_keyword": ["A"]}, {"move_keyword": "A"}, {"toggle": 3}]
)
def test_a_button_that_there_is_not_is_refused(watch: Watch, act: dict[str, Any]) -> None:
    widget = Walkthrough()
    watch.clear()
    from_browser(widget, act)
    assert watch.counts == (0, 0, 1)
    assert repr(widget) == "Walkthrough()"


def test_the_picture_is_a_function_of_the_state() -> None:
    """W4 of the cases: skipped or repeated events leave the same picture."""
    one, other = Walkthrough(), Walkthrough()
    from_browser(one, {"k": 9, "noise": 2})
    for k in (3, 5, 5, 7, 9, 9):
        from_browser(other, {"k": k})
    from_browser(other, {"noise": 2})
    assert {**one._view, "answers": ""} == {**other._view, "answers": ""}


# ---- bad values -------------------------------------------------------------------------------------

BAD: list[tuple[str, Any, str]] = [
    ("k", -1, "k"),
    ("k", "ten", "k"),
    ("k", 1001, "k"),
    ("k", None, "k"),
    ("keyword", ["A", "Z"], "keyword"),
    ("keyword", "ABC", "keyword"),
    ("semantic", ["A", 4], "semantic"),
    ("removed", ["Z"], "removed"),
    ("rerank", "yes", "rerank"),
    ("depth", 0, "depth"),
    ("budget", "", "budget"),
    ("check", "never", "check"),
    ("noise", 11, "noise"),
    ("swaps", 1.5, "swaps"),
    ("seed", -1, "seed"),
    ("day", "yesterday", "day"),
    ("scenario", "f30", "scenario"),
    ("scenario", {"a": 1}, "scenario"),
]


@pytest.mark.parametrize(("name", "value", "field"), BAD)
@pytest.mark.parametrize("lang", languages())
def test_a_bad_value_is_no_walk_one_notice_and_the_old_picture(
    watch: Watch, name: str, value: Any, field: str, lang: str
) -> None:
    widget = Walkthrough(lang=lang, k=10)
    call, view = repr(widget), widget._view
    watch.clear()
    with pytest.raises(SettingError) as caught:
        setattr(widget, name, value)
    assert (caught.value.field, repr(widget), widget._view) == (field, call, view)
    assert watch.counts == (0, 0, 1)
    assert watch.notices == [{"field": field, "text": str(caught.value), "answers": ""}]
    from_browser(widget, {"seed": 5, name: value})
    assert watch.counts == (0, 0, 2)
    assert (repr(widget), widget._view) == (call, view)
    assert watch.notices[1]["answers"].startswith("page ")
    assert watch.notices[1] | {"answers": ""} == watch.notices[0]
    assert ("Allowed" in str(caught.value)) == (lang == "en")
    with pytest.raises(SettingError) as made:
        Walkthrough(lang=lang, **{name: value})
    assert made.value.field == field


def test_an_unknown_setting_is_refused_by_name() -> None:
    widget = Walkthrough()
    with pytest.raises(SettingError, match="no setting 'kk'"):
        widget.set(kk=1)
    with pytest.raises(SettingError, match="no setting 'kk'"):
        Walkthrough(kk=1)


def test_the_browser_can_name_nothing_but_settings(watch: Watch) -> None:
    widget = Walkthrough()
    watch.clear()
    for name in ("self", "lang", "step", "__class__", "_view"):
        from_browser(widget, {name: 1})
    assert watch.counts == (0, 0, 5)


@pytest.mark.parametrize("step", [0, 6, "2", 2.0, True, None])
def test_a_bad_step_is_refused(step: Any) -> None:
    with pytest.raises(SettingError, match="from 1 to 5") as caught:
        Walkthrough(step=step)
    assert caught.value.field == "step"


def test_a_bad_step_later_is_refused_and_the_step_stays() -> None:
    widget = Walkthrough(step=2)
    for step in (0, 6):
        with pytest.raises(SettingError, match="from 1 to 5"):
            widget.step = step
    assert widget.step == 2


def test_predict_is_a_switch() -> None:
    widget = Walkthrough(predict=False)
    assert repr(widget) == "Walkthrough(predict=False)"
    widget.predict = True
    assert (widget.predict, repr(widget)) == (True, "Walkthrough()")
    with pytest.raises(SettingError, match="True, False"):
        widget.predict = 1  # type: ignore[assignment]
    with pytest.raises(SettingError):
        Walkthrough(predict="no")  # type: ignore[arg-type]


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(SettingError, match="'fr'"):
        Walkthrough(lang="fr")


def test_values_that_are_fine_alone_and_not_together() -> None:
    widget = Walkthrough()
    view = widget._view

    def both() -> None:
        with widget.hold_trait_notifications():
            widget.removed = ["A"]
            widget.scenario = "no_answer"  # which has no A

    with pytest.raises(SettingError):
        both()
    assert (repr(widget), widget._view) == ("Walkthrough()", view)
    assert (widget.scenario, widget.removed) == ("f29", ())


# ---- reading and writing ----------------------------------------------------------------------------


def test_python_reads_what_is_in_force() -> None:
    widget = Walkthrough()
    assert widget.keyword == ("A", "B", "C")
    assert widget.day == date(2026, 3, 16)
    assert (widget.k, widget.check, widget.scenario, widget.lang) == (60, "after", "f29", "en")
    widget.scenario = "flip"
    assert (widget.keyword, widget.day) == (("A", "B", "C", "D"), None)


def test_values_are_immutable_so_that_nothing_changes_unseen() -> None:
    widget = Walkthrough(keyword=["C", "B", "A"])
    assert isinstance(widget.keyword, tuple)
    own = ["B", "A", "C"]
    widget.keyword = own
    own.append("Z")
    assert widget.keyword == ("B", "A", "C")


def test_another_scenario_starts_from_its_own_orders_and_keeps_the_rest() -> None:
    widget = Walkthrough(keyword=["C", "B", "A"], removed=["A"], k=10, day="2025-01-01")
    widget.scenario = "second_search"
    assert repr(widget) == "Walkthrough('second_search', k=10)"


def test_the_walk_and_story_are_those_that_are_shown() -> None:
    widget = Walkthrough(k=10)
    assert widget.walk.fused.fusion.k == 10
    assert widget._view["story"]["steps"][1]["upshot"] == widget.story.steps[1].upshot


def test_own_lists() -> None:
    widget = Walkthrough(keyword=["d1", "d2", "d1"], semantic=["d3"])
    assert repr(widget) == "Walkthrough(keyword=['d1', 'd2'], semantic=['d3'])"
    assert widget.walk.decided.ending == "unknown"
    assert widget._view["controls"]["scenario"] == ""
    notes = widget._view["controls"]["notes"]
    assert {"budget", "check", "day", "rerank", "depth"} <= set(notes)
    widget.keyword = ["d2", "d1"]
    assert widget.walk.fused.fusion.order == ("d2", "d3", "d1")
    with pytest.raises(SettingError, match="found 'd9'"):
        widget.semantic = ["d9"]


def test_one_own_list_is_refused_with_what_to_do() -> None:
    for name in ("keyword", "semantic"):
        with pytest.raises(SettingError, match="give both lists") as caught:
            Walkthrough(**{name: ["d1"]})
        assert caught.value.field == name


def test_lists_of_f29_letters_are_f29() -> None:
    widget = Walkthrough(keyword=["C", "A", "B"], semantic=["A"])
    assert widget.scenario == "f29"
    assert widget.walk.decided.ending == "enough"


def test_fifty_ids_a_list_and_not_more() -> None:
    ids = [f"p{n}" for n in range(51)]
    assert len(Walkthrough(keyword=ids[:50], semantic=ids[:50]).walk.reranked.order) == 50
    with pytest.raises(SettingError, match="up to 50"):
        Walkthrough(keyword=ids, semantic=ids)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_ids_in_every_form(hostile: str) -> None:
    widget = Walkthrough(keyword=[hostile, "P"], semantic=["P", hostile])
    bundle = widget._repr_mimebundle_()
    assert bundle is not None
    data, _ = bundle
    assert data["text/plain"].split("\n")[0] == repr(widget)
    assert "<img" not in data["text/html"]
    assert "<script" not in data["text/html"]
    assert json.loads(json.dumps(widget._view)) == json.loads(json.dumps(again(widget)._view))
    widget.removed = [hostile]
    assert widget.walk.fused.fusion.order == ("P",)


# ---- the static forms -------------------------------------------------------------------------------


@pytest.mark.parametrize("step", range(1, 6))
def test_without_a_running_widget_there_are_text_and_table(step: int) -> None:
    widget = Walkthrough(step=step, k=10)
    bundle = widget._repr_mimebundle_()
    assert bundle is not None
    data, _ = bundle
    first, empty, *rest = data["text/plain"].split("\n")
    assert first == repr(widget)
    assert empty == ""
    assert f"{step} / 5 · {widget.story.steps[step - 1].title}" in rest
    assert "<table>" in data["text/html"]
    assert "<script" not in data["text/html"]
    assert "application/vnd.jupyter.widget-view+json" in data
    again_bundle = Walkthrough(step=step, k=10)._repr_mimebundle_()
    assert again_bundle is not None
    for form in ("text/plain", "text/html"):
        assert again_bundle[0][form] == data[form]


# ---- repr -------------------------------------------------------------------------------------------


def test_repr_says_what_differs() -> None:
    assert repr(Walkthrough()) == "Walkthrough()"
    assert repr(Walkthrough(k=10, step=3)) == "Walkthrough(k=10, step=3)"
    assert repr(Walkthrough("no_answer", "zh")) == "Walkthrough('no_answer', lang='zh')"
    assert repr(Walkthrough(day="2025-06-01")) == "Walkthrough(day='2025-06-01')"
    assert repr(Walkthrough(keyword=["A", "B", "C"])) == "Walkthrough()"


def test_a_scenario_of_f29_letters_stays_ones_own() -> None:
    own = Scenario(("A", "B"), ("B", "A"))
    widget = Walkthrough(own)
    assert repr(widget) == ("Walkthrough(Scenario(keyword=('A', 'B'), semantic=('B', 'A')))")
    assert again(widget)._view == widget._view


def test_an_own_scenario_is_written_out_whole() -> None:
    own = Scenario(
        ("P",),
        ("Q", "P"),
        question="why?",
        conditions=(Condition("c", "C"),),
        passages=(Passage("P", valid_from=date(2026, 1, 1), source="s", supports=("c",)),),
        day=date(2026, 3, 1),
    )
    widget = Walkthrough(own, semantic=["P", "Q"], removed=["Q"])
    assert "unrelated" not in repr(widget)
    assert again(widget)._view == widget._view
    assert widget.walk.decided.ending == "enough"


def test_own_lists_that_were_changed_keep_what_they_were_given() -> None:
    widget = Walkthrough(keyword=["X", "Y"], semantic=["Y"])
    widget.removed = ["X"]
    widget.keyword = ["Y"]
    assert again(widget)._view == widget._view
    widget = Walkthrough(keyword=["A", "Z"], semantic=["A"])
    widget.keyword = ["A"]
    assert again(widget)._view == widget._view


@given(
    data=st.data(),
    scenario=st.one_of(st.sampled_from(sorted(SCENARIOS)), scenarios()),
    lang=st.sampled_from(languages()),
    step=st.integers(1, 5),
    predict=st.booleans(),
)
@settings(max_examples=60)
def test_repr_makes_the_same_widget(
    data: st.DataObject, scenario: str | Scenario, lang: str, step: int, predict: bool
) -> None:
    made = built_in(scenario) if isinstance(scenario, str) else scenario
    chosen = data.draw(settings_for(made))
    given = {name: getattr(chosen, name) for name in Settings.__dataclass_fields__}
    widget = Walkthrough(scenario, lang, step=step, predict=predict, **given)
    copy = again(widget)
    assert repr(copy) == repr(widget)
    assert "\n" not in repr(widget)
    assert copy._view == widget._view
    assert (copy.step, copy.predict, copy.lang) == (step, predict, lang)
    json.dumps(widget._view, allow_nan=False)


@given(data=st.data(), name=st.sampled_from(sorted(SCENARIOS)))
@settings(max_examples=30)
def test_two_languages_have_the_same_controls_and_numbers(data: st.DataObject, name: str) -> None:
    chosen = data.draw(settings_for(built_in(name)))
    given = {field: getattr(chosen, field) for field in Settings.__dataclass_fields__}
    english, chinese = (Walkthrough(name, lang, **given) for lang in ("en", "zh"))
    assert english.walk == chinese.walk

    def state(widget: Walkthrough) -> dict[str, Any]:
        controls = dict(widget._view["controls"])
        assert len(controls.pop("scenarios")) == len(SCENARIOS)
        controls["notes"] = sorted(controls["notes"])
        controls["k"] = {**controls["k"], "note": ""}
        controls["lists"] = {
            name: [(row["id"], row["out"]) for row in rows]
            for name, rows in controls["lists"].items()
        }
        return controls

    assert state(english) == state(chinese)
