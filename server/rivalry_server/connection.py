"""A connection: one stream of a bot, which a session outlives.

Whatever a frame says is done before anything is awaited, and whatever that leads to waits in the outbox, so that one
frame answers another however many matches they speak of.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from rivalry.arena.v1 import errors_pb2, session_pb2
from rivalry_server import frames
from rivalry_server.clock import reading
from rivalry_server.greeting import RefusedError
from rivalry_server.link import Link, LinkLostError
from rivalry_server.logs import log
from rivalry_server.outbox import Due, Outbox
from rivalry_server.patience import Patience
from rivalry_server.settings import PROTOCOL_LEAST, Settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from rivalry_server.journal import Journal
    from rivalry_server.lobby import Lobby
    from rivalry_server.session import Session

SLACK: Final = 1_024
"""Pieces that may wait besides those of the seats a session may hold."""
LATE_FRAMES: Final = 4_096
"""So many frames are looked at after the last message was written: a bot that was told much acknowledges it yet."""
CLOSES_S: Final = 3.0
"""How long the bot may take to close its side after the last message; a busy machine may hold it up."""
LAST_WORD_S: Final = 1.0
"""How long a stream that was replaced may still be written."""


class Connection:
    """One stream, from its first message to its last; it belongs to a session from the first on."""

    def __init__(self, link: Link, lobby: Lobby, settings: Settings, journal: Journal) -> None:
        self.link = link
        self.heard_at = 0.0
        """When the bot was last heard."""
        self.protocol = PROTOCOL_LEAST
        """The version that is spoken, once the first message has said which the bot speaks."""
        self._lobby = lobby
        self._settings = settings
        self._loop = asyncio.get_running_loop()
        self._now = reading(self._loop)
        self.heard_at = self._now()
        self._session: Session | None = None
        self._over = False
        """True once nothing more is read that matters: the last message is written or on its way."""
        self._why = ""
        """The last message in words, for a status."""
        self._outbox = Outbox(
            link, journal, now=self._now, write_s=settings.write_s, bound=SLACK, on_slow=self._slow_reader
        )
        self._writer: asyncio.Task[None] | None = None
        self.put: Callable[[bytes | Due], None] = self._outbox.put
        """Adds to what is pending for the bot; the outbox's own, since every prompt goes this way."""

    async def run(self) -> None:
        """Returns when the stream is over and its last message written."""
        silence = Patience(self._loop, self._settings.hello_s, self._silent)
        reader = self._loop.create_task(self._read())
        writer = self._writer = self._loop.create_task(self._outbox.write_all())
        try:
            await asyncio.wait((reader, writer), return_when=asyncio.FIRST_COMPLETED)
            if reader.done():
                self._lost("the stream closed")
                self._outbox.finish()
                await asyncio.wait((writer,))
            elif self._session is not None and self._session.resumable and not _broken(writer):
                # Whoever closes first may cut off what the other has not read: that is left to the bot.
                await asyncio.wait((reader,), timeout=CLOSES_S)
        finally:
            silence.cancel()
            reader.cancel()
            writer.cancel()
            self._lost("the stream broke")
            for task in (reader, writer):
                task.add_done_callback(_noted)

    def belongs_to(self, session: Session, *, pieces: int) -> None:
        """From here on the stream is ``session``'s, and ``pieces`` may wait for it."""
        self._session = session
        self._outbox.bound = SLACK + pieces

    def end(self, reason: errors_pb2.SessionEndReason, text: str, *, remedy: str = "") -> None:
        """Says after what is pending why the session, or this stream of it, ends; then the stream is over."""
        message = session_pb2.SessionEnded(reason=reason, text=text, remedy=remedy)
        name = errors_pb2.SessionEndReason.Name(reason).removeprefix("SESSION_END_REASON_")
        why = f"{name}: {text}; {remedy}" if remedy else f"{name}: {text}"
        self._close(frames.piece(frames.SESSION_ENDED, message.SerializeToString()), why)

    def _close(self, last: bytes, why: str) -> None:
        self._over = True
        self._why = self._why or why
        self._outbox.put(last)
        self._outbox.finish()

    def replaced(self, text: str) -> None:
        """A newer stream took the session over: this one is told, if it still listens, and ends soon."""
        self._session = None
        self._outbox.give_up()
        self.end(errors_pb2.SESSION_END_REASON_REPLACED, text)
        self._loop.call_later(LAST_WORD_S, self._break)

    async def _read(self) -> None:
        late = 0
        while (frame := await self.link.read()) is not None:
            if not self._over:
                self._frame(frame, self._now())
                continue
            if self._session is None or not self._session.resumable:
                return
            late += 1
            if late <= LATE_FRAMES:  # others are dropped, for a stream that is closed cuts off what was not read
                self._farewell(self._session, frame)

    def _farewell(self, session: Session, frame: bytes) -> None:
        """Takes what a bot says after the last message: that it has the end of its matches."""
        try:
            messages = frames.messages(frame)
        except frames.FrameError:
            return
        for message in messages:
            if message.WhichOneof("message") == "ack" and message.ack.ended:
                session.end_acknowledged(message.ack.match)

    def _frame(self, frame: bytes, at: float) -> None:
        self.heard_at = at
        try:
            messages = frames.messages(frame)
        except frames.FrameSizeError as error:
            self._bad(errors_pb2.SESSION_END_REASON_FRAME, str(error), remedy="send less in one frame")
            return
        except frames.FrameError as error:
            self._bad(errors_pb2.SESSION_END_REASON_PROTOCOL, str(error), remedy="send frames of arena.v1.PlayRequest")
            return
        try:
            if not messages and self._session is not None:
                self._session.unasked(at)
            for message in messages:
                if self._over:
                    return
                session = self._session
                if session is None:
                    self._greet(message)
                else:
                    session.heard(message, at)
        except Exception as error:
            log.error("session_failed", peer=self.link.peer, exc_info=error)
            if self._session is not None:
                self._session.failed(error)
            else:
                self._bad(errors_pb2.SESSION_END_REASON_ARENA, "the arena failed")

    def _greet(self, message: session_pb2.FromBot) -> None:
        try:
            self._lobby.greet(self, message)
        except RefusedError as error:
            self._lobby.log_refusal(self.link.peer, str(error))
            self._lobby.refused(self.link.token, str(error))
            self._close(frames.piece(frames.REFUSED, error.refused.SerializeToString()), str(error))

    def _silent(self) -> None:
        if self._session is None and not self._over:
            self._bad(
                errors_pb2.SESSION_END_REASON_SILENT,
                f"no hello in {self._settings.hello_s:g} s",
                remedy="begin a stream with a hello",
            )

    def _bad(self, reason: errors_pb2.SessionEndReason, text: str, *, remedy: str = "") -> None:
        if self._session is not None:
            self._session.end(reason, text, remedy=remedy)
        elif not self._over:
            self.end(reason, text, remedy=remedy)

    def _slow_reader(self, text: str) -> None:
        log.warning("session_stalled", peer=self.link.peer, why=text)
        if not self._over:  # else the session may go on over another stream
            self._bad(errors_pb2.SESSION_END_REASON_SLOW_READER, text, remedy="read the stream while you think")
        self._break()

    def _break(self) -> None:
        """Writes no more: what was not read is followed by a status, and not by the last message."""
        if self._writer is not None and not self._writer.done():
            self.link.cut_off(self._why)
            self._writer.cancel()

    def _lost(self, text: str) -> None:
        """The stream is gone."""
        if not self._over:
            self._over = True
            if self._session is not None:
                self._outbox.give_up()
                self._session.detached(self, text)


def _broken(writer: asyncio.Task[None]) -> bool:
    """True if a writer that is done has not written all there was."""
    return writer.cancelled() or writer.exception() is not None


def _noted(task: asyncio.Task[None]) -> None:
    """Takes note of how a task ended, so that nobody misses it."""
    if not task.cancelled() and (error := task.exception()) is not None and not isinstance(error, LinkLostError):
        log.error("session_failed", exc_info=error)
