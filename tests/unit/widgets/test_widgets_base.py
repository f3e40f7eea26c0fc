from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
import traitlets
from wishes import wishes

from rankwalk.messages import Refused
from rankwalk.widgets.base import HERE, Setting, SettingError, Stage, css, esm
from rankwalk.widgets.walkthrough import Walkthrough


class Sum(Stage):
    """The smallest widget: two settings, whose sum must not exceed 10, and what was computed."""

    name = "walkthrough"
    _esm = "export default { render() {} }"
    a = Setting()
    b = Setting()

    def __init__(self, a: int = 1, b: int = 2, lang: str = "en") -> None:
        self.computed: list[tuple[int, int]] = []
        super().__init__({"a": a, "b": b}, lang)

    def _with(self, settings: Any, changes: Mapping[str, Any]) -> Any:
        made = {**settings, **changes}
        for name, value in made.items():
            if not isinstance(value, int) or value < 0:
                raise Refused("not_whole", field=name, where=name, found=repr(value), minimum=0)
        if sum(made.values()) > 10:
            raise Refused("not_whole", field="b", where="sum", found=sum(made.values()), minimum=0)
        return {name: int(value) for name, value in made.items()}

    def _values(self, settings: Any) -> dict[str, Any]:
        return dict(settings)

    def _picture(self, settings: Any, lang: str) -> dict[str, Any]:
        self.computed.append((settings["a"], settings["b"]))
        return {"sum": settings["a"] + settings["b"], "lang": lang}

    def _text(self) -> str:
        return f"the sum is {self._view['sum']}"

    def _html(self) -> str:
        return f"<p>{self._view['sum']}</p>"

    def __repr__(self) -> str:
        return f"Sum({self.a}, {self.b})"


