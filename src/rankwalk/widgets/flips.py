"""Two candidates' ranks in two lists: at which RRF k do they change places, or never?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import log10
from typing import Any

from rankwalk import checks, tables
from rankwalk.flips import Stretch, lead_at, limit, score, stretches
from rankwalk.messages import Refused, lookup, say
from rankwalk.widgets.base import Setting, css, esm
from rankwalk.widgets.plain import PlainStage

LISTS = 2
LARGEST_RANK = 1000
AXIS_END = 10_000
TICKS = (0, 1, 10, 60, 1000, AXIS_END)
SHOWN_K = (0, 1, 2, 10, 60, 1000)

PRESETS: tuple[tuple[tuple[int | None, ...], tuple[int | None, ...]], ...] = (
    ((1, 4), (2, 2)),
    ((1, 8), (3, 3)),
    ((1, 40), (15, 16)),
    ((1, None), (3, 3)),
    ((6, 39), (12, 28)),
    ((1, 3), (2, 2)),
)


@dataclass(frozen=True, slots=True)
class FlipSettings:
    """The ranks of two candidates.

    Attributes:
        first: the ranks of A, one for each of two lists, ``None`` where the list lacks it.
        second: the ranks of B.
    """

    first: tuple[int | None, ...] = (1, 4)
    second: tuple[int | None, ...] = (2, 2)

    def __post_init__(self) -> None:
        for name in ("first", "second"):
            object.__setattr__(self, name, _ranks(getattr(self, name), name))


def _ranks(value: Any, name: str) -> tuple[int | None, ...]:
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise Refused("not_ranks", field=name, where=name, found=checks.shown(value))
    ranks = tuple(value)
    if len(ranks) != LISTS:
        raise Refused("one_each", field=name, where=name, found=len(ranks), lists=LISTS)
    return tuple(
        None
        if rank is None
        else checks.whole(rank, f"{name}[{index}]", minimum=1, maximum=LARGEST_RANK, field=name)
        for index, rank in enumerate(ranks)
    )


class FlipFinder(PlainStage):
    """Give two candidates' ranks and see where, or that never, they change places.

    Args:
        lang: ``"en"`` or ``"zh"``.
        first: the ranks of A in the two lists; ``None`` where a list lacks it.
        second: the ranks of B.

    Raises:
        SettingError: a `ValueError` that says what was wrong and what is allowed.
    """

    name = "flips"
    _esm = esm(name)
    _css = css(name)
    settings_type = FlipSettings

    first = Setting()
    second = Setting()

    def _picture(self, settings: FlipSettings, lang: str) -> dict[str, Any]:
        found = stretches(settings.first, settings.second)
        points = [stretch.low for stretch in found[1:]]
        return {
            "sentences": (told := sentences(settings, lang)),
            "said": " ".join(told),
            "stretches": [
                {
                    "lead": stretch.lead,
                    "from": position(stretch.low),
                    "to": 1.0 if stretch.high is None else position(stretch.high),
                    "words": say(f"byhand.flips.lead.{stretch.lead}", lang),
                }
                for stretch in found
            ],
            "marks": [{"at": position(point), "text": equals(point)} for point in points],
            "ticks": [{"at": position(Fraction(k)), "text": f"{k:,}"} for k in TICKS],
            "head": _head(lang),
            "rows": _rows(settings, points, lang),
            "presets": [
                {"first": list(a), "second": list(b), "text": f"{_pair(a)} · {_pair(b)}"}
                for a, b in PRESETS
            ],
            "values": {"first": list(settings.first), "second": list(settings.second)},
            "largest": LARGEST_RANK,
            "ui": lookup("byhand.flips", lang) | lookup("byhand.ui", lang),
        }

    def _text(self) -> str:
        view = self._view
        return "\n".join([*view["sentences"], "", tables.text(view["head"], view["rows"])])

    def _html(self) -> str:
        view = self._view
        return (
            f'<div lang="{self.lang}">{paragraphs(view["sentences"])}'
            f"{tables.html(view['head'], view['rows'])}"
            f"{paragraphs([view['ui']['scope']])}</div>"
        )


def paragraphs(texts: Iterable[str]) -> str:
    """Return each text as a paragraph of HTML."""
    from html import escape

    return "".join(f"<p>{escape(text)}</p>" for text in texts)


def position(k: Fraction | float) -> float:
    """Return the place of ``k`` on the axis, 0 to 1: logarithmic, begun so that 0 has a place."""
    return min(1.0, log10(float(k) + 1) / log10(AXIS_END + 1))


def shown(k: Fraction | float) -> str:
    """Return a flip as a fraction where it is one, else rounded and marked so."""
    if isinstance(k, Fraction):
        return str(k) if k.denominator == 1 else f"{k} ≈ {float(k):.4g}"
    return f"≈ {k:.5g}"


def equals(k: Fraction | float) -> str:
    """Return ``k = 2``, or ``k ≈ 55.5`` where the flip is no fraction."""
    return f"k = {shown(k)}" if isinstance(k, Fraction) else f"k {shown(k)}"


def sentences(settings: FlipSettings, lang: str) -> list[str]:
    """Say who leads where, and what decides at both ends."""
    found = stretches(settings.first, settings.second)
    told = [_stretch(stretch, lang) for stretch in found]
    if len(found) == 1:
        told.append(say("byhand.flips.never", lang))
    at_0 = lead_at(settings.first, settings.second, 0)
    told.append(say("byhand.flips.at_0", lang, lead=say(f"byhand.flips.lead.{at_0}", lang)))
    end = limit(settings.first, settings.second)
    told.append(
        say(f"byhand.flips.by.{end.by}", lang, lead=say(f"byhand.flips.lead.{end.lead}", lang))
    )
    return told


def _stretch(stretch: Stretch, lang: str) -> str:
    lead = say(f"byhand.flips.lead.{stretch.lead}", lang)
    if stretch.high is None:
        if stretch.low == 0:
            return say("byhand.flips.everywhere", lang, lead=lead)
        return say("byhand.flips.above", lang, lead=lead, low=shown(stretch.low))
    if stretch.low == 0:
        return say("byhand.flips.below", lang, lead=lead, high=shown(stretch.high))
    return say(
        "byhand.flips.between", lang, lead=lead, low=shown(stretch.low), high=shown(stretch.high)
    )


def _pair(ranks: tuple[int | None, ...]) -> str:
    return "(" + ", ".join("–" if rank is None else str(rank) for rank in ranks) + ")"


def _head(lang: str) -> list[str]:
    return [say(f"byhand.flips.head.{name}", lang) for name in ("k", "a", "b", "lead")]


def _rows(settings: FlipSettings, points: list[Fraction | float], lang: str) -> list[list[str]]:
    rows = []
    for k in sorted({*map(Fraction, SHOWN_K), *points}):
        a, b = score(settings.first, k), score(settings.second, k)
        # At a flip that is no fraction the floats beside it differ in their last digit: it is a tie.
        lead = "tie" if k in points else lead_at(settings.first, settings.second, k)
        rows.append(
            [
                shown(k), f"{float(a):.7f}", f"{float(b):.7f}",
                say(f"byhand.flips.lead.{lead}", lang),
            ]
        )  # fmt: skip
    return rows
