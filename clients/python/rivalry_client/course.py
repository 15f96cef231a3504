"""The course of a session over one stream after the other: what is resumed, for how long it is tried, how it ends."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from typing import Final

from rivalry.arena.v1 import session_pb2
from rivalry_client.connection import Connection
from rivalry_client.ending import Ending
from rivalry_client.link import Link
from rivalry_client.pulse import Pulse
from rivalry_client.report import Report
from rivalry_client.streams import Streams

PATIENCE_S: Final = 60.0
"""How long a bot tries to resume unless it is told otherwise."""
BROKEN: Final = frozenset({"lost", "closed", "unreachable", "restart"})
"""Ends of a stream after which a session may go on over another."""


class Speaker(ABC):
    """The session as its course sees it."""

    @abstractmethod
    def first(self, token: bytes) -> session_pb2.FromBot:
        """The first message of a stream: a resume with ``token``, a hello without one."""

    @abstractmethod
    def take(self, frame: bytes) -> None:
        """Takes a frame."""

    @property
    @abstractmethod
    def holds(self) -> bool:
        """True while a match is open."""


class Course:
    """Runs the streams of a session.

    ``ending`` is how the session ended, as soon as that is known; a stream that parts without it is followed by
    another, where ``streams`` gives one and the arena has given a token.
    """

    def __init__(self, speaker: Speaker, report: Report, *, streams: Streams | None, patience_s: float) -> None:
        self.ending: Ending | None = None
        self.token = b""
        """The newest resume token."""
        self.leaving = False
        """True once the bot says goodbye: nothing is resumed any more."""
        self.resuming = False
        """True while the first message of the stream was a resume."""
        self.connection: Connection
        self._speaker = speaker
        self._report = report
        self._streams = streams
        self._patience_s = patience_s
        self._pulse = Pulse(self._ping, self._silent)
        self._parted: Ending | None = None
        self._anew = False
        self.session = ""
        """What the arena calls the session."""
        self._waiting: asyncio.Timeout | None = None
        self._until = float("inf")
        """No stream is sought after that moment, in seconds of the loop."""
        self._lost_at = 0.0
        self._welcomed_at = 0.0

    @property
    def resumable(self) -> bool:
        """True if this side would resume."""
        return self._streams is not None and self._patience_s > 0

    @property
    def seeks(self) -> bool:
        """True while the session has no stream and seeks one."""
        return self._waiting is not None

    @property
    def parting(self) -> bool:
        """True once the session has ended, or the bot says goodbye: nothing is answered any more."""
        return self.leaving or self.ending is not None

    def open(self, link: Link) -> Connection:
        """Goes on over ``link``, once ``run`` gets to it."""
        self.connection = Connection(link, self._speaker.take, self._pulse)
        return self.connection

    async def run(self) -> Ending:
        """From the stream that is open to the session's end."""
        ending = await self._stream()
        while self._goes_on(ending):
            ending = await self._resumed(ending)
        return ending

    def welcomed(self, token: bytes, session: str) -> None:
        """The arena has taken the stream, and gives the token for the next."""
        loop = asyncio.get_running_loop()
        self.connection.welcomed = True
        self.token = token
        self.session = session or self.session
        self._welcomed_at = loop.time()
        if self._waiting is not None and not self._waiting.expired():
            self._waiting.reschedule(None)
            self._waiting = None
            what = "resumed" if self.resuming else "begun anew"
            self._report.line(f"the session is {what} after {loop.time() - self._lost_at:.1f} s")
        if token:
            self._pulse.start()

    def answered(self) -> None:
        """The arena answered a ping."""
        self._pulse.answered()

    def end(self, ending: Ending) -> None:
        """The session is over, unless it was already."""
        if self.ending is None:
            self.ending = ending
        self.connection.over = True
        self.hasten(0.0)

    def part(self, ending: Ending) -> None:
        """The stream is over and the session is not."""
        self._parted = ending
        self.connection.over = True

    def begin_anew(self) -> None:
        """The stream is over, and the next begins a new session."""
        self.token = b""
        self._anew = True
        self.connection.over = True

    def hasten(self, seconds: float) -> None:
        """Where a stream is sought, it is for so long at most from now on."""
        self._until = min(self._until, asyncio.get_running_loop().time() + seconds)
        waiting = self._waiting
        if waiting is not None and not waiting.expired():
            before = waiting.when()
            waiting.reschedule(self._until if before is None else min(before, self._until))

    async def _stream(self) -> Ending:
        """One stream from its first message to its end."""
        self._parted = None
        self._anew = False
        self.resuming = bool(self.token)
        ending = await self.connection.run(self._speaker.first(self.token))
        return self.ending or self._parted or ending or Ending("closed", "the session was refused")

    def _goes_on(self, ending: Ending) -> bool:
        streams = self._streams
        if self._crash_untold:
            ending = Ending("lost")
        elif self.ending is not None:
            return False
        if streams is None or self.leaving:
            return False
        if self._anew:
            return streams.idle
        kept = bool(self.token) and self._patience_s > 0 and (streams.idle or self._speaker.holds)
        return kept and ending.kind in BROKEN

    async def _resumed(self, lost: Ending) -> Ending:
        """Tries for a stream until one is welcomed, and runs it to its end; or says why there is none."""
        assert self._streams is not None
        loop = asyncio.get_running_loop()
        self._lost_at = loop.time()
        if not (self._anew or self.ending):
            what = "the arena restarts" if lost.kind == "restart" else "the stream was lost"
            self._report.line(f"{what} ({lost.text}); {self._streams.trying} for {self._patience_s:g} s")
        last = lost
        until = min(self._until, self._lost_at + (self._patience_s or PATIENCE_S))
        try:
            async with asyncio.timeout_at(until) as self._waiting:
                while True:
                    self.open(await self._streams.next(self.session))
                    last = await self._stream()
                    if self.connection.welcomed:
                        self._streams.stood(loop.time() - self._welcomed_at)
                        return last
                    crashed = self.ending is not None and self.ending.kind == "crash"
                    if not (crashed or self._anew or last.kind in BROKEN):
                        return last
        except TimeoutError:
            told = lost.text if last is lost else f"{lost.text}; then {last.text}"
            if self.ending is None:
                self.ending = Ending("lost", f"{told}; not resumed within {self._patience_s:g} s")
            return self.ending
        finally:
            self._waiting = None

    @property
    def _crash_untold(self) -> bool:
        """True if the bot crashed a moment ago and the stream is gone before the arena has said that it knows."""
        crashed = self.ending is not None and self.ending.kind == "crash"
        return crashed and not self.connection.over and asyncio.get_running_loop().time() < self._until

    def _ping(self, nonce: int) -> None:
        self.connection.outbox.put(session_pb2.FromBot(ping=session_pb2.Ping(nonce=nonce)))

    def _silent(self) -> None:
        self.connection.link.hang_up()
