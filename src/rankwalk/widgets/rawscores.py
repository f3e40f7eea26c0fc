"""Why raw scores cannot be added: four ways to fuse two lists, and a scale."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from rankwalk import checks, tables
from rankwalk.lessons.rawscores import EXAMPLES, METHODS, Ranked, scaled
from rankwalk.messages import lookup, say
from rankwalk.widgets.base import Setting, css, esm
from rankwalk.widgets.flips import paragraphs
from rankwalk.widgets.plain import PlainStage

SMALLEST, LARGEST = 0.001, 1000


@dataclass(frozen=True, slots=True)
class RawSettings:
    """The example and the scale.

    Attributes:
        example: ``"two_scales"`` or ``"margin"``.
        scale: what the keyword scores are multiplied by, 0.001 to 1000.
    """

    example: str = "two_scales"
    scale: float = 1

    def __post_init__(self) -> None:
        scale = checks.between(self.scale, "scale", minimum=SMALLEST, maximum=LARGEST)
        object.__setattr__(self, "example", checks.one_of(self.example, "example", EXAMPLES))
        object.__setattr__(self, "scale", scale)


class RawScores(PlainStage):
    """Multiply the keyword scores and see which way of fusing changes its mind.

    Args:
        lang: ``"en"`` or ``"zh"``.
        example: ``"two_scales"`` or ``"margin"``.
        scale: what the keyword scores are multiplied by.

    Raises:
        SettingError: a `ValueError` that says what was wrong and what is allowed.
    """

    name = "rawscores"
    _esm = esm(name)
    _css = css(name)
    settings_type = RawSettings

    example = Setting()
    scale = Setting()

    @property
    def sentences(self) -> list[str]:
        """What the present scale changes, and what it leaves alone."""
        found: list[str] = self._view["sentences"]
        return found

    def _picture(self, settings: RawSettings, lang: str) -> dict[str, Any]:
        example = EXAMPLES[settings.example]
        lists = scaled(example, settings.scale)
        before = {name: fuse(scaled(example)) for name, fuse in METHODS.items()}
        after = {name: fuse(lists) for name, fuse in METHODS.items()}
        return {
            "lists": {
                "head": [
                    say(f"byhand.raw.{name}", lang) for name in ("doc", "keyword", "semantic")
                ],
                "rows": [
                    [id, f"{float(lists[0][id]):.4g}", str(float(lists[1][id]))]
                    for id in sorted(lists[0])
                ],
            },
            "methods": {
                "head": [say(f"byhand.raw.{name}", lang) for name in ("method", "order", "scores")],
                "rows": [
                    [say(f"byhand.raw.{name}", lang), order(after[name]), numbers(after[name])]
                    for name in METHODS
                ],
            },
            "sentences": (told := sentences(settings, before, after, lang)),
            "said": " ".join(told),
            "values": {"example": settings.example, "scale": float(settings.scale)},
            "smallest": SMALLEST,
            "largest": LARGEST,
            "examples": [[name, say(f"byhand.raw.example.{name}", lang)] for name in EXAMPLES],
            "ui": lookup("byhand.raw", lang) | lookup("byhand.ui", lang),
        }

    def _text(self) -> str:
        view = self._view
        return "\n".join(
            [
                tables.text(**view["lists"]), "", tables.text(**view["methods"]), "",
                *view["sentences"],
            ]
        )  # fmt: skip

    def _html(self) -> str:
        view = self._view
        return (
            f'<div lang="{self.lang}">{tables.html(**view["lists"])}{tables.html(**view["methods"])}'
            f"{paragraphs([*view['sentences'], view['ui']['scope']])}</div>"
        )


def order(ranked: Ranked) -> str:
    """Return the ids in order, with ``=`` between those whose scores are equal."""
    shown = ""
    for index, (id, score) in enumerate(ranked):
        if index:
            shown += " = " if score == ranked[index - 1][1] else " > "
        shown += id
    return shown


def numbers(ranked: Ranked) -> str:
    """Return each id with its score."""
    return "  ".join(f"{id} {score:.5g}" for id, score in ranked)


def sentences(
    settings: RawSettings, before: dict[str, Ranked], after: dict[str, Ranked], lang: str
) -> list[str]:
    """Say which methods put the documents in another order than at scale 1, and which do not."""

    def names(found: list[str]) -> str:
        comma = say("byhand.ui.comma", lang)
        return comma.join(say(f"byhand.raw.{name}", lang) for name in found)

    changed = [name for name in METHODS if order(before[name]) != order(after[name])]
    told = []
    if Decimal(str(settings.scale)) == 1:
        told.append(say("byhand.raw.at_1", lang))
    elif changed:
        told.append(say("byhand.raw.changed", lang, methods=names(changed)))
    else:
        told.append(say("byhand.raw.unchanged", lang))
    kept = [name for name in METHODS if name not in changed]
    if kept and Decimal(str(settings.scale)) != 1:
        told.append(say("byhand.raw.kept", lang, methods=names(kept)))
    if settings.example == "margin":
        told.append(say("byhand.raw.margin", lang))
    return told
