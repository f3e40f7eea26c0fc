"""Rankwalk: how two ranked lists become evidence for an answer, step by step.

The core needs the standard library only. What goes beyond it, above all the widgets, which need the
extra ``widgets``, is loaded when it is first asked for.
"""

from typing import TYPE_CHECKING, Any

from rankwalk.evidence import (
    AnswerCheck,
    Validity,
    Verdict,
    check_answer,
    check_sufficiency,
    validity,
)
from rankwalk.flips import flip_points
from rankwalk.fusion import explain_rrf, rrf
from rankwalk.messages import Refused
from rankwalk.metrics import evaluate, metrics
from rankwalk.scenarios import Condition, Passage, Scenario, SecondSearch
from rankwalk.settings import Settings
from rankwalk.walk import walk

if TYPE_CHECKING:
    from rankwalk.abstain import Abstentions, Action, AnswerState, abstentions, act, what_next
    from rankwalk.versions import Version, date_faults, in_force_on
    from rankwalk.widgets.base import SettingError
    from rankwalk.widgets.blame import WhoIsToBlame
    from rankwalk.widgets.evidence_matrix import EvidenceMatrix
    from rankwalk.widgets.exercise import Exercise
    from rankwalk.widgets.flips import FlipFinder
    from rankwalk.widgets.funnel import RerankFunnel
    from rankwalk.widgets.metricgrid import MetricGrid
    from rankwalk.widgets.outage import RerankOutage
    from rankwalk.widgets.playground import MetricsPlayground
    from rankwalk.widgets.rawscores import RawScores
    from rankwalk.widgets.swapgrid import SwapGrid
    from rankwalk.widgets.walkthrough import Walkthrough

__all__ = [
    "Abstentions",
    "Action",
    "AnswerCheck",
    "AnswerState",
    "Condition",
    "EvidenceMatrix",
    "Exercise",
    "FlipFinder",
    "MetricGrid",
    "MetricsPlayground",
    "Passage",
    "RawScores",
    "Refused",
    "RerankFunnel",
    "RerankOutage",
    "Scenario",
    "SecondSearch",
    "SettingError",
    "Settings",
    "SwapGrid",
    "Validity",
    "Verdict",
    "Version",
    "Walkthrough",
    "WhoIsToBlame",
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
    "walk",
    "what_next",
]

_LATER = {
    "Abstentions": "rankwalk.abstain",
    "Action": "rankwalk.abstain",
    "AnswerState": "rankwalk.abstain",
    "abstentions": "rankwalk.abstain",
    "act": "rankwalk.abstain",
    "what_next": "rankwalk.abstain",
    "Version": "rankwalk.versions",
    "date_faults": "rankwalk.versions",
    "in_force_on": "rankwalk.versions",
    "EvidenceMatrix": "rankwalk.widgets.evidence_matrix",
    "Exercise": "rankwalk.widgets.exercise",
    "FlipFinder": "rankwalk.widgets.flips",
    "MetricGrid": "rankwalk.widgets.metricgrid",
    "MetricsPlayground": "rankwalk.widgets.playground",
    "RawScores": "rankwalk.widgets.rawscores",
    "RerankFunnel": "rankwalk.widgets.funnel",
    "RerankOutage": "rankwalk.widgets.outage",
    "SettingError": "rankwalk.widgets.base",
    "SwapGrid": "rankwalk.widgets.swapgrid",
    "Walkthrough": "rankwalk.widgets.walkthrough",
    "WhoIsToBlame": "rankwalk.widgets.blame",
}


def __getattr__(name: str) -> Any:
    """Load what is not of the core when it is first asked for."""
    if name in _LATER:
        from importlib import import_module

        return getattr(import_module(_LATER[name]), name)
    raise AttributeError(f"module 'rankwalk' has no attribute {name!r}")
