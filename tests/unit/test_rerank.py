import asyncio
import copy
import math
import pickle
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankwalk import rrf
from rankwalk.lessons.simulated_time import run
from rankwalk.messages import Refused, languages
from rankwalk.rerank import (
    NONSENSE,
    CrossEncoderReranker,
    FailingRerankProvider,
    NonsenseRerankProvider,
    OverlapReranker,
    RerankItem,
    RerankProtocolError,
    RerankResult,
    RerankTimeout,
    RetrievedChunk,
    SlowRerankProvider,
    apply_rerank,
    cut_around_matches,
    reciprocal_rank_fusion,
)
from rankwalk.terms import spans, terms


def chunks(**scores):
    return [RetrievedChunk(id, f"text of {id}", score) for id, score in scores.items()]


VECTOR = chunks(A=0.91, B=0.82, C=0.73)
KEYWORD = chunks(B=9, D=7, A=5)


# --- Chunks ---


def test_a_chunk_cannot_be_changed_and_does_not_see_later_changes_of_what_it_was_made_from():
    notes = {"a": 1}
    chunk = RetrievedChunk("A", "t", 1.0, notes)
    notes["a"] = 2
    assert chunk.diagnostics == {"a": 1}
    with pytest.raises(TypeError):
        chunk.diagnostics["a"] = 3
    with pytest.raises(AttributeError):
        chunk.score = 2.0
    noted = chunk.noted(score=2.0, b=3)
    assert noted.diagnostics == {"a": 1, "b": 3}
    assert (noted.score, chunk.score, dict(chunk.diagnostics)) == (2.0, 1.0, {"a": 1})


def test_a_chunk_can_be_copied_pickled_and_put_into_a_set():
    chunk = RetrievedChunk("A", "t", 1.0, {"a": [1]})
    for twin in (copy.copy(chunk), copy.deepcopy(chunk), pickle.loads(pickle.dumps(chunk))):
        assert twin == chunk
        assert isinstance(twin.diagnostics, MappingProxyType)
    assert len({chunk, copy.copy(chunk)}) == 1


@pytest.mark.parametrize("score", [math.nan, math.inf, True, "1", None])
def test_a_chunk_needs_a_finite_score(score):
    with pytest.raises(Refused, match="score"):
        RetrievedChunk("A", "t", score)


@pytest.mark.parametrize("id", ["", 7, None])
def test_a_chunk_needs_an_id(id):
    with pytest.raises(Refused, match="id"):
        RetrievedChunk(id, "t", 1.0)


# --- Fusion of chunks ---


def test_fusion_by_hand():
    before = copy.deepcopy((VECTOR, KEYWORD))
    fused = reciprocal_rank_fusion(VECTOR, KEYWORD, k=60)
    assert [chunk.id for chunk in fused] == ["B", "A", "D", "C"]
    by_id = {chunk.id: chunk for chunk in fused}
    assert by_id["B"].score == by_id["B"].diagnostics["rrf_score"] == 123 / 3782
    assert by_id["A"].diagnostics["vector_rank"] == 1
    assert by_id["A"].diagnostics["keyword_rank"] == 3
    assert by_id["C"].diagnostics["vector_rank"] == 3
    assert "keyword_rank" not in by_id["C"].diagnostics
    assert "vector_rank" not in by_id["D"].diagnostics
    assert by_id["D"].diagnostics["keyword_score"] == 7
    assert before == (VECTOR, KEYWORD)
    assert [chunk.score for chunk in VECTOR] == [0.91, 0.82, 0.73]


