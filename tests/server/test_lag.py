"""How much of a time was the arena's: delays of the loop, told apart from the time of bots."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from rivalry_server.lag import CHAIN, GAP_S, LagSampler, sampler
from server import virtual

NEVER = float("inf")


def ms(seconds: float) -> float:
    return round(seconds * 1_000, 3)


class Held:
    """A loop with a sampler whose every clock began at ``since``."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.sampler = LagSampler(self.loop, self.loop.time, every_s=0.01)
        self.since = self.loop.time()
        self.sampler.hold(self.since)

    async def stall(self, seconds: float) -> None:
        """The loop does something else, and comes round to its timers."""
        assert isinstance(self.loop, virtual.VirtualLoop)
        self.loop.jump(seconds)
        await asyncio.sleep(0)
        await asyncio.sleep(0)

    def share_ms(self, *, returned: float | None = None) -> float:
        """Of what is read now."""
        at = self.since if returned is None else returned
        return self.sampler.share_us(self.since, at, self.loop.time()) / 1_000


def run(work: Coroutine[Any, Any, Any]) -> Any:
    return virtual.run(work)


def test_a_loop_that_is_never_held_up_has_no_share() -> None:
    async def work() -> float:
        held = Held()
        await asyncio.sleep(5)
        return held.share_ms()

    assert run(work()) == 0


def test_what_is_read_right_after_a_delay_was_held_up_by_it() -> None:
    async def work() -> float:
        held = Held()
        await asyncio.sleep(0.5)
        await held.stall(3)
        return held.share_ms()

    assert 2_990 <= run(work()) <= 3_000


def test_a_delay_that_lasts_counts_before_any_timer_has_fired() -> None:
    async def work() -> float:
        held = Held()
        await asyncio.sleep(0.5)
        assert isinstance(held.loop, virtual.VirtualLoop)
        held.loop.jump(3)
        return held.share_ms()

    assert 2_990 <= run(work()) <= 3_000


def test_a_delay_while_the_bot_thought_held_up_nothing() -> None:
    async def work() -> float:
        held = Held()
        await asyncio.sleep(0.5)
        await held.stall(3)
        await asyncio.sleep(GAP_S + 0.01)
        return held.share_ms()

    assert run(work()) == 0


def test_what_is_read_within_a_moment_of_a_delay_counts_with_that_moment_up_to_the_delays_length() -> None:
    async def work(stall_s: float) -> float:
        held = Held()
        await asyncio.sleep(0.5)
        held.sampler.saw(held.loop.time() - stall_s, held.loop.time())
        await asyncio.sleep(0.008)
        return held.share_ms()

    assert run(work(0.2)) == pytest.approx(208)
    assert run(work(0.003)) == pytest.approx(6)


def test_a_delay_before_the_write_returned_counts_however_long_the_bot_thought() -> None:
    async def work(returned_after: float) -> float:
        held = Held()
        await asyncio.sleep(0.02)
        await held.stall(0.5)
        await asyncio.sleep(1)
        return held.share_ms(returned=held.since + returned_after)

    assert 490 <= run(work(0.6)) <= 500
    assert run(work(0.01)) == 0
    assert 490 <= run(work(NEVER)) <= 500


def test_a_delay_that_holds_up_writing_and_reading_counts_once() -> None:
    async def work() -> float:
        held = Held()
        await asyncio.sleep(0.02)
        await held.stall(0.5)
        return held.share_ms(returned=NEVER)

    assert 490 <= run(work()) <= 500


def test_delays_close_to_each_other_count_together_but_only_the_last_few() -> None:
    async def work(count: int) -> float:
        held = Held()
        for _ in range(count):
            await asyncio.sleep(0.015)
            now = held.loop.time()
            held.sampler.saw(now, now + 0.1)
            await held.stall(0.1)
        return held.share_ms()

    assert run(work(2)) == pytest.approx(200 + 15, abs=1)
    assert run(work(CHAIN + 5)) == pytest.approx(100 * CHAIN + 15 * (CHAIN - 1), abs=1)


def test_the_share_is_never_more_than_the_time() -> None:
    async def work() -> float:
        held = Held()
        await held.stall(5)
        held.since = held.loop.time() - 0.25
        return held.share_ms(returned=NEVER)

    assert run(work()) == 250


def test_it_samples_only_while_a_clock_runs() -> None:
    async def work() -> int:
        held = Held()
        await asyncio.sleep(0.5)
        held.sampler.release()
        await asyncio.sleep(0.5)
        timers = len(held.loop._scheduled)  # type: ignore[attr-defined]
        held.sampler.hold(held.loop.time())
        await asyncio.sleep(0.5)
        await held.stall(2)
        assert held.share_ms() > 1_900
        return timers

    assert run(work()) == 0


class CountingLoop(virtual.VirtualLoop):
    """Counts how often it had nothing to do until a timer."""

    waits = 0

    def jump(self, seconds: float) -> None:
        self.waits += 1
        super().jump(seconds)


def test_samples_are_rarer_in_a_long_think_and_close_again_when_a_prompt_is_opened() -> None:
    async def work() -> tuple[int, int, float]:
        held = Held()
        assert isinstance(held.loop, CountingLoop)
        await asyncio.sleep(1)
        first = held.loop.waits
        await asyncio.sleep(600)
        then = held.loop.waits
        held.sampler.hold(held.loop.time())
        await asyncio.sleep(0.2)
        await held.stall(1)
        return first, then, held.share_ms()

    with asyncio.Runner(loop_factory=CountingLoop) as runner:
        first, then, share = runner.run(work())

    assert 95 <= first <= 105
    assert then < 10_000
    assert share >= 990


def test_all_seats_of_a_loop_share_one_sampler() -> None:
    async def work() -> bool:
        loop = asyncio.get_running_loop()
        return sampler(loop, loop.time, every_s=0.01) is sampler(loop, loop.time, every_s=0.01)

    assert run(work())
