"""An arena that is quiet is pinged, and one that is silent is taken for lost."""

from __future__ import annotations

import asyncio

from client.resuming import Second, heard_next
from client.scripted import KuhnTable, ScriptedArena
from client.streams import played, resumed, welcome
from rivalry.arena.v1 import session_pb2
from rivalry_client.ending import Ending
from rivalry_client.prompt import Prompt

# Signs of life


def test_a_quiet_arena_is_pinged_and_one_that_has_answered_before_and_is_silent_is_lost() -> None:
    heard: list[float] = []

    async def first(arena: ScriptedArena) -> None:
        loop = asyncio.get_running_loop()
        await welcome(arena)
        await arena.say(pong=session_pb2.Pong(nonce=1))
        assert isinstance(await heard_next(arena), session_pb2.Ping)
        await arena.say(pong=session_pb2.Pong(nonce=2))
        silent_since = loop.time()
        for _ in range(2):
            assert isinstance(await asyncio.wait_for(heard_next(arena), 100), session_pb2.Ping)
            heard.append(loop.time() - silent_since)
        assert await asyncio.wait_for(arena.link.read(), 100) is None
        heard.append(loop.time() - silent_since)

    async def second(arena: ScriptedArena) -> None:
        await resumed(arena)
        await arena.end()

    ending, _ = played(Second, first, second)

    assert ending.kind == "done"
    assert [round(at, 3) for at in heard] == [15.0, 30.0, 45.0]


def test_an_arena_that_never_answered_a_ping_is_not_given_up() -> None:
    async def only(arena: ScriptedArena) -> None:
        await welcome(arena)
        await asyncio.sleep(600.0)
        await arena.end()

    assert played(Second, only)[0].kind == "done"


def test_while_the_arena_is_heard_it_is_not_pinged() -> None:
    async def only(arena: ScriptedArena) -> None:
        await welcome(arena)
        await arena.say(pong=session_pb2.Pong(nonce=1))
        for nonce in range(20):
            await asyncio.sleep(10.0)
            await arena.say(ping=session_pb2.Ping(nonce=nonce))
            assert (await arena.hear("pong")).nonce == nonce
        await arena.end()

    assert played(Second, only)[0].kind == "done"


def test_a_quick_bot_that_holds_up_the_loop_does_not_take_the_arena_for_lost() -> None:
    table = KuhnTable()

    class Slow(Second):
        def choose(self, prompt: Prompt) -> object:
            asyncio.get_running_loop().jump(300.0)  # type: ignore[attr-defined]
            return 1

    async def only(arena: ScriptedArena) -> None:
        await welcome(arena)
        await arena.say(pong=session_pb2.Pong(nonce=1))
        await arena.frame(table.started(), table.prompt())
        await arena.hear("answer")
        await arena.frame(table.ended())
        while not isinstance(await arena.hear(), session_pb2.Ack):
            pass
        await arena.end()

    ending: Ending = played(Slow, only)[0]
    assert ending.kind == "done"
