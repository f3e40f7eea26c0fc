import asyncio
import copy
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prometheus_client import CollectorRegistry, Histogram

from rankwalk.lessons.simulated_time import run
from rankwalk.messages import Refused, languages
from rankwalk.pipeline import (
    Fate,
    ForeignChunk,
    InMemoryVectorStore,
    PipelineSettings,
    Record,
    RetrievalPipeline,
    StageTimeout,
    cosine,
)
from rankwalk.rerank import (
    NONSENSE,
    FailingRerankProvider,
    NonsenseRerankProvider,
    OverlapReranker,
    RerankProtocolError,
    RerankResult,
    RerankTimeout,
    RetrievedChunk,
    SlowRerankProvider,
)

OWNER = {"tenant_id": "t", "knowledge_base_id": "kb"}


class Scripted:
    """Embedding and store that take their time, or fail, as told; and say when they began and ended."""

    def __init__(self, store=None, delays=None, errors=None):
        self.store = store or STORE
        self.delays = delays or {}
        self.errors = errors or {}
        self.log = []

    async def _play(self, stage):
        self.log.append(f"{stage} begins")
        try:
            await asyncio.sleep(self.delays.get(stage, 0))
            if stage in self.errors:
                raise self.errors[stage]
        except asyncio.CancelledError:
            self.log.append(f"{stage} cancelled")
            raise
        self.log.append(f"{stage} ends")

    async def embed(self, text):
        await self._play("embedding")
        return (1.0, 0.0)

    async def search(self, **asked):
        await self._play("vector")
        return await self.store.search(**asked)

    async def records_for(self, **asked):
        await self._play("keyword")
        return await self.store.records_for(**asked)


def record(id, text, tenant="t", base="kb", slope=0.0):
    return Record(id, text, tenant, base, (1.0, slope))


# Vector search orders A, B, C, D, … ; the words of each passage decide keyword search.
TEXTS = {
    "A": "meals are paid up to a limit",
    "B": "the hotel limit a night is 120",
    "C": "trains before planes",
    "D": "the hotel is booked by the office",
    "E": "who approves more than the limit",
    "F": "holidays",
}
STORE = InMemoryVectorStore(
    [
        *(record(id, text, slope=place / 10) for place, (id, text) in enumerate(TEXTS.items())),
        *(record(id, f"foreign {id} hotel limit night", tenant="other") for id in TEXTS),
        *(record(id, f"elsewhere {id} hotel limit night", base="other") for id in "AXY"),
    ]
)
QUERY = "hotel limit a night"


def retrieve(reranker, *, parts=None, limit=5, on_stage=None, **options):
    parts = parts or Scripted()
    pipeline = RetrievalPipeline(parts, parts, reranker, PipelineSettings(**options), on_stage)
    return run(pipeline.retrieve(**OWNER, query=QUERY, limit=limit))


def ids(chunks):
    return [chunk.id for chunk in chunks]


# --- The way through ---


def test_diagnostics_tell_the_whole_way():
    result = retrieve(OverlapReranker(), limit=2)
    first = result.chunks[0]
    assert first.id == "B"
    assert first.text == TEXTS["B"]
    assert first.score == first.diagnostics["rerank_score"] == 1.0
    assert first.diagnostics["vector_rank"] == 2
    assert first.diagnostics["keyword_rank"] == 1
    assert first.diagnostics["rrf_score"] == pytest.approx(1 / 62 + 1 / 61)
    assert len(result.chunks) == 2
    assert list(result.timings) == ["embedding", "vector", "keyword", "rerank", "total"]
    assert not result.degraded


def test_without_a_reranker_the_order_is_that_of_rrf_and_nothing_is_marked():
    result = retrieve(None, limit=3)
    assert ids(result.chunks) == ids(result.fused)[:3]
    assert all("rerank_degraded" not in chunk.diagnostics for chunk in result.chunks)
    assert result.timings["rerank"] == 0.0
    assert "rerank_degraded" not in result.timings


@pytest.mark.parametrize(("limit", "depth"), [(1, 10), (3, 10), (4, 12), (20, 60)])
def test_both_depths_default_to_three_times_the_limit_but_at_least_10(limit, depth):
    records = [record(f"p{n:03}", "hotel", slope=n / 100) for n in range(100)]
    # The two searches agree on the order here, so the fused list is as long as each.
    result = retrieve(None, parts=Scripted(InMemoryVectorStore(records)), limit=limit)
    assert len(result.fused) == depth


