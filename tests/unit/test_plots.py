"""The fonts of figures: no character that the project shows may be a box."""

from __future__ import annotations

import io
import tomllib
from collections.abc import Iterator
from pathlib import Path

import matplotlib as mpl
import pytest
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, fontManager

import rankwalk
from rankwalk.messages import Refused, languages
from rankwalk.plots import use_language_font

CATALOGUES = Path(rankwalk.__file__).parent / "locale"
COMMON = "检索排名证据够不够，先猜再看：倒数排名融合“重排”；版本、条件——√×≥≤−→←↑↓…①②③½"


@pytest.fixture(autouse=True)
def _own_settings() -> Iterator[None]:
    with mpl.rc_context():
        yield


def texts(entry: object) -> Iterator[str]:
    """Yield every text in a catalogue, however deep."""
    if isinstance(entry, dict):
        for value in entry.values():
            yield from texts(value)
    elif isinstance(entry, list):
        for value in entry:
            yield from texts(value)
    else:
        yield str(entry)


def draw(text: str) -> None:
    """Draw a text. matplotlib warns of a missing glyph, and pytest makes every warning an error."""
    figure = Figure()
    # parse_math: a dollar sign is a dollar sign here.
    figure.text(0, 0, text, parse_math=False)
    figure.savefig(io.BytesIO(), format="png")


def test_a_font_without_chinese_is_noticed() -> None:
    mpl.rcParams["font.family"] = ["DejaVu Sans"]
    with pytest.warns(UserWarning, match=r"[Gg]lyph .* missing"):
        draw("检")


@pytest.mark.parametrize("lang", languages())
def test_no_glyph_is_missing_from_common_text(lang: str) -> None:
    use_language_font(lang)
    draw(COMMON)


@pytest.mark.parametrize(
    "file", sorted(CATALOGUES.rglob("*.toml")), ids=lambda file: f"{file.parent.name}-{file.stem}"
)
def test_no_glyph_is_missing_from_the_catalogues(file: Path) -> None:
    catalogue = tomllib.loads(file.read_text(encoding="utf-8"))
    characters = sorted({c for text in texts(catalogue) for c in text if c.isprintable()})
    assert characters
    use_language_font(file.parent.name)
    draw("".join(characters))


@pytest.mark.parametrize(("lang", "first"), [("en", "DejaVu Sans"), ("zh", "Noto Sans SC")])
def test_the_language_of_the_text_comes_first(lang: str, first: str) -> None:
    use_language_font(lang)
    assert FontProperties().get_family()[0] == first


def test_tick_labels_drawn_after_the_cell_have_glyphs_too() -> None:
    use_language_font("zh")
    figure = Figure()
    axes = figure.subplots()
    axes.bar(["关键词", "语义"], [1, 2])
    figure.savefig(io.BytesIO(), format="svg")


def test_calling_twice_registers_the_font_once() -> None:
    use_language_font("zh")
    known = len(fontManager.ttflist)
    use_language_font("en")
    use_language_font("zh")
    assert len(fontManager.ttflist) == known


def test_an_unknown_language_is_refused_and_changes_nothing() -> None:
    before = list(mpl.rcParams["font.family"])
    with pytest.raises(Refused):
        use_language_font("fr")
    assert list(mpl.rcParams["font.family"]) == before
