"""What the journal costs: decisions of 64 matches with it beside the same without, in turns.

What is compared is the arena's processor time, all its threads together: on a shared machine, seconds say more of the
neighbours than of the journal.  The machine's speed changes within seconds, too: so the two take turns, and the round
counts whose ratio is the middle one.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import uvloop

from bench.arena_speed import GAME, SEATS, table
from bench.goal import figure
from rivalry_engine import catalog
from rivalry_server.arena import Arena
from rivalry_server.clock import TimeControl
from rivalry_server.journal import Journal
from rivalry_server.journal.lasting import FileJournal
from rivalry_server.match_spec import MatchSpec
from rivalry_server.seating import Listen

MATCHES = 64
ROUNDS = 9


class Timed(FileJournal):
    """A journal that notes how long the loop waits for each transaction."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.waits_s: list[float] = []
        self.entries = 0

    def _transaction(self) -> None:
        self.entries += len(self._entries)
        began = time.perf_counter()
        super()._transaction()
        self.waits_s.append(time.perf_counter() - began)


async def _played(arena: Arena, label: str) -> tuple[float, float]:
    """Decisions a second of the clock and of the arena's processor time, with all matches at once."""
    game = catalog.game(GAME, {"seats": SEATS})
    began, used = time.perf_counter(), time.process_time()
    attempts = [
        arena.open_match(MatchSpec(game, f"{label}/{number}".encode(), time_control=TimeControl()), [Listen()] * SEATS)
        for number in range(MATCHES)
    ]
    results = await asyncio.gather(*(attempt.finished for attempt in attempts))
    took, spent = time.perf_counter() - began, time.process_time() - used
    assert all(seat.end == "normal" for result in results for seat in result.seats)
    decisions = sum(result.decisions for result in results)
    return decisions / took, decisions / spent


async def _pairs(journal: Journal) -> list[tuple[float, float, float, float]]:
    """For each round decisions a second with the journal and without, of the processor and of the clock.

    Both arenas are there all the time; one plays and then the other, and each begins every other round.
    """
    async with table(1, MATCHES * SEATS) as bare, table(1, MATCHES * SEATS, journal=journal) as kept:
        for arena in (bare, kept):
            await _played(arena, "warm")
        pairs = []
        for number in range(ROUNDS):
            rates = {}
            for arena in (bare, kept) if number % 2 else (kept, bare):
                rates[arena] = await _played(arena, str(number))
            pairs.append((rates[kept][1], rates[bare][1], rates[kept][0], rates[bare][0]))
        return pairs


def cost(progress: Callable[[str], None]) -> dict[str, Any]:
    """Decisions a second of processor time with the journal, of those without: the middle one of the rounds."""
    with tempfile.TemporaryDirectory() as folder:
        journal = Timed(Path(folder))
        pairs = uvloop.run(_pairs(journal))
    for within, without, within_s, without_s in pairs:
        progress(
            f"journal: {within:,.0f} decisions a second of the processor, {without:,.0f} without: "
            f"{within / without:.3f}; of the clock {within_s:,.0f} and {without_s:,.0f}"
        )
    waits_us = sorted(wait * 1e6 for wait in journal.waits_s)
    progress(
        f"journal: {len(waits_us):,} transactions of {journal.entries / len(waits_us):.1f} entries, µs each: half "
        f"within {waits_us[len(waits_us) // 2]:.0f}, 99 of 100 within {waits_us[len(waits_us) * 99 // 100]:.0f}, "
        f"the longest {waits_us[-1]:,.0f}"
    )
    within, without, *_ = sorted(pairs, key=lambda pair: pair[0] / pair[1])[ROUNDS // 2]
    return figure(within, without, 0.85, unit="decisions per second of the processor", least=True)