def test_the_depths_are_settings_of_their_own():
    result = retrieve(None, vector_depth=1, keyword_depth=2)
    by_vector = [c.id for c in result.fused if "vector_rank" in c.diagnostics]
    by_keyword = [c.id for c in result.fused if "keyword_rank" in c.diagnostics]
    assert by_vector == ["A"]
    assert len(by_keyword) == 2


def test_the_searches_run_side_by_side_and_the_total_is_by_the_clock():
    parts = Scripted(delays={"embedding": 0.1, "vector": 0.5, "keyword": 0.4})
    result = retrieve(SlowRerankProvider(OverlapReranker(), 0.2), parts=parts)
    assert parts.log.index("vector begins") < parts.log.index("keyword ends")
    assert parts.log.index("keyword begins") < parts.log.index("vector ends")
    rounded = {name: round(ms) for name, ms in result.timings.items()}
    assert rounded == {
        "embedding": 100,
        "vector": 500,
        "keyword": 400,
        "rerank": 200,
        "total": 800,  # and not 1200
    }


def test_the_context_budget_cuts_last():
    result = retrieve(OverlapReranker(), limit=3, context_budget=2)
    assert len(result.chunks) == 2
    assert len(result.within_limit) == 3
    assert result.fate(result.within_limit[2]) is Fate.OVER_BUDGET


def test_the_fate_of_a_passage():
    result = retrieve(OverlapReranker(), limit=1, vector_depth=2, keyword_depth=3, rerank_depth=2)
    assert result.fate("B") is Fate.SERVED
    assert result.fate("F") is Fate.NOT_RETRIEVED
    assert result.fate(result.fused[1].id if result.fused[0].id == "B" else "A") is Fate.PUT_LAST
    assert result.fate(result.fused[-1].id) is Fate.LOST_IN_FUSION
    degraded = retrieve(FailingRerankProvider(), limit=1, on_rerank_timeout="degrade")
    assert degraded.fate(degraded.fused[1].id) is Fate.NOT_RERANKED


def test_nothing_found_is_an_empty_answer_and_the_reranker_is_not_asked():
    result = retrieve(FailingRerankProvider(), parts=Scripted(InMemoryVectorStore()))
    assert (result.chunks, result.fused, result.degraded) == ((), (), False)


# --- Tenants ---


def test_a_chunk_of_another_tenant_never_comes_back():
    result = retrieve(OverlapReranker(), limit=50)
    assert {chunk.id: chunk.text for chunk in result.chunks} == TEXTS


def test_a_large_neighbour_does_not_push_out_a_small_tenant():
    store = InMemoryVectorStore(
        [record("mine", "x", slope=5.0), *(record(f"n{n}", "x", tenant="o") for n in range(500))]
    )
    found = run(store.search(**OWNER, vector=(1.0, 0.0), depth=1))
    assert ids(found) == ["mine"]


class Leaking(Scripted):
    """A store with a fault in its filter."""

    def __init__(self, leak, **script):
        super().__init__(**script)
        self.leak = leak

    async def search(self, **asked):
        asked["tenant_id"] = "other" if self.leak == "vector" else "t"
        return await super().search(**asked)

    async def records_for(self, **asked):
        asked["tenant_id"] = "other" if self.leak == "keyword" else "t"
        return await super().records_for(**asked)


@pytest.mark.parametrize("leak", ["vector", "keyword"])
def test_a_store_that_leaks_is_found_out_even_if_the_ids_are_the_same(leak):
    with pytest.raises(ForeignChunk) as caught:
        retrieve(OverlapReranker(), parts=Leaking(leak))
    assert caught.value.stage == leak
    assert all(
        repr(caught.value.chunk_id) in caught.value.in_language(lang) for lang in languages()
    )


def test_a_store_that_returns_more_than_was_asked_for_does_not_get_it():
    class Greedy(Scripted):
        async def search(self, **asked):
            return await super().search(**{**asked, "depth": 99})

    result = retrieve(None, parts=Greedy(), vector_depth=2)
    assert sum("vector_rank" in chunk.diagnostics for chunk in result.fused) == 2


def test_an_id_twice_in_one_knowledge_base_is_refused():
    with pytest.raises(Refused, match="'A'"):
        InMemoryVectorStore([record("A", "x"), record("A", "y")])


