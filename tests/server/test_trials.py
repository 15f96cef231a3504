"""Work that may take long: what one identity may have of it, and who waits for whom."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable

import pytest

from rivalry_engine.error import RivalryError
from rivalry_server.limits import TooMuchError
from rivalry_server.trials import LATE_S, Trials
from server import virtual

PATIENCE_S = 60


class Slow:
    """Work that lasts until it is told to end."""

    def __init__(self) -> None:
        self.began = threading.Event()
        self.go_on = threading.Event()

    def __call__(self) -> str:
        self.began.set()
        assert self.go_on.wait(PATIENCE_S)
        return "slow"

    async def begun(self) -> bool:
        """True as soon as a thread does it; False if none ever does."""
        return await asyncio.to_thread(self.began.wait, PATIENCE_S)


def on_a_loop(work: Callable[[], Awaitable[None]]) -> None:
    async def whole() -> None:
        async with asyncio.timeout(PATIENCE_S):
            await work()

    virtual.run_leaping(whole())


def test_somebody_elses_trial_does_not_wait_for_those_of_one_who_has_many() -> None:
    async def work() -> None:
        trials = Trials(each=4)
        slow = [Slow() for _ in range(4)]
        waiting = [asyncio.ensure_future(trials.done("hex", "greedy", 1, each)) for each in slow]
        assert await slow[0].begun()

        assert await trials.done("go", "honest", 1, lambda: "quick") == "quick"

        assert not slow[1].began.is_set(), "the last worker is kept for others"
        for each in slow:
            each.go_on.set()
        assert await asyncio.gather(*waiting) == ["slow"] * 4

    on_a_loop(work)


def test_one_identity_has_so_many_trials_and_is_told_what_to_do() -> None:
    async def work() -> None:
        trials = Trials(each=2)
        slow = Slow()
        waiting = [asyncio.ensure_future(trials.done("hex", "greedy", 1, slow)) for _ in range(2)]
        await asyncio.sleep(0)

        with pytest.raises(TooMuchError, match=r"of such trials greedy has 2 already.* when one of them"):
            await trials.done("hex", "greedy", 1, slow)

        slow.go_on.set()
        await asyncio.gather(*waiting)
        assert await trials.done("hex", "greedy", 1, lambda: "again") == "again"

    on_a_loop(work)


def test_so_many_trials_wait_whoever_asked_for_them() -> None:
    async def work() -> None:
        trials = Trials(each=2, waiting=4)
        slow = Slow()
        waiting = [asyncio.ensure_future(trials.done("hex", who, 1, slow)) for who in range(6)]
        await asyncio.sleep(0)

        with pytest.raises(TooMuchError, match="4 trials wait already; try again"):
            await trials.done("hex", "one more", 1, slow)

        waiting.pop().cancel()  # one that waits leaves, which makes room
        await asyncio.sleep(0)
        waiting.append(asyncio.ensure_future(trials.done("hex", "one more", 1, slow)))
        slow.go_on.set()
        assert await asyncio.gather(*waiting) == ["slow"] * 6

    on_a_loop(work)


def test_a_trial_that_nobody_waits_for_any_more_counts_until_it_ends() -> None:
    async def work() -> None:
        trials = Trials(each=1)
        slow = Slow()
        call = asyncio.ensure_future(trials.done("hex", "greedy", 1, slow))
        assert await slow.begun()
        call.cancel()
        await asyncio.wait((call,))

        with pytest.raises(TooMuchError):
            await trials.done("hex", "greedy", 1, slow)

        slow.go_on.set()
        while True:
            try:
                assert await trials.done("hex", "greedy", 1, lambda: "free") == "free"
                break
            except TooMuchError:
                await asyncio.sleep(0.01)

    on_a_loop(work)


def test_a_trial_that_does_not_end_is_given_up_and_counts_for_its_identity_alone() -> None:
    async def work() -> None:
        trials = Trials(workers=2, each=1)
        slow = Slow()
        endless = [asyncio.ensure_future(trials.done("endless", who, 1, slow)) for who in range(2)]
        quick = asyncio.ensure_future(trials.done("go", "honest", 1, lambda: "quick"))
        await asyncio.sleep(0)
        assert not quick.done()

        virtual.leap(LATE_S)

        assert await quick == "quick"
        for each in endless:
            with pytest.raises(RivalryError, match="endless: making it took more than 30 s"):
                await each
        with pytest.raises(TooMuchError):
            await trials.done("endless", 0, 1, slow)
        slow.go_on.set()

    on_a_loop(work)
