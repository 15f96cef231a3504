"""A pool: the programs of one bot, each of which plays one match after the other in one session.

A program is started when a seat waits that none of them has room for, and not for the match's sake: it stays until the
pool is closed, or it fails.  Who shows the token of a member takes seats of its pool and no others.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TextIO

from rivalry.arena.v1 import errors_pb2
from rivalry_engine.error import RivalryError
from rivalry_server import identity, spawn
from rivalry_server.logs import log
from rivalry_server.outcome import End
from rivalry_server.patience import Patience
from rivalry_server.repeats import Listener, Repeats

if TYPE_CHECKING:
    from rivalry_server.lobby import Lobby, Vacancy
    from rivalry_server.session import Session

OVER: Final = "there are no more matches"


class Member:
    """One who takes seats of a pool by its token: a program that was started, or whoever is told the token."""

    def __init__(self, pool: Pool, token: str) -> None:
        self.pool = pool
        self.token = token
        self.fingerprint = identity.fingerprint(token)
        self.child: spawn.Child | None = None
        self.greeted = False
        """True once it has said hello."""
        self.sessions: list[Session] = []
        self.over = False
        """True once it is known that it takes no more seats."""
        self._took: dict[Vacancy, None] = {}
        self._fresh: bool | None = None
        """None until it takes its first seat."""

    @property
    def fresh(self) -> bool:
        """True until a match in which it took a seat has ended: it may have to load something at its first prompt.

        Never true of one that follows a program which has ended by itself and not by a fault: else whoever ends after
        each match had the time to load in all of them.
        """
        if self._fresh:
            self._fresh = all(vacancy.attempt.result is None for vacancy in self._took)
        return self._fresh is not False

    @property
    def seats(self) -> list[Vacancy]:
        """The seats that it took, of matches that have not ended."""
        return [vacancy for vacancy in self._took if vacancy.attempt.result is None]

    @property
    def failed(self) -> bool:
        """True if it has seats, or if the last of them did not end well."""
        results = [(vacancy.attempt.result, vacancy.seat) for vacancy in self._took]
        return any(result is None or result.seats[seat].end is not End.NORMAL for result, seat in results)

    def comes(self, session: Session) -> None:
        """A session begins with its token; a program has one, and one that begins anew has lost what it had."""
        before = list(self.sessions) if self.pool.argv else []
        self.sessions.append(session)
        self.greeted = True
        for other in before:
            other.end(errors_pb2.SESSION_END_REASON_REPLACED, "another stream shows the token")

    def took(self, vacancy: Vacancy) -> None:
        """It has accepted a seat."""
        vacancy.child = self.child
        if self._fresh is None:
            self._fresh = not self.pool.followed()
        if not self.fresh:  # asked before those that have ended are forgotten
            self._took = dict.fromkeys(self.seats)
        self._took[vacancy] = None

    def leaves(self, session: Session) -> None:
        """One of its sessions is over."""
        if session in self.sessions:
            self.sessions.remove(session)
            if not self.sessions:
                self.pool.left(self)


class Pool:
    """The programs of one bot, or the bots that dial in with one token."""

    def __init__(
        self,
        lobby: Lobby,
        bot: str,
        argv: tuple[str, ...],
        *,
        address: str,
        most: int,
        output: TextIO | None,
        repeats: Repeats | None = None,
    ) -> None:
        """``argv`` starts a program of ``bot``, of which there are at most ``most`` at once; empty: they dial in.

        What programs write goes to ``output``, else stderr; ``repeats`` knows the tracebacks that were shown.
        """
        self.bot = bot
        self.argv = argv
        self.most = most
        self.trouble = ""
        """Why the last program that did not say hello did not; empty if none failed so."""
        self.starts = 0
        """How many programs were started."""
        self._lobby = lobby
        self._address = address
        self._output = output
        self._repeats = repeats or Repeats()
        self._members: list[Member] = []
        self._ended = 0
        """How many programs have ended by themselves, and not by a fault, that none has followed yet."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False
        self._changed = asyncio.Event()
        if not argv:
            self._admit(identity.token())

    @property
    def token(self) -> str:
        """What bots that dial in show."""
        return self._members[0].token

    @property
    def address(self) -> str:
        """Where they dial."""
        return self._address

    @property
    def sessions(self) -> list[Session]:
        """Those that are open."""
        return [session for member in self._members for session in member.sessions]

    @property
    def capacity(self) -> int:
        """How many seats can be taken at once, if nothing fails."""
        here = sum(session.greeting.matches for session in self.sessions if session.attached)
        return max(self.most, here) if self.argv else here

    async def ready(self, wait_s: float | None) -> None:
        """Returns when somebody is here to play; starts a program if need be.

        Raises RivalryError if the first program fails, or nobody has come in ``wait_s`` seconds.
        """
        if self.argv and not self._members:
            self._start()
        try:
            async with asyncio.timeout(wait_s):
                while not self.sessions:
                    if self.argv and self.trouble:
                        raise RivalryError(f"{self.bot}: {self.trouble}")
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            raise RivalryError(f"{self.bot}: nobody said hello in {wait_s:g} s") from None

    def wanted(self) -> None:
        """A seat of this pool waits, and nobody has room for it."""
        if not self.argv or self._closed:
            return
        starting = sum(not member.greeted for member in self._members)
        missing = self._lobby.waiting_for(self) - starting
        for _ in range(min(missing, self.most - len(self._members))):
            self._start()

    def changed(self) -> None:
        """Somebody has come."""
        self.trouble = ""
        self._changed.set()

    def followed(self) -> bool:
        """A program takes its first seat: true if it follows one that has ended by itself, and not by a fault."""
        if not self._ended:
            return False
        self._ended -= 1
        return True

    def left(self, member: Member) -> None:
        """A member has no session any more: its program is to go."""
        self._over(member)
        if member.child is not None:
            self._do(member.child.end())

    async def close(self) -> None:
        """Tells everybody that it is over; returns when the programs are gone."""
        self._closed = True
        for session in self.sessions:
            session.end(errors_pb2.SESSION_END_REASON_DONE, OVER)
        for member in list(self._members):
            self._lobby.dismiss(member)
            if member.child is not None:
                self._do(member.child.end())
        while self._tasks:
            await asyncio.wait(self._tasks)

    def _admit(self, token: str) -> Member:
        member = Member(self, token)
        self._members.append(member)
        self._lobby.admit(member)
        return member

    def _start(self) -> None:
        self.starts += 1
        self._do(self._spawned(self._admit(identity.token())))

    async def _spawned(self, member: Member) -> None:
        def show(line: str) -> None:
            if self._closed and not member.greeted:  # it came too late and found nobody
                return
            print(f"{self.bot}| {line}", file=self._output or sys.stderr, flush=True)

        listener = Listener(self._repeats, self.bot, show)
        try:
            child = await spawn.started(
                self.argv,
                {"RIVALRY_ADDRESS": self._address, "RIVALRY_TOKEN": member.token},
                show=listener.line,
                on_exit=partial(self._exited, member),
            )
        except RivalryError as error:
            self._gone(member)
            self._not_started(str(error))
            return
        child.when_silent(listener.ended)
        member.child = child
        if self._closed:
            await child.end()

    def _exited(self, member: Member, child: spawn.Child, how: str) -> None:
        """The program of a member has ended."""
        if member.greeted or self._closed:
            self._do(child.end())
            self._left_behind(member, child, how)
        else:
            self._do(self._failed(member, child, how))

    async def _failed(self, member: Member, child: spawn.Child, how: str) -> None:
        """A program has ended and said no hello yet: that is told when all that it wrote was shown."""
        await child.end()
        self._left_behind(member, child, how)

    def _left_behind(self, member: Member, child: spawn.Child, how: str) -> None:
        """What a program that has ended leaves: the seats that it had, or one that it never had."""
        self._gone(member)
        if self._closed:
            return
        if not member.greeted:
            self._not_started(f"{how} before it said hello")
            return
        log.info("program_ended", bot=self.bot, how=how, seats=len(member.seats))
        for vacancy in member.seats:
            vacancy.attempt.exited(vacancy.seat, child, f"{how} before the end of the match")
        grace_s = self._lobby.settings.exit_grace_s  # what it wrote last is still read
        for session in member.sessions:
            Patience(session.loop, grace_s, partial(session.end, errors_pb2.SESSION_END_REASON_LEFT, how))
        self.wanted()

    def _over(self, member: Member) -> None:
        """A member takes no more seats."""
        if not (member.over or member.fresh or member.failed):
            self._ended += 1
        member.over = True

    def _gone(self, member: Member) -> None:
        self._over(member)
        if member in self._members:
            self._members.remove(member)
        self._lobby.dismiss(member)

    def _not_started(self, text: str) -> None:
        """A program could not be started, or ended before it said hello: one seat that waits for it is lost."""
        log.info("program_failed", bot=self.bot, why=text)
        self.trouble = f"{text}; {self.trouble}" if self.trouble else text
        self._changed.set()
        vacancy = self._lobby.next_for(self)
        if vacancy is not None:
            why, self.trouble = self.trouble, ""
            vacancy.attempt.not_started(vacancy.seat, why)
        self.wanted()

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("program_failed", bot=self.bot, exc_info=error)
