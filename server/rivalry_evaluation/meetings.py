"""Who met whom: seat against seat, at the same table, block by block."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rivalry_evaluation.played import Played


@dataclass(slots=True)
class Count:
    """Comparisons of a seat of one bot with a seat of another, seen from the first."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def share(self) -> float:
        """Of the comparisons, those won, draws half.  There must be one."""
        return (2 * self.wins + self.draws) / (2 * (self.wins + self.draws + self.losses))


Meetings = dict[tuple[str, str], dict[str, Count]]
"""By two bots, the first before the second by name, by block."""


def meetings(played: Sequence[Played]) -> Meetings:
    """All comparisons, by pair and block in order."""
    found: defaultdict[tuple[str, str], defaultdict[str, Count]] = defaultdict(lambda: defaultdict(Count))
    for match in played:
        for a, rank_a in zip(match.bots, match.ranks, strict=True):
            for b, rank_b in zip(match.bots, match.ranks, strict=True):
                if a < b:
                    count = found[a, b][match.block]
                    count.wins += rank_a < rank_b
                    count.draws += rank_a == rank_b
                    count.losses += rank_a > rank_b
    return {pair: dict(sorted(blocks.items())) for pair, blocks in sorted(found.items())}


def together(blocks: Mapping[str, Count]) -> Count:
    """All blocks' comparisons."""
    counts = blocks.values()
    return Count(sum(c.wins for c in counts), sum(c.draws for c in counts), sum(c.losses for c in counts))


def separated(met: Meetings, bots: Sequence[str]) -> bool:
    """True if the bots fall into two parts of which nobody in one ever finished level with or above one of the other.

    Then, and only then, a Plackett-Luce likelihood has no greatest value (Hunter 2004, assumption 1).
    """
    return bool(_parts(met, bots, "strong").max(initial=0) > 0)


def islands(met: Meetings, bots: Sequence[str]) -> list[int]:
    """By bot the number of its island: bots of different ones never met, not through others either."""
    return [int(part) for part in _parts(met, bots, "weak")]


def _parts(met: Meetings, bots: Sequence[str], connection: str) -> NDArray[np.int32]:
    """By bot the part it is in, from 0; who finished level with or above whom leads from one bot to another."""
    from scipy.sparse.csgraph import connected_components

    place = {bot: at for at, bot in enumerate(bots)}
    above = np.zeros((len(bots), len(bots)), dtype=np.int8)
    for (a, b), blocks in met.items():
        count = together(blocks)
        above[place[a], place[b]] = count.wins + count.draws > 0
        above[place[b], place[a]] = count.losses + count.draws > 0
    parts: NDArray[np.int32] = connected_components(above, directed=True, connection=connection)[1]
    return parts