def test_cosine():
    assert cosine((1, 0), (1, 1)) == pytest.approx(math.sqrt(0.5))
    assert cosine((0, 0), (1, 1)) == 0.0
    with pytest.raises(ValueError, match="zip"):
        cosine((1, 0), (1, 0, 0))


# --- The reranker fails ---


def test_k4_strategy_b_serves_the_order_of_rrf_marked():
    """Case K4: fused B, A, C, and the reranker times out."""
    store = InMemoryVectorStore(
        [
            record("A", "x"),
            record("B", "hotel limit a night", slope=0.1),
            record("C", "y", slope=0.2),
        ]
    )
    result = retrieve(
        FailingRerankProvider(), parts=Scripted(store), limit=3, on_rerank_timeout="degrade"
    )
    assert ids(result.chunks) == ["B", "A", "C"]
    for chunk in result.chunks:
        assert chunk.diagnostics["rerank_degraded"] is True
        assert chunk.diagnostics["rerank_degraded_reason"] == "provider_timeout"
        assert "rerank_score" not in chunk.diagnostics
        assert chunk.score == chunk.diagnostics["rrf_score"]
    assert result.timings["rerank_degraded"] == 1.0
    assert result.degraded
    assert ids(retrieve(FailingRerankProvider(), limit=2, on_rerank_timeout="degrade").chunks) == [
        chunk.id for chunk in retrieve(None, limit=2).chunks
    ]


def test_k4_strategy_a_raises_a_503():
    with pytest.raises(RerankTimeout) as caught:
        retrieve(FailingRerankProvider())
    assert caught.value.http_status == 503
    assert caught.value.reason == "provider_timeout"
    assert isinstance(caught.value.__cause__, TimeoutError)


class Raising:
    def __init__(self, error):
        self.error = error

    async def rerank(self, query, items, top_n):
        raise self.error


@pytest.mark.parametrize("strategy", ["raise", "degrade"])
@pytest.mark.parametrize("error", [ConnectionError("refused"), KeyError("x"), ValueError("y")])
def test_k4_other_errors_are_raised_and_say_where(strategy, error):
    with pytest.raises(type(error)) as caught:
        retrieve(Raising(error), on_rerank_timeout=strategy)
    assert caught.value is error
    assert any("rerank" in note for note in error.__notes__)


@pytest.mark.parametrize("kind", NONSENSE)
@pytest.mark.parametrize("strategy", ["raise", "degrade"])
def test_k4_nonsense_is_raised_under_both_strategies(kind, strategy):
    with pytest.raises(RerankProtocolError) as caught:
        retrieve(NonsenseRerankProvider(kind), limit=3, on_rerank_timeout=strategy)
    assert caught.value.key == kind


# --- Deadlines ---


class Hanging:
    """Never answers; notes when it was asked and when it was cancelled."""

    def __init__(self):
        self.times = []

    async def rerank(self, query, items, top_n):
        clock = asyncio.get_running_loop().time
        self.times.append(clock())
        try:
            await asyncio.Event().wait()
        finally:
            self.times.append(clock())


def test_k5_the_fallback_is_served_before_the_outer_deadline():
    """Case K5: 5 s in all, 1 s spent, and a reranker that would take all 5."""
    parts = Scripted(delays={"embedding": 1.0})
    reranker = Hanging()
    result = retrieve(
        reranker,
        parts=parts,
        deadline_s=5,
        rerank_timeout_s=5,
        reserve_s=0.1,
        on_rerank_timeout="degrade",
    )
    assert reranker.times == pytest.approx([1.0, 4.9])
    assert result.timings["total"] == pytest.approx(4900)
    assert {c.diagnostics["rerank_degraded_reason"] for c in result.chunks} == {"deadline"}


delays = st.sampled_from([0.0, 0.05, 0.3, 1.0, 2.5, 7.0])


