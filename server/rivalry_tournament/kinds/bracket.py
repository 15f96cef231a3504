"""The tree of a knockout: ties, and where each of their two places comes from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Place:
    """Where one of a tie comes from: the seed ``at`` (from 0), or the winner or loser of tie ``at``."""

    kind: Literal["seed", "winner", "loser"]
    at: int


@dataclass(frozen=True, slots=True)
class Tie:
    """Two places of a bracket.  ``again`` marks the second final: played if who had not lost loses the first."""

    name: str
    one: Place
    other: Place
    again: bool = False


def seeded(size: int) -> list[int]:
    """The seeds of a bracket of ``size``, a power of 2, from top to bottom: the best two can only meet in the final."""
    order = [0]
    while len(order) < size:
        order = [seed for one in order for seed in (one, 2 * len(order) - 1 - one)]
    return order


def size(entrants: int) -> int:
    """The smallest power of 2 that holds the entrants."""
    return 1 << (entrants - 1).bit_length()


def single(entrants: int) -> tuple[Tie, ...]:
    """Who loses is out."""
    ties: list[Tie] = []
    _upper(ties, entrants, "")
    return tuple(ties)


def double(entrants: int) -> tuple[Tie, ...]:
    """Who loses goes on in the lower half, and who loses there is out; losers cross over, so as not to meet at once."""
    ties: list[Tie] = []
    upper = _upper(ties, entrants, "upper ")
    alive = [Place("loser", at) for at in upper[0]]
    for level, row in enumerate(upper[1:], 1):
        if level > 1 or len(alive) > len(row):
            alive = _row(ties, f"lower {level}", alive[0::2], alive[1::2])
        fallen = [Place("loser", at) for at in (reversed(row) if level % 2 else row)]
        alive = _row(ties, f"lower {level}, against who fell", alive, fallen)
    ties.append(Tie("final", Place("winner", upper[-1][0]), alive[0]))
    first = len(ties) - 1
    ties.append(Tie("second final", Place("loser", first), Place("winner", first), again=True))
    return tuple(ties)


def _upper(ties: list[Tie], entrants: int, name: str) -> list[list[int]]:
    """Adds the ties of a single knockout; returns their places by level."""
    alive = [Place("seed", seed) for seed in seeded(size(entrants))]
    levels: list[list[int]] = []
    while len(alive) > 1:
        first = len(ties)
        alive = _row(ties, name + _level(len(alive)), alive[0::2], alive[1::2])
        levels.append(list(range(first, len(ties))))
    return levels


def _row(ties: list[Tie], name: str, ones: list[Place], others: list[Place]) -> list[Place]:
    winners = []
    for one, other in zip(ones, others, strict=True):
        winners.append(Place("winner", len(ties)))
        ties.append(Tie(name, one, other))
    return winners


def _level(alive: int) -> str:
    return {2: "final", 4: "semi-final", 8: "quarter-final"}.get(alive, f"round of {alive}")
