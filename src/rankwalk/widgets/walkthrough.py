"""The player: five steps from two ranked lists to a decision, and controls over one walk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, is_dataclass, replace
from datetime import date
from typing import Any

import traitlets

from rankwalk import checks, forms
from rankwalk.messages import Refused, lookup, say
from rankwalk.metrics import best_first
from rankwalk.scenarios import LONGEST_LIST, SCENARIOS, Scenario, built_in
from rankwalk.settings import (
    LARGEST_BUDGET,
    LARGEST_DEPTH,
    LARGEST_K,
    LARGEST_SEED,
    MOST_NOISE,
    Settings,
)
from rankwalk.story import STEPS, Story, short, tell
from rankwalk.walk import Searched, Walk, search, walk
from rankwalk.widgets.base import Setting, SettingError, Stage, css, esm

SHOWN_QUERIES = 10
"""How many queries a message names."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What the widget shows: a scenario, by name or one's own, and its settings."""

    scenario: str | Scenario
    settings: Settings


class Walkthrough(Stage):
    """Step through a walk, and change what it starts from.

    Every setting of `rankwalk.Settings` is an argument and an attribute: ``Walkthrough(k=10)``, later
    ``w.k = 1``, or several at once with ``w.set(k=1, depth=2)``.

    Args:
        scenario: ``"f29"``, ``"second_search"``, ``"no_answer"``, ``"flip"``, or a `Scenario`. With
            ``"f29"`` and two lists whose ids it does not have, the walk is over these lists, and steps
            3 to 5 say what they would need.
        lang: ``"en"`` or ``"zh"``.
        step: the step to open at, 1 to 5.
        predict: whether the learner may put down a guess before step 2 shows its order.
        settings: the settings, by name.

    Raises:
        SettingError: a `ValueError` that says what was wrong and what is allowed.

    ``repr(w)`` is the call that makes the widget in its present state.
    """

    name = "walkthrough"
    _esm = esm(name)
    _css = css(name)

    # Of any kind, since `_check_step` refuses in the widget's own words.
    step: traitlets.TraitType[Any, Any] = traitlets.TraitType(1).tag(sync=True)
    _predict = traitlets.Bool(True).tag(sync=True)

    scenario = Setting()
    keyword = Setting()
    semantic = Setting()
    removed = Setting()
    k = Setting()
    rerank = Setting()
    depth = Setting()
    budget = Setting()
    check = Setting()
    noise = Setting()
    swaps = Setting()
    seed = Setting()
    day = Setting()

    def __init__(
        self,
        scenario: str | Scenario = "f29",
        lang: str = "en",
        *,
        step: int = 1,
        predict: bool = True,
        **settings: Any,
    ) -> None:
        try:
            shown = _changed(Shown("f29", Settings()), {"scenario": scenario, **settings}, lang)
            super().__init__(shown, lang, step=_step(step), _predict=_switch(predict))
        except Refused as refused:
            raise SettingError(refused, lang) from None

    @classmethod
    def from_runs(
        cls,
        a: Mapping[str, Mapping[str, float]],
        b: Mapping[str, Mapping[str, float]],
        *,
        query: str,
        lang: str = "en",
        **options: Any,
    ) -> Walkthrough:
        """Open one query of two runs: ``a`` as the keyword list, ``b`` as the semantic one.

        Args:
            a: ``{query: {doc: score}}``, as `rankwalk.readers.read_run` gives it.
            b: the other run.
            query: the query to open; one that a run lacks is an empty list there.
            lang: ``"en"`` or ``"zh"``.
            options: as for the widget.

        Returns:
            A walk over each run's documents, best first, equal scores by id, no more than fit.

        Raises:
            SettingError: a `ValueError`, if neither run has the query or a score is no number.
        """
        try:
            if query not in a and query not in b:
                known = sorted({*a, *b})
                more = [f"… ({len(known)})"] if len(known) > SHOWN_QUERIES else []
                some = ", ".join([*known[:SHOWN_QUERIES], *more])
                raise Refused(
                    "one_of", field="query", where="query", found=checks.shown(query), allowed=some
                )
            keyword, semantic = (
                tuple(
                    best_first(run.get(query, {}), f"{name}[{query!r}]", LONGEST_LIST, field=name)
                )
                for name, run in (("a", a), ("b", b))
            )
            scenario = Scenario(
                keyword=keyword,
                semantic=semantic,
                keyword_scores=tuple(a[query][id] for id in keyword),
                semantic_scores=tuple(b[query][id] for id in semantic),
            )
        except Refused as refused:
            raise SettingError(refused, lang) from None
        return cls(scenario, lang, **options)

    @property
    def predict(self) -> bool:
        """Whether the learner may guess the fused order first; can be switched at any time."""
        return bool(self._predict)

    @predict.setter
    def predict(self, value: bool) -> None:
        try:
            self._predict = _switch(value)
        except Refused as refused:
            raise self._shown(refused) from None

    @traitlets.validate("step")
    def _check_step(self, proposal: Any) -> int:
        try:
            return _step(proposal["value"])
        except Refused as refused:
            raise self._shown(refused) from None

    @property
    def walk(self) -> Walk:
        """The five steps as they are shown, with every number exact."""
        shown: Shown = self._settings
        return walk(_scenario(shown, self.lang), shown.settings)

    @property
    def story(self) -> Story:
        """The five steps in words."""
        shown: Shown = self._settings
        scenario = _scenario(shown, self.lang)
        return tell(scenario, shown.settings, walk(scenario, shown.settings), self.lang)

    def still(self, step: int) -> forms.Still:
        """Return one step of the walk as it is now, as a table and words that stay as they are.

        Args:
            step: which step, 1 to 5.

        Raises:
            SettingError: a `ValueError`, for any other step.
        """
        try:
            return forms.Still(self.story, _step(step))
        except Refused as refused:
            raise SettingError(refused, self.lang) from None

    def reset(self) -> None:
        """Go back to F29 with every setting at its default; the step stays."""
        self.set(scenario="f29", **asdict(Settings()))

    def __repr__(self) -> str:
        """Return the call that makes this widget in its present state."""
        step = [f"step={self.step}"] if self.step != 1 else []
        predict = [] if self.predict else ["predict=False"]
        return (
            f"Walkthrough({', '.join([*_arguments(self._settings, self.lang), *step, *predict])})"
        )

    # ---- what Stage asks for --------------------------------------------------------------------

    def _with(self, settings: Shown, changes: Mapping[str, Any]) -> Shown:
        return _changed(settings, _worked_out(settings, changes, self.lang), self.lang)

    def _values(self, settings: Shown) -> dict[str, Any]:
        scenario = _scenario(settings, "en")
        values = {name: getattr(settings.settings, name) for name in Settings.__dataclass_fields__}
        # A learner reads and writes orders; that None stands for the scenario's own is our affair.
        for name in ("keyword", "semantic", "day"):
            if values[name] is None:
                values[name] = getattr(scenario, name)
        return {"scenario": settings.scenario, **values}

    def _picture(self, settings: Shown, lang: str) -> dict[str, Any]:
        scenario = _scenario(settings, lang)
        steps = walk(scenario, settings.settings)
        return {
            "story": asdict(tell(scenario, settings.settings, steps, lang)),
            "controls": _controls(settings, scenario, steps, lang),
            "call": _arguments(settings, lang),
            "ui": {**lookup("player", lang), "enough": say("walk.column.enough", lang)},
        }

    def _text(self) -> str:
        return forms.text(self.story, self.step)

    def _html(self) -> str:
        return forms.html(self.story, self.step)


