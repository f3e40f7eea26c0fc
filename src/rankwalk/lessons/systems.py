"""What well-known systems use for reciprocal rank fusion, each fact with the place it was read.

Facts age: `LOOKED_UP` says when they were looked up. What a constant amounts to in the textbook's terms
is computed.
"""

from __future__ import annotations

from dataclasses import dataclass

LOOKED_UP = "2026-11"


@dataclass(frozen=True, slots=True)
class System:
    """One system's reciprocal rank fusion, as it is if nothing is set.

    Attributes:
        name: the system.
        constant: what it adds to a rank.
        first: the rank that it gives the first place, 0 or 1.
        window: how many results of each list it fuses; ``""`` where the source does not say.
        weights: what it says about weights: an entry under ``byhand.systems.weights``.
        source: where this was read.
        note: an entry under ``byhand.systems.notes``, or ``""``.
    """

    name: str
    constant: int
    first: int
    window: str
    weights: str
    source: str
    note: str = ""

    @property
    def textbook_k(self) -> int:
        """The k that gives the same scores where ranks start at 1: counting from 0 takes 1 off."""
        return self.constant + self.first - 1


SYSTEMS = (
    System(
        "Elasticsearch", 60, 1, "size", "equal",
        "elastic.co/docs: reference/elasticsearch/rest-apis/reciprocal-rank-fusion",
    ),
    System(
        "OpenSearch", 60, 1, "", "each",
        "opensearch-project/neural-search: RRFNormalizationTechnique.java; docs: score-ranker-processor",
    ),
    System(
        "Qdrant", 2, 0, "", "stretch", "qdrant/qdrant: lib/segment/src/common/reciprocal_rank_fusion.rs",
        "qdrant",
    ),
    System(
        "Weaviate, rankedFusion", 60, 0, "", "alpha",
        "weaviate/weaviate: usecases/traverser/hybrid/hybrid_fusion.go; docs: hybrid-search",
        "weaviate",
    ),
    System("Milvus", 60, 1, "", "none", "milvus.io/docs: rrf-ranker"),
    System("Redis FT.HYBRID", 60, 1, "20", "none", "RediSearch/RediSearch: src/hybrid/hybrid_scoring.h"),
    System(
        "MongoDB $rankFusion", 60, 1, "", "each", "mongodb.com/docs: hybrid-search-overview", "fixed"
    ),
    System(
        "LanceDB, Python", 60, 1, "", "none", "lancedb/lancedb: python, rerankers/rrf.py"
    ),
    System("LanceDB, Rust and JavaScript", 60, 0, "", "none", "lancedb/lancedb: rust, rerankers/rrf.rs"),
    System(
        "LlamaIndex, reciprocal_rerank", 60, 0, "", "ignored",
        "run-llama/llama_index: core/retrievers/fusion_retriever.py", "llamaindex",
    ),
    System(
        "LangChain EnsembleRetriever", 60, 1, "", "each",
        "langchain-ai/langchain: langchain/retrievers/ensemble.py", "langchain",
    ),
    System("Chroma", 60, 0, "", "each", "docs.trychroma.com: cloud/search-api/hybrid-search"),
)  # fmt: skip

OTHERS: tuple[tuple[str, str, bool], ...] = (
    ("meilisearch", "docs.rs: milli-core, src/search/hybrid.rs", True),
    ("typesense", "typesense.org/docs: vector-search, as others quote it", False),
)
"""Systems that mix two searches in another way: the entry under ``byhand.systems.others``, where that
was read, and whether the source itself was seen."""
