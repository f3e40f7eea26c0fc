"""The terms of a text: a word each in English, a character each in Chinese.

Keyword search, the overlap reranker and the cut for the reranker all read a text in this way.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_TERM = re.compile(f"[{_HAN}]|[^\\W_{_HAN}]+")


@dataclass(frozen=True, slots=True)
class Term:
    """A term and where it stands: ``text[start:end]``, before case and width are evened out."""

    text: str
    start: int
    end: int


def spans(text: str) -> list[Term]:
    """Return the terms of ``text`` in order, each with its place.

    A Chinese character is a term; so is each run of other letters and digits. Upper case and
    full-width forms are read as their plain forms; signs and spaces belong to no term.
    """
    return [
        Term(unicodedata.normalize("NFKC", found.group()).casefold(), found.start(), found.end())
        for found in _TERM.finditer(text)
    ]


def terms(text: str) -> list[str]:
    """Return the terms of ``text`` in order, repeats included."""
    return [term.text for term in spans(text)]
