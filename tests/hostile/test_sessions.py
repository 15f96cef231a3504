"""Peers that mean harm, at the session: floods, walls of bytes, streams that are not read, frames cut anywhere."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import pytest

from rivalry.arena.v1 import errors_pb2, play_pb2, session_pb2
from rivalry_engine import playout
from rivalry_engine.chance import Stream
from rivalry_server.arena import Arena
from rivalry_server.link import LinkLostError
from rivalry_server.outcome import End, Result
from rivalry_server.seat import InProcess
from rivalry_server.seating import Listen
from rivalry_server.settings import FRAME_BYTES
from server import virtual
from server.peer import FromBot, Peer, answer, hello, opened, spec, tally


def against(misbehave: Any, *, frames: int = 64) -> tuple[Result, Peer]:
    """A match of a bad bot against two good ones; the bad one is seated and prompted when it begins to misbehave."""

    async def work() -> tuple[Result, Peer]:
        async with Arena() as arena:
            good = InProcess(playout.first, "good")
            match = opened(arena, spec(tally(3)), [good, good, Listen()])
            bad = Peer(arena, frames=frames)
            await bad.sit("bad")
            await misbehave(bad, await bad.until("prompt"))
            return await match, bad

    return virtual.run(work())


def ended_for(peer: Peer) -> str:
    return errors_pb2.SessionEndReason.Name(peer.all("session_ended")[0].reason).removeprefix("SESSION_END_REASON_")


async def drained(peer: Peer) -> None:
    while await peer.hear() is not None:
        pass


async def said_until_over(peer: Peer, *messages: session_pb2.FromBot) -> None:
    """Says the same for as long as the arena listens, and hears the rest."""
    hearing = asyncio.ensure_future(drained(peer))
    with contextlib.suppress(LinkLostError):
        while True:
            await peer.say(*messages)
            await asyncio.sleep(0)
    await hearing


@pytest.mark.parametrize(
    "message",
    [
        FromBot(),
        FromBot(ack=session_pb2.Ack(match=1, events=0)),
        FromBot(ack=session_pb2.Ack(match=1, events=1 << 40)),
        FromBot(pong=session_pb2.Pong(nonce=3)),
        FromBot(seat_reply=session_pb2.SeatReply(offer=9)),
        FromBot(resign=session_pb2.Resign(match=99)),
        FromBot(answer=session_pb2.Answer(match=1, number=0, index=0)),
        FromBot(answer=session_pb2.Answer(match=-5, number=1, text="x" * 1_000)),
    ],
)
def test_a_flood_ends_the_session_and_the_others_play_on(message: session_pb2.FromBot) -> None:
    async def flood(peer: Peer, prompt: session_pb2.Prompt) -> None:
        await said_until_over(peer, *[message] * 64)

    result, peer = against(flood)

    assert ended_for(peer) == "FLOOD"
    assert [seat.end for seat in result.seats] == [End.NORMAL, End.NORMAL, End.DISCONNECT]
    assert result.seats[2].text == "the session was ended: too many messages that no prompt asked for"


def test_a_flood_of_empty_frames_ends_the_session() -> None:
    async def flood(peer: Peer, prompt: session_pb2.Prompt) -> None:
        await said_until_over(peer)

    assert ended_for(against(flood)[1]) == "FLOOD"


def test_many_duplicates_over_a_long_match_are_no_flood() -> None:
    async def work() -> Result:
        async with Arena() as arena:
            match = opened(arena, spec(tally(2, rounds=400)))
            twice, other = Peer(arena), Peer(arena)
            await asyncio.gather(twice.sit(), other.sit())
            playing = asyncio.ensure_future(other.play())
            while (message := await twice.hear()) is not None:
                if message.WhichOneof("message") == "prompt":
                    await asyncio.sleep(0.05)
                    await twice.say(answer(message.prompt, index=0), answer(message.prompt, index=0))
                elif message.WhichOneof("message") == "match_ended":
                    break
            await playing
            return await match

    assert {seat.end for seat in virtual.run(work()).seats} == {End.NORMAL}


@pytest.mark.parametrize("data", [b"\xff" * 64, b"\x0a\x05abc", b"x" * (FRAME_BYTES + 1)])
def test_bytes_that_are_no_frame_end_the_session_with_a_reason(data: bytes) -> None:
    async def garbage(peer: Peer, prompt: session_pb2.Prompt) -> None:
        await peer.link.write(data)
        await drained(peer)

    result, peer = against(garbage)

    assert ended_for(peer) == ("FRAME" if len(data) > FRAME_BYTES else "PROTOCOL")
    assert result.seats[2].end is End.DISCONNECT


@pytest.mark.parametrize("message", [hello(), FromBot(resume=session_pb2.Resume(token=b"x"))])
def test_a_second_greeting_is_out_of_place(message: session_pb2.FromBot) -> None:
    async def greet(peer: Peer, prompt: session_pb2.Prompt) -> None:
        await peer.say(message)
        await drained(peer)

    assert ended_for(against(greet)[1]) == "PROTOCOL"


def test_a_bot_that_does_not_read_is_dropped_after_ten_seconds() -> None:
    async def work() -> tuple[Result, float]:
        async with Arena() as arena:
            good = InProcess(playout.first, "good")
            match = opened(arena, spec(tally(2, rounds=50), time="1m"), [good, Listen()])
            bad = Peer(arena, frames=1)
            await bad.sit("bad")
            prompt = await bad.until("prompt")
            start = asyncio.get_running_loop().time()
            # Rulings on stale answers fill what the arena may have under way; nobody reads them.
            for _ in range(8):
                await bad.say(answer(prompt, index=0, number=0))
                await asyncio.sleep(0.01)
            await bad.session
            return await match, asyncio.get_running_loop().time() - start

    result, after_s = virtual.run(work())

    assert result.seats[1].end is End.DISCONNECT
    assert "did not return in 10 s" in result.seats[1].text
    assert 10 <= after_s < 11


def test_a_flood_from_a_bot_that_does_not_read_is_bounded_too() -> None:
    async def work() -> Result:
        async with Arena() as arena:
            match = opened(arena, spec(tally(2), time="1m"), [InProcess(playout.first, "good"), Listen()])
            bad = Peer(arena, frames=1)
            await bad.sit("bad")
            prompt = await bad.until("prompt")
            with contextlib.suppress(LinkLostError):
                while True:
                    await bad.say(*[answer(prompt, index=0, number=0)] * 100)
            await bad.session
            return await match

    assert virtual.run(work()).seats[1].end is End.DISCONNECT


def test_the_bytes_of_a_match_cut_anywhere_never_break_the_arena() -> None:
    good = play_pb2.PlayRequest(
        messages=[
            FromBot(answer=session_pb2.Answer(match=1, number=1, text="bid 1", note="n")),
            FromBot(ack=session_pb2.Ack(match=1, events=1)),
        ]
    ).SerializeToString()

    async def work() -> set[str]:
        ends: set[str] = set()
        chance = Stream(b"hostile", "cuts")
        for cut in range(len(good)):
            async with Arena() as arena:
                match = opened(arena, spec(tally(2, rounds=1)), [InProcess(playout.first, "good"), Listen()])
                peer = Peer(arena)
                await peer.sit("bad")
                await peer.until("prompt")
                spoiled = bytearray(good)
                spoiled[cut] ^= 1 << chance.below(8)
                with contextlib.suppress(LinkLostError):
                    await peer.link.write(good[:cut])
                    await asyncio.sleep(0.001)
                    await peer.link.write(bytes(spoiled))
                ends.add(str((await match).seats[0].end))
        return ends

    assert virtual.run(work()) == {"normal"}


def test_enum_values_and_fields_from_the_future_change_nothing() -> None:
    async def odd(peer: Peer, prompt: session_pb2.Prompt) -> None:
        await peer.link.write(b"\x0a\x04\xc2\x3e\x01z")
        await peer.say(answer(prompt, index=0))
        await peer.play()
        await peer.say(FromBot(leave=session_pb2.Leave(reason=999)))  # type: ignore[arg-type]

    result, _ = against(odd)

    assert {seat.end for seat in result.seats} == {End.NORMAL}


def test_a_bot_cannot_answer_for_another_session() -> None:
    async def work() -> Result:
        async with Arena() as arena:
            match = opened(arena, spec(tally(2, rounds=1)))
            thief, victim = Peer(arena), Peer(arena)
            await asyncio.gather(thief.sit("thief"), victim.sit("victim"))
            prompt = await victim.until("prompt")
            for handle in range(-2, 6):
                if handle != 1:
                    await thief.say(answer(prompt, index=9, match=handle))
            await asyncio.sleep(0.1)
            await asyncio.gather(thief.play(), victim.answer(prompt, 3))
            return await match

    result = virtual.run(work())

    assert '"action":"bid 3"' in result.record()[2]