def _step(value: Any) -> int:
    return checks.whole(value, "step", minimum=1, maximum=STEPS)


def _switch(value: Any) -> bool:
    return checks.one_of(value, "predict", (True, False))


def _scenario(shown: Shown, lang: str) -> Scenario:
    return built_in(shown.scenario, lang) if isinstance(shown.scenario, str) else shown.scenario


def _worked_out(shown: Shown, changes: Mapping[str, Any], lang: str) -> Mapping[str, Any]:
    """Return settings for what a button asks for: exchange, move_keyword, move_semantic, toggle.

    A button knows the lists as they were shown; what it means for them is worked out here, from what
    they are when its turn comes. Where a passage is no longer there, it means nothing.
    """
    if len(changes) != 1:
        return changes
    scenario, settings = _scenario(shown, lang), shown.settings
    orders = {name: list(_order(settings, scenario, name)) for name in ("keyword", "semantic")}
    match dict(changes):
        case {"exchange": True}:
            return {"keyword": orders["semantic"], "semantic": orders["keyword"]}
        case {"move_keyword": [str(id), int(by)]}:
            return {"keyword": _moved(orders["keyword"], id, by)}
        case {"move_semantic": [str(id), int(by)]}:
            return {"semantic": _moved(orders["semantic"], id, by)}
        case {"toggle": str(id)}:
            return {"removed": sorted({*settings.removed} ^ ({id} & {*scenario.candidates}))}
    return changes


