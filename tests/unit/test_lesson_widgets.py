"""The widgets of lessons 2 and 3 from Python: settings, bad values, repr, static forms."""

from __future__ import annotations

import ast
import json
from html import escape

import pytest

from rankwalk import FlipFinder, MetricGrid, MetricsPlayground, RawScores, SwapGrid, Walkthrough
from rankwalk.messages import languages
from rankwalk.widgets.base import SettingError

ALL = (FlipFinder, MetricGrid, MetricsPlayground, RawScores, SwapGrid)


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("lang", languages())
def test_the_view_is_plain_data_and_the_forms_say_it_too(kind, lang):
    widget = kind(lang)
    assert json.loads(json.dumps(widget._view)) == widget._view
    data, _ = widget._repr_mimebundle_()
    assert data["text/plain"].startswith(f"{widget!r}\n\n")
    assert f'lang="{lang}"' in data["text/html"]
    assert escape(widget._view["ui"]["scope"]) in data["text/html"]
    again = kind(lang)._repr_mimebundle_()[0]
    assert {m: again[m] for m in ("text/plain", "text/html")} == {
        m: data[m] for m in ("text/plain", "text/html")
    }


@pytest.mark.parametrize("kind", ALL)
def test_a_language_or_setting_that_is_not_there(kind):
    with pytest.raises(SettingError, match="fr"):
        kind("fr")
    with pytest.raises(SettingError, match="no setting 'colour'"):
        kind(colour=1)
    with pytest.raises(SettingError, match="没有"):
        kind("zh", colour=1)


@pytest.mark.parametrize(
    ("kind", "changes"),
    [
        (FlipFinder, {"first": (1, None), "second": (3, 3)}),
        (MetricGrid, {"n": 2}),
        (MetricsPlayground, {"n": 2, "gain": "linear"}),
        (RawScores, {"example": "margin", "scale": 0.5}),
        (SwapGrid, {"keyword": ("C", "B", "A")}),
    ],
)
def test_repr_is_the_call_that_makes_it(kind, changes):
    widget = kind("zh")
    widget.set(**changes)
    call = ast.parse(repr(widget), mode="eval").body
    assert isinstance(call, ast.Call)
    options = {word.arg: ast.literal_eval(word.value) for word in call.keywords}
    assert options == {"lang": "zh", **changes}
    assert kind(**options)._view | {"answers": ""} == widget._view | {"answers": ""}


@pytest.mark.parametrize(
    ("kind", "changes"),
    [
        (FlipFinder, {"first": (1,)}),
        (FlipFinder, {"first": (0, 1)}),
        (FlipFinder, {"second": "12"}),
        (FlipFinder, {"second": (1, 1001)}),
        (FlipFinder, {"second": (1.5, 1)}),
        (MetricGrid, {"n": 0}),
        (MetricGrid, {"n": True}),
        (MetricsPlayground, {"n": 31}),
        (MetricsPlayground, {"gain": "log"}),
        (MetricsPlayground, {"ranking": "ABC"}),
        (MetricsPlayground, {"ranking": [f"d{n}" for n in range(31)]}),
        (RawScores, {"example": "other"}),
        (RawScores, {"scale": 0}),
        (RawScores, {"scale": float("nan")}),
        (SwapGrid, {"keyword": ("A", "B")}),
        (SwapGrid, {"semantic": ("A", "B", "B")}),
    ],
)
def test_a_bad_value_is_refused_with_its_field_and_changes_nothing(kind, changes):
    widget = kind()
    before = widget._view
    (field,) = changes
    for change in (lambda: widget.set(**changes), lambda: setattr(widget, field, changes[field])):
        with pytest.raises(SettingError, match="Allowed") as caught:
            change()
        assert caught.value.field == field
    assert widget._view == before


def test_the_player_follows_the_grid():
    grid = SwapGrid(keyword=("C", "B", "A"))
    assert grid.player.keyword == ("C", "B", "A")
    grid.set(keyword=("B", "A", "C"), semantic=("A", "B", "C"))
    assert (grid.player.keyword, grid.player.semantic) == (("B", "A", "C"), ("A", "B", "C"))
    grid.semantic = ("C", "A", "B")
    assert grid.player.semantic == ("C", "A", "B")
    assert grid.player is grid.player


def test_edits_of_the_playground():
    w = MetricsPlayground()
    w.set(edit=["add", "middle"])
    assert w.ranking == ("A", "C", "D", "X1", "B", "E")
    assert w.before == ("A", "C", "D", "B", "E")
    w.set(edit=["swap", 1])
    assert w.ranking[:2] == ("C", "A")
    assert w.before[:2] == ("A", "C")
    w.set(edit=["remove", "C"])
    assert "C" not in w.ranking
    assert "fell" in repr(w._view["rows"])
    w.set(edit=["reset"])
    assert w.told == "No edit yet."
    for edit in (
        ["jump"],
        "reset",
        ["add"],
        [],
        None,
        ["add", "left"],
        ["swap", 9],
        ["swap", None],
    ):
        with pytest.raises(SettingError) as caught:
            w.set(edit=edit)
        assert caught.value.field == "edit"


def test_what_raw_scores_say():
    w = RawScores()
    assert w.sentences == ["The keyword scores are as the search gave them."]
    w.scale = 0.01
    assert w.sentences[0].endswith(": plain sum.")


RUNS = (
    {"q": {"B": 1.0, "A": 1.0, "C": 0.5}, "only a": {"A": 1}},
    {"q": {"C": -3, "A": 2}},
)


def test_runs_open_in_the_player():
    w = Walkthrough.from_runs(*RUNS, query="q", lang="zh", step=2)
    assert (w.keyword, w.semantic) == (("A", "B", "C"), ("A", "C"))
    assert (w.lang, w.step) == ("zh", 2)
    assert w.walk.fused.fusion.order == ("A", "C", "B")
    one = Walkthrough.from_runs(*RUNS, query="only a")
    assert (one.keyword, one.semantic) == (("A",), ())
    many = {"q": {f"d{n:03}": -n for n in range(200)}}
    assert len(Walkthrough.from_runs(many, many, query="q").keyword) == 50


def test_runs_that_do_not_open():
    with pytest.raises(SettingError, match=r"'z'\. Allowed: only a, q"):
        Walkthrough.from_runs(*RUNS, query="z")
    with pytest.raises(SettingError, match=r"a\['q'\]\['A'\]"):
        Walkthrough.from_runs({"q": {"A": float("nan")}}, {}, query="q")
