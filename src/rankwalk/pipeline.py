"""The two-stage pipeline: two wide searches side by side, fusion, reranking, cut to the context budget.

What is swapped in a real system stands behind ports (typing Protocols): the model that embeds, the
store, the reranker. One deadline holds for the whole request; each stage gets what is left of it, and
a reserve stays back, so that an answer without the reranker can still be served in time.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Literal, Protocol, TypeVar

from rankwalk import checks
from rankwalk.bm25 import bm25
from rankwalk.checks import Number
from rankwalk.fusion import DEFAULT_K
from rankwalk.messages import Refused
from rankwalk.rerank import (
    RerankItem,
    RerankProvider,
    RerankResult,
    RerankTimeout,
    RetrievalError,
    RetrievedChunk,
    TimeoutReason,
    apply_rerank,
    cut_around_matches,
    reciprocal_rank_fusion,
)

T = TypeVar("T")

# --- Ports ---


class EmbeddingProvider(Protocol):
    """Anything that turns a text into a vector."""

    async def embed(self, text: str) -> Sequence[float]:
        """Return the vector of ``text``; all of one model have the same length."""


@dataclass(frozen=True, slots=True)
class Record:
    """A stored passage: whose it is, where it belongs, its text and its vector."""

    id: str
    text: str
    tenant_id: str
    knowledge_base_id: str
    vector: tuple[float, ...]


class VectorStore(Protocol):
    """Anything that keeps passages apart by tenant and knowledge base, and searches them by vector."""

    async def search(
        self, *, tenant_id: str, knowledge_base_id: str, vector: Sequence[float], depth: int
    ) -> Sequence[RetrievedChunk]:
        """Return the ``depth`` nearest passages of this tenant's knowledge base, nearest first."""

    async def records_for(self, *, tenant_id: str, knowledge_base_id: str) -> Sequence[Record]:
        """Return every passage of this tenant's knowledge base, for keyword search."""


# --- In memory ---


class InMemoryVectorStore:
    """Keeps records in a list and compares every vector: for lessons and tests."""

    def __init__(self, records: Sequence[Record] = ()) -> None:
        self._by_owner: dict[tuple[str, str], dict[str, Record]] = {}
        for record in records:
            self.add(record)

    def add(self, record: Record) -> None:
        """Add a record.

        Raises:
            Refused: if its tenant's knowledge base has one of that id.
        """
        owned = self._by_owner.setdefault((record.tenant_id, record.knowledge_base_id), {})
        if record.id in owned:
            raise Refused("repeated_record", field="record", found=repr(record.id))
        owned[record.id] = record

    async def search(
        self, *, tenant_id: str, knowledge_base_id: str, vector: Sequence[float], depth: int
    ) -> list[RetrievedChunk]:
        """Return the ``depth`` records with the largest cosine, ties by id.

        Only the owner's records are compared. Searching all and dropping the others' afterwards would
        let a large neighbour push a small tenant's passages out of the list.
        """
        owned = await self.records_for(tenant_id=tenant_id, knowledge_base_id=knowledge_base_id)
        scored = [(-cosine(vector, record.vector), record.id, record) for record in owned]
        return [
            RetrievedChunk(id, record.text, -negative)
            for negative, id, record in sorted(scored, key=lambda row: row[:2])[:depth]
        ]

    async def records_for(self, *, tenant_id: str, knowledge_base_id: str) -> list[Record]:
        """Return the owner's records, in the order in which they were added."""
        return list(self._by_owner.get((tenant_id, knowledge_base_id), {}).values())


def cosine(a: Sequence[float], b: Sequence[float]) -> float:
    """Return the cosine of the angle between two vectors of equal length; 0 if one is all zeros."""
    size = math.hypot(*a) * math.hypot(*b)
    return math.fsum(x * y for x, y in zip(a, b, strict=True)) / size if size else 0.0


# --- The pipeline ---


