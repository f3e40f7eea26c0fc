"""Run asyncio code on a simulated clock: sleeping costs no time, and every run takes the same.

A time-out of two seconds is shown, or tested, in no time at all, and the timings that come out are
exact. Code that uses the event loop's clock (``loop.time``, ``asyncio.sleep``, ``asyncio.timeout``)
notices nothing. Threads and sockets live on the real clock and do not belong here.
"""

from __future__ import annotations

import asyncio
import selectors
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class _Selector(selectors.DefaultSelector):
    """Does not wait for the next timer but notes that its time has come."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready: list[tuple[selectors.SelectorKey, int]] = super().select(0)
        if not ready and timeout is None:
            raise RuntimeError("everything waits, and no timer is set: this would wait for ever")
        if not ready and timeout is not None:
            self.now += max(0.0, timeout)
        return ready


class _Loop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._clock = _Selector()
        super().__init__(self._clock)

    def time(self) -> float:
        return self._clock.now


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run ``main`` to its end on a clock that starts at 0 and never waits.

    Works inside a notebook too, where a loop is already running: then it takes a thread of its own.

    Raises:
        RuntimeError: if everything waits and no timer is set.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return _run(main)
    outcome: list[T] = []
    error: list[BaseException] = []

    def work() -> None:
        try:
            outcome.append(_run(main))
        except BaseException as raised:  # handed over to the caller's thread, just below
            error.append(raised)

    thread = threading.Thread(target=work, name="simulated-time")
    thread.start()
    thread.join()
    if error:
        raise error[0]
    return outcome[0]


def _run(main: Coroutine[Any, Any, T]) -> T:
    with asyncio.Runner(loop_factory=_Loop) as runner:
        return runner.run(main)
