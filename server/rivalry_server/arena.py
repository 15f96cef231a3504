"""The arena: a gRPC server, the lobby behind it, and the matches that run in it."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import signal
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, TextIO

from rivalry.arena.v1 import errors_pb2
from rivalry_engine.error import RivalryError
from rivalry_server import address, certificate, identity, running, stop
from rivalry_server.attempt import Attempt, Phase, TooManyMatchesError
from rivalry_server.connection import Connection
from rivalry_server.drain import DrainingError, drained
from rivalry_server.gate import Gate
from rivalry_server.hosted import Hosted
from rivalry_server.journal import NO_PAGE, Journal, NoJournal
from rivalry_server.journal.opening import KeptOpening, Opening, Request, with_tokens
from rivalry_server.link import Link
from rivalry_server.lobby import Lobby
from rivalry_server.logs import log
from rivalry_server.match_spec import MatchSpec
from rivalry_server.outcome import Result
from rivalry_server.past import Past
from rivalry_server.pool import Pool
from rivalry_server.private import PrivateSocket
from rivalry_server.recovery import House, recovered
from rivalry_server.repeats import Repeats
from rivalry_server.seat import InProcess
from rivalry_server.seating import Command, Dial, Invitation, Listen, Occupant
from rivalry_server.settings import Settings
from rivalry_server.spectator import Spectator

if TYPE_CHECKING:
    import grpc.aio

    from rivalry_client.tls import Tls
    from rivalry_server.token_file import TokenFile


class Arena:
    """One arena in one loop.

    ``async with Arena() as arena: await arena.start("127.0.0.1:0"); result = await arena.run_match(spec, seats)``.
    """

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        built_in: Callable[[str, str], InProcess] | None = None,
        registered: Mapping[str, Command | Dial] | None = None,
        journal: Journal | None = None,
        tokens: TokenFile | None = None,
        output: TextIO | None = None,
    ) -> None:
        """``built_in`` gives the bot of a name for a game to CreateMatch and raises RivalryError when there is none;
        ``registered`` holds the bots that its operator registered, by name; ``tokens`` those of bots and operators.
        What programs write goes to ``output``, else stderr.
        """
        self.settings = settings or Settings()
        self.hosted = Hosted(self.settings)
        """The games that can be played here."""
        self._journal = journal or NoJournal()
        self.gate = Gate(self.settings, tokens)
        self.lobby = Lobby(self.hosted, self.settings, self._journal, self.gate)
        self.attempts: dict[str, Attempt] = {}
        """By match id, oldest first; of those that have ended the newest ``Settings.ended_matches``."""
        self.on_drain: list[Callable[[], Coroutine[Any, Any, None]]] = []
        """Called when the arena begins to stop: whoever tells others that it serves."""
        self.services: dict[str, dict[str, grpc.RpcMethodHandler[Any, Any]]] = {}
        """Others that its server has, by full name: their methods' handlers.  Added before it is started."""
        self._built_in = built_in
        self._registered = dict(registered or {})
        self._output = output
        self._repeats = Repeats()
        self._server: grpc.aio.Server | None = None
        self._dialable = ""
        self._inside = ""
        """Where programs that are started here dial."""
        self._private: PrivateSocket | None = None
        self._watching: asyncio.Future[None] | None = None
        self._count = 0
        self._open = 0
        """Matches that wait or run."""
        self._pools: list[Pool] = []
        self._tasks: dict[asyncio.Task[Result], Attempt] = {}
        """The matches that run by themselves."""
        self._stopping: asyncio.Task[None] | None = None
        self._owing: list[Attempt] = []
        """Runs in place of those that were spoiled before the arena was started; they begin when it has."""

    async def start(self, where: str, *, introspection: bool = False, tls: Tls | None = None) -> str:
        """Listens on ``where`` (``host:port``, port 0 for any; ``[v6]:port``; ``unix:/path``) and returns that address.

        With ``introspection`` the health and reflection services are there too; with ``tls`` nothing else is spoken,
        save to programs that are started here.  Raises AddressError and TlsError, whose messages are one line.
        """
        from rivalry_server.service import served

        _settle_memory()

        server = served(self, introspection=introspection)
        credentials = tls.dialled() if tls else None
        self._dialable = self._inside = await address.bound(server, where, credentials)
        if tls is not None and credentials is not None:
            certificate.look_at(tls.cert)
            self._private = PrivateSocket()
            self._inside = await address.bound(server, self._private.address)
        self._server = server
        with stop.orderly():  # it may take long, and nothing is lost with it
            going_on = self._taken_in()
        await _whole(server.start())
        self._set_going(going_on)
        self._watching = asyncio.ensure_future(self.gate.watch())
        log.info("arena_started", address=self._dialable, tls=credentials is not None)
        return self._dialable

    def go_on(self) -> None:
        """Goes on with what the journal holds, in an arena that listens nowhere; ``start`` does it too."""
        self._set_going(self._taken_in())

    def _set_going(self, going_on: Sequence[Attempt]) -> None:
        for attempt in going_on:
            self._by_itself(attempt, again=True)
        for attempt in self._owing:
            self._by_itself(attempt, again=False)
        self._owing = []

    async def run_match(
        self,
        spec: MatchSpec,
        seats: Sequence[Occupant],
        *,
        spectator: Spectator | None = None,
        invite: Callable[[Invitation], None] | None = None,
    ) -> Result:
        """Seats the bots, plays one match and returns its result; programs it started are gone when it returns.

        ``invite`` is called for each seat that is open to whoever dials in.  Raises RivalryError when a command cannot
        be started or the seats are not as many as the game's.
        """
        attempt = self._attempt(spec, seats, spectator)
        if invite is not None:
            for vacancy in attempt.vacancies.values():
                if vacancy.walk_in:
                    invite(Invitation(spec.match_id, vacancy.seat, self._dialable, vacancy.token))
        return await self._run_owed(attempt)

    def pool(self, bot: str, argv: tuple[str, ...] = (), *, most: int = 1) -> Pool:
        """A pool of at most ``most`` programs that ``argv`` starts, or of bots that dial in with its token.

        ``Pooled`` seats one of them; the pool is closed when the arena stops.
        """
        pool = Pool(
            self.lobby,
            bot,
            argv,
            address=self._inside if argv else self._dialable,
            most=most,
            output=self._output,
            repeats=self._repeats,
        )
        self._pools.append(pool)
        return pool

    def open_match(self, spec: MatchSpec, seats: Sequence[Occupant], *, request: Request | None = None) -> Attempt:
        """The same without waiting: the match runs by itself, and the journal keeps it.

        ``request`` is what asked for it.  Raises RivalryError if the seats are too many or few, TooManyMatchesError if
        too many matches are open, DrainingError while the arena is being stopped, JournalStuckError while the journal
        cannot be written.
        """
        if self._open >= self.settings.open_matches:
            raise TooManyMatchesError(
                f"{self._open} matches wait or run here, and no more are taken; "
                "try again when some have ended, or cancel some with CancelMatch"
            )
        opening = Opening(spec, with_tokens(seats, lambda seat: identity.token()), request or Request())
        attempt = self._attempt(spec, opening.occupants, None, opening)
        self._by_itself(attempt, again=False)
        return attempt

    def match(self, match_id: str) -> Attempt | None:
        """A match by its id, one that ended long ago too; None where it is not known.

        Raises RivalryError where it cannot be read.
        """
        attempt = self.attempts.get(match_id)
        if attempt is None and (ended := self._journal.ended(match_id)) is not None:
            return Past(ended, self._journal)
        return attempt

    def requested(self, key: bytes) -> KeptOpening | None:
        """The match that was made by a request with an id of this SHA-256, as the journal has it."""
        return self._journal.requested(key)

    def built_in(self, name: str, game: str) -> InProcess:
        """The built-in bot of a name for ``game``; raises RivalryError when there is none."""
        if self._built_in is None:
            raise RivalryError(f"built-in bot {name!r}: this arena has none")
        return self._built_in(name, game)

    def registered(self, name: str) -> Command | Dial:
        """The bot that the operator registered under a name; raises RivalryError when there is none."""
        if name not in self._registered:
            known = ", ".join(sorted(self._registered)) or "none"
            raise RivalryError(f"no bot {name!r} is registered; registered are: {known}")
        return replace(self._registered[name], registered=name)

    async def hold(self, link: Link) -> None:
        """Holds a stream over ``link`` until it is over; its session may go on over another.

        Raises TooMuchError if its address has too many that say nothing.
        """
        self.gate.arrives(link)
        try:
            await Connection(link, self.lobby, self.settings, self._journal).run()
        finally:
            self.gate.speaks(link)
            link.hang_up()

    async def serve(self, where: str, *, tls: Tls | None = None, ready: Callable[[str], None] | None = None) -> None:
        """Listens and hosts matches until SIGTERM or SIGINT, then drains and stops, at once at a second signal.

        ``ready`` is told the address.
        """
        asked, hurry = asyncio.Event(), asyncio.Event()
        loop = asyncio.get_running_loop()
        signals = (signal.SIGTERM, signal.SIGINT)
        for number in signals:
            loop.add_signal_handler(number, lambda: (hurry if asked.is_set() else asked).set())
        _read_beforehand(self.hosted.names)
        try:
            listening = await self.start(where, introspection=True, tls=tls)
            if ready is not None:
                ready(listening)
            await asked.wait()
            await self.drain(hurry=hurry)
        finally:
            await self.stop()
            for number in signals:
                loop.remove_signal_handler(number)

    async def drain(self, *, hurry: asyncio.Event | None = None) -> None:
        """Begins nothing new, tells everybody, and returns when what runs has ended or ``Settings.drain_s`` is over.

        ``hurry``, once set, cuts that short.
        """
        for tell in self.on_drain:
            await tell()
        await drained(self.lobby, self.attempts.values(), grace_s=self.settings.drain_s, hurry=hurry or asyncio.Event())

    async def stop(self) -> None:
        """Ends everything within two seconds: matches are cancelled, bots told, programs ended, streams closed."""
        if self._stopping is None:
            self._stopping = asyncio.get_running_loop().create_task(self._stop())
        await asyncio.shield(self._stopping)

    async def __aenter__(self) -> Arena:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.stop()

    async def _stop(self) -> None:
        self.lobby.stop()
        left = [task for task, attempt in self._tasks.items() if attempt.suspend()]
        for attempt in list(self.attempts.values()):
            attempt.cancel("the arena is stopping")
        await asyncio.sleep(0)  # a match that was still waiting tells its bots in the next turn
        await asyncio.sleep(0)
        pools = [asyncio.ensure_future(pool.close()) for pool in self._pools]
        for session in self.lobby.sessions:
            if session.member is not None:  # its pool tells it that it is over
                continue
            if self._journal.recovered is not None:
                self.lobby.part(session, "the arena is stopping")
            else:
                session.end(errors_pb2.SESSION_END_REASON_SHUTDOWN, "the arena is stopping", remedy="dial again later")
        for task in left:
            task.cancel()
        if self._server is not None:
            await self._server.stop(0.5)
            log.info("arena_stopped", address=self._dialable)
        if self._watching is not None:
            self._watching.cancel()
        if self._private is not None:
            self._private.remove()
        if pools:
            await asyncio.wait(pools)
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=1.0)
            for task in late:
                task.cancel()
            if late:
                await asyncio.wait(late, timeout=0.3)
        await self._journal.close()

    def _attempt(
        self,
        spec: MatchSpec,
        seats: Sequence[Occupant],
        spectator: Spectator | None,
        opening: Opening | None = None,
    ) -> Attempt:
        """A new attempt, which the journal keeps if there is an ``opening``."""
        if len(seats) != spec.game.seats:
            raise RivalryError(f"{spec.game.name} has {spec.game.seats} seats here; {len(seats)} bots were given")
        if spec.match_id in self.attempts:
            raise RivalryError(f"match {spec.match_id} exists already")
        if self.lobby.draining:
            raise DrainingError("the arena is stopping: it takes no new matches; try again when it is back")
        spec.check_position()
        if any(not isinstance(seat, InProcess) for seat in seats):
            spec.check_codec()
        self._count += 1
        attempt = Attempt(
            self._count,
            spec,
            seats,
            self.lobby,
            page=self._journal.opened(opening) if opening is not None and opening.keepable else NO_PAGE,
            exit_grace_s=self.settings.exit_grace_s,
            spectator=spectator,
        )
        self.attempts[spec.match_id] = attempt
        self._open += 1
        attempt.finished.add_done_callback(self._closed)
        return attempt

    def _taken_in(self) -> list[Attempt]:
        """Takes in what the journal holds; returns the matches that go on."""
        found = self._journal.recovered
        if found is None:
            return []
        attempts = recovered(House(self.lobby, self.settings, self._journal, self.built_in, self.registered), found)
        going_on = [attempt for attempt in attempts if not attempt.finished.done()]
        self.attempts.update({attempt.spec.match_id: attempt for attempt in attempts})
        for attempt in going_on:
            attempt.finished.add_done_callback(self._closed)
        self._count = len(attempts)
        self._open = len(going_on)
        self._owing = self._owed(attempts)
        return going_on

    def _closed(self, _: asyncio.Future[Result]) -> None:
        self._open -= 1

    async def _run_owed(self, attempt: Attempt, *, again: bool = False) -> Result:
        """Runs an attempt, and others in its place while the arena spoils them; returns the result that counts."""
        runs = [attempt]
        try:
            await self._run(attempt, again=again)
            while (following := self._following(runs[-1])) is not None:
                runs.append(following)
                task = asyncio.current_task()
                if task is not None and task in self._tasks:
                    self._tasks[task] = following
                await self._run(following)
        finally:
            for run in runs:
                run.settled = not self._left_to_the_next_start(runs[-1])
        return runs[-1].finished.result()

    def told_all(self, attempt: Attempt) -> bool:
        """True if everybody may know all about a match: it has ended, and no run of it is made or will be."""
        result = attempt.result
        if result is None or not result.owed:
            return result is not None
        return attempt.settled and not any(
            attempt.spec.match_id in other.spec.earlier
            for other in self.attempts.values()
            if other.phase is not Phase.ENDED
        )

    def _owes(self, attempt: Attempt) -> bool:
        """True if one more run of a match is to be made after this one."""
        return attempt.result is not None and attempt.result.owed and attempt.spec.attempt < self.settings.attempts

    def _left_to_the_next_start(self, attempt: Attempt) -> bool:
        """True if one more run of a match is made by the arena that is started next on this journal."""
        return self.lobby.draining and attempt.kept and self._owes(attempt)

    def _following(self, attempt: Attempt) -> Attempt | None:
        """The run that is made in place of one that the arena spoiled; None where there is none."""
        spec = attempt.spec
        following = None
        if self._owes(attempt) and not self.lobby.draining:
            seats = tuple(
                replace(occupant, token=attempt.vacancies[seat].token, fingerprint=attempt.vacancies[seat].fingerprint)
                if isinstance(occupant, Listen)
                else occupant
                for seat, occupant in enumerate(attempt.occupants)
            )
            following = self._again(spec, seats, spectator=attempt.spectator, kept=attempt.kept)
        if following is not None:
            attempt.again_as = following.spec.match_id
        attempt.followed_by(following, later=self._left_to_the_next_start(attempt))
        return following

    def _again(
        self, before: MatchSpec, seats: Sequence[Occupant], *, spectator: Spectator | None, kept: bool
    ) -> Attempt | None:
        """One more run of a match; None where that cannot be."""
        spec = replace(
            before,
            match_id=identity.next_match_id(before.match_id),
            attempt=before.attempt + 1,
            earlier=(*before.earlier, before.match_id),
        )
        try:
            following = self._attempt(spec, seats, spectator, Opening(spec, tuple(seats)) if kept else None)
        except RivalryError as error:
            log.error("match_not_run_again", match=before.match_id, error=str(error))
            return None
        log.warning("match_run_again", match=before.match_id, again_as=spec.match_id, attempt=spec.attempt)
        return following

    def _owed(self, past: Sequence[Attempt]) -> list[Attempt]:
        """The runs that are made in place of those that were spoiled before the arena was started."""
        made = []
        for attempt in past:
            spec = attempt.spec
            if not isinstance(attempt, Past) or attempt.again_as or not self._owes(attempt):
                continue
            try:
                seats = attempt.kept_as.opening.occupants(built_in=self.built_in, registered=self.registered)
            except RivalryError as error:
                log.error("match_not_run_again", match=spec.match_id, error=str(error))
                continue
            following = self._again(spec, seats, spectator=None, kept=True)
            if following is not None:
                attempt.again_as = following.spec.match_id
                made.append(following)
        return made

    async def _run(self, attempt: Attempt, *, again: bool = False) -> None:
        """Runs one attempt; ``again``: it was opened before the arena was restarted."""
        try:
            await running.run(
                attempt, running.Programs(self._inside, self.hold, self._output, self._repeats), again=again
            )
        finally:
            self._forget_old()

    def _by_itself(self, attempt: Attempt, *, again: bool) -> None:
        task = asyncio.get_running_loop().create_task(self._run_owed(attempt, again=again))
        self._tasks[task] = attempt
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[Result]) -> None:
        self._tasks.pop(task, None)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("match_failed", error=f"{type(error).__name__}: {error}")

    def _forget_old(self) -> None:
        too_many = len(self.attempts) - self._open - self.settings.ended_matches
        if too_many > 0:
            ended = (match_id for match_id, attempt in self.attempts.items() if attempt.phase is Phase.ENDED)
            for match_id in list(islice(ended, too_many)):
                del self.attempts[match_id]


def _read_beforehand(games: Sequence[str]) -> None:
    """Reads what is else read when it is needed first: strangers may have taken all descriptors by then."""
    from rivalry_server import describe, messages  # noqa: F401
    from rivalry_server.record import package_version

    package_version()
    for game in games:
        with contextlib.suppress(Exception):  # a game of others may fail in any way; who asks for it is told
            describe.game(game)


@cache
def _settle_memory() -> None:
    """Once a process: what was imported is looked at by no garbage collection any more, and collections are rarer.

    A running match makes much that lives a while and few cycles, so that collections find nothing and cost much.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


async def _whole(work: Coroutine[Any, Any, None]) -> None:
    """Does ``work`` to its end, whoever is in a hurry: gRPC does not bear that a start is broken off."""
    doing = asyncio.ensure_future(work)
    try:
        await asyncio.shield(doing)
    except asyncio.CancelledError:
        await doing
        raise
