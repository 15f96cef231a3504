"""G4 and G5: decisions a second through the arena, over gRPC on loopback.

The bot is ``first``, which answers by number without looking, so that arena, wire and client library are measured and
not a bot's thinking.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from bench import bare
from bench.goal import figure, together
from rivalry_engine import catalog
from rivalry_server import link
from rivalry_server.arena import Arena
from rivalry_server.clock import TimeControl
from rivalry_server.journal import Journal
from rivalry_server.match_spec import MatchSpec
from rivalry_server.seating import Listen

SEATS = 4
GAME = "ethnos"
ROUNDS = 2


class Traffic:
    """Counts what the arena writes, frame by frame."""

    def __init__(self) -> None:
        self.frames = 0
        self.bytes = 0
        self._write = link.StreamLink.write

    def __enter__(self) -> Traffic:
        write = self._write

        async def counted(grpc_link: link.StreamLink, frame: bytes) -> None:
            self.frames += 1
            self.bytes += len(frame)
            await write(grpc_link, frame)

        link.StreamLink.write = counted  # type: ignore[method-assign]
        return self

    def __exit__(self, *error: object) -> None:
        link.StreamLink.write = self._write  # type: ignore[method-assign]


@asynccontextmanager
async def table(bots: int, matches: int, *, bot: str = "first", journal: Journal | None = None) -> AsyncIterator[Arena]:
    """An arena with ``bots`` bot processes connected, each with room for ``matches`` seats."""
    async with Arena(journal=journal) as arena:
        address = await arena.start("127.0.0.1:0")
        command = [sys.executable, "-m", "rivalry_bots", bot, "--address", address, "--matches", str(matches)]
        processes = [
            subprocess.Popen(command, stderr=subprocess.DEVNULL, env={**os.environ, "GRPC_VERBOSITY": "NONE"})
            for _ in range(bots)
        ]
        try:
            async with asyncio.timeout(30):
                while len(arena.lobby._sessions) < bots:
                    await asyncio.sleep(0.02)
            yield arena
        finally:
            for process in processes:
                process.terminate()
            for process in processes:
                process.wait(10)


async def played(arena: Arena, matches: int, label: str) -> tuple[int, float]:
    """Decisions and seconds of ``matches`` at once."""
    game = catalog.game(GAME, {"seats": SEATS})
    began = time.perf_counter()
    results = await asyncio.gather(
        *(
            arena.run_match(
                MatchSpec(game, f"{label}/{number}".encode(), time_control=TimeControl()), [Listen()] * SEATS
            )
            for number in range(matches)
        )
    )
    took = time.perf_counter() - began
    assert all(seat.end == "normal" for result in results for seat in result.seats)
    return sum(result.decisions for result in results), took


async def _rate(arena: Arena, matches: int, *, runs: int, label: str) -> float:
    decisions, seconds = 0, 0.0
    for run in range(runs):
        count, took = await played(arena, matches, f"{label}/{run}")
        decisions, seconds = decisions + count, seconds + took
    return decisions / seconds


async def _one_match(runs: int) -> tuple[float, float]:
    """Decisions a second of single matches between four processes, and bytes a frame."""
    with Traffic() as traffic:
        async with table(SEATS, 1) as arena:
            await played(arena, 1, "warm")
            frames, size = traffic.frames, traffic.bytes
            rate = await _rate(arena, 1, runs=runs, label="g4")
            return rate, (traffic.bytes - size) / (traffic.frames - frames)


def one_match(progress: Callable[[str], None]) -> dict[str, Any]:
    """G4: one match of four bot processes beside a bare server that asks four processes in turn."""
    rates, bounds = [], []
    for _ in range(ROUNDS):
        rate, size = _run(_one_match(6))
        bound = bare.round_trips(clients=SEATS, payload_bytes=round(size), answer_bytes=10, seconds=2.0)
        rates.append(rate)
        bounds.append(bound)
        progress(f"G4: {rate:,.0f} decisions/s; bare {bound:,.0f} with {size:,.0f} bytes a frame")
    return figure(sum(rates), sum(bounds), 0.85, unit="decisions/s, summed over rounds", least=True)


async def _many(bots: int, sizes: list[int]) -> dict[int, float]:
    async with table(bots, max(sizes) * SEATS // bots) as arena:
        await played(arena, 1, "warm")
        return {size: await _rate(arena, size, runs=max(1, 8 // size), label=f"g5/{bots}/{size}") for size in sizes}


def many_matches(progress: Callable[[str], None]) -> dict[str, Any]:
    """G5: many matches at once beside one match, all seats on one process and on four."""
    parts: dict[str, dict[str, Any]] = {}
    for bots, goals in ((1, {64: 6.0, 256: 15.0}), (SEATS, {64: 5.0, 256: 7.0})):
        rates = _run(_many(bots, [1, *goals]))
        for size, goal in goals.items():
            name = f"{bots} process{'es' if bots > 1 else ''}, {size} matches"
            parts[name] = figure(rates[size], rates[1], goal, unit="decisions/s", least=True)
            progress(f"G5: {name}: {rates[size]:,.0f} decisions/s; one match {rates[1]:,.0f}")
    return together(parts)


def _run(main: Any) -> Any:
    import uvloop

    return uvloop.run(main)
