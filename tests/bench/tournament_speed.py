"""The runner's own share of a tournament's time, beside what the arena takes for the matches.

What is compared is the processor's time for the same matches, which other work on the machine changes little: an arena
plays them and nothing is kept, and then the runner has their results brought to it and keeps them, with schedule, log,
records and progress.  The bots are ``random``, which think next to nothing, and their time is left out: in a real
tournament the share is less.  Matches a minute through both together are told as well.
"""

from __future__ import annotations

import asyncio
import io
import tempfile
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Final, TypeVar

from bench.goal import figure
from rivalry_tournament import making
from rivalry_tournament import schedule as schedules
from rivalry_tournament.arena_hall import ArenaHall
from rivalry_tournament.log import Log
from rivalry_tournament.made import Hall, Making
from rivalry_tournament.progress import Progress
from rivalry_tournament.results import Order, Place, Tournament, settled
from rivalry_tournament.runner import Runner
from rivalry_tournament.settings import Entrant, Kind, Settings

SEATS: Final = 4
CONCURRENCY: Final = 4
BLOCKS: Final = 5
ROUNDS: Final = 4
LATER_S: Final = 0.005
MOST: Final = 0.1
"""So much of the time may be the runner's."""
T = TypeVar("T")


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


async def through_the_runner(hall: Hall, of: Settings, folder: Path) -> int:
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


async def bare(hall: Warm, of: Settings) -> dict[Place, Making]:
    """What came of the same matches in the same arena, and nothing kept."""
    orders = Tournament(Path(), making.schedule(of)).orders()
    waiting = iter(orders)
    brought: dict[Place, Making] = {}

    async def play() -> None:
        for order in waiting:
            brought[order.block, order.place] = await hall.play(order)

    await asyncio.gather(*(play() for _ in range(CONCURRENCY)))
    return brought


class Brought(Hall):
    """A hall whose matches were played before; each brings its result a little later."""

    def __init__(self, made: dict[Place, Making]) -> None:
        self._made = made

    async def open(self) -> None:
        pass

    async def play(self, order: Order) -> Making:
        await asyncio.sleep(LATER_S)
        return self._made[order.block, order.place]

    def capacity(self, entrant: str) -> int:
        return SEATS

    async def close(self) -> None:
        pass


async def _measured(progress: Callable[[str], None]) -> tuple[float, float]:
    """Milliseconds of the processor for a match: the runner's, and the arena's."""
    hall = Warm(settings(""), concurrency=CONCURRENCY, address="127.0.0.1:0", tell=progress)
    own, arena = [], []
    try:
        await hall.open()
        await bare(hall, settings("warm"))
        for number in range(ROUNDS):
            of = settings(f"round {number}")
            brought, arena_ms, _ = await _timed(bare(hall, of))
            with tempfile.TemporaryDirectory() as folder:
                _, own_ms, _ = await _timed(through_the_runner(Brought(brought), of, Path(folder)))
            with tempfile.TemporaryDirectory() as folder:
                matches, _, took_s = await _timed(through_the_runner(hall, of, Path(folder)))
            own.append(own_ms / matches)
            arena.append(arena_ms / matches)
            progress(
                f"tournament: a match takes the runner {own[-1]:.1f} ms and the arena {arena[-1]:.0f} ms;"
                f" {matches * 60 / took_s:,.0f} matches a minute"
            )
    finally:
        await hall.closed()
    return sum(own) / ROUNDS, sum(arena) / ROUNDS


async def _timed(work: Coroutine[Any, Any, T]) -> tuple[T, float, float]:
    """What ``work`` returns, the milliseconds of the processor that it took, and the seconds."""
    began, cpu = time.perf_counter(), time.process_time()
    value = await work
    return value, (time.process_time() - cpu) * 1_000, time.perf_counter() - began


def share(progress: Callable[[str], None]) -> dict[str, Any]:
    """The runner's milliseconds of the processor for a match, of its own and the arena's together."""
    import uvloop

    own, arena = uvloop.run(_measured(progress))
    return figure(own, own + arena, MOST, unit="ms of CPU/match", least=False)
