"""The lobby: open seats, the sessions that may take them, and offers between the two."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Container, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from rivalry.arena.v1 import errors_pb2, session_pb2
from rivalry_engine.naming import among
from rivalry_server import identity, messages
from rivalry_server.flood import Allowance
from rivalry_server.gate import Gate, StrangerError
from rivalry_server.greeting import RefusedError, greeting, spoken
from rivalry_server.identity import Identity, Kind
from rivalry_server.limits import soon
from rivalry_server.logs import log
from rivalry_server.outcome import shortened
from rivalry_server.session import Session
from rivalry_server.settings import Settings

if TYPE_CHECKING:
    from rivalry_server.attempt import Attempt
    from rivalry_server.connection import Connection
    from rivalry_server.greeting import Greeting
    from rivalry_server.journal import Journal
    from rivalry_server.pool import Member, Pool
    from rivalry_server.seating import Reserved
    from rivalry_server.session_seat import SessionSeat
    from rivalry_server.spawn import Child


REFUSALS_BURST: Final = 50
REFUSALS_PER_S: Final = 1.0
"""Refused first messages that are logged: so many at once, and so many a second after that."""


class Vacancy:
    """A seat of one match that a bot is to take by dialling in."""

    def __init__(self, attempt: Attempt, seat: int, bot: str, *, walk_in: bool) -> None:
        """``walk_in``: a bot that shows no token may take it too."""
        self.attempt = attempt
        self.seat = seat
        self.bot = bot
        self.walk_in = walk_in
        self.token = identity.token()
        self.fingerprint = identity.fingerprint(self.token)
        self.pool: Pool | None = None
        """The pool whose members alone may take it."""
        self.reserved: Reserved | None = None
        """The one bot that may take it, among those that show a bot's token."""
        self.child: Child | None = None
        """The program that was started for this seat, or the one of a pool that took it."""
        self.on_good_end: Callable[[], None] | None = None
        """Set when the program's stream is gone: called when the program ends well."""
        self.taken_by: Session | None = None
        """The session that was offered it or has accepted it."""
        self.offered_as = 0
        """The number of that offer in the session."""
        self.given_back_at: float | None = None
        """When a bot that was offered it, or had accepted it, first left or did not want it, on the loop's clock."""
        self.declined: set[str] = set()
        """Ids of the sessions that did not want it."""
        self.trouble = ""
        """What last kept a bot from taking it, in words; empty if nothing is known."""
        self.trouble_before = ""
        """What did so before, while its bot is dialled once more."""

    def offer(self, number: int) -> bytes:
        """The offer of this seat as a piece of a frame."""
        return messages.offer(self.attempt.spec, number, self.seat)


