"""Figures with matplotlib: the fonts that show a language's characters."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from rankwalk.messages import check_language, say

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from rankwalk.funnel import Point


def use_language_font(lang: str = "en") -> None:
    """Let every figure from now on show English and Chinese text, whatever fonts a machine has.

    matplotlib's own DejaVu Sans has no Chinese characters, and draws boxes in their place. The Noto
    Sans SC that comes with the extra ``figures`` has them; matplotlib takes from the second font what
    the first one lacks. This sets ``font.family`` for the session, not for a block of code, because
    a notebook draws a figure, and its tick labels, after the cell has run.

    Args:
        lang: the language that most text is in: its font comes first, so that Latin letters
            and figures beside Chinese characters have the same weight.

    Raises:
        Refused: a `ValueError`, if there is no catalogue for ``lang``.
    """
    import matplotlib as mpl

    latin, chinese = "DejaVu Sans", _chinese_font()
    order = [chinese, latin] if check_language(lang) == "zh" else [latin, chinese]
    mpl.rcParams["font.family"] = order


@cache
def _chinese_font() -> str:
    """Make the font file known to matplotlib, once, and return the name of its family."""
    from matplotlib.font_manager import FontProperties, fontManager
    from pylopdf_fonts_zh_cn import sans_path

    file = sans_path()
    fontManager.addfont(file)
    return FontProperties(fname=file).get_name()


def recall_latency(points: Sequence[Point], lang: str) -> Figure:
    """Draw recall against latency, with the depth beside each point and the knee marked.

    Args:
        points: as `rankwalk.funnel.recall_against_latency` gives them.
        lang: the language of its words.
    """
    import matplotlib.pyplot as plt

    from rankwalk.funnel import knee

    use_language_font(lang)
    figure, axes = plt.subplots(figsize=(7, 3.6), layout="constrained")
    times = [point.latency_ms for point in points]
    # Line style and marker tell the two apart in grey print too.
    for shares, style, marker, key in (
        ([point.retrieved for point in points], "--", "s", "rerank.funnel.retrieved"),
        ([point.kept_in_context for point in points], "-", "o", "rerank.funnel.kept"),
    ):
        percent = [100 * share for share in shares]
        axes.plot(
            times, percent, linestyle=style, marker=marker, markersize=4, label=say(key, lang)
        )
    for point in points:
        axes.annotate(
            str(point.depth),
            (point.latency_ms, 100 * point.kept_in_context),
            textcoords="offset points",
            xytext=(3, -12),
            fontsize=8,
        )
    rule = knee(points)
    axes.plot(
        [rule.latency_ms],
        [100 * rule.kept_in_context],
        linestyle="none",
        marker="o",
        markersize=13,
        markerfacecolor="none",
        markeredgecolor="black",
        label=say("rerank.figure.knee", lang, depth=rule.depth),
    )
    axes.set_xlabel(say("rerank.funnel.chart_x", lang))
    axes.set_ylabel(say("rerank.funnel.chart_y", lang))
    axes.set_ylim(0, 105)
    axes.set_xlim(left=0)
    axes.set_title(say("rerank.figure.title", lang))
    axes.grid(alpha=0.3)
    axes.legend(loc="lower right")
    return figure
