"""Official tables as they are asked for: fitted in a process of its own, one at a time, and kept.

While results keep coming a table is fitted again when the last fit is ``REST`` times as old as it took, so that fits
cost a bounded share of a core however often people look.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from rivalry_ladder.error import LadderError
from rivalry_ladder.fit import fitted
from rivalry_ladder.official import Line, log_digest

REST: Final = 10
PATIENCE_S: Final = 20.0
"""So long a caller is let wait; after it, an older table or a word that there will be one."""


class NotYetError(LadderError):
    """The table is being fitted, and there is none of before."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A table that was fitted."""

    table: dict[str, Any]
    at: float
    took_s: float


class Fitting:
    """The tables of one ladder, by queue and season."""

    def __init__(self, *, alpha: float, resamples: int) -> None:
        self._alpha = alpha
        self._resamples = resamples
        self._kept: dict[tuple[int, int], Kept] = {}
        self._tasks: dict[tuple[int, int], asyncio.Task[dict[str, Any]]] = {}
        self._one = asyncio.Lock()

    async def table(self, queue: int, season: int, log: Sequence[Line]) -> dict[str, Any]:
        """The table of these results, or of those a little before; raises NotYetError."""
        key = queue, season
        kept = self._kept.get(key)
        now = asyncio.get_running_loop().time()
        if kept is not None and (now - kept.at < REST * kept.took_s or kept.table["log_digest"] == log_digest(log)):
            return kept.table
        task = self._tasks.get(key)
        if task is None:
            task = self._tasks[key] = asyncio.get_running_loop().create_task(self.exact(queue, season, log))
            task.add_done_callback(lambda _: self._tasks.pop(key, None))
        await asyncio.wait((task,), timeout=PATIENCE_S)
        if task.done():
            return task.result()
        if kept is not None:
            return kept.table
        raise NotYetError("the table is being fitted for the first time; ask again in a moment")

    async def exact(self, queue: int, season: int, log: Sequence[Line]) -> dict[str, Any]:
        """The table of these results and no others, however long it takes."""
        async with self._one:
            kept = self._kept.get((queue, season))
            if kept is not None and kept.table["log_digest"] == log_digest(log):
                return kept.table
            began = asyncio.get_running_loop().time()
            table = await fitted(log, alpha=self._alpha, resamples=self._resamples)
            now = asyncio.get_running_loop().time()
            self._kept[queue, season] = Kept(table, now, now - began)
        return table

    async def stop(self) -> None:
        """Fits nothing any more."""
        for task in list(self._tasks.values()):
            task.cancel()
        if self._tasks:
            await asyncio.wait(list(self._tasks.values()))
