"""Rankwalk: how two ranked lists become evidence for an answer, step by step."""

from rankwalk.evidence import check_sufficiency
from rankwalk.fusion import explain_rrf, flip_points, rrf
from rankwalk.messages import Refused
from rankwalk.metrics import evaluate, metrics

__all__ = [
    "Refused",
    "check_sufficiency",
    "evaluate",
    "explain_rrf",
    "flip_points",
    "metrics",
    "rrf",
]
