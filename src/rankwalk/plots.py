"""Figures with matplotlib: the fonts that show a language's characters."""

from __future__ import annotations

from functools import cache

from rankwalk.messages import check_language


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
