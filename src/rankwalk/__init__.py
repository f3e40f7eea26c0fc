"""Rankwalk: how two ranked lists become evidence for an answer, step by step."""

from rankwalk.abstain import Abstentions, Action, AnswerState, abstentions, act, what_next
from rankwalk.evidence import (
    AnswerCheck,
    Validity,
    Verdict,
    check_answer,
    check_sufficiency,
    validity,
)
from rankwalk.fusion import explain_rrf, flip_points, rrf
from rankwalk.messages import Refused
from rankwalk.metrics import evaluate, metrics
from rankwalk.versions import Version, date_faults, in_force_on

__all__ = [
    "Abstentions",
    "Action",
    "AnswerCheck",
    "AnswerState",
    "Refused",
    "Validity",
    "Verdict",
    "Version",
    "abstentions",
    "act",
    "check_answer",
    "check_sufficiency",
    "date_faults",
    "evaluate",
    "explain_rrf",
    "flip_points",
    "in_force_on",
    "metrics",
    "rrf",
    "validity",
    "what_next",
]
