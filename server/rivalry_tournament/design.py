"""Tables of k among n bots, fewer than all, at which every two bots meet equally often: balanced incomplete designs.

They are made as Bose made them (On the construction of balanced incomplete block designs, 1939): a few tables, each
turned through a cyclic group, chosen so that together they cover every difference equally often.  The group is that of
n, or that of n - 1 beside one bot that stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from math import comb
from typing import Final

from rivalry_engine.error import RivalryError

Table = tuple[int, ...]
FEW: Final = 70
"""So many tables, all of eight bots by four, are played without a design."""
SOME: Final = 5_000
"""So many are played where no design is found."""
STEPS: Final = 20_000
"""How many choices a search for one design may take; what is found in time is the same on every machine."""
TABLES_MOST: Final = 40_000
"""Where there are more tables in all no design is looked for: it would take long."""


def tables(bots: int, at: int, wish: str) -> tuple[Table, ...]:
    """The tables of ``at`` among ``bots``, by number, for ``all``, ``design`` or ``auto``; raises RivalryError."""
    every = comb(bots, at)
    if wish == "all" or at == 2 or bots == at or (wish == "auto" and every <= FEW):
        return tuple(combinations(range(bots), at))
    found = design(bots, at)
    if found is not None:
        return found
    if wish == "auto" and every <= SOME:
        return tuple(combinations(range(bots), at))
    raise RivalryError(
        f"no design with fewer than all {every} tables was found for {bots} entrants at tables of {at}; "
        'give tables = "all", one entrant more or less, or bots = 2'
    )


@cache
def design(bots: int, at: int) -> tuple[Table, ...] | None:
    """The smallest design found, with less than half of all tables; None where there is none."""
    every = comb(bots, at)
    if every > TABLES_MOST:
        return None
    for meetings in range(1, 3 * bots):
        number, rest = divmod(meetings * bots * (bots - 1), at * (at - 1))
        if rest or number * at % bots:
            continue
        if 2 * number > every:
            return None
        for turning in (bots, bots - 1):
            found = _searched(bots, at, turning, meetings)
            if found is not None:
                return found
    return None


def _searched(bots: int, at: int, turning: int, meetings: int) -> tuple[Table, ...] | None:
    orbits = _orbits(bots, at, turning)
    covers = [_cover(orbit, turning) for orbit in orbits]
    sizes = [turning] * (turning // 2) + [turning] * (bots - turning)
    if turning % 2 == 0:
        sizes[turning // 2 - 1] //= 2
    chosen = _Search(covers, [meetings * size for size in sizes]).found()
    if chosen is None:
        return None
    return tuple(sorted(table for at_ in chosen for table in orbits[at_]))


@cache
def _orbits(bots: int, at: int, turning: int) -> list[tuple[Table, ...]]:
    """All tables, those together that come of each other by turning."""
    seen: set[Table] = set()
    found = []
    for table in combinations(range(bots), at):
        if table in seen:
            continue
        orbit = dict.fromkeys(
            tuple(sorted((bot + turn) % turning if bot < turning else bot for bot in table)) for turn in range(turning)
        )
        seen.update(orbit)
        found.append(tuple(orbit))
    return found


def _cover(orbit: Sequence[Table], turning: int) -> tuple[int, ...]:
    """How many pairs at the orbit's tables have each difference, and last how many the bot that stays has."""
    counts = [0] * (turning // 2 + 1)
    for one, other in combinations(orbit[0], 2):
        if other >= turning:
            counts[-1] += len(orbit)
        else:
            difference = min((other - one) % turning, (one - other) % turning)
            counts[difference - 1] += len(orbit)
    return tuple(counts)


class _Search:
    """Which orbits cover every difference exactly as often as wanted: depth first, the hardest difference first."""

    def __init__(self, covers: Sequence[Sequence[int]], wanted: Sequence[int]) -> None:
        self._wanted = list(wanted)
        self._covers = [tuple(cover[: len(wanted)]) for cover in covers]
        self._steps = STEPS
        self._chosen: list[int] = []

    def found(self) -> list[int] | None:
        """Their places, or None where there are none or the search was given up."""
        return sorted(self._chosen) if self._go(self._wanted, list(range(len(self._covers)))) else None

    def _go(self, left: list[int], free: list[int]) -> bool:
        if not any(left):
            return True
        fitting = [at for at in free if all(a <= b for a, b in zip(self._covers[at], left, strict=True))]
        open_ = [at for at, count in enumerate(left) if count]
        narrow = min(open_, key=lambda at: (sum(1 for orbit in fitting if self._covers[orbit][at]), at))
        for orbit in [orbit for orbit in fitting if self._covers[orbit][narrow]]:
            self._steps -= 1
            if self._steps < 0:
                return False
            fitting.remove(orbit)
            self._chosen.append(orbit)
            if self._go([a - b for a, b in zip(left, self._covers[orbit], strict=True)], fitting):
                return True
            self._chosen.pop()
        return False