@dataclass(frozen=True, slots=True)
class PipelineSettings:
    """What a pipeline does, apart from what it is connected to.

    Attributes:
        vector_depth: how many passages vector search brings; max(3 × limit, 10) if not given.
        keyword_depth: the same for keyword search.
        rrf_k: the smoothing constant of RRF.
        rerank_depth: how many of the fused passages the reranker reads; all if not given.
        rerank_characters: how much of a passage the reranker reads (see `cut_around_matches`); all if
            not given. The passage that is returned stays whole.
        context_budget: how many passages may go on to the answer; as many as the limit if not given.
        on_rerank_timeout: strategy A, ``"raise"``: `RerankTimeout`. Strategy B, ``"degrade"``: the
            order of RRF, marked.
        deadline_s: seconds for the whole request.
        reserve_s: the part of these that no stage may use, kept to make and serve the answer.
        rerank_timeout_s: seconds for the reranker, if that is less than what is left.
    """

    vector_depth: int | None = None
    keyword_depth: int | None = None
    rrf_k: Number = DEFAULT_K
    rerank_depth: int | None = None
    rerank_characters: int | None = None
    context_budget: int | None = None
    on_rerank_timeout: Literal["raise", "degrade"] = "raise"
    deadline_s: float = 5.0
    reserve_s: float = 0.1
    rerank_timeout_s: float | None = None

    def __post_init__(self) -> None:
        for name in (
            "vector_depth",
            "keyword_depth",
            "rerank_depth",
            "rerank_characters",
            "context_budget",
        ):
            if (value := getattr(self, name)) is not None:
                checks.whole(value, name, minimum=1)
        checks.exact(self.rrf_k, "rrf_k")
        if self.on_rerank_timeout not in ("raise", "degrade"):
            raise Refused(
                "one_of",
                field="on_rerank_timeout",
                where="on_rerank_timeout",
                found=checks.shown(self.on_rerank_timeout),
                allowed="raise, degrade",
            )
        for name in ("deadline_s", "reserve_s", "rerank_timeout_s"):
            seconds = getattr(self, name)
            if name == "rerank_timeout_s" and seconds is None:
                continue
            if not checks.is_finite(seconds) or seconds <= 0:
                raise Refused("not_seconds", field=name, where=name, found=checks.shown(seconds))
        if self.reserve_s >= self.deadline_s:
            raise Refused(
                "reserve", field="reserve_s", found=self.reserve_s, deadline=self.deadline_s
            )


class StageTimeout(RetrievalError):  # noqa: N818 - named for what happened
    """A search stage did not end in time; without it there is nothing to fall back on: 503."""

    http_status = 503

    def __init__(self, stage: str) -> None:
        self.stage = stage
        super().__init__("stage_timeout", stage=stage)


class ForeignChunk(RetrievalError):  # noqa: N818 - named for what was found
    """The store returned a passage that is not in this tenant's knowledge base. Nothing is served."""

    def __init__(self, chunk_id: str, stage: str) -> None:
        self.chunk_id = chunk_id
        self.stage = stage
        super().__init__("foreign", chunk=checks.shown(chunk_id), stage=stage)


class Fate(StrEnum):
    """What became of a passage."""

    SERVED = "served"
    NOT_RETRIEVED = "not_retrieved"
    LOST_IN_FUSION = "lost_in_fusion"
    PUT_LAST = "put_last"
    NOT_RERANKED = "not_reranked"
    OVER_BUDGET = "over_budget"


TIMINGS = ("embedding", "vector", "keyword", "rerank", "total", "rerank_degraded")


@dataclass(frozen=True, slots=True)
class RetrievalResult:
    """What one request found.

    Attributes:
        chunks: the passages for the answer, best first.
        timings: milliseconds of ``embedding``, ``vector``, ``keyword``, ``rerank`` and ``total``. The
            total is by the clock, so stages that ran side by side are not added twice. Also
            ``rerank_degraded``: 1.0, if the reranker timed out and the order is that of RRF.
        fused: every passage after fusion, best first, to see later what became of one.
        sent: how many of these the reranker was asked about.
        within_limit: the ids after the cut to the limit and before that to the context budget.
    """

    chunks: tuple[RetrievedChunk, ...]
    timings: Mapping[str, float]
    fused: tuple[RetrievedChunk, ...]
    sent: int
    within_limit: tuple[str, ...]

    @property
    def degraded(self) -> bool:
        """Whether the reranker timed out and was done without."""
        return "rerank_degraded" in self.timings

    def fate(self, chunk_id: str) -> Fate:
        """Say at which stage a passage was lost, or that it was served."""
        fused_ids = [chunk.id for chunk in self.fused]
        if any(chunk.id == chunk_id for chunk in self.chunks):
            return Fate.SERVED
        if chunk_id not in fused_ids:
            return Fate.NOT_RETRIEVED
        if chunk_id in self.within_limit:
            return Fate.OVER_BUDGET
        if self.degraded:
            return Fate.NOT_RERANKED
        return Fate.PUT_LAST if chunk_id in fused_ids[: self.sent] else Fate.LOST_IN_FUSION


StageHook = Callable[[str, float], None]
"""Called as ``on_stage(name, seconds)`` when a stage ends, also when it fails."""


