"""A scripted arena for one stream after the other, in virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from itertools import pairwise
from typing import Any

from client.scripted import ScriptedArena
from rivalry.arena.v1 import session_pb2
from rivalry_client.bot import Bot
from rivalry_client.ending import Ending
from rivalry_client.link import Link, LinkError, QueueLink
from rivalry_client.report import Report
from rivalry_client.session import Session
from rivalry_client.streams import Dialled
from rivalry_client.thinking import OnLoop
from rivalry_engine.chance import Stream
from server.virtual import run

Script = Callable[[ScriptedArena], Awaitable[None]]
TOKEN = b"first token"


class Nobody(Link):
    """A stream to where nobody listens."""

    async def read(self) -> bytes | None:
        raise LinkError("unavailable", "nobody listens")

    async def write(self, frame: bytes) -> None:
        raise LinkError("unavailable", "nobody listens")

    def hang_up(self) -> None:
        return

    async def close(self) -> None:
        return


class Scripts:
    """What each stream meets, in order: a script, or nobody (None), which is also what comes after the last."""

    def __init__(self, *scripts: Script | None) -> None:
        self.dialled_at: list[float] = []
        self._scripts = list(scripts)
        self._playing: list[asyncio.Future[None]] = []

    def dial(self) -> Link:
        """The next stream."""
        self.dialled_at.append(asyncio.get_running_loop().time())
        script = self._scripts.pop(0) if self._scripts else None
        if script is None:
            return Nobody()
        ours, theirs = QueueLink.pair()
        self._playing.append(asyncio.ensure_future(self._played(script, ScriptedArena(theirs))))
        return ours

    async def over(self) -> None:
        """Raises what a script missed; one that waits still is stopped."""
        for playing in self._playing:
            if not playing.done():
                playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
            if not playing.cancelled():
                playing.result()
        assert not self._scripts, f"{len(self._scripts)} streams were not dialled"

    async def _played(self, script: Script, arena: ScriptedArena) -> None:
        try:
            await script(arena)
        finally:
            arena.link.hang_up()


def played(
    bot: type[Bot], *scripts: Script | None, patience_s: float = 60.0, **facts: Any
) -> tuple[Ending, list[float]]:
    """Plays ``bot`` over streams that meet ``scripts``: how it ended, and the seconds between the dials."""

    async def main() -> tuple[Ending, list[float]]:
        streams = Scripts(*scripts)
        session = Session(
            streams.dial(),
            bot,
            thinking=OnLoop(),
            report=Report(talkative=False),
            streams=Dialled(streams.dial, Stream(b"test", "back-off")),
            patience_s=patience_s,
            **facts,
        )
        try:
            ending = await asyncio.ensure_future(session.play())
        finally:
            await streams.over()
        return ending, [later - earlier for earlier, later in pairwise(streams.dialled_at)]

    return run(main())


async def welcome(arena: ScriptedArena, *, token: bytes = TOKEN, ping: bool = True) -> session_pb2.Hello:
    """Takes a hello, gives a token, and hears the ping that follows it."""
    hello = await arena.welcome(resume_token=token)
    if ping:
        await arena.hear("ping")
    return hello


async def resumed(arena: ScriptedArena, *, token: bytes = b"next token") -> session_pb2.Resume:
    """Takes a resume, gives the next token, and hears the ping that follows it."""
    resume: session_pb2.Resume = await arena.hear("resume")
    await arena.say(welcome=session_pb2.Welcome(protocol=1, resume_token=token, resumed=True))
    await arena.pass_over("ping")  # an answer that was thought out just then may come before it
    return resume
