"""What holds for every widget of the project: the faults of kind "widgets", each as a whole kind.

A new widget is found by itself; it needs an entry in `CHANGES`, one other value for each setting.
"""

from __future__ import annotations

import ast
import importlib
import json
import math
import pkgutil
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest
from wishes import wishes

import rankwalk.widgets
from rankwalk.messages import languages
from rankwalk.widgets.base import Setting, SettingError, Stage

for module in pkgutil.iter_modules(rankwalk.widgets.__path__):
    importlib.import_module(f"rankwalk.widgets.{module.name}")

BASES = {"PlainStage"}
HISTORY = {"answers", "said", "told", "remembered"}
"""What a view says of the change itself, so that it rightly depends on what was before."""


def every_widget(base: type[Stage] = Stage) -> list[type[Stage]]:
    """Return every widget of the package, without classes that are made to be built upon."""
    found: list[type[Stage]] = []
    for kind in base.__subclasses__():
        if kind.__module__.startswith("rankwalk."):
            found += ([] if kind.__name__ in BASES else [kind]) + every_widget(kind)
    return sorted(found, key=lambda kind: kind.__name__)


CHANGES: dict[str, dict[str, Any]] = {
    "EvidenceMatrix": {
        "case": "late",
        "order": ("d2", "d1", "d3", "d4"),
        "claims": ("days",),
        "links": (),
        "day": "2025-06-01",
        "revealed": False,
    },
    "Exercise": {"answer": "0.5", "feedback": False, "folder": "other-answers"},
    "FlipFinder": {"first": (1, 8), "second": (3, 3)},
    "MetricGrid": {"n": 1},
    "MetricsPlayground": {
        "ranking": ("X1", "A", "B"),
        "before": ("B", "A"),
        "n": 1,
        "gain": "linear",
    },
    "RawScores": {"example": "margin", "scale": 100},
    "RerankFunnel": {
        "chunks": 10_000,
        "vector_depth": 3,
        "keyword_depth": 3,
        "overlap": 1,
        "limit": 2,
        "budget": 1,
        "ms_a_pair": 20,
        "cost_a_million_pairs": 9,
        "questions": 500,
        "seed": 5,
    },
    "RerankOutage": {
        "provider": "bad_score",
        "strategy": "degrade",
        "delay_s": 0.4,
        "deadline_s": 0.5,
    },
    "SwapGrid": {"keyword": ("C", "B", "A"), "semantic": ("A", "B", "C")},
    "Walkthrough": {
        "keyword": ("C", "B", "A"),
        "semantic": ("A", "B", "C"),
        "removed": ("A",),
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
    },
    "WhoIsToBlame": {},
}
FIRST: dict[str, dict[str, Any]] = {
    "Exercise": {"lesson": "05", "id": "link-ratio"},
    "RerankOutage": {"provider": "slow"},  # else there is no delay to change
}
"""What some widgets are made with here."""


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RANKWALK_ANSWERS", raising=False)
    monkeypatch.delenv("RANKWALK_FEEDBACK", raising=False)


def made(kind: type[Stage], lang: str = "en") -> Any:
    return kind(**FIRST.get(kind.__name__, {}), lang=lang)  # type: ignore[call-arg]


def settings_of(kind: type[Stage]) -> set[str]:
    return {name for name, trait in kind.class_traits().items() if isinstance(trait, Setting)}


def changes_of(kind: type[Stage]) -> dict[str, Any]:
    if kind.__name__ not in CHANGES:
        pytest.fail(f"add {kind.__name__} to CHANGES in this file", pytrace=False)
    return CHANGES[kind.__name__]


def shown(widget: Stage, without: set[str] = HISTORY) -> str:
    view = {key: value for key, value in widget._view.items() if key not in without}
    return json.dumps(view, sort_keys=True, default=str)


over_every_widget = pytest.mark.parametrize("kind", every_widget(), ids=lambda kind: kind.__name__)


def test_the_widgets_are_found():
    assert {"EvidenceMatrix", "Exercise", "Walkthrough"} <= {k.__name__ for k in every_widget()}


@over_every_widget
def test_every_setting_has_a_change_to_try(kind):
    assert set(changes_of(kind)) == settings_of(kind)


# --- W1: an observer fires once a change


