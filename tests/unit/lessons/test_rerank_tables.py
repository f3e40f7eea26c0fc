import io

import matplotlib as mpl
import pytest

from rankwalk.lessons import rerank_tables as tables
from rankwalk.lessons.funnel import FunnelSettings, recall_against_latency
from rankwalk.lessons.rerank_cases import (
    DEPTH_QUESTION,
    OTHER_WORDS,
    OWN_WORDS,
    PROVIDERS,
    before_after,
    fates_by_depth,
)
from rankwalk.messages import languages
from rankwalk.plots import recall_latency
from rankwalk.rerank import RerankItem, RetrievedChunk

LANGS = languages()


@pytest.mark.parametrize("lang", LANGS)
def test_chunks_show_what_they_lack_as_lacking(lang):
    table = tables.chunks([RetrievedChunk("A", "t", 0.5, {"vector_rank": 2})], lang)
    assert table.rows == [["1", "A", "0.50000", "2", "–", "–", "–"]]


def test_reading_everything():
    assert tables.reading_everything((40, 1_000_000), "en").rows == [
        ["40", "0.4"],
        ["1,000,000", "10,000.0"],
    ]


@pytest.mark.parametrize("lang", LANGS)
def test_each_table_has_a_row_for_each_thing_it_is_about(lang):
    fates = fates_by_depth(*DEPTH_QUESTION, lang)
    assert len(tables.fates(fates, "P2", lang).rows) == len(fates)
    curve = recall_against_latency(FunnelSettings(questions=100), (1, 5))
    assert [row[0] for row in tables.points(curve, lang).rows] == ["1", "5"]
    assert len(tables.outcomes(lang).rows) == len(PROVIDERS)
    measured = before_after(OTHER_WORDS, lang)
    assert len(tables.means(measured, "x", lang).rows) == 3
    assert len(tables.places(measured, lang).rows) == len(OTHER_WORDS)
    sent = tables.sent([RerankItem("P1", "abc")], {"P1": "abcdef"}, lang)
    assert sent.rows == [["P1", "abc", "3 / 6"]]


@pytest.mark.parametrize("lang", LANGS)
def test_what_the_lesson_says_of_the_two_sets(lang):
    """The prose of lesson 4: better on one set, worse on the other, and P14 in front again and again."""
    own, other = (tables.places(before_after(q, lang), lang).rows for q in (OWN_WORDS, OTHER_WORDS))
    kinds = {row[-1] for row in own}
    assert {row[-1] for row in other} == {tables.say("rerank.table.worse", lang)}
    assert tables.say("rerank.table.worse", lang) not in kinds
    after = before_after(OTHER_WORDS, lang).orders_after
    assert sum(order[0] == "P14" for order in after.values()) > len(after) / 2


def test_what_the_lesson_says_of_depth_300():
    at = {p.depth: p for p in recall_against_latency(FunnelSettings(), (45, 300))}
    assert at[300].retrieved > at[45].retrieved
    assert at[300].kept_in_context < at[45].kept_in_context


@pytest.mark.parametrize("lang", LANGS)
def test_the_figure_has_a_glyph_for_everything_and_its_lines_are_the_numbers(lang):
    curve = recall_against_latency(FunnelSettings(questions=100), (1, 5, 30, 100))
    with mpl.rc_context({"backend": "agg"}):
        figure = recall_latency(curve, lang)
        figure.savefig(io.BytesIO(), format="png")  # a missing glyph warns, and a warning fails
        retrieved, kept, _ = figure.axes[0].lines
        mpl.pyplot.close(figure)
    assert list(kept.get_xdata()) == [point.latency_ms for point in curve]
    assert list(kept.get_ydata()) == [100 * point.kept_in_context for point in curve]
    assert list(retrieved.get_ydata()) == [100 * point.retrieved for point in curve]
    assert kept.get_linestyle() != retrieved.get_linestyle()  # colour is never the only sign
