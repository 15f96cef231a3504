"""A null match: the same bot on all seats, so that a seat that loses on time has lost to the machine."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from bench.arena_speed import table
from rivalry_engine import catalog
from rivalry_server.arena import Arena
from rivalry_server.clock import TimeControl
from rivalry_server.match_spec import MatchSpec
from rivalry_server.outcome import End
from rivalry_server.seating import Listen


@contextmanager
def busy(loops: int) -> Iterator[None]:
    """So many processes that use all the time that they get, as long as the block runs."""
    processes = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(loops)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


@dataclass(frozen=True, slots=True)
class Played:
    """What became of null matches; times in microseconds, of all seats together."""

    matches: int
    decisions: int
    lost_on_time: int
    other_ends: int
    bot_us: int
    network_us: int
    arena_us: int
    charged_us: int

    @property
    def measured_us(self) -> int:
        """From the prompts to the answers."""
        return self.bot_us + self.network_us + self.arena_us


async def played(bot: str, *, processes: int, matches: int, time: str, game: str = "ethnos", seats: int = 4) -> Played:
    """Matches at once, all seats held by ``processes`` of one bot."""
    async with table(processes, matches * seats // processes, bot=bot) as arena:
        return await _played(arena, matches, time, game, seats)


async def _played(arena: Arena, matches: int, time: str, game: str, seats: int) -> Played:
    rules = catalog.game(game, {"seats": seats})
    control = TimeControl.parsed(time)
    results = await asyncio.gather(
        *(
            arena.run_match(MatchSpec(rules, b"null/%d" % number, time_control=control), [Listen()] * seats)
            for number in range(matches)
        )
    )
    all_seats = [seat for result in results for seat in result.seats]
    ends = [seat.end for seat in all_seats]
    return Played(
        matches,
        sum(result.decisions for result in results),
        ends.count(End.TIMEOUT),
        len(ends) - ends.count(End.TIMEOUT) - ends.count(End.NORMAL),
        *(
            sum(getattr(seat.spent, key) for seat in all_seats)
            for key in ("bot_us", "network_us", "arena_us", "charged_us")
        ),
    )
