"""Measure the speed, beside other ways and other libraries: ``make bench``.

``python benchmarks/run.py core`` or ``… widgets`` measures one of the two.
"""

from __future__ import annotations

import sys

import speed_of_core
import speed_of_widgets

PARTS = {"core": speed_of_core.main, "widgets": speed_of_widgets.main}

if __name__ == "__main__":
    asked = sys.argv[1:] or list(PARTS)
    if unknown := set(asked) - set(PARTS):
        sys.exit(
            f"There is no {', '.join(sorted(unknown))} to measure. Allowed: {', '.join(PARTS)}."
        )
    for part in asked:
        PARTS[part]()
