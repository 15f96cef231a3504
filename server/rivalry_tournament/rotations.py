"""Who sits where in the matches of a block, so that seats and neighbours cancel.

A block at a table of as many bots as seats turns one or more *orders* round the table: every bot is then on every seat
equally often.  The orders are taken from a cycle in which each bot sits left of each other equally often, so that over
blocks neighbours cancel as well.  Such a cycle has ``s - 1`` orders where s is a prime (order ``d`` steps by d); for 4
and 6 there is none so short (Tillson, A Hamiltonian decomposition of K*2m, 1980), and the shortest that a greedy choice
closes has 6 and 10.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import combinations, permutations
from math import factorial, gcd
from typing import Final

from rivalry_engine.error import RivalryError

Order = tuple[int, ...]
"""The places at a table, in the order in which they sit; the last sits right of the first, which is 0."""
SEATS: Final = range(2, 7)
"""How many seats a tournament's table may have."""
CYCLES: Final = {2: 1, 3: 2, 4: 6, 5: 4, 6: 10}
"""After how many orders every bot sat left of every other equally often, by seats."""
EXPECTED: Final = "expected full, cyclic, or balanced N"


def count(rotations: str, seats: int) -> int:
    """How many matches ``rotations`` asks for where each of ``seats`` bots has a seat; raises RivalryError."""
    found = re.fullmatch(r"balanced ([0-9]{1,4})", rotations)
    if found is None:
        if rotations not in ("full", "cyclic"):
            raise RivalryError(f"{rotations!r:.60}; {EXPECTED}")
        return factorial(seats) if rotations == "full" else seats
    matches = int(found[1])
    if matches % seats or not seats <= matches <= factorial(seats):
        raise RivalryError(
            f"{rotations!r:.60}; {EXPECTED} with N a multiple of the {seats} seats, {seats} to {factorial(seats)}"
        )
    return matches


def level_after(seats: int, rotations: str) -> int | None:
    """After how many blocks of a table, and again after as many, each sat left of each other equally often.

    None where a block has more orders than a cycle, and not all: over such blocks it is only nearly so.
    """
    each = count(rotations, seats) // seats
    if each == factorial(seats - 1):
        return 1
    return CYCLES[seats] // gcd(CYCLES[seats], each) if each <= CYCLES[seats] else None


def left_of(seats: int, rotations: str, blocks: int) -> tuple[int, int]:
    """In how many matches, at least and at most, one sits left of another over so many blocks of a table."""
    level = level_after(seats, rotations)
    rounds, rest = (0, blocks) if level is None else divmod(blocks, level)
    left = Counter(dict.fromkeys(permutations(range(seats), 2), 0))
    for number in range(1, rest + 1):
        for seating in seatings(seats, rotations, number):
            left.update(neighbours(seating))
    even = rounds * (level or 0) * count(rotations, seats) // (seats - 1)
    return even + min(left.values()), even + max(left.values())


@cache
def orders(seats: int) -> tuple[Order, ...]:
    """The cycle of orders for ``seats``: CYCLES[seats] of them."""
    if seats in (2, 3, 5):
        return tuple(tuple(step * place % seats for place in range(seats)) for step in range(1, seats))
    every = every_order(seats)
    left: Counter[tuple[int, int]] = Counter()
    used: Counter[Order] = Counter()
    chosen: list[Order] = []
    for _ in range(CYCLES[seats]):
        best = min(every, key=lambda order: (sum(left[pair] for pair in neighbours(order)), used[order], order))
        left.update(neighbours(best))
        used[best] += 1
        chosen.append(best)
    return tuple(chosen)


@cache
def every_order(seats: int) -> tuple[Order, ...]:
    """All orders round a table, (seats - 1)! of them."""
    return tuple((0, *rest) for rest in permutations(range(1, seats)))


def neighbours(order: Sequence[int]) -> list[tuple[int, int]]:
    """Who sits left of whom, round the table."""
    return [(order[at - 1], order[at]) for at in range(len(order))]


def turned(order: Sequence[int]) -> list[Order]:
    """``order`` with each of its places first in turn; turns that look the same once."""
    turns = [tuple(order[(at + seat) % len(order)] for at in range(len(order))) for seat in range(len(order))]
    return list(dict.fromkeys(turns))


def seatings(seats: int, rotations: str, number: int) -> list[Order]:
    """By match the place at the table that has each seat, in its block ``number``, from 1; raises RivalryError."""
    matches = count(rotations, seats)
    if rotations == "full":
        chosen: Sequence[Order] = every_order(seats)
    else:
        cycle = orders(seats)
        each = matches // seats
        if each <= len(cycle):
            chosen = [cycle[((number - 1) * each + at) % len(cycle)] for at in range(each)]
        else:
            chosen = _spread(seats, each).block(number)
    return [turn for order in chosen for turn in turned(order)]


class _Spread:
    """Blocks of ``each`` different orders, more than a cycle has, as balanced over all blocks as a greedy choice is."""

    def __init__(self, seats: int, each: int) -> None:
        self._every = every_order(seats)
        self._each = each
        self._left: Counter[tuple[int, int]] = Counter()
        self._blocks: list[list[Order]] = []

    def block(self, number: int) -> list[Order]:
        """The orders of block ``number``, from 1."""
        while len(self._blocks) < number:
            self._blocks.append(self._next())
        return self._blocks[number - 1]

    def _next(self) -> list[Order]:
        chosen: list[Order] = []
        rest = set(self._every)
        while len(chosen) < self._each:
            best = min(rest, key=lambda order: (sum(self._left[pair] for pair in neighbours(order)), order))
            self._left.update(neighbours(best))
            rest.remove(best)
            chosen.append(best)
        return chosen


@cache
def _spread(seats: int, each: int) -> _Spread:
    return _Spread(seats, each)


def shares(bots: int, seats: int, splits: str) -> list[tuple[int, ...]]:
    """How many seats each of ``bots`` may have: as even as possible, or for ``all`` any number from one up."""
    if splits == "all":
        cuts = combinations(range(1, seats), bots - 1)
        return [tuple(b - a for a, b in zip((0, *cut), (*cut, seats), strict=True)) for cut in cuts]
    least, more = divmod(seats, bots)
    return [tuple(least + (bot in with_more) for bot in range(bots)) for with_more in combinations(range(bots), more)]


def splits_of(bots: int, seats: int, splits: str) -> list[Order]:
    """By match the bot (from 0) on each seat, where ``bots`` share the seats: every way to place every share."""
    found: list[Order] = []
    for share in shares(bots, seats, splits):
        found.extend(_placed(share))
    return sorted(found)


def _placed(share: Sequence[int]) -> list[Order]:
    """Every way to write share[0] zeros, share[1] ones, … in a row."""
    if not sum(share):
        return [()]
    found = []
    for bot, left in enumerate(share):
        if left:
            rest = [count - (at == bot) for at, count in enumerate(share)]
            found.extend([(bot, *tail) for tail in _placed(rest)])
    return found


def turned_splits(bots: int, seats: int, splits: str, rotations: str, number: int) -> list[Order]:
    """The same by turns alone: every share, in the orders of this block, turned round the table."""
    found: list[Order] = []
    for share in shares(bots, seats, splits):
        row = [bot for bot, many in enumerate(share) for _ in range(many)]
        for seating in seatings(seats, rotations, number):
            found.append(tuple(row[place] for place in seating))
    return list(dict.fromkeys(found))
