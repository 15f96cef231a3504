"""A session: one bot's stream, over which it may hold many seats.

Whatever a frame says is done before anything is awaited, and whatever that leads to waits in the outbox, so that one
frame answers another however many matches they speak of.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING

from rivalry.arena.v1 import errors_pb2, session_pb2
from rivalry_server import frames, identity, rulings
from rivalry_server.clock import reading
from rivalry_server.flood import Allowance
from rivalry_server.greeting import Greeting, RefusedError
from rivalry_server.link import Link, LinkLostError
from rivalry_server.logs import log
from rivalry_server.outbox import Due, Outbox
from rivalry_server.outcome import End, shortened
from rivalry_server.pings import Pings
from rivalry_server.record import package_version
from rivalry_server.session_seat import SessionSeat
from rivalry_server.settings import Settings

if TYPE_CHECKING:
    from rivalry_server.journal import Journal
    from rivalry_server.lobby import Lobby, Vacancy

SLACK = 1_024
"""Pieces that may wait besides those of the seats a session may hold."""


class Session:
    """One bot, from its first message to its last."""

    def __init__(self, link: Link, lobby: Lobby, settings: Settings, journal: Journal) -> None:
        self.session_id = identity.session_id()
        self.link = link
        self.settings = settings
        self.loop = asyncio.get_running_loop()
        self.now = reading(self.loop)
        self.heard_at = self.now()
        self.greeting: Greeting
        self.invited_to: Vacancy | None = None
        """The one seat this session is for, where its bot showed a seat's token."""
        self.end_reason: errors_pb2.SessionEndReason | None = None
        """Set once the arena has ended the session, or taken note that the bot did."""
        self._greeted = False
        self._lobby = lobby
        self._seats: dict[int, SessionSeat] = {}
        self._handles = 0
        self._offers: dict[int, Vacancy] = {}
        self._offered = 0
        self._withdrawn = 0
        """Offers that were withdrawn and may still be replied to."""
        self._open_prompts = 0
        self._waiting: deque[SessionSeat] = deque()
        self._allowance = Allowance(settings.unasked_burst, settings.unasked_per_s, self.heard_at)
        self._outbox = Outbox(
            link, journal, now=self.now, write_s=settings.write_s, bound=SLACK, on_slow=self._slow_reader
        )
        self._pings = Pings(self, settings.ping_s)
        self._writer: asyncio.Task[None] | None = None

    @property
    def room(self) -> int:
        """How many more matches may be offered."""
        return self.greeting.matches - len(self._seats) - len(self._offers)

    async def run(self) -> None:
        """Returns when the session is over and its last message written."""
        silence = self.loop.call_later(self.settings.hello_s, self._silent)
        reader = self.loop.create_task(self._read())
        writer = self._writer = self.loop.create_task(self._outbox.write_all())
        try:
            await asyncio.wait((reader, writer), return_when=asyncio.FIRST_COMPLETED)
            if reader.done():
                self._hung_up("the stream closed")
                self._outbox.finish()
                await asyncio.wait((writer,))
        finally:
            silence.cancel()
            self._pings.stop()
            reader.cancel()
            writer.cancel()
            self._hung_up("the stream broke")
            for task in (reader, writer):
                task.add_done_callback(_noted)

    def put(self, item: bytes | Due) -> None:
        """Adds to what is pending for the bot."""
        self._outbox.put(item)

    def offer(self, vacancy: Vacancy) -> None:
        """Offers a seat; the lobby hears of the reply."""
        self._offered += 1
        self._offers[self._offered] = vacancy
        vacancy.offered_as = self._offered
        self.put(vacancy.offer(self._offered))

    def withdraw(self, vacancy: Vacancy) -> None:
        """A seat that was offered here, or taken for a match that has not begun, is given up: there is room again."""
        if self.end_reason is not None:
            return
        if self._offers.get(vacancy.offered_as) is vacancy:
            del self._offers[vacancy.offered_as]
            self._withdrawn += 1
        else:
            self._seats = {handle: seat for handle, seat in self._seats.items() if seat.vacancy is not vacancy}
        if self.invited_to is not None:
            self.end(errors_pb2.SESSION_END_REASON_DONE, "the seat is no longer open")
        else:
            self._lobby.has_room(self)

    def match_over(self, handle: int) -> None:
        """The match of a seat has ended and the bot was told."""
        self._seats.pop(handle, None)
        if self.invited_to is not None:
            self.end(errors_pb2.SESSION_END_REASON_DONE, "the match is over")
        else:
            self._lobby.has_room(self)

    def takes_slot(self, seat: SessionSeat) -> bool:
        """True if the seat's prompt may be open now; else it waits, and ``open`` is called when there is room."""
        if self._open_prompts < self.greeting.prompts:
            self._open_prompts += 1
            return True
        self._waiting.append(seat)
        return False

    def slot_freed(self) -> None:
        """A prompt is closed: the one that waits longest is opened."""
        self._open_prompts -= 1
        while self._waiting and self._open_prompts < self.greeting.prompts:
            seat = self._waiting.popleft()
            if seat.wanted:
                self._open_prompts += 1
                seat.open()

    def end(self, reason: errors_pb2.SessionEndReason, text: str, *, remedy: str = "") -> None:
        """Ends the session with its reason as the last message; seats that it still holds end as a disconnect."""
        if self.end_reason is not None:
            return
        self.put(
            frames.piece(
                frames.SESSION_ENDED,
                session_pb2.SessionEnded(reason=reason, text=text, remedy=remedy).SerializeToString(),
            )
        )
        self._gone(End.DISCONNECT, f"the session was ended: {text}", reason)
        self._outbox.finish()

    async def _read(self) -> None:
        while self.end_reason is None:
            frame = await self.link.read()
            if frame is None:
                return
            try:
                self._frame(frame, self.now())
            except Exception as error:
                log.error("session_failed", session=self.session_id, exc_info=error)
                for seat in list(self._seats.values()):
                    seat.fault(error)
                self.end(errors_pb2.SESSION_END_REASON_ARENA, "the arena failed")
        await self._written()

    async def _written(self) -> None:
        """Waits until the writer has written the last message."""
        assert self._writer is not None
        await asyncio.wait((self._writer,))

    def _frame(self, frame: bytes, at: float) -> None:
        self.heard_at = at
        try:
            messages = frames.messages(frame)
        except frames.FrameSizeError as error:
            self.end(errors_pb2.SESSION_END_REASON_FRAME, str(error), remedy="send less in one frame")
            return
        except frames.FrameError as error:
            self.end(errors_pb2.SESSION_END_REASON_PROTOCOL, str(error), remedy="send frames of arena.v1.PlayRequest")
            return
        if not messages:
            self._unasked(at)
        for message in messages:
            if self.end_reason is not None:
                return
            if not self._greeted:
                self._greet(message)
                continue
            kind = message.WhichOneof("message")
            if kind == "answer":
                self._answer(message.answer, at)
            else:
                self._other(kind, message, at)

    def _answer(self, answer: session_pb2.Answer, at: float) -> None:
        seat = self._seats.get(answer.match)
        if seat is not None and seat.begun:
            if not seat.answered(answer, at):
                self._unasked(at)
            return
        known = seat is None and 0 < answer.match <= self._handles
        self.put(
            rulings.ruling(
                errors_pb2.RULING_KIND_STALE,
                errors_pb2.RULING_REASON_OVER if known else errors_pb2.RULING_REASON_UNKNOWN_MATCH,
                f"match {answer.match} is over" if known else f"this session has no match {answer.match}",
                match=answer.match,
                number=answer.number,
            )
        )
        self._unasked(at)

    def _other(self, kind: str | None, message: session_pb2.FromBot, at: float) -> None:
        if kind == "ack":
            seat = self._seats.get(message.ack.match)
            if seat is None or not seat.acknowledge(message.ack.events):
                self._unasked(at)
        elif kind == "seat_reply":
            self._seat_reply(message.seat_reply, at)
        elif kind == "pong":
            if not self._pings.answered(message.pong.nonce, at):
                self._unasked(at)
        elif kind == "resign":
            seat = self._seats.get(message.resign.match)
            if seat is None or not seat.resign(message.resign.why):
                self._unasked(at)
        elif kind == "leave":
            self._leave(message.leave)
        elif kind is None:
            self._unasked(at)
        else:
            self.end(errors_pb2.SESSION_END_REASON_PROTOCOL, f"a {kind} came out of place")

    def _greet(self, message: session_pb2.FromBot) -> None:
        try:
            self.greeting = self._lobby.greeting(self, message)
        except RefusedError as error:
            log.info("session_refused", session=self.session_id, peer=self.link.peer, why=str(error))
            self._lobby.refused(self.link.token, str(error))
            self.put(frames.piece(frames.REFUSED, error.refused.SerializeToString()))
            self._gone(End.DISCONNECT, "refused", errors_pb2.SESSION_END_REASON_PROTOCOL)
            self._outbox.finish()
            return
        self._greeted = True
        self._outbox.bound = SLACK + 4 * self.greeting.matches
        welcome = self.greeting.welcome(self.settings, self.session_id, package_version())
        self.put(frames.piece(frames.WELCOME, welcome.SerializeToString()))
        self._pings.start()
        log.info(
            "session_opened",
            session=self.session_id,
            peer=self.link.peer,
            bot=self.greeting.name,
            version=self.greeting.version,
            library=self.greeting.library,
        )
        self._lobby.enter(self)

    def _seat_reply(self, reply: session_pb2.SeatReply, at: float) -> None:
        vacancy = self._offers.pop(reply.offer, None)
        if vacancy is None:
            if self._withdrawn and 0 < reply.offer <= self._offered:
                self._withdrawn -= 1  # most likely under way when the offer was withdrawn
            else:
                self._unasked(at)
        elif reply.accepted:
            self._handles += 1
            seat = SessionSeat(self, vacancy, self._handles, reply.offer)
            self._seats[self._handles] = seat
            self._lobby.accepted(vacancy, seat)
        else:
            self._lobby.declined(vacancy, self, reply.why)

    def _leave(self, leave: session_pb2.Leave) -> None:
        crashed = leave.reason == session_pb2.LEAVE_REASON_CRASH
        if crashed:
            # The bot has shown its traceback, and the outcome says how its seat ended.
            log.info("bot_failed", session=self.session_id, bot=self.greeting.name, error=shortened(leave.text))
        text = shortened(leave.text) or ("the bot failed" if crashed else "the bot left")
        self._gone(End.CRASH if crashed else End.DISCONNECT, text, errors_pb2.SESSION_END_REASON_LEFT)
        self.put(
            frames.piece(
                frames.SESSION_ENDED,
                session_pb2.SessionEnded(reason=errors_pb2.SESSION_END_REASON_LEFT, text=text).SerializeToString(),
            )
        )
        self._outbox.finish()

    def _unasked(self, at: float) -> None:
        if self._allowance.spent(at):
            log.warning("session_flooded", session=self.session_id, peer=self.link.peer)
            self.end(
                errors_pb2.SESSION_END_REASON_FLOOD,
                "too many messages that no prompt asked for",
                remedy="answer each prompt once",
            )

    def _silent(self) -> None:
        if not self._greeted:
            self.end(
                errors_pb2.SESSION_END_REASON_SILENT,
                f"no hello in {self.settings.hello_s:g} s",
                remedy="begin a stream with a hello",
            )

    def _slow_reader(self, text: str) -> None:
        log.warning("session_stalled", session=self.session_id, peer=self.link.peer, why=text)
        self.end(errors_pb2.SESSION_END_REASON_SLOW_READER, text, remedy="read the stream while you think")
        if self._writer is not None:
            self._writer.cancel()

    def _gone(self, end: End, text: str, reason: errors_pb2.SessionEndReason) -> None:
        """The session is over, and so is its bot's part in all that it held."""
        for vacancy in self._offers.values():
            vacancy.trouble = f"{self.greeting.name} left before it took the seat: {text}"
        for seat in self._let_go(text, reason):
            seat.gone(end, text)

    def _hung_up(self, text: str) -> None:
        """The stream is gone without a word."""
        for seat in self._let_go(text, errors_pb2.SESSION_END_REASON_LEFT):
            seat.hung_up(text)

    def _let_go(self, text: str, reason: errors_pb2.SessionEndReason) -> list[SessionSeat]:
        """Gives offers back and returns the seats, once."""
        if self.end_reason is not None:
            return []
        self.end_reason = reason
        seats, self._seats = list(self._seats.values()), {}
        offers, self._offers = list(self._offers.values()), {}
        self._lobby.leave(self, offers)
        if self._greeted:
            log.info(
                "session_closed",
                session=self.session_id,
                bot=self.greeting.name,
                reason=errors_pb2.SessionEndReason.Name(reason),
                text=text,
            )
        return seats


def _noted(task: asyncio.Task[None]) -> None:
    """Takes note of how a task ended, so that nobody misses it."""
    if not task.cancelled() and (error := task.exception()) is not None and not isinstance(error, LinkLostError):
        log.error("session_failed", exc_info=error)
