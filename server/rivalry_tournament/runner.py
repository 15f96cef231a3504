"""Plays a tournament to its end: from the log until now, whatever became of the process that wrote it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from rivalry_tournament.admission import Admission
from rivalry_tournament.keeper import Keeper
from rivalry_tournament.lines import Ended, Line, Opened, Owed, Result
from rivalry_tournament.log import Log
from rivalry_tournament.made import Hall, Making
from rivalry_tournament.progress import Progress
from rivalry_tournament.results import RECORDS, Order, Tournament
from rivalry_tournament.versions import Versions


class Runner:
    """Plays what is missing in ``hall``, at most ``concurrency`` matches at once, and keeps it in ``log``.

    Cancelled, it gives up the matches that are under way, of which nothing is kept; they are played again from their
    beginning, with the same seeds and ids.
    """

    def __init__(
        self,
        tournament: Tournament,
        log: Log,
        hall: Hall,
        *,
        concurrency: int,
        progress: Progress,
        now: Callable[[], int],
    ) -> None:
        """``now`` is the time that lines tell, in seconds since 1970."""
        self._tournament = tournament
        self._hall = hall
        self._concurrency = concurrency
        self._progress = progress
        self._versions = Versions(tournament)
        self._keeper = Keeper(tournament.folder, log, now=now, on_kept=self._kept)
        self._admission = Admission((), capacity=hall.capacity)

    async def run(self) -> None:
        """Returns when the tournament has ended; raises RivalryError where an entrant cannot play, OSError."""
        if self._tournament.ended:
            return
        (self._tournament.folder / RECORDS).mkdir(exist_ok=True)
        ticking = asyncio.ensure_future(self._tick())
        try:
            await self._hall.open()
            await self._rounds()
        finally:
            ticking.cancel()
            await self._hall.close()
            self._progress.close()

    async def _rounds(self) -> None:
        while True:
            await self._play(self._tournament.orders())
            following = self._tournament.following()
            if following is None:
                break
            self._keeper.add(Opened(following))
        self._keeper.add(Ended())

    async def _play(self, orders: list[Order]) -> None:
        """Plays all of ``orders``, and again what the arena spoils."""
        admission = self._admission = Admission(orders, capacity=self._hall.capacity)
        running: dict[asyncio.Task[Making], Order] = {}
        try:
            while True:
                busy = self._keeper.busy
                while len(running) < self._concurrency and (order := admission.next()) is not None:
                    running[asyncio.ensure_future(self._hall.play(order))] = order
                if running:
                    for task in (await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED))[0]:
                        admission.ended(running.pop(task))
                        self._keeper.keep(task.result())
                elif busy:
                    await self._keeper.kept()
                else:
                    return
        finally:
            for task in running:
                task.cancel()
            if running:
                await asyncio.wait(running)
            await self._keeper.kept()

    def _kept(self, line: Line) -> None:
        """A line is in the log."""
        self._tournament.add(line)
        self._progress.add(line)
        if isinstance(line, Result):
            for text in self._versions.changed(line):
                self._progress.say(text)
        if isinstance(line, Owed) and (order := self._tournament.again(line)) is not None:
            self._admission.wait(order)

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(self._progress.every_s)
            self._progress.tick()
