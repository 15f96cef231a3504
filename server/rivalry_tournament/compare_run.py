"""Plays a comparison: block after block, some matches at once, until it is over."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from rivalry_engine.counting import counted
from rivalry_tournament import compare, schedule
from rivalry_tournament.compare import Comparison, Group
from rivalry_tournament.lines import Owed, Result
from rivalry_tournament.made import Hall
from rivalry_tournament.results import Order
from rivalry_tournament.settings import Settings


@dataclass(slots=True)
class _Playing:
    """A group that is played: its orders in their sequence, those still to begin, and what came of the others."""

    orders: list[Order]
    waiting: deque[Order]
    came: dict[tuple[str, int], Result | Owed] = field(default_factory=dict)

    @property
    def done(self) -> bool:
        return len(self.came) == len(self.orders)


class Run:
    """Plays the groups of ``settings`` in ``hall``, at most ``most`` of them.

    Groups are taken in by number, whatever is finished first, so that the verdict does not depend on what runs at once.
    """

    def __init__(
        self,
        settings: Settings,
        comparison: Comparison,
        hall: Hall,
        *,
        most: int,
        on_block: Callable[[], None],
    ) -> None:
        self._settings = settings
        self._comparison = comparison
        self._hall = hall
        self._groups: Iterator[Group] = iter(compare.groups(settings))
        self._left = most
        self._on_block = on_block
        self._playing: deque[_Playing] = deque()

    async def run(self) -> None:
        """Returns when the comparison is over or all blocks are played; raises RivalryError where a bot cannot play."""
        running: dict[asyncio.Task[Result | Owed], tuple[_Playing, Order]] = {}
        try:
            await self._hall.open()
            while not self._comparison.over:
                while len(running) < self._settings.concurrency and (begun := self._next()) is not None:
                    running[asyncio.ensure_future(self._play(begun[1]))] = begun
                if not running:
                    return
                for task in (await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED))[0]:
                    playing, order = running.pop(task)
                    playing.came[order.block, order.place] = task.result()
                self._take()
        finally:
            for task in running:
                task.cancel()
            if running:
                await asyncio.wait(running)
            await self._hall.close()

    def _next(self) -> tuple[_Playing, Order] | None:
        """The next match to begin."""
        for playing in self._playing:
            if playing.waiting:
                return playing, playing.waiting.popleft()
        if not self._left:
            return None
        self._left -= 1
        orders = [
            Order(block.id, match.place, block.seed, match.seats, 1, match.match_id)
            for block in next(self._groups)
            for match in block.matches
        ]
        self._playing.append(_Playing(orders, deque(orders)))
        return self._next()

    async def _play(self, order: Order) -> Result | Owed:
        """What a match came to; one that the arena spoils is run again with the same seed."""
        earlier: list[str] = []
        while True:
            attempt = len(earlier) + 1
            match_id = schedule.match_id(self._settings.ids(), order.block, order.place, attempt)
            again = Order(order.block, order.place, order.seed, order.seats, attempt, match_id, tuple(earlier))
            line = (await self._hall.play(again))().line
            if isinstance(line, Result) or attempt >= self._settings.attempts:
                return line
            earlier.append(match_id)

    def _take(self) -> None:
        """Takes in the groups that are done, by number, as long as the comparison is open."""
        while self._playing and self._playing[0].done and not self._comparison.over:
            playing = self._playing.popleft()
            lines = [playing.came[order.block, order.place] for order in playing.orders]
            results = [line for line in lines if isinstance(line, Result)]
            if spoiled := [why for line in lines if (why := _spoiled(line))]:
                self._comparison.leave_out(spoiled[0], len(results))
            else:
                transcripts = tuple(result.transcript for result in results)
                self._comparison.add(compare.score(self._settings, results), transcripts)
            self._on_block()


def _spoiled(line: Result | Owed) -> str:
    """Why a match takes its block out of the comparison; empty where it does not."""
    if isinstance(line, Owed):
        return f"match {line.match} is owed after {counted(line.attempt, 'run')}: {line.why}"
    return f"match {line.match} is void: {line.void}" if line.void else ""
