"""Many matches and many sessions in one arena, and a bot that does not read."""

from __future__ import annotations

import asyncio
import gc
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import grpc.aio

from load.census import taken
from rivalry.arena.v1 import play_pb2, session_pb2
from rivalry_bots.first_bot import FirstBot
from rivalry_client import Client
from rivalry_engine import catalog, playout
from rivalry_server.arena import Arena
from rivalry_server.journal.lasting import FileJournal
from rivalry_server.match_spec import MatchSpec
from rivalry_server.outcome import End, Result
from rivalry_server.seat import InProcess
from rivalry_server.seating import Command, Listen, Occupant
from rivalry_server.settings import Settings
from server.peer import hello
from server.tally import Tally

PLAY = "/rivalry.arena.v1.ArenaService/Play"
TOGETHER = 50
PROGRAM = Command((sys.executable, "-m", "rivalry_bots", "first"), "cmd:first")


async def many_matches(matches: int, *, programs: int, patience_s: int = 90) -> dict[str, dict[str, int]]:
    """Counts what this process holds before and after ``matches`` of Kuhn poker in one arena with a journal.

    In ``programs`` of them one bot is a program that the arena starts; in the others one dials in over gRPC, for a
    session of its own, with a token; the other seat is a function.  What is let go of has ``patience_s`` to be gone.
    """
    with tempfile.TemporaryDirectory() as folder:
        data, temporary = Path(folder) / "data", Path(folder) / "tmp"
        temporary.mkdir()
        places = {"files in the journal's folder": data, "files in the temporary folder": temporary}
        before_dir, tempfile.tempdir = tempfile.tempdir, str(temporary)
        try:
            async with Arena(Settings(ended_matches=100), journal=FileJournal(data)) as arena:
                address = await arena.start("127.0.0.1:0")
                async with asyncio.timeout(600):
                    await _played(arena, address, matches=20, programs=min(programs, 4), label="warm")
                    before = await _least(places)
                    await _played(arena, address, matches=matches, programs=programs, label="many")
                    after = await _least(places, enough=before, patience_s=patience_s)
                lobby = arena.lobby
                left = {
                    "sessions": len(lobby.sessions),
                    "tokens": len(lobby._by_token) + len(lobby._by_key),
                    "open seats": len(lobby._open) + len(lobby._with_room),
                }
                before.update(dict.fromkeys(left, 0))
                after.update(left)
        finally:
            tempfile.tempdir = before_dir
    return {"before": before, "after": after}


async def _played(arena: Arena, address: str, *, matches: int, programs: int, label: str) -> None:
    game = catalog.game("kuhn")
    function = InProcess(playout.first, "first")
    room = asyncio.Semaphore(TOGETHER)
    few = asyncio.Semaphore(4)

    async def with_program(spec: MatchSpec) -> Result:
        async with few:
            return await arena.run_match(spec, [PROGRAM, function])

    async def with_guest(spec: MatchSpec) -> Result:
        async with room:
            attempt = arena.open_match(spec, [Listen(), function])
            client = Client(address, token=attempt.vacancies[0].token)
            try:
                ending = await client.play(FirstBot)
                assert ending.kind == "done", ending
            finally:
                await client.close()
            return await attempt.finished

    specs = [MatchSpec(game, f"{label}/{number}".encode()) for number in range(matches)]
    playing = [(with_program if number < programs else with_guest)(spec) for number, spec in enumerate(specs)]
    for result in await asyncio.gather(*playing):
        assert [seat.end for seat in result.seats] == [End.NORMAL, End.NORMAL], result.seats


async def _least(
    places: Mapping[str, Path], enough: Mapping[str, int] | None = None, *, patience_s: int = 30
) -> dict[str, int]:
    """What is held once all that was let go of is gone: gRPC closes its sockets in threads of its own, when it can.

    Counts until nothing is above ``enough``, for ``patience_s`` at most; without it, until a second changed nothing.
    """
    await asyncio.sleep(1.0)
    held = taken(places)
    for _ in range(patience_s):
        if enough is not None and all(count <= enough[what] for what, count in held.items()):
            break
        await asyncio.sleep(1.0)
        last, held = held, taken(places)
        if enough is None and last == held:
            break
    return held


