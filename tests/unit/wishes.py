"""What the browser sends, for tests without one."""

from __future__ import annotations

from itertools import count
from typing import Any

_NUMBERS = count(1)


def wishes(*asked: Any, first: int | None = None, asker: str = "page") -> dict[str, Any]:
    """Return the message that asks for these; numbered on from the last, unless ``first`` is given."""
    numbers = [next(_NUMBERS) for _ in asked]
    return {
        "asker": asker,
        "first": numbers[0] if first is None else first,
        "wishes": list(asked),
    }