@given(delays, st.sampled_from([0.5, 1.0, 3.0]), st.sampled_from([None, 0.2, 9.0]))
def test_k5_kind_the_reranker_gets_at_most_what_is_left(spent, deadline, own):
    parts = Scripted(delays={"embedding": spent})
    reranker = Hanging()
    options = {"deadline_s": deadline, "rerank_timeout_s": own, "reserve_s": 0.1}
    if spent >= deadline - 0.1:
        with pytest.raises(StageTimeout, match="embedding"):
            retrieve(reranker, parts=parts, on_rerank_timeout="degrade", **options)
        assert reranker.times == []
        return
    result = retrieve(reranker, parts=parts, on_rerank_timeout="degrade", **options)
    assert result.timings["total"] / 1000 <= deadline - 0.1 + 1e-6
    begun, ended = reranker.times
    assert ended - begun == pytest.approx(min(deadline - 0.1 - spent, own or math.inf))


def test_the_rerankers_own_timeout_holds_if_it_is_shorter():
    reranker = Hanging()
    with pytest.raises(RerankTimeout) as caught:
        retrieve(reranker, rerank_timeout_s=0.25)
    assert reranker.times == pytest.approx([0, 0.25])
    assert (caught.value.reason, caught.value.allowed_s) == ("deadline", 0.25)


def test_no_time_left_means_the_reranker_is_not_asked():
    class Blocking(Scripted):
        """Holds up the loop, so that no timer can fire: only the clock shows that time has passed."""

        async def records_for(self, **asked):
            await asyncio.sleep(0.01)  # let the other search end
            asyncio.get_running_loop()._clock.now += 10
            return await self.store.records_for(**asked)

    reranker = Hanging()
    result = retrieve(reranker, parts=Blocking(), on_rerank_timeout="degrade")
    assert reranker.times == []
    assert {c.diagnostics["rerank_degraded_reason"] for c in result.chunks} == {"no_time_left"}


@pytest.mark.parametrize("stage", ["embedding", "vector", "keyword"])
@pytest.mark.parametrize("strategy", ["raise", "degrade"])
def test_a_search_that_does_not_end_is_named_and_the_other_is_cancelled(stage, strategy):
    others = {"embedding": 0, "vector": 0, "keyword": 0}
    parts = Scripted(delays={**others, stage: 100})
    with pytest.raises(StageTimeout) as caught:
        retrieve(OverlapReranker(), parts=parts, on_rerank_timeout=strategy)
    assert (caught.value.stage, caught.value.http_status) == (stage, 503)
    assert f"{stage} cancelled" in parts.log


def test_if_both_searches_fail_neither_error_is_lost():
    errors = {"vector": OSError("first"), "keyword": KeyError("second")}
    parts = Scripted(errors=errors, delays={"vector": 1, "keyword": 1})
    with pytest.raises((OSError, KeyError)) as caught:
        retrieve(OverlapReranker(), parts=parts)
    text = repr(caught.value) + "".join(caught.value.__notes__)
    assert "first" in text
    assert "second" in text


# --- What the reranker reads ---


class Spying(OverlapReranker):
    async def rerank(self, query, items, top_n):
        self.items = items
        return await super().rerank(query, items, top_n)


def test_a_long_passage_is_cut_for_the_reranker_only_and_marked():
    long = "Nothing to see here. " * 30 + "The hotel limit a night is 120." + " And so on." * 30
    store = InMemoryVectorStore([record("L", long), record("S", "short", slope=1.0)])
    reranker = Spying()
    result = retrieve(reranker, parts=Scripted(store), rerank_characters=40)
    read = {item.id: item.text for item in reranker.items}
    by_id = {chunk.id: chunk for chunk in result.chunks}
    assert len(read["L"]) <= 40
    assert "hotel limit a night" in read["L"]
    assert by_id["L"].text == long
    assert by_id["L"].diagnostics["rerank_truncated"] is True
    start, end = by_id["L"].diagnostics["rerank_window"]
    assert long[start:end] == read["L"]
    assert "rerank_truncated" not in by_id["S"].diagnostics


def test_the_reranker_sees_nothing_but_id_and_text_and_only_to_its_depth():
    reranker = Spying()
    result = retrieve(reranker, rerank_depth=2, limit=5)
    assert ids(reranker.items) == ids(result.fused)[:2]
    assert len(result.chunks) == 2
    assert {slot for item in reranker.items for slot in item.__slots__} == {"id", "text"}


# --- The hook ---


