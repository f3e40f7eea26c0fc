"""The handbook that lesson 4 searches, two sets of labelled questions, and five complaints.

The words come from the catalogue ``rerank``, in either language. Which passage answers which question
is labelled here; everything else that is said about them is computed by running the pipeline.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias, get_args

from rankwalk import checks
from rankwalk.lessons.simulated_time import run
from rankwalk.messages import lookup
from rankwalk.metrics import Evaluation, evaluate
from rankwalk.pipeline import (
    Fate,
    InMemoryVectorStore,
    PipelineSettings,
    Record,
    RetrievalPipeline,
    RetrievalResult,
)
from rankwalk.rerank import (
    FailingRerankProvider,
    NonsenseRerankProvider,
    OverlapReranker,
    RerankProvider,
    RetrievalError,
    RetrievedChunk,
    SlowRerankProvider,
)

TENANT = "office"
KNOWLEDGE_BASE = "it-handbook"
DEPTH = 6
"""Both retrieval depths in this lesson: with 14 passages the usual 15 would leave nothing out."""

OWN_WORDS: Mapping[str, str] = {
    "own1": "P1",
    "own2": "P5",
    "own3": "P10",
    "own4": "P7",
    "own5": "P2",
    "own6": "P11",
}
"""Questions in the handbook's own words, each with the passage that answers it."""

OTHER_WORDS: Mapping[str, str] = {
    "other1": "P3",
    "other2": "P6",
    "other3": "P11",
    "other4": "P9",
    "other5": "P4",
    "other6": "P12",
}
"""Questions in other words than the handbook's."""


DEPTH_QUESTION = ("depth", "P2")
"""A question, and the passage it needs, that a shallow search loses."""


class ConceptEmbedding:
    """A stand-in for an embedding model: counts the words that belong to each of a few concepts.

    Like a model it finds passages that say the same in other words; like a model it is blind to what
    it was not taught. It says nothing about how good real models are.

    Args:
        lang: the language of its words.
    """

    def __init__(self, lang: str) -> None:
        self._concepts = [
            words.split(" | ") for words in lookup("rerank.handbook.concepts", lang).values()
        ]

    async def embed(self, text: str) -> tuple[float, ...]:
        """Return how often the words of each concept occur in ``text``."""
        lower = text.casefold()
        return tuple(float(sum(lower.count(word) for word in words)) for words in self._concepts)


def passages(lang: str) -> dict[str, str]:
    """Return the handbook: a text for each id."""
    return dict(lookup("rerank.handbook.passages", lang))


def question(name: str, lang: str) -> str:
    """Return the words of a question."""
    return str(lookup("rerank.handbook.questions", lang)[name])


@cache
def handbook(lang: str) -> InMemoryVectorStore:
    """Return a store that holds the handbook."""
    embedding = ConceptEmbedding(lang)
    return InMemoryVectorStore(
        [
            Record(id, text, TENANT, KNOWLEDGE_BASE, run(embedding.embed(text)))
            for id, text in passages(lang).items()
        ]
    )


def ask(
    query: str,
    lang: str,
    reranker: RerankProvider | None,
    settings: PipelineSettings | None = None,
    limit: int = 5,
) -> RetrievalResult:
    """Ask the handbook, on a simulated clock: a slow reranker costs the reader no time.

    Args:
        query: the question, in words.
        lang: the language of the handbook.
        reranker: ``None`` leaves reranking out.
        settings: the pipeline's; both depths 6 if not given.
        limit: how many passages are wanted.
    """
    settings = settings or PipelineSettings(vector_depth=DEPTH, keyword_depth=DEPTH)
    pipeline = RetrievalPipeline(ConceptEmbedding(lang), handbook(lang), reranker, settings)
    return run(
        pipeline.retrieve(
            tenant_id=TENANT, knowledge_base_id=KNOWLEDGE_BASE, query=query, limit=limit
        )
    )


def fates_by_depth(
    name: str, needed: str, lang: str, depths: Iterable[int] = range(6, 0, -1)
) -> dict[int, Fate]:
    """Return what becomes of the needed passage at each retrieval depth of both searches.

    The limit is wide enough that nothing which was retrieved is cut: what is lost here is lost by the
    depth alone, and no reranker can bring it back.
    """
    return {
        depth: ask(
            question(name, lang),
            lang,
            OverlapReranker(),
            PipelineSettings(vector_depth=depth, keyword_depth=depth),
            limit=2 * depth,
        ).fate(needed)
        for depth in depths
    }


# --- Before and after, on labelled questions ---


