"""A session: one bot and the seats that it holds, over one stream after the other.

A stream that is lost without a word leaves the session as it is for a while: its matches wait for the bot as their
grace says, and a newer stream that shows the session's token goes on with it.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Final

from rivalry.arena.v1 import errors_pb2, session_pb2
from rivalry_server import frames, identity, rulings
from rivalry_server.clock import reading
from rivalry_server.flood import Allowance
from rivalry_server.handles import Handles
from rivalry_server.hearing import Hearing
from rivalry_server.logs import log
from rivalry_server.offers import Offers
from rivalry_server.outbox import Due
from rivalry_server.outcome import End, shortened
from rivalry_server.patience import Patience
from rivalry_server.pings import Pings
from rivalry_server.record import package_version
from rivalry_server.session_seat import SessionSeat
from rivalry_server.settings import Settings
from rivalry_server.slots import Slots
from rivalry_server.untold import KEPT, Ends, Untold

if TYPE_CHECKING:
    from rivalry_server.connection import Connection
    from rivalry_server.greeting import Greeting
    from rivalry_server.journal import Journal, KeptSession
    from rivalry_server.limits import Stay
    from rivalry_server.lobby import Lobby, Vacancy
    from rivalry_server.pool import Member

DRAINS: Final = "the arena is stopping: running matches may end, and no new ones begin"
ABOUT_A_MATCH: Final = frozenset({"answer", "ack", "resign"})
RESUME: Final = "resume"
"""The feature of bots that come back and say what they have."""


class Session:
    """One bot, from its greeting until it has nothing more here."""

    def __init__(
        self,
        greeting: Greeting,
        lobby: Lobby,
        settings: Settings,
        journal: Journal,
        *,
        session_id: str | None = None,
        stay: Stay,
        invited_to: Vacancy | None = None,
        member: Member | None = None,
    ) -> None:
        """``stay`` is what its identity was let in for; ``invited_to`` the one seat this session is for, where its bot
        showed a seat's token; ``member`` who of a pool it is, where it showed the token of one.
        """
        self.session_id = session_id or identity.session_id()
        self.greeting = greeting
        self.settings = settings
        self.loop = asyncio.get_running_loop()
        self.now = reading(self.loop)
        self.invited_to = invited_to
        self.comes_again = False
        """True once the match it is here for is to be run again by the next start of the arena: it stays until then."""
        self.member = member
        self._stay = stay
        stay.on_revoked = self._revoked
        self.end_reason: errors_pb2.SessionEndReason | None = None
        """Set once the arena has ended the session, or taken note that the bot did."""
        self.untold = Ends(self.loop, settings.linger_s, self._forgotten)
        """The ends of matches that the bot has not acknowledged."""
        self.keys: list[bytes] = []
        """What is kept of the tokens that resume the session, the newest last: the one before it is good until the bot
        is known to have the newest."""
        self.pings = Pings(self, settings.ping_s)
        self.slots = Slots(self)
        self.handles = Handles()
        self._hearing = Hearing(self)
        self._connection: Connection | None = None
        self._lobby = lobby
        self._journal = journal
        self._seats: dict[int, SessionSeat] = {}
        self._offers = Offers()
        self.silent = False
        """True while the bot is offered nothing more, since it did not reply to an offer."""
        self._resumes = Allowance(settings.resumes_burst, settings.resumes_per_s, self.now())
        self._allowance = Allowance(settings.unasked_burst, settings.unasked_per_s, self.now())

    @staticmethod
    def restored(
        kept: KeptSession,
        lobby: Lobby,
        settings: Settings,
        journal: Journal,
        *,
        handles: Handles,
        invited_to: Vacancy | None = None,
    ) -> Session:
        """A session from before a restart, without a stream: its bot is expected back.

        What it held is given to it by ``sits`` and ``has_not_heard``, and then the lobby takes it in.
        """
        stay = lobby.gate.use(kept.greeting.who).again(kept.greeting.matches)
        session = Session(
            kept.greeting,
            lobby,
            settings,
            journal,
            session_id=kept.session_id,
            stay=stay,
            invited_to=invited_to,
        )
        session.keys = list(kept.keys)
        session.handles = handles
        return session

    def sits(self, handle: int, vacancy: Vacancy) -> SessionSeat:
        """The seat that this session held before a restart, for the match that is restored."""
        seat = self._seats[handle] = SessionSeat(self, vacancy, handle, 0)
        vacancy.taken_by = self
        return seat

    def has_not_heard(self, handle: int, end: Untold) -> None:
        """The end of a match that the bot had not acknowledged before a restart."""
        self.untold.add(handle, end)
        self.untold.wait()

    @property
    def room(self) -> int:
        """How many more matches may be offered."""
        if self._connection is None or self.silent:
            return 0
        return self.greeting.matches - len(self._seats) - len(self._offers)

    @property
    def idle(self) -> bool:
        """True while the bot plays nothing and is offered nothing."""
        return not self._seats and not self._offers

    @property
    def attached(self) -> bool:
        """True while the bot has a stream."""
        return self._connection is not None

    @property
    def heard_at(self) -> float:
        """When the bot was last heard on its stream."""
        return 0.0 if self._connection is None else self._connection.heard_at

    @property
    def peer(self) -> str:
        """Where the bot is, for logs."""
        return "" if self._connection is None else self._connection.link.peer

    @property
    def resumable(self) -> bool:
        """True if the bot may come back for what it holds here."""
        return RESUME in self.greeting.features

    @property
    def acks_most(self) -> int:
        """Of so many matches a bot that comes back may tell; each that is not known here is told to be over."""
        return 2 * self.greeting.matches + KEPT

    def greeted(self, greeting: Greeting) -> None:
        """Its bot was started anew and has said hello again."""
        self.greeting = greeting
        for seat in self._seats.values():
            seat.greeted()

    def comes_back_too_soon_by_s(self) -> float:
        """Counts a resume; how long until the next is taken, where there were too many of late, else 0.

        Each makes the arena tell all that is open again.
        """
        return self._resumes.wait_s() if self._resumes.spent(self.now()) else 0.0

    def attach(self, connection: Connection, acks: dict[int, session_pb2.Ack] | None = None) -> None:
        """Goes on over a new stream; the one before, if it is still there, is told so.

        ``acks`` holds what the bot says to have of each match, None where it has just said hello.
        """
        before = self._connection
        if before is not None:
            self._put_off()
            before.replaced("a newer stream goes on with this session")
        if self.end_reason is None:
            self.untold.wait_no_more()
        self._connection = connection
        self.silent = False
        connection.belongs_to(self, pieces=4 * self.greeting.matches)
        going_on = acks is not None or bool(self._seats)
        self.handles.told(acks or ())
        self._welcome(resumed=going_on, protocol=connection.protocol)
        if (left_us := self._lobby.drains_us) is not None:
            self.drain(left_us)
        self.pings = Pings(self, self.settings.ping_s)
        if self.end_reason is None:
            self.pings.start()
        log.info(
            "session_resumed" if going_on else "session_opened",
            session=self.session_id,
            peer=connection.link.peer,
            who=str(self.greeting.who),
            bot=self.greeting.name,
            version=self.greeting.version,
            library=self.greeting.library,
        )
        missed = list(self.untold.told_to(acks or (), self.handles, held=self._seats))
        for handle, seat in list(self._seats.items()):
            seat.resumed((acks or {}).get(handle))
        for piece in missed:
            self.put(piece)
        if self.end_reason is not None:  # over, but the bot had not been told
            connection.end(self.end_reason, "the match is over")

    def detached(self, connection: Connection, text: str) -> None:
        """The stream is gone without a word."""
        if connection is not self._connection:
            return
        self._put_off()
        if self.end_reason is not None:
            return
        kept: list[SessionSeat] = []
        for handle, seat in list(self._seats.items()):
            if seat.kept_without_stream(text):
                kept.append(seat)
            else:
                del self._seats[handle]
                seat.hung_up(text)
        self._lobby.lost(self, self._offers.given_back())
        if kept or self.untold:
            log.info("session_detached", session=self.session_id, bot=self.greeting.name, seats=len(kept), text=text)
            if not kept:
                self.untold.wait()
        else:
            self._over(errors_pb2.SESSION_END_REASON_LEFT, text)

    def put(self, item: bytes | Due) -> None:
        """Adds to what is pending for the bot; what it misses while it has no stream, it is told when it is back."""
        if self._connection is not None:
            self._connection.put(item)

    def seat(self, handle: int) -> SessionSeat | None:
        """The seat that the bot holds in a match; None if it holds none there."""
        return self._seats.get(handle)

    def holds(self, vacancy: Vacancy) -> bool:
        """True if this session is there for that one seat alone and plays it."""
        return (
            self.invited_to is vacancy and self.end_reason is None and any(seat.begun for seat in self._seats.values())
        )

    def offer(self, vacancy: Vacancy) -> None:
        """Offers a seat; the lobby hears of the reply, or that there is none."""
        self.put(self._offers.made(vacancy))
        if self.invited_to is None:
            Patience(self.loop, self.settings.offer_s, partial(self._unreplied, vacancy, vacancy.offered_as))

    def _unreplied(self, vacancy: Vacancy, number: int) -> None:
        if self._offers.lapsed(vacancy, number):
            self.silent = True
            self._lobby.unreplied(vacancy, self, self.settings.offer_s)

    def withdraw(self, vacancy: Vacancy) -> None:
        """A seat that was offered here, or taken for a match that has not begun, is given up: there is room again."""
        if self.end_reason is not None:
            return
        if not self._offers.withdrawn(vacancy):
            self._seats = {handle: seat for handle, seat in self._seats.items() if seat.vacancy is not vacancy}
        if self.invited_to is not None:
            self.end(errors_pb2.SESSION_END_REASON_DONE, "the seat is no longer open")
        else:
            self._lobby.has_room(self)

    def match_over(self, handle: int, pieces: list[bytes], *, started: bytes = b"", owed: bool = False) -> None:
        """The match of a seat has ended; ``pieces`` tell the bot, none where it is not to be told; ``started`` is the
        MatchStarted of one that may know it by a former handle.

        One that is ``owed`` may be run again: a bot that is there for that seat alone is kept until that is settled.
        """
        seat = self._seats.pop(handle, None)
        for piece in pieces:
            self.put(piece)
        if pieces and self.resumable and seat is not None:
            end = Untold(seat.vacancy.attempt.spec.match_id, seat.vacancy.seat, pieces, started)
            self.untold.add(handle, end, most=KEPT + self.greeting.matches)
        self.keep()
        if self.invited_to is not None:
            if not owed:
                self.end(errors_pb2.SESSION_END_REASON_DONE, "the match is over")
        elif self.attached:
            self._lobby.has_room(self)
        elif not self._seats:
            self.untold.wait()

    def end_acknowledged(self, handle: int) -> bool:
        """The bot has the end of a match; False if that is nothing new."""
        if not self.untold.acknowledged(handle):
            return False
        self.keep()
        if self.end_reason is not None and not self.untold:
            self._forgotten()
        return True

    def end(self, reason: errors_pb2.SessionEndReason, text: str, *, remedy: str = "") -> None:
        """Ends the session with its reason as the last message; seats that it still holds end as a disconnect."""
        if self.end_reason is not None:
            return
        if self._connection is not None:
            self._connection.end(reason, text, remedy=remedy)
        self._gone(End.DISCONNECT, f"the session was ended: {text}", reason)

    def part(self, text: str) -> None:
        """Closes the stream and keeps the seats as they are: the arena goes down and comes back."""
        connection, self._connection = self._connection, None
        if connection is not None:
            self._put_off()
            remedy = "resume later" if self.resumable else "say hello later, with the same token if one was shown"
            connection.end(errors_pb2.SESSION_END_REASON_RESTART, text, remedy=remedy)

    def drain(self, remaining_us: int) -> None:
        """Tells the bot that the arena will stop."""
        message = session_pb2.Drain(remaining_us=remaining_us, text=DRAINS)
        self.put(frames.piece(frames.DRAIN, message.SerializeToString()))

    def heard(self, message: session_pb2.FromBot, at: float) -> None:
        """Takes one message that was read at ``at``."""
        kind = message.WhichOneof("message")
        if self.handles.former and kind in ABOUT_A_MATCH and self.handles.known(getattr(message, kind).match):
            self.keep()
        if kind == "answer":
            self._answer(message.answer, at)
        else:
            self._hearing.heard(kind, message, at)

    def failed(self, error: Exception) -> None:
        """The arena failed while it did what the bot said: the session's matches are faults of the arena."""
        for seat in list(self._seats.values()):
            seat.fault(error)
        self.end(errors_pb2.SESSION_END_REASON_ARENA, "the arena failed")

    def unasked(self, at: float) -> None:
        """Counts a message that no prompt asked for."""
        if self._allowance.spent(at) or self._stay.unasked(at):
            log.warning("session_flooded", session=self.session_id, peer=self.peer, who=str(self.greeting.who))
            self.end(
                errors_pb2.SESSION_END_REASON_FLOOD,
                "too many messages that no prompt asked for",
                remedy="answer each prompt once",
            )

    def release(self, handle: int) -> None:
        """Another bot goes on with the match of a seat."""
        if self._seats.pop(handle, None) is not None:
            self.keep()
            if self.invited_to is not None:
                self.end(errors_pb2.SESSION_END_REASON_REPLACED, "another bot goes on with the match")
            elif not self.attached and not self._seats:
                self.untold.wait()

    def rehandled(self, seat: SessionSeat, handle: int) -> int:
        """Gives a seat a new handle in place of ``handle``: answers under that are stale."""
        del self._seats[handle]
        new = self.handles.replaced(handle)
        self._seats[new] = seat
        self.keep()
        return new

    def _answer(self, answer: session_pb2.Answer, at: float) -> None:
        seat = self._seats.get(answer.match)
        if seat is not None and seat.begun:
            if not seat.answered(answer, at):
                self.unasked(at)
            return
        known = seat is None and 0 < answer.match <= self.handles.last
        now = self.handles.now(answer.match)
        self.put(rulings.without_match(answer.match, answer.number, over=known, now=now))
        self.unasked(at)

    def replied(self, reply: session_pb2.SeatReply) -> bool:
        """The bot takes a seat that it was offered, or does not; False if it was not offered that one."""
        self.silent = False
        vacancy = self._offers.replied(reply.offer)
        if vacancy is None:
            if not self._offers.crossed(reply.offer):
                return False
            self._lobby.has_room(self)
        elif reply.accepted:
            handle = self.handles.next()
            seat = self._seats[handle] = SessionSeat(self, vacancy, handle, reply.offer)
            self.keep()
            self._lobby.accepted(vacancy, seat)
        else:
            self._lobby.declined(vacancy, self, reply.why)
        return True

    def leave(self, leave: session_pb2.Leave) -> None:
        """The bot leaves, and says why."""
        crashed = leave.reason == session_pb2.LEAVE_REASON_CRASH
        if crashed:
            # The bot has shown its traceback, and the outcome says how its seat ended.
            log.info("bot_failed", session=self.session_id, bot=self.greeting.name, error=shortened(leave.text))
        text = shortened(leave.text) or ("the bot failed" if crashed else "the bot left")
        if self._connection is not None:
            self._connection.end(errors_pb2.SESSION_END_REASON_LEFT, text)
        self._gone(End.CRASH if crashed else End.DISCONNECT, text, errors_pb2.SESSION_END_REASON_LEFT)

    def _revoked(self) -> None:
        self.end(
            errors_pb2.SESSION_END_REASON_REVOKED,
            "the token that the session was opened with was revoked",
            remedy="ask whoever gave it for another",
        )

    def _welcome(self, *, resumed: bool, protocol: int) -> None:
        token = b""
        if self.resumable:
            token = identity.resume_token()
            self.keys = [*self.keys[:1], identity.key(token)]
            self._lobby.remember(self)
            self.keep()
        welcome = self.greeting.welcome(self.settings, self.session_id, package_version(), protocol=protocol)
        welcome.resume_token = token
        welcome.resumed = resumed
        self.put(frames.piece(frames.WELCOME, welcome.SerializeToString()))

    def shown(self, key: bytes) -> None:
        """The bot has the token of ``key``, and may have none after it: that is good until it has the next."""
        self.keys = [key]

    def has_newest_token(self) -> None:
        """The bot has answered what came after the newest token, and on the same stream.

        An answer to a prompt is no such thing: it may cross the welcome.
        """
        if len(self.keys) > 1:
            self.keys = self.keys[-1:]
            self._lobby.remember(self)
            self.keep()

    def _put_off(self) -> None:
        """What was pending on a stream that is gone is written again on the next."""
        self._connection = None
        self.pings.stop()

    def _forgotten(self) -> None:
        self.untold.forget()
        if self.end_reason is None:
            self._over(errors_pb2.SESSION_END_REASON_LEFT, "the bot did not come back")
        else:
            self._lobby.forget(self)
            self._journal.session_over(self.session_id)

    def _gone(self, end: End, text: str, reason: errors_pb2.SessionEndReason) -> None:
        """The session is over, and so is its bot's part in all that it held."""
        self._offers.left(f"{self.greeting.name} left before it took the seat: {text}")
        seats, self._seats = list(self._seats.values()), {}
        self._over(reason, text)
        for seat in seats:
            seat.gone(end, text)

    def _over(self, reason: errors_pb2.SessionEndReason, text: str) -> None:
        """Gives offers back and says so, once."""
        if self.end_reason is not None:
            return
        self.end_reason = reason
        self.pings.stop()
        self._stay.over()
        self._lobby.leave(self, self._offers.given_back())
        if self.untold and reason == errors_pb2.SESSION_END_REASON_DONE:
            self.untold.wait()
        else:
            self._lobby.forget(self)
            self._journal.session_over(self.session_id)
        log.info(
            "session_closed",
            session=self.session_id,
            bot=self.greeting.name,
            reason=errors_pb2.SessionEndReason.Name(reason),
            text=text,
        )

    def keep(self) -> None:
        """Has the journal keep what makes this session again after a restart; programs of pools end with the arena."""
        if self.resumable and self.member is None:
            held = {
                handle: (seat.vacancy.attempt.spec.match_id, seat.vacancy.seat) for handle, seat in self._seats.items()
            }
            held.update(self.untold.seats())
            held.update({former: held[now] for former, now in self.handles.former.items() if now in held})
            self._journal.session(
                self.session_id, keys=self.keys, greeting=self.greeting, handles=self.handles.last, seats=held
            )