@pytest.fixture
def messages(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What goes to the browser: views as they are, custom messages as they are."""
    sent: list[Any] = []
    monkeypatch.setattr(Sum, "send", lambda self, content: sent.append(content))
    monkeypatch.setattr(
        Sum,
        "_send",
        lambda self, msg, buffers=None: sent.append(msg["state"]),
    )
    return sent


def from_browser(widget: Stage, content: Any) -> None:
    widget._handle_custom_msg(content, [])


def test_an_assignment_is_one_computation_and_one_message(messages: list[Any]) -> None:
    widget = Sum()
    widget.computed.clear()
    messages.clear()
    widget.a = 4
    assert widget.computed == [(4, 2)]
    assert messages == [{"_view": {"sum": 6, "lang": "en", "answers": ""}}]


def test_an_assignment_of_the_same_value_is_none(messages: list[Any]) -> None:
    widget = Sum()
    widget.computed.clear()
    messages.clear()
    widget.a = 1
    assert widget.computed == messages == []


def test_several_at_once_are_one(messages: list[Any]) -> None:
    widget = Sum()
    widget.computed.clear()
    messages.clear()
    widget.set(a=3, b=5)
    assert widget.computed == [(3, 5)]
    assert len(messages) == 1
    with widget.hold_trait_notifications():
        widget.a = 1
        widget.b = 2
    assert widget.computed == [(3, 5), (1, 2)]
    assert len(messages) == 2
    assert (widget.a, widget.b) == (1, 2)


def test_a_change_from_the_browser_is_answered_by_one_view(messages: list[Any]) -> None:
    widget = Sum()
    widget.computed.clear()
    messages.clear()
    from_browser(widget, wishes({"a": 5}, first=7))
    assert widget.a == 5
    assert widget.computed == [(5, 2)]
    assert messages == [{"_view": {"sum": 7, "lang": "en", "answers": "page 7"}}]


def test_the_same_value_from_the_browser_is_answered_too(messages: list[Any]) -> None:
    widget = Sum()
    messages.clear()
    from_browser(widget, wishes({"a": 1}, first=8))
    assert [message["_view"]["answers"] for message in messages] == ["page 8"]


def test_a_bad_value_from_python_is_one_notice_and_the_old_picture(messages: list[Any]) -> None:
    widget = Sum()
    widget.computed.clear()
    messages.clear()
    view = widget._view
    with pytest.raises(SettingError) as caught:
        widget.a = -1
    assert caught.value.field == "a"
    assert isinstance(caught.value, traitlets.TraitError)
    assert isinstance(caught.value, ValueError)
    assert (widget.a, widget._view, widget.computed) == (1, view, [])
    assert messages == [{"refused": {"field": "a", "text": str(caught.value), "answers": ""}}]


def test_a_bad_value_from_the_browser_is_one_notice_and_no_error(messages: list[Any]) -> None:
    widget = Sum(lang="zh")
    widget.computed.clear()
    messages.clear()
    from_browser(widget, wishes({"b": "x", "a": 3}, first=9))
    assert (widget.a, widget.b, widget.computed) == (1, 2, [])
    text = "b：得到 'x'。应为不小于 0 的整数。"
    assert messages == [{"refused": {"field": "b", "text": text, "answers": "page 9"}}]


@pytest.mark.parametrize(
    "content",
    [
        None,
        3,
        "wishes",
        [],
        {},
        {"wishes": None},
        {"asker": "page", "first": 1, "wishes": []},
        {"asker": "page", "first": "1", "wishes": [{"a": 3}]},
        {"asker": "page", "first": 1, "wishes": [1]},
        {"asker": "page", "wishes": [{"a": 3}]},
        {"x": 1},
    ],
)
def test_a_message_that_is_none_of_ours_does_nothing(messages: list[Any], content: Any) -> None:
    widget = Sum()
    widget.computed.clear()
    messages.clear()
    from_browser(widget, content)
    assert widget.computed == messages == []


def test_wishes_are_granted_in_order_and_a_bad_one_takes_no_other_along(
    messages: list[Any],
) -> None:
    widget = Sum()
    widget.computed.clear()
    messages.clear()
    from_browser(widget, wishes({"a": 3}, {"a": "x", "b": 9}, {"b": 5}, {"a": 4}, first=1))
    assert (widget.a, widget.b, widget.computed) == (4, 5, [(4, 5)])
    assert messages == [{"_view": {"sum": 9, "lang": "en", "answers": "page 4"}}]  # 4 settled the x
    messages.clear()
    from_browser(widget, wishes({"a": 5}, {"b": "x"}, first=5))
    assert (widget.a, widget.b) == (5, 5)
    assert messages[0]["_view"]["answers"] == messages[1]["refused"]["answers"] == "page 6"
    assert messages[1]["refused"]["field"] == "b"


def test_a_wish_that_is_sent_again_is_not_granted_twice(messages: list[Any]) -> None:
    widget = Sum()
    from_browser(widget, wishes({"a": 3}, {"a": 5}, first=1))
    widget.a = 1
    widget.computed.clear()
    messages.clear()
    from_browser(widget, wishes({"a": 3}, {"a": 5}, first=1))
    assert (widget.a, widget.computed, messages) == (1, [], [{"answers": "page 2"}])
    from_browser(widget, wishes({"a": 5}, {"b": 7}, first=2))  # the second of them is new
    assert (widget.a, widget.b) == (1, 7)
    from_browser(widget, wishes({"a": 2}, first=1, asker="another page"))
    assert widget.a == 2


def test_a_wish_that_breaks_an_observer_is_not_granted_twice(messages: list[Any]) -> None:
    widget = Sum()

    def broken(change: Any) -> None:
        raise RuntimeError(change)

    widget.observe(broken, "a")
    message = wishes({"a": 3}, {"b": "x"}, first=1)
    with pytest.raises(RuntimeError):
        widget._on_message(widget, message, [])
    assert messages[-1]["refused"]["field"] == "b"  # the other one is told all the same
    widget.unobserve_all()
    widget.a = 1
    messages.clear()
    from_browser(widget, message)
    assert (widget.a, messages) == (1, [{"answers": "page 2"}])


def test_a_wish_that_fails_for_want_of_a_check_is_answered(
    messages: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    widget = Sum()
    monkeypatch.setattr(Sum, "_with", lambda *_: {}["no such thing"])
    messages.clear()
    with pytest.raises(KeyError):
        widget._on_message(widget, wishes({"a": 3}, first=1), [])
    assert messages == [{"answers": "page 1"}]


def test_an_interrupted_wish_can_be_sent_again(
    messages: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    widget = Sum()

    def interrupted(*_: Any) -> Any:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Sum, "_picture", interrupted)
        messages.clear()
        with pytest.raises(KeyboardInterrupt):
            from_browser(widget, wishes({"a": 3}, {"b": "x"}, first=1))
        assert messages == []  # what is said to be answered is not asked again
    from_browser(widget, wishes({"a": 3}, {"b": "x"}, first=1))
    assert (widget.a, widget._view["answers"]) == (3, "page 2")


def test_values_that_are_fine_alone_and_not_together(messages: list[Any]) -> None:
    widget = Sum(a=1, b=2)
    widget.computed.clear()

    def both() -> None:
        with widget.hold_trait_notifications():
            widget.a = 7
            widget.b = 9

    with pytest.raises(SettingError):
        both()
    assert (widget.a, widget.b) == (1, 2)
    assert widget._view["sum"] == 3
    assert widget.computed == []
    widget.a = 3  # and it works on
    assert widget._view["sum"] == 5


def test_one_change_calls_an_observer_once(messages: list[Any]) -> None:
    widget = Sum()
    seen: list[tuple[Any, Any]] = []
    widget.observe(lambda change: seen.append((change["old"], change["new"])), "a")
    widget.a = 2
    from_browser(widget, wishes({"a": 3}))
    widget.set(a=4, b=1)
    assert seen == [(1, 2), (2, 3), (3, 4)]


def test_an_observer_sees_the_picture_of_its_change(messages: list[Any]) -> None:
    widget = Sum()
    seen: list[int] = []
    widget.observe(lambda change: seen.append(widget._view["sum"]), "a")
    widget.a = 2
    from_browser(widget, wishes({"a": 5}))
    widget.set(a=6)
    assert seen == [4, 7, 8]


def test_an_observer_that_sets_another_setting_has_the_last_picture(messages: list[Any]) -> None:
    for change in (
        lambda widget: setattr(widget, "a", 4),
        lambda widget: widget.set(a=4),
        lambda widget: from_browser(widget, wishes({"a": 4})),
    ):
        widget = Sum()
        widget.observe(lambda change, widget=widget: setattr(widget, "b", change["new"] + 1), "a")
        messages.clear()
        change(widget)
        assert (widget.a, widget.b) == (4, 5)
        assert widget._view["sum"] == 9
        assert messages[-1]["_view"]["sum"] == 9
        assert len(messages) <= 2


def test_the_picture_is_a_function_of_the_state_however_many_events_came(
    messages: list[Any],
) -> None:
    skipped, repeated = Sum(), Sum()
    from_browser(skipped, wishes({"a": 5}))
    for a in (2, 3, 3, 4, 5, 5, 5):
        from_browser(repeated, wishes({"a": a}))
    assert {**skipped._view, "answers": ""} == {**repeated._view, "answers": ""}


def test_no_setting_is_synced_and_every_setting_can_be_observed() -> None:
    widget = Sum()
    assert set(widget.keys) & {"a", "b"} == set()
    assert "_view" in widget.keys
    assert {"a", "b"} <= set(widget.trait_names())


def test_the_first_line_of_the_text_is_the_call(messages: list[Any]) -> None:
    bundle = Sum()._repr_mimebundle_()
    assert bundle is not None
    data, _ = bundle
    assert data["text/plain"] == "Sum(1, 2)\n\nthe sum is 3"
    assert data["text/html"] == "<p>3</p>"
    assert "application/vnd.jupyter.widget-view+json" in data


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(Refused, match="'fr'"):
        Sum(lang="fr")


def test_the_files_of_a_widget_are_joined_shared_ones_first() -> None:
    joined = esm("walkthrough")
    own = (HERE / "walkthrough.js").read_text(encoding="utf-8")
    assert joined.endswith(own)
    for file in sorted((HERE / "js").glob("*.js")):
        assert file.read_text(encoding="utf-8") in joined
    assert "import " not in "".join(line for line in joined.splitlines() if line[:7] == "import ")
    assert css("walkthrough").endswith((HERE / "walkthrough.css").read_text(encoding="utf-8"))


def test_no_javascript_makes_markup_of_text() -> None:
    for file in [*HERE.glob("*.js"), *(HERE / "js").glob("*.js")]:
        source = file.read_text(encoding="utf-8")
        for way in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
            assert way not in source, (file.name, way)


@pytest.mark.parametrize("lang", ["fr", None, ["en", "zh"], 7])
def test_a_language_there_is_none_of_is_refused_in_english(lang: Any) -> None:
    with pytest.raises(SettingError, match="no language"):
        Walkthrough(lang=lang)