def test_fusion_keeps_notes_of_the_store_and_drops_those_of_an_earlier_request():
    vector = [RetrievedChunk("A", "t", 0.5, {"page": 3, "source": "v"})]
    keyword = [
        RetrievedChunk(
            "A",
            "t",
            1,
            {"source": "k", "vector_rank": 9, "rerank_score": 1.0, "rerank_degraded": True},
        )
    ]
    (fused,) = reciprocal_rank_fusion([], keyword)
    assert fused.diagnostics == {
        "source": "k",
        "keyword_rank": 1,
        "keyword_score": 1,
        "rrf_score": 1 / 61,
    }
    (fused,) = reciprocal_rank_fusion(vector, keyword)
    assert fused.diagnostics["page"] == 3
    assert fused.diagnostics["source"] == "v"


ids = st.lists(st.sampled_from("ABCDEFGH"), max_size=12)


@given(ids, ids, st.integers(0, 1000))
def test_fusion_agrees_with_rrf_also_with_repeated_ids(vector, keyword, k):
    lists = [[RetrievedChunk(id, id, 1.0) for id in order] for order in (vector, keyword)]
    fused = reciprocal_rank_fusion(*lists, k=k)
    assert [(chunk.id, chunk.score) for chunk in fused] == rrf([vector, keyword], k=k)


def test_a_repeated_id_keeps_the_score_of_its_first_place():
    (fused,) = reciprocal_rank_fusion([*chunks(A=0.9), *chunks(A=0.1)], [])
    assert fused.diagnostics["vector_score"] == 0.9


# --- Applying a reranker's answer ---


def results(**scores):
    """Right answers for VECTOR, whose chunks were sent at rank 1, 2, 3."""
    return [RerankResult(id, score, "ABC".index(id) + 1) for id, score in scores.items()]


def test_only_the_score_is_replaced():
    sent = [chunk.noted(rrf_score=0.1) for chunk in VECTOR]
    best = apply_rerank(sent, results(C=3, A=1), 2)
    assert best == [
        RetrievedChunk("C", "text of C", 3.0, {"rrf_score": 0.1, "rerank_score": 3.0}),
        RetrievedChunk("A", "text of A", 1.0, {"rrf_score": 0.1, "rerank_score": 1.0}),
    ]
    assert "rerank_score" not in sent[0].diagnostics


def test_ties_keep_their_former_order_whatever_order_the_answer_has():
    best = apply_rerank(VECTOR, results(C=1, B=1, A=1), 3)
    assert [chunk.id for chunk in best] == ["A", "B", "C"]


@pytest.mark.parametrize(
    ("answer", "fault", "chunk"),
    [
        ([RerankResult("Z", 1.0, 1)], "not_sent", "Z"),
        ([RerankResult(7, 1.0, 1)], "not_sent", 7),
        (results(A=1) * 2, "twice", "A"),
        (results(A=math.nan, B=1), "bad_score", "A"),
        (results(A=math.inf, B=1), "bad_score", "A"),
        (results(A=True, B=1), "bad_score", "A"),
        (results(A="0.9", B=1), "bad_score", "A"),
        ([RerankResult("A", 1.0, 2)], "bad_rank", "A"),
        ([RerankResult("A", 1.0, 0)], "bad_rank", "A"),
        ([RerankResult("A", 1.0, True)], "bad_rank", "A"),
        (results(A=3, B=2, C=1), "too_many", None),
        (results(A=3), "too_few", None),
        ([], "too_few", None),
        ([("A", 1.0, 1)], "not_a_result", None),
        (None, "not_a_result", None),
    ],
)
def test_an_answer_against_the_rules_is_named(answer, fault, chunk):
    with pytest.raises(RerankProtocolError) as caught:
        apply_rerank(VECTOR, answer, 2)
    assert (caught.value.key, caught.value.chunk_id) == (fault, chunk)
    assert caught.value.http_status == 502
    for lang in languages():
        text = caught.value.in_language(lang)
        assert chunk is None or repr(chunk) in text


