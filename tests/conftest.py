"""What holds for every test."""

from __future__ import annotations

from hypothesis import settings

# How long an example takes says more about the machine than about the code; a benchmark measures that.
settings.register_profile("rankwalk", deadline=None)
settings.load_profile("rankwalk")
