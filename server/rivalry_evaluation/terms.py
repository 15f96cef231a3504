"""The likelihood of ranked matches under a Plackett-Luce model, gathered into few terms.

A match says who was chosen from whom: its first from all seats, its second from the rest, …  The log likelihood of
matches is ``sum_i w_i log a_i - sum_t c_t log(sum_i n_ti a_i)``: bot i was chosen w_i times, and of the seats that one
was chosen from n_ti were its own, c_t times.  Equal ranks are an order that is not known: both sums are averaged over
all orders of those who share a rank, so that each set of m of the s who share one is left with weight 1 / C(s, m).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, fsum

import numpy as np
from numpy.typing import NDArray

from rivalry_evaluation.played import Played

Array = NDArray[np.float64]
Left = tuple[int, ...]
"""The bots (places in a list of them) of the seats that one is chosen from, ascending; a bot is there once a seat."""


@dataclass(frozen=True, slots=True)
class Terms:
    """Chosen and left, by block, since whole blocks are drawn again by a bootstrap."""

    bots: tuple[str, ...]
    blocks: tuple[str, ...]
    wins: Array
    """Block by bot: how often a seat of the bot was chosen."""
    seats: Array
    """Term by bot: how many of its seats were left to choose from."""
    counts: Array
    """Block by term: how often one was chosen from these, in orders averaged over."""
    matches: Array
    """By bot: the matches it sat in, on however many seats."""


def terms(played: Sequence[Played], bots: Sequence[str], blocks: Sequence[str]) -> Terms:
    """The terms of matches, which stand in the order that sums are made in."""
    place = {bot: at for at, bot in enumerate(bots)}
    block_at = {block: at for at, block in enumerate(blocks)}
    wins = np.zeros((len(blocks), len(bots)))
    matches = np.zeros(len(bots))
    found: defaultdict[Left, defaultdict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for match in played:
        block = block_at[match.block]
        seated = [place[bot] for bot in match.bots]
        for bot in seated:
            wins[block, bot] += 1
        for bot in set(seated):
            matches[bot] += 1
        for left, weight in choices(seated, match.ranks):
            found[left][block].append(weight)
    kinds = sorted(found)
    seats = np.zeros((len(kinds), len(bots)))
    counts = np.zeros((len(blocks), len(kinds)))
    for at, kind in enumerate(kinds):
        for bot in kind:
            seats[at, bot] += 1
        for block, weights in found[kind].items():
            counts[block, at] = fsum(weights)
    return Terms(tuple(bots), tuple(blocks), wins, seats, counts, matches)


def choices(seated: Sequence[int], ranks: Sequence[int]) -> Iterator[tuple[Left, float]]:
    """The seats that one was chosen from, best rank first, each with its weight in the orders averaged over.

    They are one a seat in all: the last is chosen from itself alone, which cancels.
    """
    below = sorted(range(len(seated)), key=lambda seat: -ranks[seat])
    while below:
        best = ranks[below[-1]]
        equal = [seat for seat in below if ranks[seat] == best]
        below = [seat for seat in below if ranks[seat] != best]
        for many in range(len(equal), 0, -1):
            weight = 1 / comb(len(equal), many)
            for some in combinations(equal, many):
                yield tuple(sorted(seated[seat] for seat in (*some, *below))), weight
