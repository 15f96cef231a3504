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
from client.scripted import PATIENCE_S, KuhnTable, ScriptedArena
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


class Lost:
    """A bot that thinks until it is asked again, and what an arena says that loses its stream meanwhile."""

    def __init__(self) -> None:
        self.thoughts = 0
        self._asked = asyncio.Event()
        self._asked_again = asyncio.Event()

    def bot(self) -> type[Bot]:
        """The bot's class."""
        outer = self

        class Thinking(Bot):
            async def choose(self, prompt: Prompt) -> object:
                outer.thoughts += 1
                outer._asked.set()
                await outer._asked_again.wait()
                return 1

        return Thinking

    async def asked(self) -> None:
        """Returns when the bot thinks."""
        await asyncio.wait_for(self._asked.wait(), PATIENCE_S)

    async def first(self, arena: ScriptedArena) -> None:
        """A stream that ends while the bot thinks about its first prompt."""
        table = KuhnTable()
        await welcome(arena)
        await arena.frame(table.started(), table.prompt())
        await self.asked()

    async def next(self, arena: ScriptedArena) -> None:
        """One on which it is asked again what it was asked, and the match and the session end."""
        table = KuhnTable()
        resume = await resumed(arena)
        assert (resume.token, resume.acks[0].prompt) == (TOKEN, 1)
        started = table.started()
        started.match_started.resumed = True
        await arena.frame(started, table.prompt())
        self._asked_again.set()
        assert (await arena.hear("answer")).index == 1
        done = session_pb2.SessionEnded(reason=errors_pb2.SESSION_END_REASON_DONE)
        await arena.frame(table.ended(), session_pb2.FromArena(session_ended=done))
        assert (await arena.hear("ack")).ended


async def anew(arena: ScriptedArena) -> None:
    """A stream on which a new session begins."""
    await welcome(arena)
    await arena.end()


def test_an_arena_whose_streams_break_is_dialled_again() -> None:
    lost = Lost()

    async def broken(arena: ScriptedArena) -> None:
        await lost.first(arena)
        raise ConnectionError("pulled")

    scripts: list[Script] = [broken, lost.next]

    async def script(arena: ScriptedArena) -> None:
        await scripts.pop(0)(arena)

    async def main() -> Ending:
        async with asyncio.timeout(PATIENCE_S), scripted_arena(script) as address, connect(address) as arena:
            return await arena.play(lost.bot())

    ending = asyncio.run(main())

    assert (ending.kind, ending.matches, lost.thoughts) == ("done", 1, 1)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no unix sockets")
def test_an_arena_that_was_stopped_and_is_back_at_its_address_is_dialled_again() -> None:
    lost = Lost()

    async def main(folder: str) -> Ending:
        address = f"unix:{folder}/arena"
        async with connect(address) as arena:
            async with scripted_arena(lost.first, address=address):
                playing = asyncio.ensure_future(arena.play(lost.bot()))
                await lost.asked()
            await asyncio.sleep(0.3)  # the client finds nobody there
            async with scripted_arena(lost.next, address=address):
                return await playing

    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        ending = asyncio.run(main(folder))

    assert (ending.kind, ending.matches, lost.thoughts) == ("done", 1, 1)


def test_a_bot_that_is_dialled_goes_on_with_the_next_call() -> None:
    lost = Lost()

    async def main() -> None:
        async with hosted(lost.bot()) as channel:
            await dialled(channel, lost.first)
            await dialled(channel, lost.next, session="s")

    asyncio.run(main())

    assert lost.thoughts == 1


def test_a_call_for_another_match_is_not_taken_for_the_session_that_was_lost() -> None:
    lost = Lost()

    async def main() -> None:
        async with hosted(lost.bot()) as channel:
            await dialled(channel, lost.first)
            await dialled(channel, anew)
            await dialled(channel, anew, session="of a bot that was here before")
            await dialled(channel, lost.next, session="s")

    asyncio.run(main())

    assert lost.thoughts == 1


def test_a_bot_that_is_dialled_again_with_no_match_open_begins_a_new_session() -> None:
    lost = Lost()

    async def idle(arena: ScriptedArena) -> None:
        await welcome(arena)

    async def main() -> None:
        async with hosted(lost.bot()) as channel:
            await dialled(channel, idle)
            await dialled(channel, anew)

    asyncio.run(main())


def test_a_bot_whose_resume_is_refused_begins_a_new_session_with_the_call_after_that() -> None:
    lost = Lost()

    async def refusing(arena: ScriptedArena) -> None:
        await arena.hear("resume")
        await arena.say(refused=session_pb2.Refused(reason=errors_pb2.REFUSAL_REASON_RESUME))

    async def main() -> None:
        async with hosted(lost.bot()) as channel:
            await dialled(channel, lost.first)
            await dialled(channel, refusing, session="s")
            await dialled(channel, anew)

    asyncio.run(main())


def test_a_bot_that_is_not_dialled_again_in_time_gives_the_session_up() -> None:
    lost = Lost()

    async def main() -> None:
        async with hosted(lost.bot(), patience_s=0.2) as channel:
            await dialled(channel, lost.first)
            await asyncio.sleep(0.5)
            await dialled(channel, anew, session="s")

    asyncio.run(main())


def test_a_call_that_its_caller_cancels_is_a_lost_stream() -> None:
    lost = Lost()

    async def main() -> None:
        async with hosted(lost.bot()) as channel:
            await dialled(channel, lost.first, cancels=True)
            await dialled(channel, lost.next, session="s")

    asyncio.run(main())

    assert lost.thoughts == 1


def test_an_arena_that_lost_its_stream_may_dial_before_the_bot_has_seen_that() -> None:
    lost = Lost()

    async def unseen(arena: ScriptedArena) -> None:
        await lost.first(arena)
        assert await arena.hung_up()

    async def main() -> None:
        async with hosted(lost.bot()) as channel:
            before = asyncio.ensure_future(dialled(channel, unseen))
            await lost.asked()
            await dialled(channel, lost.next, session="s")
            await before

    asyncio.run(main())

    assert lost.thoughts == 1


def test_a_bot_that_resumes_nothing_begins_a_new_session_where_it_is_dialled_before_it_has_seen_a_loss() -> None:
    lost = Lost()

    async def unseen(arena: ScriptedArena) -> None:
        await lost.first(arena)
        assert await arena.hung_up()

    async def main() -> None:
        async with hosted(lost.bot(), patience_s=0.0) as channel:
            before = asyncio.ensure_future(dialled(channel, unseen))
            await lost.asked()
            await dialled(channel, anew, session="s")
            await before

    asyncio.run(main())


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
        ours.hang_up()

    async def down() -> None:
        while (frame := await ours.read()) is not None:
            await call.write(frame)

    reading, writing = asyncio.ensure_future(up()), asyncio.ensure_future(down())
    try:
        await script(ScriptedArena(theirs))
        theirs.hang_up()
        await asyncio.wait_for(writing, PATIENCE_S)
        if not cancels:
            await call.done_writing()
            await asyncio.wait_for(call.code(), PATIENCE_S)
    finally:
        call.cancel()
        reading.cancel()
        writing.cancel()
        await asyncio.gather(reading, writing, return_exceptions=True)