def test_k1_a_position_in_a_list_that_lost_its_repeats_is_not_believed():
    """Case K1: documents A, A, B; the reranker sees A, B and returns index 1, which means B."""
    sent = reciprocal_rank_fusion([*chunks(A=3), *chunks(A=2), *chunks(B=1)], [])
    assert [chunk.id for chunk in sent] == ["A", "B"]
    (best,) = apply_rerank(sent, [RerankResult("B", 1.0, 2)], 1)
    assert best.id == "B"
    # A provider that looks its index up in the list with repeats names A, at B's place: caught.
    with pytest.raises(RerankProtocolError, match="'A'"):
        apply_rerank(sent, [RerankResult("A", 1.0, 2)], 1)


@given(st.lists(st.sampled_from("ABCD"), min_size=1, max_size=8), st.integers(1, 8), st.randoms())
def test_k1_kind_ids_are_carried_through_repeats(order, top_n, random):
    sent = reciprocal_rank_fusion([RetrievedChunk(id, f"text {id}", 1) for id in order], [])
    answer = [RerankResult(chunk.id, random.random(), rank) for rank, chunk in enumerate(sent, 1)]
    answer = random.sample(answer, min(top_n, len(sent)))
    best = apply_rerank(sent, answer, top_n)
    assert sorted(chunk.id for chunk in best) == sorted(result.id for result in answer)
    assert all(chunk.text == f"text {chunk.id}" for chunk in best)


def test_k2_ids_and_diagnostics_survive():
    """Case K2: the id is the document's own, not its place in the list."""
    sent = [RetrievedChunk("7", "A", 0.4, {"source": "handbook", "page": 12})]
    answer = run(OverlapReranker().rerank("a", [RerankItem("7", "A")], 1))
    (best,) = apply_rerank(sent, answer, 1)
    assert best.id == "7"
    assert best.diagnostics == {"source": "handbook", "page": 12, "rerank_score": 1.0}


@given(
    st.dictionaries(st.text(min_size=1), st.dictionaries(st.text("xyz"), st.integers())),
    st.integers(1, 5),
)
def test_k2_kind_ids_out_are_among_ids_in_with_their_diagnostics(documents, top_n):
    sent = [RetrievedChunk(id, id, 0.0, notes) for id, notes in documents.items()]
    items = [RerankItem(chunk.id, chunk.text) for chunk in sent]
    best = apply_rerank(sent, run(OverlapReranker().rerank("a b", items, top_n)), top_n)
    assert len({chunk.id for chunk in best}) == len(best) == min(top_n, len(documents))
    for chunk in best:
        assert {**chunk.diagnostics} == {**documents[chunk.id], "rerank_score": chunk.score}


# --- The cut ---

LONG = "Filler text here. " * 5 + "The hotel limit is 120 a night. " + "More filler. " * 5


def test_the_part_that_matches_is_kept():
    cut = cut_around_matches(LONG, "hotel limit night", 50)
    assert {"hotel", "limit", "night"} <= set(terms(cut.text))
    assert LONG[cut.start : cut.end] == cut.text
    assert len(cut.text) <= 50


def test_the_earliest_of_equal_stretches_and_the_beginning_without_a_match():
    text = "xx " * 10 + "hotel " + "xx " * 10 + "hotel " + "xx " * 10
    assert cut_around_matches(text, "hotel", 20).start < 30
    assert cut_around_matches(text, "zebra", 20).start == 0
    assert cut_around_matches("短短", "zebra", 20).text == "短短"


def test_in_chinese_too():
    text = "无关的话。" * 10 + "酒店每晚上限四百元。" + "无关的话。" * 10
    assert "酒店每晚上限" in cut_around_matches(text, "酒店上限", 14).text


def test_one_huge_word_is_cut_all_the_same():
    assert cut_around_matches("x" * 100, "y", 10).text == "x" * 10
    assert cut_around_matches("x" * 100, "x" * 100, 10).text == "x" * 10