class RetrievalPipeline:
    """Finds passages for a question within one tenant's knowledge base.

    Args:
        embedding: turns the question into a vector.
        store: searches by vector, and hands out the records for keyword search (BM25).
        reranker: reads question and passage together; ``None`` leaves that stage out by choice, which
            is no degradation and not marked.
        settings: see `PipelineSettings`.
        on_stage: told each stage's name and seconds. For a Prometheus histogram with the label
            ``stage``::

                seconds = Histogram("retrieval_seconds", "Seconds a stage", ["stage"])
                def on_stage(name, value): seconds.labels(stage=name).observe(value)
                pipeline = RetrievalPipeline(embedding, store, reranker, on_stage=on_stage)
    """

    def __init__(
        self,
        embedding: EmbeddingProvider,
        store: VectorStore,
        reranker: RerankProvider | None,
        settings: PipelineSettings | None = None,
        on_stage: StageHook | None = None,
    ) -> None:
        self._embedding = embedding
        self._store = store
        self._reranker = reranker
        self._settings = settings or PipelineSettings()
        self._on_stage = on_stage

    async def retrieve(
        self, *, tenant_id: str, knowledge_base_id: str, query: str, limit: int = 5
    ) -> RetrievalResult:
        """Find the ``limit`` best passages.

        Args:
            tenant_id: whose passages may be searched.
            knowledge_base_id: which of the tenant's.
            query: the question.
            limit: how many passages are wanted, at least 1.

        Returns:
            A `RetrievalResult`. Where the reranker timed out and the strategy is ``"degrade"``, each
            chunk says ``rerank_degraded: True`` and why, under ``rerank_degraded_reason``, and has no
            ``rerank_score``. A passage of which the reranker got a part only says
            ``rerank_truncated: True`` and which part, under ``rerank_window``.

        Raises:
            Refused: for a bad argument.
            StageTimeout: if embedding or a search did not end in time.
            RerankTimeout: if the reranker did not, and the strategy is ``"raise"``.
            RerankProtocolError: if the reranker's answer breaks the rules of its port.
            ForeignChunk: if the store returned what is not this tenant's.

        Any other error of a provider passes through, with a note that names the stage. If the request
        is cancelled, so are its stages: none runs on by itself.
        """
        for name, value in (
            ("tenant_id", tenant_id),
            ("knowledge_base_id", knowledge_base_id),
            ("query", query),
        ):
            if not isinstance(value, str) or not value.strip():
                raise Refused("not_a_text", field=name, where=name, found=checks.shown(value))
        limit = checks.whole(limit, "limit", minimum=1)
        request = _Request(self._settings, self._on_stage)
        with request.timed("total"):
            owner = {"tenant_id": tenant_id, "knowledge_base_id": knowledge_base_id}
            vector, keyword = await self._search_both(request, owner, query, limit)
            fused = reciprocal_rank_fusion(vector, keyword, k=self._settings.rrf_k)
            best, sent = await self._reranked(request, query, fused, limit)
        return RetrievalResult(
            chunks=tuple(best[: self._settings.context_budget]),
            timings=MappingProxyType(
                {name: request.timings[name] for name in TIMINGS if name in request.timings}
            ),
            fused=tuple(fused),
            sent=sent,
            within_limit=tuple(chunk.id for chunk in best),
        )

    async def _search_both(
        self, request: _Request, owner: dict[str, str], query: str, limit: int
    ) -> tuple[Sequence[RetrievedChunk], Sequence[RetrievedChunk]]:
        """Run both searches side by side; if one fails, the other is cancelled."""
        default_depth = max(3 * limit, 10)
        vector_depth = self._settings.vector_depth or default_depth
        keyword_depth = self._settings.keyword_depth or default_depth

        async def by_vector() -> Sequence[RetrievedChunk]:
            vector = await request.stage("embedding", self._embedding.embed(query))
            return await request.stage(
                "vector", self._store.search(**owner, vector=vector, depth=vector_depth)
            )

        async def by_keyword() -> tuple[dict[str, str], list[RetrievedChunk]]:
            with request.timed("keyword"):
                records = await request.in_time("keyword", self._store.records_for(**owner))
                for record in records:
                    if (record.tenant_id, record.knowledge_base_id) != tuple(owner.values()):
                        raise ForeignChunk(record.id, "keyword")
                texts = {record.id: record.text for record in records}
                scores = bm25(query, texts)
                order = sorted(scores, key=lambda id: (-scores[id], id))[:keyword_depth]
                return texts, [RetrievedChunk(id, texts[id], scores[id]) for id in order]

        try:
            async with asyncio.TaskGroup() as group:
                vector = group.create_task(by_vector())
                keyword = group.create_task(by_keyword())
        except BaseExceptionGroup as failed:
            first, *others = failed.exceptions
            for other in others:
                first.add_note(f"the other search failed too: {other!r}")
            raise first from first.__cause__
        owned, by_words = keyword.result()
        for chunk in vector.result():  # trust, but verify: a store can get its filter wrong
            if owned.get(chunk.id) != chunk.text:
                raise ForeignChunk(chunk.id, "vector")
        return vector.result()[:vector_depth], by_words

    async def _reranked(
        self, request: _Request, query: str, fused: list[RetrievedChunk], limit: int
    ) -> tuple[list[RetrievedChunk], int]:
        """Return the best chunks, at most ``limit``, and how many the reranker was asked about."""
        if self._reranker is None or not fused:
            request.timings["rerank"] = 0.0
            return fused[:limit], 0
        to_send = fused[: self._settings.rerank_depth]
        sent, items = self._readable(to_send, query)
        try:
            results = await self._asked(request, self._reranker, query, items, limit)
        except RerankTimeout as timeout:
            if self._settings.on_rerank_timeout == "raise":
                raise
            request.timings["rerank_degraded"] = 1.0
            read = sent if timeout.reason != "no_time_left" else []
            return [
                chunk.noted(rerank_degraded=True, rerank_degraded_reason=timeout.reason)
                for chunk in [*read, *fused[len(read) :]][:limit]
            ], len(read)
        return apply_rerank(sent, results, limit), len(sent)

    def _readable(
        self, chunks: Sequence[RetrievedChunk], query: str
    ) -> tuple[list[RetrievedChunk], list[RerankItem]]:
        """Return the chunks, marked where they are cut for the reranker, and what it gets to read."""
        characters = self._settings.rerank_characters
        marked: list[RetrievedChunk] = []
        items: list[RerankItem] = []
        for chunk in chunks:
            if characters is None or len(chunk.text) <= characters:
                marked.append(chunk)
                items.append(RerankItem(chunk.id, chunk.text))
            else:
                cut = cut_around_matches(chunk.text, query, characters)
                window = (cut.start, cut.end)
                marked.append(chunk.noted(rerank_truncated=True, rerank_window=window))
                items.append(RerankItem(chunk.id, cut.text))
        return marked, items

    async def _asked(
        self,
        request: _Request,
        reranker: RerankProvider,
        query: str,
        items: list[RerankItem],
        limit: int,
    ) -> Sequence[RerankResult]:
        """Return the reranker's answer, or raise `RerankTimeout`; other errors pass, named."""
        own = self._settings.rerank_timeout_s
        allowed = request.left() if own is None else min(own, request.left())
        with request.timed("rerank"):
            if allowed <= 0:
                raise RerankTimeout("no_time_left", allowed)
            try:
                async with asyncio.timeout(allowed) as scope:
                    return await reranker.rerank(query, tuple(items), limit)
            except TimeoutError as error:
                reason: TimeoutReason = "deadline" if scope.expired() else "provider_timeout"
                raise RerankTimeout(reason, allowed) from error


