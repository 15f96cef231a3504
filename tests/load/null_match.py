"""A null match: the same bot on all seats, so that a seat that loses on time has lost to the machine."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import sleep

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


async def played(
    bot: str,
    *,
    processes: int,
    matches: int,
    time: str,
    game: str = "ethnos",
    seats: int = 4,
    held_up_s: float = 0.0,
) -> Played:
    """Matches at once, all seats held by ``processes`` of one bot; the arena is held up twice for ``held_up_s``."""
    async with table(processes, matches * seats // processes, bot=bot) as arena:
        held_up = asyncio.ensure_future(_held_up(arena, held_up_s))
        try:
            return await _played(arena, matches, time, game, seats)
        finally:
            held_up.cancel()


async def _held_up(arena: Arena, seconds: float) -> None:
    """Does nothing for so long when some decisions were made, and again when there are more."""
    for least in (300, 900) if seconds else ():
        while sum(_decisions(arena)) < least:  # noqa: ASYNC110 - nothing is told of a decision
            await asyncio.sleep(0.002)
        sleep(seconds)  # noqa: ASYNC251 - that is what it is about


def _decisions(arena: Arena) -> Iterator[int]:
    for attempt in arena.attempts.values():
        if attempt.match is not None:
            yield sum(player.decisions for player in attempt.match.players)


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
