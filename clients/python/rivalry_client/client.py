"""A bot at an arena, for asynchronous code; ``run`` stands on it."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rivalry_client.bot import Bot
from rivalry_client.course import PATIENCE_S
from rivalry_client.ending import Ending
from rivalry_client.grpc_link import DialledLink, channel
from rivalry_client.link import Link
from rivalry_client.report import Report
from rivalry_client.resume_file import ResumeFile
from rivalry_client.session import Session
from rivalry_client.streams import Dialled, Streams
from rivalry_client.target import FORMS, TargetError, checked
from rivalry_client.thinking import InThread, OnLoop, Thinking, on_loop
from rivalry_client.tls import Tls, trouble
from rivalry_engine.chance import Stream

if TYPE_CHECKING:
    import grpc.aio

REDIRECTS = 5
"""How many times in a row a session may be sent elsewhere."""


@dataclass(frozen=True, slots=True)
class Seating:
    """What a bot brings to a session: its class, the name it goes by, its settings, how much it takes on at once.

    ``patience_s`` is for how long it tries to resume a session whose stream was lost; 0 is not at all.  With a
    ``resume_file`` another process may go on with the session.
    """

    bot: type[Bot]
    name: str = ""
    matches: int = 1
    settings: Mapping[str, Any] | None = None
    patience_s: float = PATIENCE_S
    resume_file: ResumeFile | None = None

    def session(self, link: Link, thinking: Thinking, report: Report, *, streams: Streams | None = None) -> Session:
        """A session of this bot over ``link``, and over ``streams`` where it is lost.  Raises ResumeFileError.

        A bot that may block gets one prompt at a time: the others wait in the arena, where their clocks stand still for
        a minute at most, and then run though the bot was not asked.
        """
        return Session(
            link,
            self.bot,
            thinking=thinking,
            report=report,
            name=self.name,
            matches=self.matches,
            prompts=self.matches if on_loop(self.bot) else 1,
            settings=self.settings,
            streams=streams,
            patience_s=self.patience_s,
            resume_file=self.resume_file,
        )


class Client:
    """A connection to one arena.  ``channel`` is its gRPC channel, for the other calls of ``ArenaService``.

    ``tls`` says whom to trust and what to show; without it, plain text is spoken.  Raises TargetError for an address
    that is none, TlsError for files that cannot be used.
    """

    def __init__(self, address: str, *, token: str = "", tls: Tls | None = None, report: Report | None = None) -> None:
        self.address = checked(address)
        self.channel: grpc.aio.Channel = channel(address, tls)
        self._token = token
        self._tls = tls
        self._report = report or Report(talkative=False)

    async def play(
        self,
        bot: type[Bot],
        *,
        name: str = "",
        matches: int = 1,
        settings: Mapping[str, str] | None = None,
        patience_s: float = PATIENCE_S,
        resume_file: str | os.PathLike[str] | None = None,
    ) -> Ending:
        """Seats the bot until its session ends; ``matches`` may be open at once.

        When the stream is lost, it tries for ``patience_s`` to resume the session.  ``resume_file`` keeps what another
        process needs to go on with it.  A plain ``choose`` that is not quick runs in a thread of its own.  Raises
        SettingError and ResumeFileError.
        """
        kept = None if resume_file is None else ResumeFile(resume_file)
        seating = Seating(bot, name, matches, bot.settings_from(settings or {}), patience_s, kept)
        if on_loop(bot):
            return await self.seat(seating, OnLoop())
        thinking = InThread(asyncio.get_running_loop())
        threading.Thread(target=thinking.serve, name=f"rivalry {bot.shown_name()}", daemon=True).start()
        try:
            return await self.seat(seating, thinking)
        finally:
            thinking.close()

    async def seat(self, seating: Seating, thinking: Thinking) -> Ending:
        """Runs one session, its hooks where ``thinking`` says, and follows where it is sent."""
        played = 0
        for _ in range(REDIRECTS):
            streams = Dialled(self._dial, Stream(os.urandom(32), "back-off"))
            ending = await seating.session(self._dial(), thinking, self._report, streams=streams).play()
            played += ending.matches
            if ending.kind == "unreachable":
                return await self._unreachable(ending)
            if ending.kind != "redirected":
                return replace(ending, matches=played)
            try:
                checked(ending.target)
            except TargetError:
                return Ending("lost", f"sent elsewhere, to {ending.target!r}, which is not {FORMS}", played)
            await self.channel.close()
            self.address = ending.target
            self.channel = channel(ending.target, self._tls)
        return Ending("lost", f"sent elsewhere {REDIRECTS} times in a row, last to {self.address}", played)

    def _dial(self) -> Link:
        return DialledLink(self.channel, self._token)

    async def _unreachable(self, ending: Ending) -> Ending:
        """The same, or what it was that kept TLS from coming about."""
        why = await trouble(ending.text, self.address, tls=bool(self._tls))
        return Ending("unusable", f"the arena at {self.address} cannot be spoken with: {why}") if why else ending

    async def close(self) -> None:
        """Closes the connection."""
        await self.channel.close()


@asynccontextmanager
async def connect(
    address: str, *, token: str = "", tls: Tls | None = None, report: Report | None = None
) -> AsyncIterator[Client]:
    """A client of the arena at ``address``, closed at the end: ``async with connect("127.0.0.1:7777") as arena``."""
    client = Client(address, token=token, tls=tls, report=report)
    try:
        yield client
    finally:
        await client.close()
