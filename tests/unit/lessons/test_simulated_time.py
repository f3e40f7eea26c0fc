import asyncio

import pytest

from rankwalk.lessons.simulated_time import run


async def measured(delay):
    loop = asyncio.get_running_loop()
    started = loop.time()
    await asyncio.sleep(delay)
    return loop.time() - started


def test_sleeping_takes_its_time_on_the_simulated_clock_only():
    assert run(measured(3600)) == pytest.approx(3600)


def test_inside_a_running_loop():
    async def notebook():
        return run(measured(5))

    assert asyncio.run(notebook()) == pytest.approx(5)


def test_errors_come_back_also_from_inside_a_running_loop():
    async def fails():
        raise KeyError("x")

    async def notebook():
        run(fails())

    with pytest.raises(KeyError):
        run(fails())
    with pytest.raises(KeyError):
        asyncio.run(notebook())


def test_order_of_timers():
    seen = []

    async def note(delay):
        await asyncio.sleep(delay)
        seen.append(delay)

    async def main():
        await asyncio.gather(*(note(delay) for delay in (3, 1, 2)))

    run(main())
    assert seen == [1, 2, 3]


def test_waiting_for_ever_is_told():
    async def main():
        await asyncio.Event().wait()

    with pytest.raises(RuntimeError, match="for ever"):
        run(main())