def test_prometheus_histogram_by_stage():
    registry = CollectorRegistry()
    seconds = Histogram("retrieval_seconds", "Seconds a stage", ["stage"], registry=registry)

    def on_stage(name, value):
        seconds.labels(stage=name).observe(value)

    parts = Scripted(delays={"embedding": 0.1, "vector": 0.5})
    retrieve(OverlapReranker(), parts=parts, on_stage=on_stage)

    def sample(what, stage):
        return registry.get_sample_value(f"retrieval_seconds_{what}", {"stage": stage})

    for stage, value in {"embedding": 0.1, "vector": 0.5, "keyword": 0, "rerank": 0}.items():
        assert sample("count", stage) == 1
        assert sample("sum", stage) == pytest.approx(value)
    assert sample("sum", "total") == pytest.approx(0.6)


def test_the_hook_hears_of_a_stage_that_failed():
    heard = []
    with pytest.raises(RerankTimeout):
        retrieve(Hanging(), rerank_timeout_s=2, on_stage=lambda name, s: heard.append((name, s)))
    assert ("rerank", pytest.approx(2)) in heard


# --- Bad input ---


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"vector_depth": 0}, "vector_depth"),
        ({"keyword_depth": True}, "keyword_depth"),
        ({"context_budget": 1.5}, "context_budget"),
        ({"rerank_characters": -1}, "rerank_characters"),
        ({"rrf_k": -1}, "rrf_k"),
        ({"on_rerank_timeout": "hide"}, "on_rerank_timeout"),
        ({"deadline_s": 0}, "deadline_s"),
        ({"deadline_s": math.nan}, "deadline_s"),
        ({"rerank_timeout_s": math.inf}, "rerank_timeout_s"),
        ({"reserve_s": 5.0}, "reserve_s"),
        ({"reserve_s": "x"}, "reserve_s"),
    ],
)
def test_bad_settings_are_refused_at_their_field(settings, field):
    with pytest.raises(Refused) as caught:
        PipelineSettings(**settings)
    assert caught.value.field == field
    assert all(caught.value.in_language(lang) for lang in languages())


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"tenant_id": ""}, "tenant_id"),
        ({"knowledge_base_id": None}, "knowledge_base_id"),
        ({"query": "  "}, "query"),
        ({"limit": 0}, "limit"),
    ],
)
def test_bad_arguments_are_refused_at_their_field(change, field):
    parts = Scripted()
    pipeline = RetrievalPipeline(parts, parts, OverlapReranker())
    with pytest.raises(Refused) as caught:
        run(pipeline.retrieve(**{**OWNER, "query": "q", **change}))
    assert caught.value.field == field
    assert parts.log == []


# --- Whatever happens ---

STAGES = ("embedding", "vector", "keyword")


class Delayed:
    """Any reranker, after a while."""

    def __init__(self, inner, delay):
        self.inner, self.delay = inner, delay

    async def rerank(self, query, items, top_n):
        await asyncio.sleep(self.delay)
        return await self.inner.rerank(query, items, top_n)


class Backwards:
    """Right answers in an order of its own."""

    async def rerank(self, query, items, top_n):
        chosen = [RerankResult(item.id, float(rank), rank) for rank, item in enumerate(items, 1)]
        return chosen[::-1][:top_n]


@st.composite
def situations(draw):
    return {
        "delays": {stage: draw(delays) for stage in STAGES},
        "errors": draw(
            st.dictionaries(
                st.sampled_from(STAGES),
                st.sampled_from([ConnectionError, TimeoutError, KeyError]),
                max_size=1,
            )
        ),
        "reranker": draw(
            st.sampled_from(["overlap", "backwards", "failing", "broken", "none", *NONSENSE])
        ),
        "rerank_delay": draw(delays),
        "cancel_after": draw(st.one_of(st.none(), delays)),
        "limit": draw(st.integers(1, 8)),
        "settings": {
            "deadline_s": draw(st.sampled_from([0.2, 2.0, 6.0])),
            "rerank_timeout_s": draw(st.sampled_from([None, 0.5])),
            "on_rerank_timeout": draw(st.sampled_from(["raise", "degrade"])),
            "rerank_depth": draw(st.one_of(st.none(), st.integers(1, 6))),
            "context_budget": draw(st.one_of(st.none(), st.integers(1, 6))),
            "vector_depth": draw(st.one_of(st.none(), st.integers(1, 8))),
            "rerank_characters": draw(st.sampled_from([None, 8])),
        },
    }


