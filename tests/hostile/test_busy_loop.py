"""An arena whose loop is held up, or whose disk is slow, takes no bot's game and keeps nobody waiting."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from pathlib import Path

import pytest

from rivalry.arena.v1 import session_pb2
from rivalry_engine import playout
from rivalry_engine.chance import Stream
from rivalry_server.arena import Arena
from rivalry_server.clock import TimeControl
from rivalry_server.journal.lasting import FileJournal
from rivalry_server.match_spec import MatchSpec
from rivalry_server.outcome import End, Result
from rivalry_server.seat import InProcess
from rivalry_server.seating import Listen
from server import virtual
from server.peer import Peer, kuhn, tally

MATCHES = 24
SEATS = 3
LIMIT = "200ms,margin=0ms"
THINKS_S = 0.15
"""What the bot takes for each answer: most of what it may."""


async def always_the_same(peer: Peer) -> None:
    """Takes every seat and answers every prompt after the same time, however many there are."""
    answering: set[asyncio.Future[None]] = set()
    while (message := await peer.hear()) is not None:
        if message.HasField("seat_offer"):
            reply = session_pb2.SeatReply(offer=message.seat_offer.offer, accepted=True)
            await peer.say(session_pb2.FromBot(seat_reply=reply))
        elif message.HasField("prompt"):
            answering.add(asyncio.ensure_future(after_a_thought(peer, message.prompt)))
        if len(peer.all("match_ended")) == MATCHES:
            return


async def after_a_thought(peer: Peer, prompt: session_pb2.Prompt) -> None:
    await asyncio.sleep(THINKS_S)
    await peer.answer(prompt)


async def held_up(chance: Stream) -> None:
    """Has the loop do something else again and again, for up to twice what a bot may think."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, virtual.VirtualLoop)
    while True:
        await asyncio.sleep(0.02 + chance.below(100) / 1_000)
        loop.jump(chance.below(400) / 1_000)


def null_match(*, busy: bool, world: int) -> list[Result]:
    """The same bot on all seats of many matches at once, each seat over a stream of its own."""

    async def work() -> list[Result]:
        async with Arena() as arena:
            limit = TimeControl.parsed(LIMIT)
            specs = [
                MatchSpec(tally(SEATS, rounds=4), b"x", f"{number:032x}", time_control=limit, wait_s=600)
                for number in range(MATCHES)
            ]
            peers = [Peer(arena) for _ in range(SEATS)]
            for peer in peers:
                await peer.hello(matches=MATCHES, prompts=MATCHES)
            attempts = [arena.open_match(each, [Listen()] * SEATS) for each in specs]
            playing = [asyncio.ensure_future(always_the_same(peer)) for peer in peers]
            holding = asyncio.ensure_future(held_up(Stream(b"busy", str(world)))) if busy else None
            await asyncio.gather(*playing)
            if holding is not None:
                holding.cancel()
            return [await attempt.finished for attempt in attempts]

    return virtual.run(work())


@pytest.mark.parametrize("world", range(2))
def test_a_null_match_at_a_busy_arena_shows_no_loss_on_time(world: int) -> None:
    results = null_match(busy=True, world=world)
    quiet = null_match(busy=False, world=world)

    assert [seat.end for result in results for seat in result.seats] == [End.NORMAL] * (MATCHES * SEATS)
    assert [result.game_digest for result in results] == [result.game_digest for result in quiet]
    assert max(seat.spent.arena_us for result in results for seat in result.seats) > 200_000, "it was not held up"


FIRST = InProcess(playout.first, "first", "1", "first")
SLOW_S = 30.0


def test_a_slow_disk_holds_up_neither_the_loop_nor_other_matches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[int] = []
    played = threading.Event()
    waited: list[bool] = []
    sync = os.fdatasync

    def slow(descriptor: int) -> None:
        threads.append(threading.get_ident())
        waited.append(played.wait(SLOW_S))
        sync(descriptor)

    monkeypatch.setattr(os, "fdatasync", slow)

    async def work() -> list[Result]:
        async with asyncio.timeout(60), Arena(journal=FileJournal(tmp_path)) as arena:
            other = arena.open_match(MatchSpec(tally(2, rounds=300), b"x", f"{2:032x}"), [Listen(), FIRST])
            peer = Peer(arena)
            await peer.sit()
            first = arena.open_match(MatchSpec(kuhn(), b"x", f"{1:032x}"), [FIRST, FIRST])
            for _ in range(20):
                await peer.answer(await peer.until("prompt"))
            assert not first.finished.done(), "its result is not told before the disk has it"
            played.set()
            playing = asyncio.ensure_future(peer.play())
            results = [await first.finished, await other.finished]
            await playing
            return results

    results = asyncio.run(work())

    assert threads and threading.main_thread().ident not in threads
    assert all(waited), "the other match was not played on while the disk was waited for"
    assert {seat.end for result in results for seat in result.seats} == {End.NORMAL}


def test_a_result_is_told_only_when_a_slow_disk_has_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sync = os.fdatasync
    lasting: list[float] = []

    def slow(descriptor: int) -> None:
        time.sleep(0.4)
        sync(descriptor)
        lasting.append(time.monotonic())

    monkeypatch.setattr(os, "fdatasync", slow)

    async def work() -> float:
        async with asyncio.timeout(60), Arena(journal=FileJournal(tmp_path)) as arena:
            attempt = arena.open_match(MatchSpec(kuhn(), b"x", f"{1:032x}"), [Listen(), FIRST])
            peer = Peer(arena)
            await peer.sit_and_play()
            told = time.monotonic()
            await attempt.finished
            return told

    assert asyncio.run(work()) >= lasting[0]