class _Request:
    """What one request carries through its stages: its deadline, its timings, its hook."""

    def __init__(self, settings: PipelineSettings, on_stage: StageHook | None) -> None:
        self._clock = asyncio.get_running_loop().time
        self._latest = self._clock() + settings.deadline_s - settings.reserve_s
        self._on_stage = on_stage
        self.timings: dict[str, float] = {}

    def left(self) -> float:
        """Return the seconds that the stages may still use, the reserve not among them."""
        return self._latest - self._clock()

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        """Time a stage, also one that fails, and name it in errors from outside."""
        started = self._clock()
        try:
            yield
        except Exception as error:
            if not isinstance(error, RetrievalError) and name != "total":
                error.add_note(f"stage of the retrieval pipeline: {name}")
            raise
        finally:
            seconds = self._clock() - started
            self.timings[name] = seconds * 1000
            if self._on_stage is not None:
                self._on_stage(name, seconds)

    async def stage(self, name: str, work: Awaitable[T]) -> T:
        """Await ``work`` as the stage ``name``, timed and in time."""
        with self.timed(name):
            return await self.in_time(name, work)

    async def in_time(self, name: str, work: Awaitable[T]) -> T:
        """Await ``work``, or raise `StageTimeout` when only the reserve is left."""
        try:
            async with asyncio.timeout_at(self._latest):
                return await work
        except TimeoutError as error:
            raise StageTimeout(name) from error
