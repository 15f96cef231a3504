"""What others are to do within a time: nobody has less of it because the arena was held up when it ended."""

from __future__ import annotations

import asyncio
from typing import cast

import pytest

from rivalry.arena.v1 import session_pb2
from rivalry_server.arena import Arena
from rivalry_server.journal import NoJournal
from rivalry_server.link import Link
from rivalry_server.outbox import Outbox
from rivalry_server.outcome import End, Result
from rivalry_server.patience import Patience
from rivalry_server.seating import Listen
from server import virtual
from server.peer import FromBot, Peer, opened, spec
from server.resuming import back, first_answers, has, match_with


def held_up(seconds: float) -> None:
    """Time passes in which nothing is read."""
    cast(virtual.VirtualLoop, asyncio.get_running_loop()).jump(seconds)


async def resumed(seconds: float) -> None:
    """The same, and what was sent meanwhile is not read before timers that are due."""
    held_up(seconds)
    for _ in range(5):
        await asyncio.sleep(0)


@pytest.mark.parametrize(("held_up_s", "called_s"), [(0.0, 5.0), (4.0, 5.0), (7.0, 9.0), (30.0, 35.0)])
def test_as_long_as_it_was_held_up_it_waits_again_but_no_longer_than_at_all(held_up_s: float, called_s: float) -> None:
    async def work() -> float:
        loop = asyncio.get_running_loop()
        began, called = loop.time(), loop.create_future()
        Patience(loop, 5.0, lambda: called.set_result(loop.time()))
        held_up(held_up_s)
        return float(await called) - began

    assert virtual.run(work()) == pytest.approx(called_s)


@pytest.mark.parametrize("after_s", [1.0, 8.0])
def test_what_is_cancelled_is_not_called_back(after_s: float) -> None:
    async def work() -> list[str]:
        called: list[str] = []
        patience = Patience(asyncio.get_running_loop(), 5.0, lambda: called.append("called"))
        if after_s > 5.0:
            held_up(after_s)
            await asyncio.sleep(1.0)
        patience.cancel()
        await asyncio.sleep(60.0)
        return called

    assert virtual.run(work()) == []


def test_a_bot_that_comes_back_while_the_arena_is_held_up_keeps_its_seat() -> None:
    async def work(arena: Arena, first: Peer, second: Peer, over: asyncio.Future[Result]) -> None:
        await first.until("prompt")
        first.link.cut()
        await asyncio.sleep(29.0)
        await resumed(5.0)
        again = await back(arena, first, has(first))
        await asyncio.gather(first_answers(again.after(first)), second.play())

    result = match_with(work, time="10m")

    assert [seat.end for seat in result.seats] == [End.NORMAL, End.NORMAL]


def test_a_bot_that_says_hello_and_takes_a_seat_while_the_arena_is_held_up_is_heard() -> None:
    async def work() -> Result:
        async with Arena() as arena:
            over = opened(arena, spec(wait_s=60.0), [Listen(), Listen()])
            other, late = Peer(arena), Peer(arena)
            await other.hello("other")
            await other.accept()
            await asyncio.sleep(9.0)
            await resumed(30.0)  # longer than it may say nothing
            await late.hello("late")
            offer = await late.until("seat_offer")
            await asyncio.sleep(19.0)
            await resumed(60.0)  # longer than it may keep the seat, and than the seat may be empty
            await late.say(FromBot(seat_reply=session_pb2.SeatReply(offer=offer.offer, accepted=True)))
            await asyncio.gather(other.play(), late.play())
            return await over

    assert [seat.end for seat in virtual.run(work()).seats] == [End.NORMAL, End.NORMAL]


class Slow(Link):
    """A write returns when a test says so."""

    def __init__(self) -> None:
        self.written: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def read(self) -> bytes | None:
        raise AssertionError("nothing is read here")

    async def write(self, frame: bytes) -> None:
        await self.written

    def hang_up(self) -> None:
        raise AssertionError("nobody hangs up here")


@pytest.mark.parametrize(("returns", "told"), [(True, []), (False, ["a write did not return in 5 s"])])
def test_a_write_that_returned_while_the_arena_was_held_up_was_not_slow(returns: bool, told: list[str]) -> None:
    async def work() -> list[str]:
        link, slow = Slow(), list[str]()
        loop = asyncio.get_running_loop()
        outbox = Outbox(link, NoJournal(), now=loop.time, write_s=5, bound=9, on_slow=slow.append)
        writing = asyncio.ensure_future(outbox.write_all())
        outbox.put(b"plain")
        await asyncio.sleep(1.0)
        held_up(30.0)
        if returns:
            loop.call_later(0.01, link.written.set_result, None)  # gRPC tells a moment later
        await asyncio.sleep(60.0)
        writing.cancel()
        return slow

    assert virtual.run(work()) == told
