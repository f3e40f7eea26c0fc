"""Reranking: few candidates are read closely and put in a new order; what they bring along survives.

A reranker is asked through the port `RerankProvider`. It is handed ids with texts and gives ids back,
never bare positions: a position counts in a list that somebody may have shortened in between.
`apply_rerank` checks its answer to the letter before anything is believed.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import ClassVar, Literal, Protocol, TypeAlias, get_args

from rankwalk import checks
from rankwalk.checks import Number
from rankwalk.fusion import DEFAULT_K, explain_rrf
from rankwalk.messages import DEFAULT_LANGUAGE, Refused, say
from rankwalk.terms import Term, spans, terms

# --- Chunks, and the fusion of two lists of them ---


@dataclass(frozen=True, slots=True)
class RetrievedChunk:
    """A passage that a search returned.

    Attributes:
        id: its id.
        text: its whole text.
        score: the score of the stage that ordered it last; each stage has its own unit.
        diagnostics: what each stage noted about it. Read-only: a stage that adds a note makes a new
            chunk.
    """

    id: str
    text: str
    score: float
    diagnostics: Mapping[str, object] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        checks.ranking((self.id,), "id")
        if not checks.is_finite(self.score):
            raise Refused("not_a_score", field="score", where="score", found=repr(self.score))
        object.__setattr__(self, "diagnostics", MappingProxyType(dict(self.diagnostics)))

    def __reduce__(self) -> tuple[object, ...]:
        """Copy and pickle by way of a plain dict, since a read-only mapping can do neither."""
        return type(self), (self.id, self.text, self.score, dict(self.diagnostics))

    def noted(self, *, score: float | None = None, **notes: object) -> RetrievedChunk:
        """Return a new chunk with ``notes`` added to the diagnostics, and ``score`` if it is given."""
        return RetrievedChunk(
            self.id,
            self.text,
            self.score if score is None else score,
            {**self.diagnostics, **notes},
        )


_STAGES = ("vector_", "keyword_", "rrf_", "rerank_")
"""How the names of the notes begin that fusion and reranking make."""


def reciprocal_rank_fusion(
    vector: Sequence[RetrievedChunk],
    keyword: Sequence[RetrievedChunk],
    k: Number = DEFAULT_K,
) -> list[RetrievedChunk]:
    """Fuse the chunks of two searches by `rankwalk.fusion.rrf`.

    Args:
        vector: the chunks of the vector search, best first. Only the order counts.
        keyword: those of the keyword search, best first.
        k: the smoothing constant of RRF.

    Returns:
        Each chunk once, best first. Its score is the RRF score; the diagnostics gain ``rrf_score``,
        and ``vector_rank`` and ``vector_score``, ``keyword_rank`` and ``keyword_score`` only where
        that list holds the chunk; notes of an earlier fusion or reranking go. The text is that of
        the vector search, if it has the chunk. The chunks that were given stay as they were.

    Raises:
        Refused: for a bad ``k``.
    """
    # The first of a repeated id counts, as in rrf: later ones must not overwrite it.
    first: list[dict[str, RetrievedChunk]] = [{}, {}]
    for found, chunks in zip(first, (vector, keyword), strict=True):
        for chunk in chunks:
            found.setdefault(chunk.id, chunk)
    fused = []
    for row in explain_rrf([list(found) for found in first], k=k).rows:
        own = [found[row.id] for found in first if row.id in found]
        notes: dict[str, object] = {}
        for chunk in reversed(own):
            notes |= {
                name: note
                for name, note in chunk.diagnostics.items()
                if not name.startswith(
                    _STAGES
                )  # a note of an earlier request would lie in this one
            }
        for name, found, rank in zip(("vector", "keyword"), first, row.ranks, strict=True):
            if rank is not None:
                notes |= {f"{name}_rank": rank, f"{name}_score": found[row.id].score}
        score = float(row.score)
        fused.append(RetrievedChunk(row.id, own[0].text, score, notes | {"rrf_score": score}))
    return fused


# --- The port, and what can go wrong behind it ---


@dataclass(frozen=True, slots=True)
class RerankItem:
    """What a reranker gets to see of a chunk: nothing but its id and the text to read."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class RerankResult:
    """A reranker's judgement of one item.

    Attributes:
        id: the item's id.
        score: a finite number, higher is better. Its unit is the reranker's own.
        original_rank: the place at which the item was sent, from 1. It says the same as the id, so a
            reranker that has mixed up its positions gives itself away.
    """

    id: str
    score: float
    original_rank: int


class RerankProvider(Protocol):
    """Anything that can rerank."""

    async def rerank(
        self, query: str, items: Sequence[RerankItem], top_n: int
    ) -> Sequence[RerankResult]:
        """Return the best ``min(top_n, len(items))`` items, each once, best first.

        Raises:
            TimeoutError: if there was no answer in time. Only this counts as a time-out.
        """