@dataclass(frozen=True, slots=True)
class BeforeAfter:
    """One set of questions, measured without and with the reranker.

    Attributes:
        needed: the passage that answers each question.
        orders_before: for each question the ids that were served without the reranker, best first.
        orders_after: the same with it.
        before: the metrics without it.
        after: the metrics with it.
    """

    needed: Mapping[str, str]
    orders_before: Mapping[str, tuple[str, ...]]
    orders_after: Mapping[str, tuple[str, ...]]
    before: Evaluation
    after: Evaluation


def before_after(
    labelled: Mapping[str, str], lang: str, k: int = 3, reranker: RerankProvider | None = None
) -> BeforeAfter:
    """Measure a reranker on labelled questions.

    Args:
        labelled: `OWN_WORDS` or `OTHER_WORDS`, or a part of them.
        lang: the language.
        k: the cutoff of the metrics, @n in the lesson.
        reranker: the one to measure; `OverlapReranker` if not given.
    """
    qrels = {name: {needed: 1} for name, needed in labelled.items()}
    orders: list[dict[str, tuple[str, ...]]] = []
    for tried in (None, reranker or OverlapReranker()):
        served = {name: ask(question(name, lang), lang, tried).chunks for name in labelled}
        orders.append({name: tuple(chunk.id for chunk in found) for name, found in served.items()})
    # A run holds scores, and equal ones would be put in order by id: the order itself is what counts.
    runs = [
        {name: {id: -float(place) for place, id in enumerate(ids)} for name, ids in of.items()}
        for of in orders
    ]
    return BeforeAfter(
        needed=labelled,
        orders_before=orders[0],
        orders_after=orders[1],
        before=evaluate(runs[0], qrels, k),
        after=evaluate(runs[1], qrels, k),
    )


# --- Who is to blame? ---


@dataclass(frozen=True, slots=True)
class Complaint:
    """A complaint about an answer, with what the pipeline noted when it was made.

    Attributes:
        id: its id.
        text: what the person said.
        question: what had been asked.
        needed: the id of the passage that answers it.
        limit: how many passages had been asked for.
        settings: the settings of the pipeline.
        result: what it returned.
    """

    id: str
    text: str
    question: str
    needed: str
    limit: int
    settings: PipelineSettings
    result: RetrievalResult

    @property
    def fate(self) -> Fate:
        """What became of the needed passage: computed, not labelled."""
        return self.result.fate(self.needed)

    @property
    def needed_place_fused(self) -> int | None:
        """The place of the needed passage after fusion, from 1; ``None`` if it is not there."""
        ids = [chunk.id for chunk in self.result.fused]
        return ids.index(self.needed) + 1 if self.needed in ids else None

    @property
    def needed_notes(self) -> Mapping[str, object]:
        """The diagnostics of the needed passage, of the last stage that had it; empty if none had."""
        for chunk in (*self.result.chunks, *self.result.fused):
            if chunk.id == self.needed:
                return chunk.diagnostics
        return {}


@dataclass(frozen=True, slots=True)
class _Setup:
    question: str
    needed: str
    limit: int
    reranker: RerankProvider
    settings: PipelineSettings


_SETUPS: Mapping[str, _Setup] = {
    "C1": _Setup(
        "strange", "P8", 3, OverlapReranker(), PipelineSettings(vector_depth=3, keyword_depth=3)
    ),
    "C2": _Setup(
        "other4",
        "P9",
        3,
        OverlapReranker(),
        PipelineSettings(vector_depth=DEPTH, keyword_depth=DEPTH, rerank_depth=3),
    ),
    "C3": _Setup(
        "other1",
        "P3",
        2,
        OverlapReranker(),
        PipelineSettings(vector_depth=DEPTH, keyword_depth=DEPTH),
    ),
    "C4": _Setup(
        "own4",
        "P7",
        3,
        FailingRerankProvider(),
        PipelineSettings(vector_depth=DEPTH, keyword_depth=DEPTH, on_rerank_timeout="degrade"),
    ),
    "C5": _Setup(
        "other2",
        "P6",
        3,
        OverlapReranker(),
        PipelineSettings(vector_depth=DEPTH, keyword_depth=DEPTH),
    ),
}


@cache
def complaints(lang: str) -> tuple[Complaint, ...]:
    """Return the five complaints, each with the result of a real run of the pipeline."""
    texts = lookup("rerank.handbook.complaints", lang)
    return tuple(
        Complaint(
            id=id,
            text=texts[id],
            question=question(setup.question, lang),
            needed=setup.needed,
            limit=setup.limit,
            settings=setup.settings,
            result=ask(
                question(setup.question, lang), lang, setup.reranker, setup.settings, setup.limit
            ),
        )
        for id, setup in _SETUPS.items()
    )