@settings(max_examples=200)
@given(situations())
def test_never_a_lost_doubled_or_foreign_chunk_and_never_an_unmarked_degraded_answer(situation):
    rerankers = {
        "overlap": OverlapReranker(),
        "backwards": Backwards(),
        "failing": FailingRerankProvider(),
        "broken": Raising(ConnectionError("no route")),
        **{kind: NonsenseRerankProvider(kind) for kind in NONSENSE},
    }
    name, limit = situation["reranker"], situation["limit"]
    reranker = Delayed(rerankers[name], situation["rerank_delay"]) if name != "none" else None
    errors = {stage: error("injected") for stage, error in situation["errors"].items()}
    parts = Scripted(delays=situation["delays"], errors=errors)
    options = PipelineSettings(**situation["settings"])
    pipeline = RetrievalPipeline(parts, parts, reranker, options)

    async def observed():
        loop = asyncio.get_running_loop()
        request = asyncio.create_task(pipeline.retrieve(**OWNER, query=QUERY, limit=limit))
        cancel_after = situation["cancel_after"]
        if cancel_after is not None:
            loop.call_later(cancel_after, request.cancel)
        (outcome,) = await asyncio.gather(request, return_exceptions=True)
        orphans = asyncio.all_tasks() - {asyncio.current_task()}
        return outcome, loop.time(), orphans

    outcome, ended, orphans = run(observed())
    assert not orphans
    # Every stage that began has ended, was cancelled, or failed: nothing runs on.
    assert ended <= options.deadline_s - options.reserve_s + 1e-6

    if isinstance(outcome, asyncio.CancelledError):
        assert situation["cancel_after"] is not None
        assert ended == pytest.approx(situation["cancel_after"])
    elif isinstance(outcome, RerankTimeout):
        assert options.on_rerank_timeout == "raise"
    elif isinstance(outcome, RerankProtocolError):
        assert name in NONSENSE
    elif isinstance(outcome, StageTimeout):
        late = situation["delays"][outcome.stage] > 0
        assert late or isinstance(errors.get(outcome.stage), TimeoutError)
    elif isinstance(outcome, Exception):
        assert outcome in errors.values() or (name == "broken" and "no route" in str(outcome))
    else:
        assert not errors
        check_served(outcome, limit, options, name)


def check_served(result, limit, options, name):
    considered = result.fused if name == "none" else result.fused[: options.rerank_depth]
    if result.degraded:
        considered = result.fused
    expected = min(limit, len(considered), options.context_budget or limit)
    assert len(result.chunks) == expected  # none lost
    assert len(set(ids(result.chunks))) == expected  # none doubled
    assert all(TEXTS[chunk.id] == chunk.text for chunk in result.chunks)  # none foreign, all whole
    fused = {chunk.id: chunk.diagnostics for chunk in result.fused}
    for chunk in result.chunks:
        assert fused[chunk.id].items() <= chunk.diagnostics.items()
        assert ("rerank_degraded" in chunk.diagnostics) is result.degraded
        assert ("rerank_degraded_reason" in chunk.diagnostics) is result.degraded
        reranked = name != "none" and not result.degraded
        assert ("rerank_score" in chunk.diagnostics) is reranked
    if result.degraded:
        assert options.on_rerank_timeout == "degrade"
        assert ids(result.chunks) == ids(result.fused)[:expected]
    if name == "failing":
        assert result.degraded
    assert name not in ("broken", *NONSENSE) or result.degraded or sent_too_few(result, limit, name)


def sent_too_few(result, limit, name):
    """Some nonsense is none for few items: all of them are not too many, none is twice in one."""
    return name in ("too_many", "twice") and result.sent <= max(limit, 1)


def test_a_late_answer_of_a_cancelled_provider_is_no_orphan():
    reranker = Hanging()

    async def observed():
        parts = Scripted()
        pipeline = RetrievalPipeline(parts, parts, reranker)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(1):  # a caller's own deadline, shorter than the pipeline's
                await pipeline.retrieve(**OWNER, query=QUERY)
        return asyncio.all_tasks() - {asyncio.current_task()}

    assert run(observed()) == set()
    assert reranker.times == pytest.approx([0, 1])


def test_settings_and_stores_stay_as_they_were():
    before = copy.deepcopy(run(STORE.records_for(**OWNER)))
    retrieve(OverlapReranker(), rerank_characters=5)
    assert run(STORE.records_for(**OWNER)) == before
    assert RetrievedChunk("A", "t", 1.0).diagnostics == {}
