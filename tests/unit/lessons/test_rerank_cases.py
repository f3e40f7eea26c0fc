import asyncio

import pytest

from rankwalk.lessons.rerank_cases import (
    DEPTH_QUESTION,
    OTHER_WORDS,
    OWN_WORDS,
    ask,
    before_after,
    complaints,
    fates_by_depth,
    passages,
    question,
)
from rankwalk.messages import languages, lookup
from rankwalk.pipeline import Fate, PipelineSettings
from rankwalk.rerank import OverlapReranker, SlowRerankProvider
from rankwalk.terms import terms

LANGS = languages()


@pytest.mark.parametrize("lang", LANGS)
def test_labels_name_passages_and_questions_that_there_are(lang):
    known = passages(lang)
    for name, needed in {**OWN_WORDS, **OTHER_WORDS}.items():
        assert needed in known
        assert question(name, lang)
    assert all(words.strip() for words in lookup("rerank.handbook.concepts", lang).values())


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("metric", ["reciprocal_rank_at_k", "ndcg_at_k"])
def test_the_reranker_helps_on_one_set_and_harms_on_the_other(lang, metric):
    helped = before_after(OWN_WORDS, lang)
    harmed = before_after(OTHER_WORDS, lang)
    assert helped.after.means[metric] > helped.before.means[metric]
    assert harmed.after.means[metric] < harmed.before.means[metric]
    assert helped.before.counted[metric] == len(OWN_WORDS)


@pytest.mark.parametrize("lang", LANGS)
def test_the_run_that_is_measured_has_the_order_that_was_served(lang):
    result = before_after(OWN_WORDS, lang, k=5)
    for name, needed in OWN_WORDS.items():
        order = result.orders_after[name]
        expected = 1 / (order.index(needed) + 1) if needed in order else 0.0
        assert result.after.per_query[name]["reciprocal_rank_at_k"] == expected


@pytest.mark.parametrize("lang", LANGS)
def test_every_complaint_has_a_fate_of_its_own(lang):
    fates = {complaint.id: complaint.fate for complaint in complaints(lang)}
    assert fates == {
        "C1": Fate.NOT_RETRIEVED,
        "C2": Fate.LOST_IN_FUSION,
        "C3": Fate.PUT_LAST,
        "C4": Fate.NOT_RERANKED,
        "C5": Fate.SERVED,
    }


@pytest.mark.parametrize("lang", LANGS)
def test_the_fourth_complaint_would_not_have_come_up_with_the_reranker(lang):
    complaint = complaints(lang)[3]
    assert complaint.needed_notes["keyword_rank"]
    again = ask(complaint.question, lang, OverlapReranker(), limit=complaint.limit)
    assert again.fate(complaint.needed) is Fate.SERVED


@pytest.mark.parametrize("lang", LANGS)
def test_what_was_not_retrieved_cannot_be_reranked(lang):
    fates = fates_by_depth(*DEPTH_QUESTION, lang)
    assert fates[6] is Fate.SERVED
    assert fates[1] is Fate.NOT_RETRIEVED
    found = [fates[depth] is Fate.SERVED for depth in sorted(fates)]
    assert found == sorted(found)  # once it is found, more depth does not lose it


def test_ask_works_inside_a_running_loop_and_a_slow_reranker_costs_no_time():
    settings = PipelineSettings(rerank_timeout_s=2, on_rerank_timeout="degrade", deadline_s=3600)

    async def notebook():
        return ask("password", "en", SlowRerankProvider(OverlapReranker(), 3000), settings)

    result = asyncio.run(notebook())
    assert result.degraded
    assert result.timings["rerank"] == pytest.approx(2000)


@pytest.mark.parametrize("lang", LANGS)
def test_passages_are_read_as_the_language_is(lang):
    first = terms(passages(lang)["P1"])
    assert (max(map(len, first)) > 2) is (lang == "en")