# --- A reranker that fails ---

EMBEDDING_S = 0.04
VECTOR_S = 0.12
KEYWORD_S = 0.09
RERANK_S = 0.35
RESERVE_S = 0.1
OUTAGE_QUESTION = ("own4", "P7")
"""A question that needs the reranker: without it the passage that answers is not among the first 3."""
OUTAGE_LIMIT = 3

Provider: TypeAlias = Literal[
    "works", "slow", "fails", "not_sent", "twice", "bad_score", "bad_rank", "too_many", "too_few"
]
PROVIDERS: tuple[Provider, ...] = get_args(Provider)


class _Slow:
    """The handbook's embedding and store, on a clock that is worth looking at."""

    def __init__(self, lang: str) -> None:
        self._embedding = ConceptEmbedding(lang)
        self._store = handbook(lang)

    async def embed(self, text: str) -> tuple[float, ...]:
        await asyncio.sleep(EMBEDDING_S)
        return await self._embedding.embed(text)

    async def search(
        self, *, tenant_id: str, knowledge_base_id: str, vector: Sequence[float], depth: int
    ) -> list[RetrievedChunk]:
        await asyncio.sleep(VECTOR_S)
        return await self._store.search(
            tenant_id=tenant_id, knowledge_base_id=knowledge_base_id, vector=vector, depth=depth
        )

    async def records_for(self, *, tenant_id: str, knowledge_base_id: str) -> list[Record]:
        await asyncio.sleep(KEYWORD_S)
        return await self._store.records_for(
            tenant_id=tenant_id, knowledge_base_id=knowledge_base_id
        )


@dataclass(frozen=True, slots=True)
class OutageSettings:
    """What is wrong with the reranker, and what the pipeline does about it.

    Attributes:
        provider: one of `PROVIDERS`: works, answers too late, times out, or one kind of nonsense.
        strategy: ``"raise"`` (A) or ``"degrade"`` (B) on a time-out.
        delay_s: seconds that the slow one takes.
        deadline_s: seconds for the whole request.
    """

    provider: Provider = "fails"
    strategy: Literal["raise", "degrade"] = "raise"
    delay_s: float = 3.0
    deadline_s: float = 2.0

    def __post_init__(self) -> None:
        for name, allowed in (("provider", PROVIDERS), ("strategy", ("raise", "degrade"))):
            object.__setattr__(self, name, checks.one_of(getattr(self, name), name, allowed))
        for name, least, most in (("delay_s", 0, 60), ("deadline_s", 0.5, 60)):
            number = checks.between(getattr(self, name), name, minimum=least, maximum=most)
            object.__setattr__(self, name, number)


@dataclass(frozen=True, slots=True)
class Outage:
    """How a request ended.

    Attributes:
        result: what was served; ``None`` if nothing was.
        error: what was raised; ``None`` if nothing was.
        stages: the seconds of each stage that ended, also of one that failed, in the order of ending.
    """

    result: RetrievalResult | None
    error: RetrievalError | None
    stages: tuple[tuple[str, float], ...]


def outage(settings: OutageSettings, lang: str) -> Outage:
    """Run one request against a reranker that may fail."""
    kind = settings.provider
    inner: RerankProvider = OverlapReranker()
    delay = settings.delay_s if kind == "slow" else RERANK_S
    if kind == "fails":
        inner = FailingRerankProvider()
    elif kind != "works" and kind != "slow":
        inner = NonsenseRerankProvider(kind)
    parts = _Slow(lang)
    stages: list[tuple[str, float]] = []
    pipeline = RetrievalPipeline(
        parts,
        parts,
        SlowRerankProvider(inner, delay),
        PipelineSettings(
            vector_depth=DEPTH,
            keyword_depth=DEPTH,
            on_rerank_timeout=settings.strategy,
            deadline_s=settings.deadline_s,
            reserve_s=RESERVE_S,
        ),
        on_stage=lambda name, seconds: stages.append((name, seconds)),
    )
    request = pipeline.retrieve(
        tenant_id=TENANT,
        knowledge_base_id=KNOWLEDGE_BASE,
        query=question(OUTAGE_QUESTION[0], lang),
        limit=OUTAGE_LIMIT,
    )
    try:
        return Outage(run(request), None, tuple(stages))
    except RetrievalError as error:
        return Outage(None, error, tuple(stages))
