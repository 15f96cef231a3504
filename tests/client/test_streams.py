"""Sessions that are resumed over gRPC: an arena that is dialled again, and a bot that is."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import grpc.aio
import pytest

from client.arena import Script, scripted_arena
from client.scripted import KuhnTable, ScriptedArena
from client.streams import TOKEN, resumed, welcome
from client.test_client import Listening
from rivalry.arena.v1 import errors_pb2, session_pb2
from rivalry_client import Bot, connect
from rivalry_client.client import Seating
from rivalry_client.ending import Ending
from rivalry_client.grpc_link import SESSION
from rivalry_client.host import Host
from rivalry_client.link import QueueLink
from rivalry_client.prompt import Prompt
from rivalry_client.report import Report
from rivalry_client.thinking import OnLoop

PLAY = "/rivalry.arena.v1.BotService/Play"


class Counting(Bot):
    """Thinks for a while; counts how often."""

    thoughts = 0

    async def choose(self, prompt: Prompt) -> object:
        type(self).thoughts += 1
        await asyncio.sleep(0.1)
        return 1


async def first_stream(arena: ScriptedArena) -> None:
    """Ends while the bot thinks about its first prompt."""
    table = KuhnTable()
    await welcome(arena)
    await arena.frame(table.started(), table.prompt())
    await asyncio.sleep(0.02)


async def next_stream(arena: ScriptedArena) -> None:
    """Asks again what was asked, and ends the match and the session."""
    table = KuhnTable()
    resume = await resumed(arena)
    assert (resume.token, resume.acks[0].prompt) == (TOKEN, 1)
    started = table.started()
    started.match_started.resumed = True
    await arena.frame(started, table.prompt())
    assert (await arena.hear("answer")).index == 1
    done = session_pb2.SessionEnded(reason=errors_pb2.SESSION_END_REASON_DONE)
    await arena.frame(table.ended(), session_pb2.FromArena(session_ended=done))
    assert (await arena.hear("ack")).ended


def test_an_arena_whose_streams_break_is_dialled_again() -> None:
    class Thinking(Counting):
        thoughts = 0

    async def broken(arena: ScriptedArena) -> None:
        await first_stream(arena)
        raise ConnectionError("pulled")

    scripts: list[Script] = [broken, next_stream]

    async def script(arena: ScriptedArena) -> None:
        await scripts.pop(0)(arena)

    async def main() -> Ending:
        async with asyncio.timeout(20), scripted_arena(script) as address, connect(address) as arena:
            return await arena.play(Thinking)

    ending = asyncio.run(main())

    assert (ending.kind, ending.matches, Thinking.thoughts) == ("done", 1, 1)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no unix sockets")
def test_an_arena_that_was_stopped_and_is_back_at_its_address_is_dialled_again() -> None:
    class Thinking(Counting):
        thoughts = 0

    async def main(folder: str) -> Ending:
        address = f"unix:{folder}/arena"
        async with connect(address) as arena:
            async with scripted_arena(first_stream, address=address):
                playing = asyncio.ensure_future(arena.play(Thinking))
                await asyncio.sleep(0.3)
            await asyncio.sleep(0.3)
            async with scripted_arena(next_stream, address=address):
                return await playing

    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        ending = asyncio.run(main(folder))

    assert (ending.kind, ending.matches, Thinking.thoughts) == ("done", 1, 1)


def test_a_bot_that_is_dialled_goes_on_with_the_next_call() -> None:
    class Thinking(Counting):
        thoughts = 0

    async def main() -> None:
        async with hosted(Thinking) as channel:
            await dialled(channel, first_stream)
            await dialled(channel, next_stream, session="s")

    asyncio.run(main())

    assert Thinking.thoughts == 1


def test_a_call_for_another_match_is_not_taken_for_the_session_that_was_lost() -> None:
    class Thinking(Counting):
        thoughts = 0

    async def another(arena: ScriptedArena) -> None:
        await welcome(arena)
        await arena.end()

    async def main() -> None:
        async with hosted(Thinking) as channel:
            await dialled(channel, first_stream)
            await dialled(channel, another)
            await dialled(channel, another, session="of a bot that was here before")
            await dialled(channel, next_stream, session="s")

    asyncio.run(main())

    assert Thinking.thoughts == 1


def test_a_bot_that_is_dialled_again_with_no_match_open_begins_a_new_session() -> None:
    async def idle(arena: ScriptedArena) -> None:
        await welcome(arena)

    async def anew(arena: ScriptedArena) -> None:
        await welcome(arena)
        await arena.end()

    async def main() -> None:
        async with hosted(Counting) as channel:
            await dialled(channel, idle)
            await dialled(channel, anew)

    asyncio.run(main())


def test_a_bot_whose_resume_is_refused_begins_a_new_session_with_the_call_after_that() -> None:
    async def refusing(arena: ScriptedArena) -> None:
        await arena.hear("resume")
        await arena.say(refused=session_pb2.Refused(reason=errors_pb2.REFUSAL_REASON_RESUME))

    async def anew(arena: ScriptedArena) -> None:
        await welcome(arena)
        await arena.end()

    async def main() -> None:
        async with hosted(Counting) as channel:
            await dialled(channel, first_stream)
            await dialled(channel, refusing, session="s")
            await dialled(channel, anew)

    asyncio.run(main())


def test_a_bot_that_is_not_dialled_again_in_time_gives_the_session_up() -> None:
    async def anew(arena: ScriptedArena) -> None:
        await welcome(arena)
        await arena.end()

    async def main() -> None:
        async with hosted(Counting, patience_s=0.2) as channel:
            await dialled(channel, first_stream)
            await asyncio.sleep(0.5)
            await dialled(channel, anew)

    asyncio.run(main())


def test_a_call_that_its_caller_cancels_is_a_lost_stream() -> None:
    class Thinking(Counting):
        thoughts = 0

    async def cut_off(arena: ScriptedArena) -> None:
        await first_stream(arena)

    async def main() -> None:
        async with hosted(Thinking) as channel:
            await dialled(channel, cut_off, cancels=True)
            await dialled(channel, next_stream, session="s")

    asyncio.run(main())

    assert Thinking.thoughts == 1


@asynccontextmanager
async def hosted(bot: type[Bot], *, patience_s: float = 60.0) -> AsyncIterator[grpc.aio.Channel]:
    """A channel to a bot that waits to be dialled."""
    listening = Listening()
    seating = Seating(bot, patience_s=patience_s)
    report = Report(talkative=False)
    host = Host(seating, "127.0.0.1:0", thinking=OnLoop(), report=report, bound=listening.at)
    serving = asyncio.ensure_future(host.serve())
    await listening.wait()
    try:
        async with grpc.aio.insecure_channel(listening.address) as channel:
            yield channel
    finally:
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)


async def dialled(channel: grpc.aio.Channel, script: Script, *, session: str = "", cancels: bool = False) -> None:
    """One call to the bot, over which the arena plays ``script``; then it closes the stream, or cancels the call.

    ``session`` is the one that lost its stream, as the arena names it.
    """
    named = ((SESSION, session),) if session else ()
    call: grpc.aio.StreamStreamCall[bytes, bytes] = channel.stream_stream(PLAY)(metadata=named)
    ours, theirs = QueueLink.pair()

    async def up() -> None:
        while isinstance(frame := await call.read(), bytes):
            await ours.write(frame)

    async def down() -> None:
        while (frame := await ours.read()) is not None:
            await call.write(frame)

    reading, writing = asyncio.ensure_future(up()), asyncio.ensure_future(down())
    try:
        await script(ScriptedArena(theirs))
        await asyncio.sleep(0.05)
        if not cancels:
            await call.done_writing()
            await asyncio.wait_for(call.code(), 5.0)
    finally:
        call.cancel()
        reading.cancel()
        writing.cancel()
        await asyncio.gather(reading, writing, return_exceptions=True)
        await asyncio.sleep(0.05)