class Lobby:
    """Brings open seats and bots together: each seat goes to one session, each session gets what it has room for."""

    def __init__(self, hosted: Container[str], settings: Settings, journal: Journal, gate: Gate) -> None:
        self.draining = False
        """True once nothing new begins."""
        self._stops_at: float | None = None
        self._stopping = False
        self._hosted = hosted
        self.settings = settings
        self._journal = journal
        self.gate = gate
        self._told_refusals = Allowance(REFUSALS_BURST, REFUSALS_PER_S, 0.0)
        self._untold_refusals = 0
        self._by_key: dict[bytes, Session] = {}
        """Sessions by what is kept of the tokens that resume them."""
        self._keys: dict[str, list[bytes]] = {}
        self._sessions: dict[str, Session] = {}
        self._with_room: dict[str, Session] = {}
        self._by_token: dict[bytes, Vacancy] = {}
        self._open: dict[Vacancy, None] = {}
        self._members: dict[bytes, Member] = {}
        """By the fingerprint of their tokens: who takes the seats of a pool."""
        self.on_left: Callable[[], None] = _nothing
        """Called when a seat is open and offered to nobody, when one was given back, and when a session has ended."""

    @property
    def sessions(self) -> list[Session]:
        """Those that were greeted and have not ended."""
        return list(self._sessions.values())

    @property
    def drains_us(self) -> int | None:
        """How long running matches may go on; None as long as nothing was said of it."""
        return None if self._stops_at is None else max(0, round((self._stops_at - self._now()) * 1_000_000))

    def drain(self, grace_s: float) -> None:
        """Nothing new begins from now on, and in ``grace_s`` seconds the arena stops: all who are here are told."""
        self.draining = True
        self._stops_at = self._now() + grace_s
        for session in self.sessions:
            session.drain(round(grace_s * 1_000_000))

    def stop(self) -> None:
        """Nobody is let in any more, but who comes back."""
        self.draining = self._stopping = True

    def part(self, session: Session, why: str) -> None:
        """The arena goes down and comes back: a session is kept for that, unless its match is only made then."""
        if session.comes_again:
            text = "the match is run again when the arena is back"
            session.end(errors_pb2.SESSION_END_REASON_RESTART, text, remedy="say hello then, with the same token")
        else:
            session.part(why)

    def may_come(self, vacancy: Vacancy) -> list[Session]:
        """The sessions that may yet take a seat: at once, when they have room, or when their stream is back."""
        return [session for session in self.sessions if self._suits(vacancy, session) and not session.silent]

    def add(self, vacancy: Vacancy, *, to: Session | None = None) -> None:
        """Opens a seat to whoever may take it, or ``to`` the one bot that has its token and is here already."""
        self._by_token[vacancy.fingerprint] = vacancy
        if to is not None and to.attached:
            self._open[vacancy] = None
            self._offer(vacancy, to)
        else:
            self._reopen(vacancy)

    def admit(self, member: Member) -> None:
        """Lets in whoever shows the token of a pool's member."""
        self._members[member.fingerprint] = member

    def dismiss(self, member: Member) -> None:
        """That token is worth nothing any more."""
        self._members.pop(member.fingerprint, None)

    def waiting_for(self, pool: Pool) -> int:
        """How many seats of a pool are open and offered to nobody."""
        return sum(vacancy.pool is pool and self._offers(vacancy) for vacancy in self._open)

    def next_for(self, pool: Pool) -> Vacancy | None:
        """The one of them that has waited longest."""
        return next((vacancy for vacancy in self._open if vacancy.pool is pool and self._offers(vacancy)), None)

    def begun(self, vacancies: Iterable[Vacancy]) -> None:
        """The match of these seats begins: nobody else is offered them; their tokens let their own bots back in."""
        for vacancy in vacancies:
            self._open.pop(vacancy, None)

    def remove(self, vacancies: Iterable[Vacancy]) -> None:
        """Closes seats; their tokens are worth nothing any more."""
        for vacancy in vacancies:
            self._by_token.pop(vacancy.fingerprint, None)
            self._open.pop(vacancy, None)

    def give_up(self, vacancies: Iterable[Vacancy]) -> None:
        """Closes seats that will not be taken any more; whoever was offered one is told, or has room for another."""
        closed = list(vacancies)
        self.remove(closed)
        for vacancy in closed:
            if vacancy.taken_by is not None:
                vacancy.taken_by.withdraw(vacancy)

    def greet(self, connection: Connection, message: session_pb2.FromBot) -> None:
        """Takes the first message of a stream: a session begins or goes on; raises RefusedError."""
        self.gate.speaks(connection.link)
        if message.WhichOneof("message") == "resume":
            self._resume(connection, message.resume)
            return
        if self._stopping:
            raise _draining()
        link = connection.link
        agreed = greeting(message, self._hosted, self.settings)
        connection.protocol = spoken(message.hello.protocol)
        vacancy = self._invitation(link.token)
        who = self.caller(link.token, link.peer) if vacancy is None else identity.of_seat(vacancy.fingerprint)
        if who.kind in (Kind.OPERATOR, Kind.OWNER):
            raise _token_refused(f"the token is an {who.kind}'s", "show the token of a bot or of a seat")
        use = self.gate.use(who)
        agreed = replace(agreed, who=who)
        if vacancy is not None and vacancy.taken_by is not None:  # its bot was started again
            use.come(self._now())
            held = vacancy.taken_by
            held.greeted(agreed)
            held.attach(connection, {})
            return
        member = self._member(link.token)
        if self.draining and not self._awaits(agreed, vacancy, member):
            raise _draining()
        if len(self._sessions) >= self.settings.sessions:
            raise RefusedError(
                errors_pb2.REFUSAL_REASON_BUSY,
                ours=f"{self.settings.sessions} sessions are open",
                yours="one more",
                remedy="try again later",
            )
        stay = use.session(agreed.matches, self._now())
        agreed = replace(agreed, matches=stay.matches)
        session = Session(agreed, self, self.settings, self._journal, stay=stay, invited_to=vacancy, member=member)
        session.attach(connection)
        if member is not None:
            member.comes(session)
        self._enter(session)
        if member is not None:
            member.pool.changed()

    def caller(self, token: str | None, peer: str) -> Identity:
        """Who makes a call from ``peer``; raises RefusedError if the token is none, or if one is asked for."""
        if token is not None:
            fingerprint = identity.fingerprint(token)
            if fingerprint in self._by_token or fingerprint in self._members:
                return identity.of_seat(fingerprint)
        try:
            return self.gate.caller(token, peer)
        except StrangerError as error:
            raise _token_refused(error.yours, error.remedy) from error

    def remember(self, session: Session) -> None:
        """The tokens that resume a session are others now."""
        for key in self._keys.pop(session.session_id, ()):
            self._by_key.pop(key, None)
        self._keys[session.session_id] = list(session.keys)
        for key in session.keys:
            self._by_key[key] = session

    def forget(self, session: Session) -> None:
        """A session that cannot be resumed any more."""
        for key in self._keys.pop(session.session_id, ()):
            self._by_key.pop(key, None)

    def log_refusal(self, peer: str, why: str) -> None:
        """Logs that a first message was refused; of too many at once only how many there were."""
        if self._told_refusals.spent(self._now()):
            self._untold_refusals += 1
            return
        more = {"untold_before": self._untold_refusals} if self._untold_refusals else {}
        self._untold_refusals = 0
        log.info("session_refused", peer=peer, why=why, **more)

    def refused(self, token: str | None, why: str) -> None:
        """A session that showed ``token`` was refused."""
        vacancy = None if token is None else self._by_token.get(identity.fingerprint(token))
        if vacancy is not None and vacancy.taken_by is None:
            vacancy.trouble = f"its bot was refused: {shortened(why)}"
        if (member := self._member(token)) is not None:
            member.pool.trouble = f"it was refused: {shortened(why)}"

    def restored(self, session: Session) -> None:
        """A session from before a restart, whose bot is expected back."""
        self._sessions[session.session_id] = session
        self.remember(session)

    def lost(self, session: Session, offers: Iterable[Vacancy]) -> None:
        """A session without a stream: what it was offered is open again."""
        self._with_room.pop(session.session_id, None)
        for vacancy in offers:
            self._given_back(vacancy)

    def leave(self, session: Session, offers: Iterable[Vacancy]) -> None:
        """A session that has ended; what it was offered is open again."""
        self._sessions.pop(session.session_id, None)
        self._with_room.pop(session.session_id, None)
        if session.member is not None:
            session.member.leaves(session)
        for vacancy in offers:
            self._given_back(vacancy)
        self.on_left()

    def has_room(self, session: Session) -> None:
        """Offers the session what it may take."""
        if session.session_id not in self._sessions or session.invited_to is not None:
            return
        room = session.room
        if room > 0 and self._open:
            suited = [vacancy for vacancy in self._open if self._offers(vacancy) and self._suits(vacancy, session)]
            for vacancy in suited[:room]:
                self._offer(vacancy, session)
                room -= 1
        if room > 0:
            self._with_room[session.session_id] = session
        else:
            self._with_room.pop(session.session_id, None)

    def accepted(self, vacancy: Vacancy, seat: SessionSeat) -> None:
        """A session takes the seat it was offered."""
        vacancy.taken_by = seat.session
        if seat.session.member is not None:
            seat.session.member.took(vacancy)
        vacancy.attempt.seated(vacancy.seat, seat)
        self.has_room(seat.session)

    def unreplied(self, vacancy: Vacancy, session: Session, waited_s: float) -> None:
        """A session has not said in time whether it takes the seat it was offered; once it replies it may have it."""
        vacancy.trouble = f"{session.greeting.name} did not reply to the offer of the seat in {waited_s:g} s"
        _log_declined(vacancy, session, f"no reply in {waited_s:g} s")
        self._with_room.pop(session.session_id, None)
        self._given_back(vacancy)

    def declined(self, vacancy: Vacancy, session: Session, why: str) -> None:
        """A session does not want the seat it was offered."""
        name, why = session.greeting.name, shortened(why)
        vacancy.trouble = f"{name} declined the seat: {why}" if why else f"{name} declined the seat and did not say why"
        _log_declined(vacancy, session, why)
        vacancy.declined.add(session.session_id)
        self._given_back(vacancy)
        if session.invited_to is vacancy:
            session.end(errors_pb2.SESSION_END_REASON_DONE, "the only seat for this session was declined")
        else:
            self.has_room(session)

    def vacated(self, vacancy: Vacancy, why: str) -> None:
        """The bot that took the seat left before the match began."""
        vacancy.trouble = f"its bot left before the match began: {why}"
        self._given_back(vacancy)

    def _now(self) -> float:
        return asyncio.get_running_loop().time()

    def _enter(self, session: Session) -> None:
        """A session that was welcomed: it is offered what there is for it."""
        self._sessions[session.session_id] = session
        if session.invited_to is None:
            self.has_room(session)
        else:
            self._offer(session.invited_to, session)

    def _resume(self, connection: Connection, resume: session_pb2.Resume) -> None:
        connection.protocol = spoken(resume.protocol)
        key = identity.key(resume.token)
        session = self._by_key.get(key)
        if session is None:
            raise RefusedError(
                errors_pb2.REFUSAL_REASON_RESUME,
                ours="the session is not known here, or it is over, or a newer token was given out",
                yours="a resume",
                remedy="begin a new session with a hello",
            )
        if wait_s := session.comes_back_too_soon_by_s():
            raise RefusedError(
                errors_pb2.REFUSAL_REASON_LIMIT,
                ours=f"a session is resumed once in {1 / self.settings.resumes_per_s:g} s, a few times at once",
                yours="one more resume",
                remedy=f"try again in {soon(wait_s)}, and wait longer between one try and the next",
            )
        most = session.acks_most
        if len(resume.acks) > most:
            raise RefusedError(
                errors_pb2.REFUSAL_REASON_HELLO,
                ours=f"this session's resume tells of at most {most} matches",
                yours=f"it tells of {len(resume.acks)}",
                remedy="tell of the matches that are open",
            )
        session.shown(key)
        session.attach(connection, {ack.match: ack for ack in resume.acks})
        self.has_room(session)

    def _member(self, token: str | None) -> Member | None:
        """Who of a pool a token is of; None if it is of none."""
        return None if token is None else self._members.get(identity.fingerprint(token))

    def _invitation(self, token: str | None) -> Vacancy | None:
        """The seat that a token is for; None if it is none of a seat's."""
        vacancy = None if token is None else self._by_token.get(identity.fingerprint(token))
        if vacancy is None:
            return None
        before = vacancy.taken_by
        if before is not None and before.invited_to is vacancy and not before.holds(vacancy):
            # Its bot was started again before the match has begun, and the old stream is not known to be gone.
            before.end(errors_pb2.SESSION_END_REASON_REPLACED, "another stream shows the token of the seat")
        if vacancy.taken_by is not None and not vacancy.taken_by.holds(vacancy):
            raise _token_refused("the token's seat is taken", "a seat can be taken once")
        if vacancy.taken_by is None and vacancy not in self._open:
            raise _token_refused("the token's seat is lost", "a seat is kept for its bot for a while, and that is over")
        return vacancy

    def _given_back(self, vacancy: Vacancy) -> None:
        """Whoever was offered a seat, or had accepted it, does not take it."""
        if vacancy.given_back_at is None:
            vacancy.given_back_at = self._now()
        self._reopen(vacancy)
        self.on_left()

    def _reopen(self, vacancy: Vacancy) -> None:
        vacancy.taken_by = None
        if not vacancy.attempt.waiting_for(vacancy.seat):
            return
        self._open[vacancy] = None
        if not self._offers(vacancy):
            return
        for session in list(self._with_room.values()):
            if self._suits(vacancy, session):
                self._offer(vacancy, session)
                return
        if vacancy.pool is not None:
            vacancy.pool.wanted()
        self.on_left()

    def _offer(self, vacancy: Vacancy, session: Session) -> None:
        del self._open[vacancy]
        vacancy.taken_by = session
        session.offer(vacancy)
        # Whoever was offered a seat goes to the end of the line.
        if self._with_room.pop(session.session_id, None) is not None and session.room > 0:
            self._with_room[session.session_id] = session

    def _offers(self, vacancy: Vacancy) -> bool:
        """True if an open seat may be offered now: while the arena drains, only one of a match that has begun."""
        return not self.draining or vacancy.attempt.match is not None

    def _awaits(self, agreed: Greeting, invitation: Vacancy | None, member: Member | None) -> bool:
        """True if a bot may take a seat of a match that goes on, in place of one that failed."""
        if invitation is not None:
            return self._offers(invitation)
        return any(self._offers(vacancy) and _suits(vacancy, agreed, member) for vacancy in self._open)

    def _suits(self, vacancy: Vacancy, session: Session) -> bool:
        return session.session_id not in vacancy.declined and _suits(vacancy, session.greeting, session.member)


def _suits(vacancy: Vacancy, agreed: Greeting, member: Member | None) -> bool:
    """True if a bot may take a seat."""
    pool = None if member is None else member.pool
    return (
        vacancy.pool is pool
        and (vacancy.walk_in or pool is not None)
        and (vacancy.reserved is None or vacancy.reserved.suits(agreed))
        and (not agreed.games or among(vacancy.attempt.spec.game.name, agreed.games))
    )


def _log_declined(vacancy: Vacancy, session: Session, why: str) -> None:
    log.info(
        "seat_declined",
        match=vacancy.attempt.spec.match_id,
        seat=vacancy.seat,
        session=session.session_id,
        bot=session.greeting.name,
        why=why,
    )


def _draining() -> RefusedError:
    return RefusedError(
        errors_pb2.REFUSAL_REASON_DRAINING,
        ours="the arena is stopping",
        yours="a new session",
        remedy="try again when it has started anew",
    )


def _token_refused(yours: str, remedy: str) -> RefusedError:
    return RefusedError(
        errors_pb2.REFUSAL_REASON_TOKEN,
        ours="a session is for the token of a bot or of one seat",
        yours=yours,
        remedy=remedy,
    )


def _nothing() -> None:
    """Nobody asks who has left."""
