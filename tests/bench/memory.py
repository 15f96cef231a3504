"""G7: the memory of ``rivalry serve``: idle, and what a running match adds to it.

A match of Ethnos with four seats runs when its bots are there; three seats are built in, the fourth is a session's,
which never answers.  So the match stands at its first prompt to that session, with all that it keeps.  One session may
hold the seats of all matches, or each match may have a session of its own, whose memory is counted with it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import uvloop

from bench.goal import figure, together
from load.arena_process import ArenaProcess, Wanted
from load.census import resident_kb
from load.crowd import Guest, guests

MATCHES = 400
WARM = 20
"""Matches that run before it is looked the first time."""
SEATS = 4
IDLE_MB_MOST = 60.0
MATCH_KB_MOST = 100.0


async def _measured(folder: Path, sessions: int) -> tuple[float, float]:
    """The arena's memory in MB when idle, and in KB for each running match."""
    # What one address may have is not what is asked here.
    arena = ArenaProcess(None, folder / f"{sessions}.err", "--each-sessions", 10_000, "--each-new", 10_000)
    arena.rise()
    try:
        await asyncio.sleep(1.0)
        idle_kb = resident_kb(arena.pid)
        first, room = min(sessions, WARM), MATCHES // sessions
        async with guests(arena.address, first, matches=room) as some:
            await _running(arena, some, range(WARM))
            before_kb = resident_kb(arena.pid)
            async with guests(arena.address, sessions - first, matches=room) as more:
                await _running(arena, some + more, range(WARM, MATCHES))
                after_kb = resident_kb(arena.pid)
    finally:
        arena.kill()
    return idle_kb * 1_024 / 1e6, (after_kb - before_kb) * 1.024 / (MATCHES - WARM)


async def _running(arena: ArenaProcess, found: list[Guest], numbers: range) -> None:
    """Makes matches and returns when they and those before them run."""
    loop = asyncio.get_running_loop()
    for number in numbers:
        wanted = Wanted("ethnos", SEATS, b"g7/%d" % number, open_seats=1)
        await loop.run_in_executor(None, arena.made, number, wanted)
    async with asyncio.timeout(60):
        while sum(guest.started for guest in found) < numbers.stop:
            await asyncio.sleep(0.05)
    await asyncio.sleep(1.0)


def arena(progress: Callable[[str], None]) -> dict[str, Any]:
    """G7: the bound of the idle arena is an interpreter that imports gRPC; a match has none but its goal."""
    parts = {}
    with TemporaryDirectory() as folder:
        for name, sessions in (("one session", 1), ("a session each", MATCHES)):
            idle_mb, match_kb = uvloop.run(_measured(Path(folder), sessions))
            progress(f"G7: {name}: {idle_mb:.1f} MB idle, {match_kb:.1f} KB a running match")
            parts[f"a running match, {name}"] = figure(
                match_kb, MATCH_KB_MOST, MATCH_KB_MOST, unit="KB", least=False, of="value"
            )
        parts["idle"] = figure(idle_mb, _bare_mb(), IDLE_MB_MOST, unit="MB", least=False, of="value")
    return together(parts)


def _bare_mb() -> float:
    """The memory of an interpreter that imports gRPC."""
    import subprocess
    import sys

    told = "import grpc.aio, os; print(open('/proc/self/statm').read().split()[1], os.sysconf('SC_PAGE_SIZE'))"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    pages, size = map(int, done.stdout.split())
    return pages * size / 1e6
