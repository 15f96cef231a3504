"""Matches in one arena of this process, which every entrant enters once: its programs play match after match."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import replace
from functools import partial
from typing import Any, Final, TextIO

from rivalry_server.arena import Arena
from rivalry_server.outcome import Result
from rivalry_server.pool import Pool
from rivalry_server.seating import Command, Dial, Listen, Occupant, Pooled
from rivalry_server.settings import Settings as ArenaSettings
from rivalry_tournament import seats
from rivalry_tournament.line_of import line_of, owed
from rivalry_tournament.made import Hall, Made, Making
from rivalry_tournament.results import Order
from rivalry_tournament.settings import Settings

NO_BOUND: Final = 1 << 30


class ArenaHall(Hall):
    """An arena at ``address`` with a pool for every entrant that is a program, or that dials in."""

    def __init__(
        self,
        settings: Settings,
        *,
        concurrency: int,
        address: str,
        tell: Callable[[str], None],
        bots_say: TextIO | None = None,
    ) -> None:
        """``tell`` shows a line to the organiser; what bots write goes to ``bots_say``, else stderr.

        Raises RivalryError where settings cannot be played.
        """
        self.arena = Arena(ArenaSettings(attempts=1, ended_matches=concurrency), output=bots_say)
        self._settings = settings
        self._most = concurrency * settings.seats
        self._address = address
        self._tell = tell
        self._rules = seats.Rules.of(settings)
        self._pools: dict[str, Pool] = {}
        self._warm: set[str] = set()
        """The entrants one of whose matches is over."""

    async def open(self) -> None:
        await self.arena.start(self._address)
        for name in self._settings.names():
            self._enter(name, seats.occupant(self._settings, name))
        await _all(self._awaited(pool) for pool in self._pools.values())

    async def play(self, order: Order) -> Making:
        try:
            result = await self.arena.run_match(self._rules.spec(order), [self._seat(name) for name in order.seats])
        except Exception as error:  # whatever fails here is no bot's fault
            why = f"{type(error).__name__}: {error}"
            return lambda: Made(owed(order, why), "")
        self._warm.update(order.seats)
        return partial(made, order, result)

    def capacity(self, entrant: str) -> int:
        pool = self._pools.get(entrant)
        return NO_BOUND if pool is None else pool.capacity

    async def close(self) -> None:
        await self.arena.stop()

    def _enter(self, name: str, occupant: Occupant) -> None:
        if isinstance(occupant, Command):
            self._pools[name] = self.arena.pool(name, occupant.argv, most=self._most)
        elif isinstance(occupant, Listen):
            pool = self._pools[name] = self.arena.pool(name)
            self._tell(
                f"entrant {name} waits for its bot: RIVALRY_TOKEN={pool.token} python my_bot.py"
                f" --address {pool.address} (or rivalry bot NAME --address {pool.address})"
            )

    async def _awaited(self, pool: Pool) -> None:
        """The bots that people start are awaited as long as it takes."""
        await pool.ready(self._rules.wait_s if pool.argv else None)

    def _seat(self, name: str) -> Occupant:
        pool = self._pools.get(name)
        if pool is not None:
            return Pooled(pool, name, self._rules.loading)
        occupant = seats.occupant(self._settings, name)
        if isinstance(occupant, Dial) and name not in self._warm:
            return replace(occupant, loading=self._rules.loading)
        return occupant


def made(order: Order, result: Result) -> Made:
    """Line and record of a match that was played."""
    lines = result.record()
    return Made(line_of(order, result, lines), "".join(line + "\n" for line in lines))


async def _all(works: Iterable[Coroutine[Any, Any, None]]) -> None:
    """Does all at once; raises the first error, when the others were broken off."""
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