@given(st.text("abc d中文", max_size=60), st.text("abcd 中", max_size=8), st.integers(1, 30))
def test_the_cut_holds_as_many_different_terms_as_any_stretch(text, query, limit):
    cut = cut_around_matches(text, query, limit)
    asked = set(terms(query))
    assert text[cut.start : cut.end] == cut.text
    assert len(cut.text) <= limit

    def held(start, end):
        return {t.text for t in spans(text) if start <= t.start and t.end <= end} & asked

    starts = range(max(1, len(text) - limit + 1))
    assert len(held(cut.start, cut.end)) == max(len(held(s, s + limit)) for s in starts)


# --- Rerankers ---


def ask(reranker, query, texts, top_n=9):
    items = [RerankItem(id, text) for id, text in texts.items()]
    return run(reranker.rerank(query, items, top_n))


def test_overlap_is_the_share_of_the_questions_terms():
    answer = ask(
        OverlapReranker(), "hotel limit a night", {"A": "a Night", "B": "Hotel limit, night"}
    )
    assert answer == [RerankResult("B", 0.75, 2), RerankResult("A", 0.5, 1)]
    assert ask(OverlapReranker(), "酒店上限", {"A": "上限"}) == [RerankResult("A", 0.5, 1)]


def test_overlap_of_a_question_without_terms_is_0_and_ties_keep_their_order():
    answer = ask(OverlapReranker(), "?!", {"B": "x", "A": "y"})
    assert answer == [RerankResult("B", 0.0, 1), RerankResult("A", 0.0, 2)]


def test_overlap_says_that_it_does_not_measure_quality():
    assert "does not measure quality" in OverlapReranker.__doc__


class Lengths:
    """A model with numpy-like habits: it gives any iterable of numbers."""

    def predict(self, pairs):
        self.pairs = pairs
        return (len(text) for _, text in pairs)


def test_cross_encoder_takes_any_object_with_predict():
    model = Lengths()
    items = [RerankItem("A", "x"), RerankItem("B", "xxx")]
    answer = asyncio.run(CrossEncoderReranker(model).rerank("q", items, 1))
    assert answer == [RerankResult("B", 3.0, 2)]
    assert model.pairs == [("q", "x"), ("q", "xxx")]


@pytest.mark.parametrize(
    ("scores", "fault"), [([1.0], "one_score_each"), ([1.0, math.nan], "bad_score")]
)
def test_cross_encoder_names_a_model_that_miscounts_or_gives_nan(scores, fault):
    class Model:
        def predict(self, pairs):
            return scores

    items = [RerankItem("A", "x"), RerankItem("B", "xxx")]
    with pytest.raises(RerankProtocolError) as caught:
        asyncio.run(CrossEncoderReranker(Model()).rerank("q", items, 2))
    assert caught.value.key == fault


# --- Rerankers that fail ---


def test_failing_and_slow():
    with pytest.raises(TimeoutError):
        ask(FailingRerankProvider(), "q", {"A": "x"})

    async def timed():
        started = asyncio.get_running_loop().time()
        slow = SlowRerankProvider(OverlapReranker(), 90)
        answer = await slow.rerank("x", [RerankItem("A", "x")], 1)
        return asyncio.get_running_loop().time() - started, answer

    assert run(timed()) == (pytest.approx(90), [RerankResult("A", 1.0, 1)])


@pytest.mark.parametrize("kind", NONSENSE)
def test_nonsense_breaks_just_the_rule_that_it_says(kind):
    answer = ask(NonsenseRerankProvider(kind), "q", dict.fromkeys("ABC", "x"), top_n=2)
    with pytest.raises(RerankProtocolError) as caught:
        apply_rerank(VECTOR, answer, 2)
    assert caught.value.key == kind


def test_unknown_nonsense_is_refused():
    with pytest.raises(Refused, match="not_sent"):
        NonsenseRerankProvider("other")


def test_a_timeout_says_how_long_it_had_in_every_language():
    error = RerankTimeout("deadline", 1.25)
    assert error.http_status == 503
    assert all("1.250" in error.in_language(lang) for lang in languages())