@over_every_widget
def test_one_change_from_either_side_is_one_view_and_calls_an_observer_once(
    kind, tmp_path, monkeypatch
):
    ways: list[Callable[[Any, str, Any], None]] = [
        lambda widget, name, value: setattr(widget, name, value),
        lambda widget, name, value: widget.set(**{name: value}),
        lambda widget, name, value: widget._on_message(
            widget, json.loads(json.dumps(wishes({name: value}))), []
        ),
    ]
    for name, value in changes_of(kind).items():
        for number, way in enumerate(ways):
            folder = tmp_path / name / str(number)  # so that no exercise remembers the last one
            folder.mkdir(parents=True)
            monkeypatch.chdir(folder)
            widget = made(kind)
            calls: list[Any] = []
            views: list[Any] = []
            widget.observe(calls.append, names=[name])
            widget.observe(views.append, names=["_view"])
            way(widget, name, value)
            assert (len(calls), len(views)) == (1, 1), name


# --- W4: the picture is a function of the current state, however many events came


@over_every_widget
def test_events_that_were_skipped_or_repeated_leave_the_same_picture(kind):
    for name, value in changes_of(kind).items():
        direct, roundabout = made(kind), made(kind)
        before = getattr(roundabout, name)
        if before is None:  # nothing answered yet: there is no way back to that by a setting
            continue
        direct.set(**{name: value})
        for each in (value, before, value, value):
            roundabout.set(**{name: each})
        assert shown(roundabout) == shown(direct), name
        assert repr(roundabout) == repr(direct)


# --- W6: without a kernel there is a form that can be read


class Reader(HTMLParser):
    """Collects text, and refuses what a static page must not have."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attributes: Any) -> None:
        assert tag not in ("script", "iframe", "object", "link", "img")
        assert not any(name.startswith("on") for name, _ in attributes)

    def handle_data(self, data: str) -> None:
        self.words.append(data)


@over_every_widget
@pytest.mark.parametrize("lang", languages())
def test_beside_each_widget_stands_a_form_that_can_be_read_and_is_the_same_every_time(kind, lang):
    data, _ = made(kind, lang)._repr_mimebundle_()
    again, _ = made(kind, lang)._repr_mimebundle_()
    for form in ("text/plain", "text/html"):
        assert data[form] == again[form]
    assert data["text/plain"].splitlines()[0] == repr(made(kind, lang))
    reader = Reader()
    reader.feed(data["text/html"])
    assert len(" ".join(reader.words)) > 40
    assert f'lang="{lang}"' in data["text/html"]


# --- W9: no control is wired to nothing


@over_every_widget
def test_each_setting_changes_something_that_is_shown(kind):
    """For the player, whose controls say why where they change nothing, see test_walkthrough."""
    for name, value in changes_of(kind).items():
        if (kind.__name__, name) == ("Walkthrough", "seed"):
            continue  # without noise there is nothing to draw, and its note says so
        widget = made(kind)
        before = shown(widget, HISTORY | {"call", "values", "controls"})
        widget.set(**{name: value})
        after = shown(widget, HISTORY | {"call", "values", "controls"})
        assert after != before, name


# --- and what holds for all of them besides


@over_every_widget
def test_an_unknown_setting_is_refused_and_changes_nothing(kind):
    widget = made(kind)
    before = shown(widget)
    with pytest.raises(SettingError):
        widget.set(no_such_setting=1)
    assert shown(widget) == before


@over_every_widget
def test_nothing_is_loaded_from_a_network(kind):
    for text in (kind._esm, kind._css):
        source = str(text).replace("http://www.w3.org/2000/svg", "")
        assert "http://" not in source
        assert "https://" not in source
        assert "@import" not in source
        assert "innerHTML" not in source


# --- W: whatever a setting is given


class NoAnswer:
    """As arrays and tables of data are: ``==`` gives something that is neither true nor false."""

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> Any:
        return self

    def __bool__(self) -> bool:
        raise ValueError("the truth value is ambiguous")


ODD: list[Any] = [
    None, {}, [], "", "1", "９", "x" * 5000, math.nan, math.inf, -1, 10**5000, 2.5, 3, True, object(),
    NoAnswer(), Decimal(3), Decimal("sNaN"), Fraction(1, 3), np.int64(3), np.float64(2.5), np.str_("A"),
    np.array([1, 2]), np.array(["A", "B"]), np.array([]),
]  # fmt: skip


@over_every_widget
def test_a_setting_of_any_kind_is_refused_or_becomes_plain_data(kind):
    widget = made(kind)
    for name in settings_of(kind):
        for value in ODD:
            refusal = ""
            try:
                widget.set(**{name: value})
            except SettingError as error:
                refusal = str(error)
            assert len(refusal) < 600
            json.dumps(widget._view, allow_nan=False)
            call = repr(widget)
            ast.parse(call, mode="eval")
            assert not any(word in call for word in ("np.", "Decimal", "Fraction"))