class RetrievalError(Exception):
    """Retrieval could not give an answer that one may serve.

    Args:
        key: the entry in the section ``errors`` of the topic ``rerank``.
        values: what the text names; also ``error.values``, for a log.

    Attributes:
        http_status: what a web service would answer with.
    """

    http_status: ClassVar[int] = 500

    def __init__(self, key: str, **values: object) -> None:
        self.key = key
        self.values = values
        super().__init__(self.in_language(DEFAULT_LANGUAGE))

    def in_language(self, lang: str) -> str:
        """Return the message in ``lang``."""
        return say(f"rerank.errors.{self.key}", lang, **self.values)


TimeoutReason: TypeAlias = Literal["deadline", "provider_timeout", "no_time_left"]
"""The pipeline's deadline passed; the provider gave up by itself; it was not asked, too late."""


class RerankTimeout(RetrievalError):  # noqa: N818 - named for what happened
    """The reranker gave no answer in time: 503, try again later."""

    http_status = 503

    def __init__(self, reason: TimeoutReason, allowed_s: float) -> None:
        self.reason: TimeoutReason = reason
        self.allowed_s = allowed_s
        super().__init__(reason, seconds=f"{max(0.0, allowed_s):.3f}")


class RerankProtocolError(RetrievalError):
    """The reranker answered, but against the rules of the port: 502. Names the chunk where it can.

    Attributes:
        chunk_id: the id at fault; ``None`` where the fault is not one chunk's.
    """

    http_status = 502

    def __init__(self, key: str, *, chunk_id: object = None, **values: object) -> None:
        self.chunk_id = chunk_id
        super().__init__(key, chunk=checks.shown(chunk_id), **values)


def apply_rerank(
    sent: Sequence[RetrievedChunk], results: Iterable[RerankResult], top_n: int
) -> list[RetrievedChunk]:
    """Put chunks in the reranker's order, after checking its answer.

    Args:
        sent: the chunks, in the order in which they were sent.
        results: the reranker's answer.
        top_n: how many were asked for.

    Returns:
        The chunks that the reranker chose, by its score descending, ties by former rank. ``score`` is
        replaced and ``rerank_score`` added; all other diagnostics stay.

    Raises:
        RerankProtocolError: for an id that was not sent, an id twice, a score that is no finite
            number, a former rank that is another chunk's, more or fewer results than asked for.
    """
    rank_sent = {chunk.id: rank for rank, chunk in enumerate(sent, start=1)}
    seen: dict[str, RerankResult] = {}
    if not isinstance(results, Iterable):
        raise RerankProtocolError("not_a_result", found=checks.shown(results))
    results = list(results)
    for result in results:
        if not isinstance(result, RerankResult):
            raise RerankProtocolError("not_a_result", found=checks.shown(result))
        id = result.id
        if not isinstance(id, str) or id not in rank_sent:
            raise RerankProtocolError("not_sent", chunk_id=id)
        if id in seen:
            raise RerankProtocolError("twice", chunk_id=id)
        if not checks.is_finite(result.score):
            raise RerankProtocolError("bad_score", chunk_id=id, found=checks.shown(result.score))
        if type(result.original_rank) is not int or result.original_rank != rank_sent[id]:
            raise RerankProtocolError(
                "bad_rank",
                chunk_id=id,
                found=checks.shown(result.original_rank),
                expected=rank_sent[id],
            )
        seen[id] = result
    expected = min(top_n, len(sent))
    if len(results) != expected:
        key = "too_many" if len(results) > expected else "too_few"
        raise RerankProtocolError(key, found=len(results), expected=expected)
    best_first = sorted(seen.values(), key=lambda result: (-result.score, result.original_rank))
    return [
        sent[result.original_rank - 1].noted(
            score=float(result.score), rerank_score=float(result.score)
        )
        for result in best_first
    ]


# --- What the reranker gets to read ---


@dataclass(frozen=True, slots=True)
class Cut:
    """A part of a text: ``whole[start:end]``."""

    text: str
    start: int
    end: int


