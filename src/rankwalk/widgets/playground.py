"""Change a ranking and see which metrics notice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, get_args

from rankwalk import checks, tables
from rankwalk.lessons.edits import BASE, GRADES, LONGEST, Effect, add, effects, remove, swap
from rankwalk.messages import Refused, lookup, say
from rankwalk.metrics import Gain
from rankwalk.widgets.base import Setting, css, esm
from rankwalk.widgets.flips import paragraphs
from rankwalk.widgets.plain import PlainStage


@dataclass(frozen=True, slots=True)
class PlaySettings:
    """A ranking and how it is measured.

    Attributes:
        ranking: the ranking now: A to E, some of them taken out, and unrelated X1, X2, …
        before: the ranking before the last edit.
        n: the cutoff, 1 to 30.
        gain: the gain of nDCG.
    """

    ranking: tuple[str, ...] = BASE
    before: tuple[str, ...] = BASE
    n: int = 3
    gain: Gain = "exponential"

    def __post_init__(self) -> None:
        for name in ("ranking", "before"):
            ids = checks.distinct(checks.ranking(getattr(self, name), name))
            if len(ids) > LONGEST:
                raise Refused(
                    "list_too_long", field=name, where=name, found=len(ids), maximum=LONGEST
                )
            object.__setattr__(self, name, ids)
        n = checks.whole(self.n, "n", minimum=1, maximum=LONGEST)
        object.__setattr__(self, "n", n)
        object.__setattr__(self, "gain", checks.one_of(self.gain, "gain", get_args(Gain)))


class MetricsPlayground(PlainStage):
    """Add unrelated documents, exchange neighbours, take a needed one out: what moves, what does not?

    ``w.set(edit=["add", "top"])``, ``["swap", 1]``, ``["remove", "A"]`` or ``["reset"]`` makes one edit,
    as the buttons do.

    Args:
        lang: ``"en"`` or ``"zh"``.
        ranking: the ranking to begin with.
        n: the cutoff.
        gain: ``"exponential"`` or ``"linear"``.

    Raises:
        SettingError: a `ValueError` that says what was wrong and what is allowed.
    """

    name = "playground"
    _esm = esm(name)
    _css = css(name)
    settings_type = PlaySettings

    ranking = Setting()
    before = Setting()
    n = Setting()
    gain = Setting()

    def _with(self, settings: PlaySettings, changes: Mapping[str, Any]) -> PlaySettings:
        rest = dict(changes)
        if "edit" in rest:
            edited = _edited(settings.ranking, rest.pop("edit"))
            before = BASE if edited == BASE else settings.ranking
            settings = replace(settings, ranking=edited, before=before)
        elif "ranking" in rest and "before" not in rest:
            # Read once: what was given may be an iterator.
            rest["ranking"] = rest["before"] = checks.ranking(rest["ranking"], "ranking")
        changed: PlaySettings = super()._with(settings, rest)
        return changed

    @property
    def told(self) -> str:
        """What the last edit moved, in words."""
        return str(self._view["said"])

    def _picture(self, settings: PlaySettings, lang: str) -> dict[str, Any]:
        last = effects(settings.before, settings.ranking, GRADES, settings.n, settings.gain)
        start = effects(BASE, settings.ranking, GRADES, settings.n, settings.gain)
        return {
            "places": [
                {
                    "id": id,
                    "needed": GRADES.get(id, 0) > 0,
                    "words": _grade(id, lang),
                    "within": place <= settings.n,
                }
                for place, id in enumerate(settings.ranking, start=1)
            ],
            "missing": [id for id in BASE if id not in settings.ranking],
            "head": [
                say(f"measure.play.head.{name}", lang)
                for name in ("metric", "start", "before", "now", "moved")
            ],
            "rows": [
                [
                    say(f"measure.metric.{now.metric}", lang, n=settings.n),
                    number(from_start.before, lang),
                    number(now.before, lang),
                    number(now.after, lang),
                    say(f"measure.moved.{now.moved}", lang),
                ]
                for from_start, now in zip(start, last, strict=True)
            ],
            "moved": [effect.moved for effect in last],
            "said": say("measure.play.no_edit", lang)
            if settings.ranking == settings.before
            else _told(last, settings.n, lang),
            "values": {"n": settings.n, "gain": settings.gain},
            "gains": [[gain, say(f"measure.gain.{gain}", lang)] for gain in get_args(Gain)],
            "longest": LONGEST,
            "ui": lookup("measure.play", lang) | lookup("measure.ui", lang),
        }  # fmt: skip

    def _text(self) -> str:
        view = self._view
        ranking = " ".join(place["id"] for place in view["places"])
        return "\n".join([ranking, "", tables.text(view["head"], view["rows"]), view["said"]])

    def _html(self) -> str:
        view = self._view
        places = [
            [str(place), row["id"], row["words"]]
            for place, row in enumerate(view["places"], start=1)
        ]
        head = [view["ui"][name] for name in ("place", "document", "judged")]
        return (
            f'<div lang="{self.lang}">{tables.html(head, places)}'
            f"{tables.html(view['head'], view['rows'])}"
            f"{paragraphs([view['said'], view['ui']['scope']])}</div>"
        )


def _edited(ranking: tuple[str, ...], edit: Any) -> tuple[str, ...]:
    """Make one edit; see `MetricsPlayground`."""
    if isinstance(edit, Sequence) and not isinstance(edit, str):
        match list(edit):
            case ["reset"]:
                return BASE
            case ["add", where]:
                return add(ranking, where)
            case ["swap", place]:
                return swap(ranking, place)
            case ["swap", str(upper), str(lower)]:  # a button's: it may have been late
                beside = (upper, lower) in pairwise(ranking)
                return swap(ranking, ranking.index(upper) + 1) if beside else ranking
            case ["remove", id]:
                return remove(ranking, id)
    raise Refused(
        "one_of",
        field="edit",
        where="edit",
        found=checks.shown(edit),
        allowed='["add", "top"], ["swap", 1], ["remove", "A"], ["reset"]',
    )


def number(value: float | None, lang: str) -> str:
    """Return a metric's value, or the word for undefined."""
    return say("measure.undefined", lang) if value is None else f"{value:.3f}"


def _grade(id: str, lang: str) -> str:
    if id not in GRADES:
        return say("measure.grade.unrelated", lang)
    return say(f"measure.grade.{('none', 'partly', 'fully')[GRADES[id]]}", lang)


def _told(found: tuple[Effect, ...], n: int, lang: str) -> str:
    """Say in words what the last edit moved and what it did not."""
    comma = say("measure.ui.comma", lang)

    def names(effects: list[Effect]) -> str:
        return comma.join(say(f"measure.metric.{effect.metric}", lang, n=n) for effect in effects)

    moved = [effect for effect in found if effect.moved != "same"]
    same = [effect for effect in found if effect.moved == "same"]
    if not moved:
        return say("measure.play.nothing_moved", lang)
    if not same:
        return say("measure.play.all_moved", lang)
    return say("measure.play.some_moved", lang, moved=names(moved), same=names(same))
