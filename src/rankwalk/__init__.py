"""Rankwalk: how two ranked lists become evidence for an answer, step by step.

The core needs the standard library only. `Walkthrough` is the widget; it needs the extra ``widgets`` and
is loaded when it is first asked for.
"""

from typing import TYPE_CHECKING, Any

from rankwalk.evidence import check_sufficiency
from rankwalk.fusion import explain_rrf, flip_points, rrf
from rankwalk.messages import Refused
from rankwalk.metrics import evaluate, metrics
from rankwalk.scenarios import Condition, Passage, Scenario, SecondSearch
from rankwalk.settings import Settings
from rankwalk.walk import walk

if TYPE_CHECKING:
    from rankwalk.widgets.walkthrough import Walkthrough

__all__ = [
    "Condition",
    "Passage",
    "Refused",
    "Scenario",
    "SecondSearch",
    "Settings",
    "Walkthrough",
    "check_sufficiency",
    "evaluate",
    "explain_rrf",
    "flip_points",
    "metrics",
    "rrf",
    "walk",
]

_WIDGETS = {"Walkthrough": "rankwalk.widgets.walkthrough"}


def __getattr__(name: str) -> Any:
    """Load a widget when it is first asked for, so that the core does without its dependencies."""
    if name in _WIDGETS:
        from importlib import import_module

        return getattr(import_module(_WIDGETS[name]), name)
    raise AttributeError(f"module 'rankwalk' has no attribute {name!r}")
