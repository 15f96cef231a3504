"""A match whose bot goes and comes back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from rivalry.arena.v1 import session_pb2
from rivalry_server.arena import Arena
from rivalry_server.outcome import Result
from rivalry_server.settings import Settings
from server import virtual
from server.peer import FromBot, Peer, opened, spec

Work = Callable[[Arena, Peer, Peer, "asyncio.Future[Result]"], Coroutine[Any, Any, None]]


def match_with(work: Work, *, settings: Settings | None = None, time: str = "2s", **policies: Any) -> Result:
    """Two bots sit at a match of Kuhn poker; ``work`` does with them what it likes and plays the match to its end."""

    async def whole() -> Result:
        async with Arena(settings) as arena:
            over = opened(arena, spec(time=time, **policies))
            first, second = Peer(arena), Peer(arena)
            await asyncio.gather(first.sit("first", features=["resume"]), second.sit("second", features=["resume"]))
            await work(arena, first, second, over)
            async with asyncio.timeout(600):
                return await over

    return virtual.run(whole())


def resume(peer: Peer, *acks: session_pb2.Ack) -> session_pb2.FromBot:
    """The Resume of a bot that has heard what ``peer`` has."""
    token = peer.all("welcome")[-1].resume_token
    versions = session_pb2.VersionRange(least=1, most=1)
    return FromBot(resume=session_pb2.Resume(protocol=versions, token=token, acks=acks))


def has(peer: Peer) -> session_pb2.Ack:
    """What ``peer`` has of its one match."""
    prompts = peer.all("prompt")
    newest = prompts[-1].number if prompts else 0
    return session_pb2.Ack(match=peer.all("match_started")[0].match, prompt=newest)


async def back(arena: Arena, peer: Peer, *acks: session_pb2.Ack) -> Peer:
    """The bot on a new stream, having said Resume."""
    again = Peer(arena)
    await again.say(resume(peer, *acks))
    return again


async def first_answers(peer: Peer) -> None:
    """Answers the prompt that is open already, and plays on."""
    await peer.answer(peer.all("prompt")[-1])
    await peer.play()