def cut_around_matches(text: str, query: str, limit: int) -> Cut:
    """Cut a long text so that the part that matches the question is kept.

    The rule: of all stretches of at most ``limit`` characters take the one with the most different
    terms of the question; of equal ones the earliest. The room that is left over goes half before the
    first of these terms and half after the last. No word is cut in two, and what is kept begins
    with a word. Without a match the beginning is kept.

    Args:
        text: the whole passage.
        query: the question.
        limit: how many characters may be kept, at least 1.
    """
    if len(text) <= limit:
        return Cut(text, 0, len(text))
    asked = set(terms(query))
    found = spans(text)
    first, last = _densest([term for term in found if term.text in asked], limit)
    start = max(0, min(first - (limit - (last - first)) // 2, len(text) - limit))
    end = start + limit
    whole_start = next((t.start for t in found if t.start >= start), start) if start else 0
    whole_end = next((t.start for t in found if t.start < end < t.end), end)
    if whole_start < whole_end:  # else the limit lies inside one huge word
        start, end = whole_start, whole_end
    end = start + len(text[start:end].rstrip())
    return Cut(text[start:end], start, end)


def _densest(matches: list[Term], limit: int) -> tuple[int, int]:
    """Return where the stretch with the most different terms begins and ends; (0, 0) without any."""
    best, stretch = 0, (0, 0)
    inside: Counter[str] = Counter()
    left = 0
    for match in matches:
        inside[match.text] += 1
        while matches[left].start < match.end - limit:
            inside[matches[left].text] -= 1
            inside += Counter()  # drops what fell to 0
            left += 1
            if left == len(matches):
                break
        if len(inside) > best:
            best, stretch = len(inside), (matches[left].start, match.end)
    return stretch


# --- Rerankers ---


class OverlapReranker:
    """Scores by the share of the question's terms that the passage holds.

    It is a stand-in that needs no model and always gives the same: words in English, characters in
    Chinese. **It does not measure quality.** A passage that repeats the question scores 1, a passage
    that answers it in other words scores 0. Equal scores keep their former order.
    """

    async def rerank(
        self, query: str, items: Sequence[RerankItem], top_n: int
    ) -> list[RerankResult]:
        """Return the ``top_n`` items with the largest share, from 0 to 1."""
        asked = set(terms(query))
        return _best(
            (len(asked.intersection(terms(item.text))) / max(1, len(asked)) for item in items),
            items,
            top_n,
        )


class PairModel(Protocol):
    """A model that reads question and passage together, as sentence-transformers' CrossEncoder."""

    def predict(self, pairs: list[tuple[str, str]]) -> Iterable[float]:
        """Return one score for each pair."""


class CrossEncoderReranker:
    """Scores each passage by a model that reads it together with the question.

    Args:
        model: any object with ``predict(pairs)``.

    The model runs in a thread, so that the event loop stays free. A thread cannot be stopped: after a
    time-out the answer is dropped, but the model computes on.
    """

    def __init__(self, model: PairModel) -> None:
        self._model = model

    async def rerank(
        self, query: str, items: Sequence[RerankItem], top_n: int
    ) -> list[RerankResult]:
        """Return the ``top_n`` items that the model scores highest.

        Raises:
            RerankProtocolError: if the model does not give one score for each pair.
        """
        pairs = [(query, item.text) for item in items]
        scores = [float(score) for score in await asyncio.to_thread(self._model.predict, pairs)]
        if len(scores) != len(items):
            raise RerankProtocolError("one_score_each", found=len(scores), expected=len(items))
        for item, score in zip(items, scores, strict=True):
            if math.isnan(score):  # NaN compares with nothing: it would scramble the sort below
                raise RerankProtocolError("bad_score", chunk_id=item.id, found=score)
        return _best(scores, items, top_n)


def _best(scores: Iterable[float], items: Sequence[RerankItem], top_n: int) -> list[RerankResult]:
    results = [
        RerankResult(item.id, score, rank)
        for rank, (item, score) in enumerate(zip(items, scores, strict=True), start=1)
    ]
    return sorted(results, key=lambda result: (-result.score, result.original_rank))[:top_n]


# --- Rerankers that fail, to see what a pipeline does then ---


class FailingRerankProvider:
    """Always times out."""

    async def rerank(
        self, query: str, items: Sequence[RerankItem], top_n: int
    ) -> list[RerankResult]:
        """Give up at once, as a client does whose service is not there."""
        raise TimeoutError("the reranking service did not answer")


class SlowRerankProvider:
    """Answers as ``inner`` does, but only after ``delay_s`` seconds."""

    def __init__(self, inner: RerankProvider, delay_s: float) -> None:
        self._inner = inner
        self._delay_s = delay_s

    async def rerank(
        self, query: str, items: Sequence[RerankItem], top_n: int
    ) -> Sequence[RerankResult]:
        """Wait, then pass the question on."""
        await asyncio.sleep(self._delay_s)
        return await self._inner.rerank(query, items, top_n)


Nonsense: TypeAlias = Literal["not_sent", "twice", "bad_score", "bad_rank", "too_many", "too_few"]
NONSENSE: tuple[Nonsense, ...] = get_args(Nonsense)


class NonsenseRerankProvider:
    """Answers in time and against the rules.

    Args:
        kind: which rule is broken; the name of the fault in `RerankProtocolError`. ``"twice"`` needs
            two results to show, ``"too_many"`` more items than are asked for.
    """

    def __init__(self, kind: Nonsense) -> None:
        if kind not in NONSENSE:
            raise Refused(
                "one_of", field="kind", where="kind", found=repr(kind), allowed=", ".join(NONSENSE)
            )
        self._kind = kind

    async def rerank(
        self, query: str, items: Sequence[RerankItem], top_n: int
    ) -> list[RerankResult]:
        """Give an answer that is right but for one fault."""
        right = _best([1.0 / rank for rank, _ in enumerate(items, start=1)], items, top_n)
        first, rest = right[0], right[1:]
        match self._kind:
            case "not_sent":
                return [RerankResult(f"{first.id}?", first.score, first.original_rank), *rest]
            case "twice":
                return [first, first, *rest[1:]]
            case "bad_score":
                return [RerankResult(first.id, math.nan, first.original_rank), *rest]
            case "bad_rank":
                return [RerankResult(first.id, first.score, first.original_rank + 1), *rest]
            case "too_many":
                return _best([0.0] * len(items), items, len(items))
            case "too_few":
                return rest
