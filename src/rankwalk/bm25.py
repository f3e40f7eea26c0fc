"""BM25: the usual score of keyword search.

Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009; the
"1 +" in the idf, which keeps it above 0, is Lucene's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import fsum, log

from rankwalk.terms import terms

K1 = 1.2
"""How soon more of the same word stops to count."""
B = 0.75
"""How much a long text is held against it, from 0 to 1."""


def bm25(query: str, texts: Mapping[str, str]) -> dict[str, float]:
    """Score texts against a query.

    Args:
        query: what was asked.
        texts: a text for each id.

    Returns:
        A score above 0, open upwards, for each id whose text holds a term of the query. The others
        are left out: keyword search does not find them at all.
    """
    counts = {id: Counter(terms(text)) for id, text in texts.items()}
    lengths = {id: count.total() for id, count in counts.items()}
    mean_length = fsum(lengths.values()) / max(1, len(lengths))
    asked = sorted(set(terms(query)))
    holders = {term: sum(term in count for count in counts.values()) for term in asked}
    scores: dict[str, float] = {}
    for id, count in counts.items():
        found = [term for term in asked if term in count]
        if found:
            norm = K1 * (1 - B + B * lengths[id] / mean_length)
            scores[id] = fsum(
                log(1 + (len(texts) - holders[term] + 0.5) / (holders[term] + 0.5))
                * (count[term] * (K1 + 1) / (count[term] + norm))
                for term in found
            )
    return scores
