"""Who of a standing sits together, so that as few as can be meet again: deterministic, best first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Final

Met = Mapping[frozenset[str], int]
"""How often each pair has met."""
STEPS: Final = 50_000
"""How many choices are tried before a pairing in which somebody meets again is taken."""


def pairs(standing: Sequence[tuple[str, Fraction]], met: Met) -> list[tuple[str, str]]:
    """Pairs from a standing of an even number, names with points; nobody meets again unless no way round was found."""
    names = [name for name, _ in standing]
    found = _Pairs(standing, met).found()
    if found is not None:
        return found
    made = tables(names, 2, met)
    return [(table[0], table[1]) for table in made]


class _Pairs:
    """Depth first: the highest who is free gets the best of those it has not met, then the others are paired."""

    def __init__(self, standing: Sequence[tuple[str, Fraction]], met: Met) -> None:
        self._names = [name for name, _ in standing]
        self._points = dict(standing)
        self._met = met
        self._steps = STEPS

    def found(self) -> list[tuple[str, str]] | None:
        """The pairs, by the standing of their better one; None where none were found."""
        return self._go(self._names)

    def _go(self, free: Sequence[str]) -> list[tuple[str, str]] | None:
        if not free:
            return []
        first = free[0]
        for other in self._wished(free):
            if self._met.get(frozenset((first, other))):
                continue
            self._steps -= 1
            if self._steps < 0:
                return None
            rest = self._go([name for name in free if name not in (first, other)])
            if rest is not None:
                return [(first, other), *rest]
        return None

    def _wished(self, free: Sequence[str]) -> list[str]:
        """Whom the first of ``free`` should meet, best first: the lower half of its score group, then the nearest."""
        points = self._points[free[0]]
        group = [name for name in free if self._points[name] == points]
        half = len(group) // 2
        if half == 0:
            return list(free[1:])
        upper, lower = group[1:half], group[half:]
        below = free[len(group) :]
        return [*lower, *reversed(upper), *below]


def tables(standing: Sequence[str], at: int, met: Met) -> list[tuple[str, ...]]:
    """Tables of ``at`` from a standing of a multiple of that: neighbours, exchanged while fewer meet again."""
    made = [list(standing[first : first + at]) for first in range(0, len(standing), at)]
    place = {name: number for number, name in enumerate(standing)}
    improved = True
    while improved:
        improved = _exchanged(made, place, met)
    return [tuple(sorted(table, key=place.__getitem__)) for table in made]


def _exchanged(made: list[list[str]], place: Mapping[str, int], met: Met) -> bool:
    """Makes the first exchange between two tables, the nearest first, that costs less; False if there is none."""
    near = sorted(combinations(range(len(made)), 2), key=lambda pair: (pair[1] - pair[0], pair))
    for one, other in near:
        before = _cost(made[one], place, met), _cost(made[other], place, met)
        if before[0][0] + before[1][0] == 0:
            continue  # nobody meets again here
        best: tuple[tuple[int, int], int, int] | None = None
        for a in range(len(made[one])):
            for b in range(len(made[other])):
                cost = _after(made[one], made[other], a, b, place, met)
                if best is None or (cost, a, b) < best:
                    best = (cost, a, b)
        if best is not None and best[0] < (before[0][0] + before[1][0], before[0][1] + before[1][1]):
            _, a, b = best
            made[one][a], made[other][b] = made[other][b], made[one][a]
            return True
    return False


def _after(
    one: Sequence[str], other: Sequence[str], a: int, b: int, place: Mapping[str, int], met: Met
) -> tuple[int, int]:
    first = _cost([*one[:a], other[b], *one[a + 1 :]], place, met)
    second = _cost([*other[:b], one[a], *other[b + 1 :]], place, met)
    return first[0] + second[0], first[1] + second[1]


def _cost(table: Sequence[str], place: Mapping[str, int], met: Met) -> tuple[int, int]:
    """How often its pairs have met before, and how far apart they stand, squared."""
    pairs_ = list(combinations(table, 2))
    again = sum(met.get(frozenset(pair), 0) for pair in pairs_)
    return again, sum((place[a] - place[b]) ** 2 for a, b in pairs_)
