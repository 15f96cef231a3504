"""The runner's own share of a tournament's time: matches through it, beside a bare arena with the same bots.

What is compared is the processor time of the arena's process, which other work on the machine does not change: the
runner does nothing elsewhere, and waits for the disk beside the loop.  Matches a minute are told as well.
Both play the same matches, as many at once, with programs that are reused; the runner keeps log and records on the
disk, shows progress and reads the schedule besides.  The bot is ``random``, which thinks next to nothing, so that all
else weighs most.
"""

from __future__ import annotations

import asyncio
import io
import tempfile
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Final

from bench.goal import figure
from rivalry_tournament import making
from rivalry_tournament import schedule as schedules
from rivalry_tournament.arena_hall import ArenaHall
from rivalry_tournament.log import Log
from rivalry_tournament.progress import Progress
from rivalry_tournament.results import Tournament, settled
from rivalry_tournament.runner import Runner
from rivalry_tournament.settings import Entrant, Kind, Settings

SEATS: Final = 4
CONCURRENCY: Final = 4
BLOCKS: Final = 5
ROUNDS: Final = 4
LEAST: Final = 0.9
"""So many of a bare arena's matches: the runner's share is at most a tenth."""


class Warm(ArenaHall):
    """A hall that stays open from one tournament to the next, so that no start is measured."""

    async def open(self) -> None:
        if not self._pools:
            await super().open()

    async def close(self) -> None:
        """It is closed by ``closed``."""

    async def closed(self) -> None:
        await super().close()


def settings(seed: str) -> Settings:
    """A round robin of four bots at tables of four."""
    return Settings(
        kind=Kind.ROUND_ROBIN,
        game="ethnos",
        options={"seats": SEATS},
        seats=SEATS,
        entrants=tuple(Entrant(f"bot{number}", "random") for number in range(SEATS)),
        seed=seed.encode(),
        blocks=BLOCKS,
        bots=SEATS,
        rotations="cyclic",
        concurrency=CONCURRENCY,
    )


async def through_the_runner(hall: Warm, of: Settings, folder: Path) -> int:
    """Matches that a tournament has."""
    making.schedule(of).write(folder / schedules.FILE)
    schedule, digest = settled(folder)
    with Log(folder, digest, at=0) as log:
        tournament = Tournament(folder, schedule, log.lines)
        progress = Progress(tournament, io.StringIO(), now=time.monotonic)
        runner = Runner(tournament, log, hall, concurrency=CONCURRENCY, progress=progress, now=lambda: int(time.time()))
        await runner.run()
    assert len(tournament.counted()) == BLOCKS and not any(tournament.faults().values())
    return len(tournament.results)


async def bare(hall: Warm, of: Settings, folder: Path) -> int:
    """The same matches in the same arena, and nothing kept."""
    orders = Tournament(folder, making.schedule(of)).orders()
    waiting = iter(orders)

    async def play() -> None:
        for order in waiting:
            await hall.play(order)

    await asyncio.gather(*(play() for _ in range(CONCURRENCY)))
    return len(orders)


async def _measured(progress: Callable[[str], None]) -> tuple[float, float]:
    """Matches in a minute of the processor, through the runner and bare."""
    hall = Warm(settings(""), concurrency=CONCURRENCY, address="127.0.0.1:0", tell=progress)
    rates: dict[str, list[float]] = {"bare": [], "runner": []}
    try:
        await hall.open()
        with tempfile.TemporaryDirectory() as folder:
            await bare(hall, settings("warm"), Path(folder))
        for round_ in range(ROUNDS):
            for name, way in (("bare", bare), ("runner", through_the_runner))[:: 1 if round_ % 2 else -1]:
                with tempfile.TemporaryDirectory() as folder:
                    rate, cpu_rate = await _rates(way(hall, settings(f"round {round_}"), Path(folder)))
                rates[name].append(cpu_rate)
                progress(f"tournament: {name}: {rate:,.0f} matches a minute, {cpu_rate:,.0f} of the processor's")
    finally:
        await hall.closed()
    return sum(rates["runner"]) / ROUNDS, sum(rates["bare"]) / ROUNDS


async def _rates(work: Coroutine[Any, Any, int]) -> tuple[float, float]:
    """Matches a minute, and a minute of the processor."""
    began, cpu = time.perf_counter(), time.process_time()
    matches = await work
    return matches * 60 / (time.perf_counter() - began), matches * 60 / (time.process_time() - cpu)


def share(progress: Callable[[str], None]) -> dict[str, Any]:
    """Matches through the runner, of a bare arena's."""
    import uvloop

    runner, bound = uvloop.run(_measured(progress))
    return figure(runner, bound, LEAST, unit="matches/min of CPU", least=True)