def _moved(order: list[str], id: str, by: int) -> list[str]:
    """Return ``order`` with one id so many places down, as far as there are places."""
    if id not in order:
        return order
    rest = [other for other in order if other != id]
    rest.insert(max(order.index(id) + by, 0), id)
    return rest


def _changed(shown: Shown, changes: Mapping[str, Any], lang: str) -> Shown:
    """Return what is shown after ``changes``, checked against the scenario.

    Another scenario starts from its own orders; the other settings stay unless they are named.
    """
    rest = dict(changes)
    scenario = rest.pop("scenario", shown.scenario)
    settings = shown.settings
    if unknown := rest.keys() - Settings.__dataclass_fields__.keys():
        allowed = ", ".join(["scenario", *Settings.__dataclass_fields__])
        raise Refused("no_setting", found=repr(min(unknown)), allowed=allowed)
    if not isinstance(scenario, Scenario):
        built_in(scenario, lang)  # refuses a name that there is none of
    if scenario != shown.scenario:
        settings = settings.changed(keyword=None, semantic=None, removed=(), day=None)
    settings = settings.changed(**rest)
    own = _own_lists(scenario, settings) if "scenario" in changes else None
    if own:
        scenario, settings = own, settings.changed(keyword=None, semantic=None)
    made = Shown(scenario, settings)
    settings.check_for(_scenario(made, lang))
    return replace(made, settings=_without_defaults(settings, _scenario(made, lang)))


def _own_lists(scenario: Any, settings: Settings) -> Scenario | None:
    """Return a scenario of two lists that are none of F29's, or ``None`` if they are F29's."""
    known = built_in("f29").candidates
    if scenario != "f29":
        return None
    strange = [
        name for name in ("keyword", "semantic") if set(getattr(settings, name) or ()) - set(known)
    ]
    if not strange:
        return None
    if settings.keyword is None or settings.semantic is None:
        raise Refused("both_lists", field=strange[0], found=strange[0])
    return Scenario(keyword=settings.keyword, semantic=settings.semantic)


def _without_defaults(settings: Settings, scenario: Scenario) -> Settings:
    """Return the settings with ``None`` where they say what the scenario says anyway."""
    same = {
        name: None
        for name in ("keyword", "semantic", "day")
        if getattr(settings, name) == getattr(scenario, name)
    }
    return settings.changed(**same) if same else settings


def _arguments(shown: Shown, lang: str) -> list[str]:
    """Return the arguments that differ from the defaults, as Python source."""
    arguments: list[str] = []
    differing = shown.settings.differing()
    if isinstance(shown.scenario, str):
        if shown.scenario != "f29":
            arguments.append(repr(shown.scenario))
    elif shown.scenario == _named_by_lists(shown.scenario) and not {"keyword", "semantic"} & set(
        differing
    ):
        lists = {"keyword": shown.scenario.keyword, "semantic": shown.scenario.semantic}
        differing = {**lists, **differing}
    else:
        arguments.append(_source(shown.scenario))
    if lang != "en":
        arguments.append(f"lang={lang!r}")
    for name, value in differing.items():
        plain = value.isoformat() if isinstance(value, date) else value
        arguments.append(f"{name}={list(plain) if isinstance(plain, tuple) else plain!r}")
    return arguments


def _named_by_lists(scenario: Scenario) -> Scenario | None:
    """Return the scenario that two lists alone would name: ``None`` if that is F29."""
    orders = Settings(keyword=scenario.keyword, semantic=scenario.semantic)
    return _own_lists("f29", orders)


