"""How many matches at once this machine bears: found with null matches, one bot on all seats.

At first one match runs, then twice as many, and so on, as long as that brings more decisions a second and takes nothing
from the bots: none runs out of time, none thinks much longer over a decision, and the arena's share stays small.
"""

from __future__ import annotations

import asyncio
import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING, Final

from rivalry_engine.chance import derived
from rivalry_engine.error import RivalryError
from rivalry_server.outcome import End
from rivalry_server.seating import Command
from rivalry_tournament import seats
from rivalry_tournament.arena_hall import ArenaHall
from rivalry_tournament.lines import Result
from rivalry_tournament.results import Order
from rivalry_tournament.schedule import match_id

if TYPE_CHECKING:
    from rivalry_server.arena import Arena
    from rivalry_tournament.settings import Settings

WINDOW_S: Final = 2.0
"""How long each level is measured."""
MORE: Final = 1.1
"""A level is worth it that makes so many times the decisions of the one before."""
SLOWER: Final = 1.25
SLOWER_US: Final = 1_000
"""A decision may take so many times what it took with one match, or so much longer, whichever is more."""
SHARE: Final = 0.05
"""So much of the seats' time may be the arena's."""
LEVELS_A_CORE: Final = 4


@dataclass(frozen=True, slots=True)
class Level:
    """What was measured with ``matches`` at once; times are microseconds a decision."""

    matches: int
    decisions_per_s: float
    bot_us: float
    arena_us: float
    timeouts: int

    def bears(self, before: Level | None, first: Level | None) -> bool:
        """True if the level takes nothing from bots and is worth more than the one before."""
        if self.timeouts or not self.decisions_per_s:
            return False
        if self.arena_us > SHARE * (self.bot_us + self.arena_us) and self.arena_us > SLOWER_US:
            return False
        if first is not None and self.bot_us > max(SLOWER * first.bot_us, first.bot_us + SLOWER_US):
            return False
        return before is None or self.decisions_per_s >= MORE * before.decisions_per_s

    def text(self) -> str:
        """The level in words."""
        lost = f", {self.timeouts} out of time" if self.timeouts else ""
        return (
            f"{self.matches} at once: {self.decisions_per_s:,.0f} decisions a second, a decision takes its bot"
            f" {self.bot_us / 1_000:.2f} ms and the arena {self.arena_us / 1_000:.2f} ms{lost}"
        )


def cores() -> int:
    """How many processors this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


async def calibrated(settings: Settings, *, tell: Callable[[str], None]) -> int:
    """How many matches at once; ``tell`` hears what was measured.  Raises RivalryError where the bot cannot play."""
    name = _program(settings)
    if name is None:  # functions take a processor each, and whoever dials in is not ours to measure
        return cores()
    null = replace(settings, entrants=tuple(entrant for entrant in settings.entrants if entrant.name == name))
    most = LEVELS_A_CORE * cores()
    said = io.StringIO()  # its matches are broken off, which bots complain of
    hall = ArenaHall(null, concurrency=most, address="127.0.0.1:0", tell=tell, bots_say=said)
    best: Level | None = None
    first: Level | None = None
    try:
        await _opened(hall, said)
        matches = 1
        while matches <= most:
            level = await _measured(hall, null, matches)
            tell(f"null match of {name}, {level.text()}")
            if not level.bears(best, first):
                break
            best, first, matches = level, first or level, 2 * matches
    finally:
        await hall.close()
    return best.matches if best is not None else 1


async def _opened(hall: ArenaHall, said: io.StringIO) -> None:
    """Opens it; what the bot said is shown if it cannot play."""
    try:
        await hall.open()
    except RivalryError:
        sys.stderr.write(said.getvalue())
        raise


def _program(settings: Settings) -> str | None:
    """The first entrant that is a program."""
    return next((name for name in settings.names() if isinstance(seats.occupant(settings, name), Command)), None)


async def _measured(hall: ArenaHall, settings: Settings, matches: int) -> Level:
    """The figures of a level, once all of its matches run."""
    meter = _Meter(hall.arena)
    numbers = count(1)
    playing = [asyncio.ensure_future(_null_matches(hall, settings, numbers, meter, matches)) for _ in range(matches)]
    try:
        with suppress(TimeoutError):
            async with asyncio.timeout(10 * WINDOW_S):
                while meter.running < matches:  # noqa: ASYNC110 - nobody tells when several matches run
                    await asyncio.sleep(WINDOW_S / 100)
        loop = asyncio.get_running_loop()
        before, began = meter.now(), loop.time()
        await asyncio.sleep(WINDOW_S)
        after, took = meter.now(), loop.time() - began
    finally:
        for task in playing:
            task.cancel()
        await asyncio.wait(playing)
    decisions, bot_us, arena_us, timeouts = (b - a for a, b in zip(before, after, strict=True))
    each = max(1, decisions)
    return Level(matches, decisions / took, bot_us / each, arena_us / each, timeouts)


async def _null_matches(hall: ArenaHall, settings: Settings, numbers: Iterator[int], meter: _Meter, level: int) -> None:
    names = settings.names() * settings.seats
    while True:
        block = f"null/{level}/{next(numbers)}"
        seed = derived(settings.seed, block)
        order = Order(block, 1, seed, names, 1, match_id(settings.seed, block, 1))
        meter.add((await hall.play(order))().line)


class _Meter:
    """Sums what ended matches and those that run have taken: decisions, bots' time, the arena's, seats out of time."""

    def __init__(self, arena: Arena) -> None:
        self._arena = arena
        self._ended = [0, 0, 0, 0]

    @property
    def running(self) -> int:
        """How many matches run."""
        return sum(attempt.match is not None for attempt in self._arena.attempts.values())

    def add(self, line: object) -> None:
        """A match has ended."""
        if isinstance(line, Result):
            figures = (
                sum(line.decisions),
                sum(spent[0] + spent[1] for spent in line.spent),
                sum(spent[2] for spent in line.spent),
                sum(end == End.TIMEOUT for end in line.ends),
            )
            self._ended = [a + b for a, b in zip(self._ended, figures, strict=True)]

    def now(self) -> tuple[int, int, int, int]:
        """All sums."""
        decisions, bot_us, arena_us, timeouts = self._ended
        for attempt in self._arena.attempts.values():
            if attempt.match is not None:
                for player in attempt.match.players:
                    spent = player.clock.spent
                    decisions += player.decisions
                    bot_us += spent.bot_us + spent.network_us
                    arena_us += spent.arena_us
                    timeouts += player.end is End.TIMEOUT
        return decisions, bot_us, arena_us, timeouts
