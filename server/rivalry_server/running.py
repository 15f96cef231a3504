"""Runs an attempt: the programs that are started for its seats, the bots that are dialled, until all of it is gone."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TextIO

from rivalry_engine.error import RivalryError
from rivalry_server import dial, spawn
from rivalry_server.repeats import Listener, Repeats
from rivalry_server.seating import Command, Dial

if TYPE_CHECKING:
    from rivalry_server.attempt import Attempt
    from rivalry_server.link import Link


@dataclass(slots=True)
class Programs:
    """What programs and dialled bots of one attempt need: where to dial, who holds a stream, where they write."""

    address: str
    hold: Callable[[Link], Coroutine[Any, Any, None]]
    output: TextIO | None
    """None: stderr."""
    repeats: Repeats
    """The tracebacks that were shown."""
    starting: list[asyncio.Task[spawn.Child]] = field(default_factory=list)
    dialling: list[asyncio.Task[None]] = field(default_factory=list)

    def start(self, attempt: Attempt, seat: int) -> None:
        """Starts the program of a seat."""
        occupant = attempt.occupants[seat]
        if isinstance(occupant, Command):
            self.starting.append(asyncio.ensure_future(self._spawned(attempt, seat, occupant)))

    def start_again(self, attempt: Attempt, seat: int) -> None:
        """Starts the program of a seat whose bot failed, in place of the one before."""
        occupant = attempt.occupants[seat]
        if isinstance(occupant, Command):
            self.starting.append(asyncio.ensure_future(self._spawned_again(attempt, seat, occupant)))

    def dial(self, attempt: Attempt, seat: int) -> None:
        """Dials the bot of a seat until the match is over."""
        occupant = attempt.occupants[seat]
        if isinstance(occupant, Dial):
            work = dial.dialled(occupant, attempt.vacancies[seat], self.hold)
            self.dialling.append(asyncio.ensure_future(work))

    async def started(self) -> None:
        """Returns when the programs run; raises RivalryError when one cannot be started."""
        if self.starting:
            for started in (await asyncio.wait(self.starting, return_when=asyncio.FIRST_EXCEPTION))[0]:
                started.result()

    async def gone(self) -> None:
        """Returns when programs and calls are gone, whoever is in a hurry."""
        if self.starting or self.dialling:
            ending = asyncio.ensure_future(self._end())
            try:
                await asyncio.shield(ending)
            except asyncio.CancelledError:
                await ending
                raise

    async def _end(self) -> None:
        ending = [asyncio.ensure_future(_ended(started)) for started in self.starting]
        if self.dialling:
            _, late = await asyncio.wait(self.dialling, timeout=1.0)
            for task in late:
                task.cancel()
            await asyncio.wait(self.dialling)
        if ending:
            await asyncio.wait(ending)

    async def _spawned(self, attempt: Attempt, seat: int, command: Command) -> spawn.Child:
        vacancy = attempt.vacancies[seat]

        def show(line: str) -> None:
            if attempt.hushed:
                return
            name = attempt.named(seat)[0] or command.bot
            print(f"seat {seat} {name}| {line}", file=self.output or sys.stderr, flush=True)

        listener = Listener(self.repeats, command.bot, show)
        vacancy.child = await spawn.started(
            command.argv,
            {"RIVALRY_ADDRESS": self.address, "RIVALRY_TOKEN": vacancy.token},
            show=listener.line,
            on_exit=lambda child, how: attempt.exited(seat, child, f"{how} before the end of the match"),
        )
        vacancy.child.when_silent(listener.ended)
        return vacancy.child

    async def _spawned_again(self, attempt: Attempt, seat: int, command: Command) -> spawn.Child:
        vacancy = attempt.vacancies[seat]
        before, vacancy.child = vacancy.child, None
        if before is not None:
            await before.end()
        try:
            return await self._spawned(attempt, seat, command)
        except RivalryError as error:
            attempt.not_started(seat, str(error))
            raise


async def run(attempt: Attempt, programs: Programs, *, again: bool) -> None:
    """Runs one attempt to its result; its programs and calls are gone when this returns.

    ``again``: it was opened before the arena was restarted.  Raises RivalryError when a program cannot be started.
    """
    attempt.restart = lambda seat: programs.start_again(attempt, seat)
    if not again:
        attempt.open()  # before any program can dial in with its token
    try:
        for seat in range(len(attempt.occupants)):
            if not again or attempt.expects(seat):
                programs.start(attempt, seat)
                programs.dial(attempt, seat)
        await programs.started()
        await asyncio.shield(attempt.finished)
    except RivalryError as error:
        attempt.hushed = True
        attempt.cancel(str(error))
        raise
    finally:
        attempt.cancel("the match was broken off")
        attempt.restart = _nothing
        await programs.gone()


async def _ended(starting: asyncio.Task[spawn.Child]) -> None:
    """Returns when a program that was started, or is about to be, is gone."""
    await asyncio.wait((starting,))
    if not starting.cancelled() and starting.exception() is None:
        await starting.result().end()


def _nothing(seat: int) -> None:
    """The match is over: nothing is started again."""