def _source(value: Any) -> str:
    """Return the Python source of a scenario, or of a part of it, without what is at its default."""
    if isinstance(value, tuple):
        return f"({', '.join(_source(item) for item in value)}{',' if len(value) == 1 else ''})"
    if isinstance(value, date):
        return repr(value.isoformat())  # what is given as text needs no import where it is pasted
    if not is_dataclass(value):
        return repr(value)
    arguments = [
        f"{field.name}={_source(given)}"
        for field in fields(value)
        if (given := getattr(value, field.name)) != field.default
    ]
    return f"{type(value).__name__}({', '.join(arguments)})"


def _controls(shown: Shown, scenario: Scenario, steps: Walk, lang: str) -> dict[str, Any]:
    """Return the state of every control: its value, its range, and what it cannot change here."""
    settings = shown.settings
    flips = steps.fused.flips
    day = settings.day or scenario.day
    return {
        "lists": {
            name: [
                {
                    "id": id,
                    "label": scenario.passage(id).label or short(id),
                    "out": id in settings.removed,
                }
                for id in _order(settings, scenario, name)
            ]
            for name in ("keyword", "semantic")
        },
        "k": {
            "value": settings.k,
            "max": LARGEST_K,
            "note": say(f"player.note.{_k_note(steps)}", lang),
            "flips": bool(flips),
        },
        "rerank": settings.rerank,
        "depth": {"value": settings.depth, "max": LARGEST_DEPTH},
        "budget": {"value": settings.budget, "max": LARGEST_BUDGET},
        "check": settings.check,
        "noise": {"value": settings.noise, "max": MOST_NOISE},
        "swaps": {"value": settings.swaps, "max": MOST_NOISE},
        "seed": {"value": settings.seed, "max": LARGEST_SEED},
        "day": {"value": day.isoformat() if day else "", "able": bool(scenario.conditions)},
        "scenario": shown.scenario if isinstance(shown.scenario, str) else "",
        "scenarios": [[name, say(f"player.scenario.{name}", lang)] for name in SCENARIOS],
        "notes": _notes(settings, scenario, steps, lang),
        "defaults": {"scenario": "f29", **asdict(Settings())},
    }


def _order(settings: Settings, scenario: Scenario, name: str) -> Sequence[str]:
    chosen = getattr(settings, name)
    return getattr(scenario, name) if chosen is None else chosen  # type: ignore[no-any-return]


def _k_note(steps: Walk) -> str:
    if not steps.fused.fusion.rows:
        return "k_nothing"
    return "k_flips" if steps.fused.flips else "k_only_gaps"


def _notes(settings: Settings, scenario: Scenario, steps: Walk, lang: str) -> dict[str, str]:
    """Say of each control that changes nothing here why it does not."""
    notes: dict[str, str] = {}
    lists = _lists(steps.searched)
    if not scenario.conditions:
        for name in ("budget", "check", "day"):
            notes[name] = say("player.note.needs_conditions", lang)
    elif steps.checked.day is None:
        notes["budget"] = notes["check"] = say("player.note.needs_day", lang)
    if not any(passage.rerank_score is not None for passage in scenario.passages):
        notes["rerank"] = notes["depth"] = say("player.note.needs_scores", lang)
    elif not settings.rerank:
        notes["depth"] = say("player.note.rerank_off", lang)
    elif len(steps.reranked.read) == len(steps.reranked.order):
        notes["depth"] = say("player.note.all_read", lang, n=len(steps.reranked.order))
    if not steps.reranked.order:
        nothing = say("player.note.nothing_there", lang)
        notes |= dict.fromkeys(("rerank", "depth", "budget", "check", "day"), nothing)
    if settings.noise == 0 and settings.swaps == 0:
        notes["seed"] = say("player.note.no_noise", lang)
    elif settings.seed > 0 and lists == _lists(
        search(scenario, replace(settings, seed=settings.seed - 1))
    ):
        notes["seed"] = say(
            "player.note.same_draw", lang, n=settings.seed, before=settings.seed - 1
        )
    if max(map(len, lists)) < 2:
        notes["swaps"] = say("player.note.nothing_to_swap", lang)
    elif max(map(len, lists)) == 2 and settings.swaps and settings.swaps % 2 == 0:
        notes["swaps"] = say("player.note.swaps_of_two", lang)
    elif settings.swaps and lists == _lists(search(scenario, replace(settings, swaps=0))):
        notes["swaps"] = say("player.note.swaps_cancel", lang)
    return notes


def _lists(searched: Searched) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return searched.keyword.ids, searched.semantic.ids
