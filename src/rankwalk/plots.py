"""Figures with matplotlib, and the fonts that show a language's characters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

from rankwalk.fusion import Fusion
from rankwalk.lessons.edits import Response
from rankwalk.messages import check_language, say
from rankwalk.metrics import Metric

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from rankwalk.lessons.funnel import Point


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


# Grey prints and colour-blind eyes tell the lists apart by their hatches.
HATCHES = ("", "///", "...", "xxx")
COLOURS = ("#0b62b0", "#e8a066", "#0a7150", "#7b3fa0")


def contribution_bars(fusion: Fusion, lang: str = "en") -> Figure:
    """Draw what each list adds to each candidate's score, to scale and with the gaps enlarged.

    Args:
        fusion: what `rankwalk.explain_rrf` returned.
        lang: the language of the labels.

    Returns:
        A figure with two panels: bars from 0, and the same bars shown from just below the lowest score.
    """
    import matplotlib.pyplot as plt

    use_language_font(lang)
    figure, panels = plt.subplots(1, 2, figsize=(9, 0.8 + 0.55 * len(fusion.rows)), sharey=True)
    scores = [float(row.score) for row in fusion.rows]
    low = min(scores) - 0.25 * (max(scores) - min(scores) or max(scores))
    for axes in panels:
        left = [0.0] * len(fusion.rows)
        for number, name in enumerate(fusion.names):
            terms = [float(row.terms[number]) for row in fusion.rows]
            axes.barh(
                range(len(fusion.rows)), terms, left=left, label=name, edgecolor="black",
                color=COLOURS[number % len(COLOURS)], hatch=HATCHES[number % len(HATCHES)],
            )  # fmt: skip
            left = [start + term for start, term in zip(left, terms, strict=True)]
        axes.set_xlabel(say("byhand.figure.score", lang))
        axes.locator_params(axis="x", nbins=5)
    panels[0].set_yticks(range(len(fusion.rows)), [row.id for row in fusion.rows])
    panels[0].invert_yaxis()
    panels[0].set_ylabel(say("byhand.figure.candidate", lang))
    panels[0].set_title(say("byhand.figure.bars", lang, k=fusion.k), fontsize="medium")
    panels[1].set_xlim(low, max(scores) + 0.1 * (max(scores) - low))
    panels[1].set_title(say("byhand.figure.gaps", lang, low=f"{low:.4f}"), fontsize="medium")
    figure.legend(
        *panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=len(fusion.names)
    )
    figure.set_layout_engine("constrained")
    return figure


def score_curves(
    cases: Sequence[tuple[Sequence[int | None], Sequence[int | None]]], lang: str = "en"
) -> Figure:
    """Draw, for pairs of candidates, the ratio of their scores over k, with every flip marked.

    Args:
        cases: pairs of ranks, A's and B's; ``None`` where a list lacks a candidate.
        lang: the language of the labels.
    """
    import matplotlib.pyplot as plt

    from rankwalk.flips import flip_points, score

    use_language_font(lang)
    figure, axes = plt.subplots(figsize=(9, 4.2), layout="constrained")
    ks = [Fraction(0), *(Fraction(f"{10 ** (step / 20 - 1):.6g}") for step in range(101))]
    for number, (a, b) in enumerate(cases):
        ratios = [float(score(a, k) / score(b, k)) for k in ks]
        label = say("byhand.figure.curves", lang, a=_ranks(a), b=_ranks(b))
        style = ("-", "--", "-.", ":")[number % 4]
        colour = COLOURS[number % len(COLOURS)]
        axes.plot([float(k) + 1 for k in ks], ratios, style, color=colour, label=label)
        for point in flip_points(a, b):
            axes.plot([float(point) + 1], [1.0], "o", color=colour)
            text = say("byhand.figure.flip", lang, k=f"{float(point):.4g}")
            axes.annotate(
                text, (float(point) + 1, 1.0), xytext=(6, 14 if number % 2 else -18),
                textcoords="offset points", fontsize="small",
            )  # fmt: skip
    axes.axhline(1, color="grey", linewidth=0.8)
    axes.axvline(60 + 1, color="grey", linewidth=0.8, linestyle=":")
    axes.set_xscale("log")  # of k + 1, so that k = 0 has a place
    shown = [0, 1, 2, 10, 60, 1000, 10_000]
    axes.set_xticks([k + 1 for k in shown], [f"{k:,}" for k in shown])
    axes.minorticks_off()
    axes.set_xlim(1, shown[-1] + 1)
    axes.set_xlabel(say("byhand.figure.k", lang))
    axes.set_ylabel(say("byhand.figure.ratio", lang))
    axes.legend(fontsize="small")
    return figure


def _ranks(ranks: Sequence[int | None]) -> str:
    return "(" + ", ".join("–" if rank is None else str(rank) for rank in ranks) + ")"


def noise_response(found: Mapping[Metric, Sequence[Response]], n: int, lang: str = "en") -> Figure:
    """Draw how each metric answers to the amount of noise: the median, and the quartiles as a band.

    Args:
        found: what `rankwalk.lessons.edits.respond` returned.
        n: the cutoff.
        lang: the language of the labels.
    """
    import matplotlib.pyplot as plt

    use_language_font(lang)
    figure, panels = plt.subplots(1, len(found), figsize=(10, 3), sharey=True, layout="constrained")
    for number, (metric, rows) in enumerate(found.items()):
        axes = panels[number]
        amounts = [row.noise for row in rows]
        axes.fill_between(
            amounts, [row.low for row in rows], [row.high for row in rows], color="#c9d6e3"
        )
        axes.plot(amounts, [row.median for row in rows], "o-", color=COLOURS[0])
        axes.set_title(say(f"measure.metric.{metric}", lang, n=n), fontsize="medium")
        axes.set_ylim(-0.03, 1.03)
    figure.supxlabel(say("measure.figure.noise", lang), fontsize="medium")
    figure.supylabel(say("measure.figure.value", lang), fontsize="small")
    return figure


def recall_latency(points: Sequence[Point], lang: str) -> Figure:
    """Draw recall against latency, with the depth beside each point and the knee marked.

    Args:
        points: as `rankwalk.lessons.funnel.recall_against_latency` gives them.
        lang: the language of its words.
    """
    import matplotlib.pyplot as plt

    from rankwalk.lessons.funnel import knee

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