class Guest:
    """A raw session over gRPC that answers pings and nothing else; prompts stay open."""

    def __init__(
        self, channel: grpc.aio.Channel, *, name: str, matches: int = 1, features: Sequence[str] = ("resume",)
    ) -> None:
        self.started = 0
        self.welcomed = asyncio.Event()
        self._call: grpc.aio.StreamStreamCall[bytes, bytes] = channel.stream_stream(PLAY)()
        self._hello = hello(name, matches=matches, prompts=matches, features=features)
        self._living = asyncio.ensure_future(self._live())

    async def say(self, *messages: session_pb2.FromBot) -> None:
        """One frame."""
        await self._call.write(play_pb2.PlayRequest(messages=messages).SerializeToString())

    async def _live(self) -> None:
        await self.say(self._hello)
        while isinstance(frame := await self._call.read(), bytes):
            replies = []
            for message in play_pb2.PlayResponse.FromString(frame).messages:
                if message.HasField("welcome"):
                    self.welcomed.set()
                elif message.HasField("ping"):
                    replies.append(session_pb2.FromBot(pong=session_pb2.Pong(nonce=message.ping.nonce)))
                elif message.HasField("seat_offer"):
                    reply = session_pb2.SeatReply(offer=message.seat_offer.offer, accepted=True)
                    replies.append(session_pb2.FromBot(seat_reply=reply))
                elif message.HasField("match_started"):
                    self.started += 1
            if replies:
                await self.say(*replies)

    async def close(self) -> None:
        """Hangs up."""
        self._living.cancel()
        self._call.cancel()
        await asyncio.gather(self._living, return_exceptions=True)


@asynccontextmanager
async def guests(address: str, count: int, *, matches: int = 1, a_channel: int = 100) -> AsyncIterator[list[Guest]]:
    """So many sessions, welcomed, with room for ``matches`` each."""
    found: list[Guest] = []
    async with AsyncExitStack() as stack:
        for first in range(0, count, a_channel):
            found += await _on_one_channel(stack, address, range(first, min(first + a_channel, count)), matches)
        yield found
        found.clear()
    gc.collect()  # a channel's connection is closed when the channel is collected


async def _on_one_channel(stack: AsyncExitStack, address: str, numbers: range, matches: int) -> list[Guest]:
    options = (("grpc.use_local_subchannel_pool", 1),)
    channel = await stack.enter_async_context(grpc.aio.insecure_channel(address, options=options))
    found = [Guest(channel, name=f"guest-{number}", matches=matches) for number in numbers]
    for guest in found:
        stack.push_async_callback(guest.close)
    async with asyncio.timeout(60):
        await asyncio.gather(*(guest.welcomed.wait() for guest in found))
    return found


async def slow_reader(*, padding: int, rounds: int, write_s: float) -> tuple[Result, int, int]:
    """A match with a bot over gRPC that does not read: its result, and the arena's memory before and after, in KiB.

    Each of its events has ``padding`` bytes, so that soon more is on its way than the connection takes.
    """
    from load.census import resident_kb

    game = Tally({"seats": 2, "rounds": rounds, "padding": padding})
    async with Arena(Settings(write_s=write_s)) as arena:
        address = await arena.start("127.0.0.1:0")
        spec = MatchSpec(game, b"slow", wait_s=30)
        seats: list[Occupant] = [Listen(), InProcess(playout.first, "first")]
        over = asyncio.ensure_future(arena.run_match(spec, seats))
        async with grpc.aio.insecure_channel(address) as channel:
            call: grpc.aio.StreamStreamCall[bytes, bytes] = channel.stream_stream(PLAY)()

            async def say(message: session_pb2.FromBot) -> None:
                await call.write(play_pb2.PlayRequest(messages=[message]).SerializeToString())

            await say(hello("slow", features=["live_events"]))
            await say(session_pb2.FromBot(seat_reply=session_pb2.SeatReply(offer=1, accepted=True)))
            await asyncio.sleep(0.3)
            before_kb = resident_kb()
            number = 0
            while not over.done():
                number += 1
                answer = session_pb2.Answer(match=1, number=number, index=number % 10)
                try:
                    await say(session_pb2.FromBot(answer=answer))
                except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
                    break
                await asyncio.sleep(0.02)
            async with asyncio.timeout(60):
                result = await over
            after_kb = resident_kb()
            call.cancel()
        return result, before_kb, after_kb


def unread(result: Result) -> dict[str, Any]:
    """How the seat of the bot that did not read ended."""
    seat = result.seats[0]
    return {"end": str(seat.end), "text": seat.text}
