"""Matches for the tests of the statistics: written out, or drawn from a model whose worths are known."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rivalry_evaluation.played import Played


def match(bots: str, ranks: Sequence[int], *, block: str = "1", name: str = "", scores: Sequence[int] = ()) -> Played:
    """One match of bots with names of one letter, all of whose seats ended normally."""
    name = name or f"{block}/{bots}/{ranks}"
    points = tuple(scores) or tuple(10 - rank for rank in ranks)
    return Played(block, name, tuple(bots), tuple(ranks), points, ("normal",) * len(bots), name)


def duels(wins: int, losses: int, draws: int = 0, *, bots: str = "ab") -> list[Played]:
    """Matches of two, each a block."""
    ranks = [(1, 2)] * wins + [(2, 1)] * losses + [(1, 1)] * draws
    return [match(bots, rank, block=f"{at:04}", name=f"{bots}{at:04}") for at, rank in enumerate(ranks)]


def drawn(worths: dict[str, float], *, blocks: int, seats: int, seed: int, luck: float = 0.0) -> list[Played]:
    """Blocks of a table drawn by chance, turned through its seats, ranked as a Plackett-Luce model ranks.

    ``luck`` is the spread of what a block adds to each of its bots, the same in all its matches.
    """
    generator = np.random.default_rng(seed)
    names = sorted(worths)
    found = []
    for block in range(blocks):
        table = [names[at] for at in generator.permutation(len(names))[:seats]]
        dealt = {name: worths[name] + luck * generator.normal() for name in table}
        for turn in range(seats):
            seated = table[turn:] + table[:turn]
            times = [generator.exponential() / np.exp(dealt[name]) for name in seated]
            ranks = tuple(1 + sum(bool(other < time) for other in times) for time in times)
            ends = ("normal",) * seats
            points = tuple(seats - rank for rank in ranks)
            found.append(
                Played(f"{block:04}", f"{block:04}/{turn}", tuple(seated), ranks, points, ends, f"{block}/{turn}")
            )
    return found
