"""What a block was worth to each of its bots, where rounds depend on it: exact, so that equal is equal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from rivalry_tournament.schedule import Block

Ranks = Sequence[Sequence[int]]
"""The ranks of all matches of a block, by place; of a match by seat, from 1, equals sharing."""
Results = Mapping[str, Ranks | None]
"""The ranks of blocks by block id; None for a block that is left out of the analysis."""
HALF = Fraction(1, 2)


def of_match(seats: Sequence[str], ranks: Sequence[int]) -> dict[str, Fraction]:
    """For each bot the share of the others' seats that its seats rank above, equals counting half: 0 to 1."""
    won: dict[str, Fraction] = dict.fromkeys(seats, Fraction(0))
    pairs: dict[str, int] = dict.fromkeys(seats, 0)
    for bot, rank in zip(seats, ranks, strict=True):
        for other, other_rank in zip(seats, ranks, strict=True):
            if other != bot:
                pairs[bot] += 1
                won[bot] += Fraction(rank < other_rank) + HALF * (rank == other_rank)
    return {bot: won[bot] / pairs[bot] for bot in won}


def of_blocks(blocks: Sequence[Block], results: Results) -> dict[str, Fraction] | None:
    """For each bot the mean over the matches of ``blocks``, all of one table; None where all are left out.

    Raises KeyError for a block without results.
    """
    found: list[dict[str, Fraction]] = []
    for block in blocks:
        ranks = results[block.id]
        if ranks is not None:
            found.extend(of_match(match.seats, rank) for match, rank in zip(block.matches, ranks, strict=True))
    if not found:
        return None
    return {bot: sum((points[bot] for points in found), Fraction(0)) / len(found) for bot in found[0]}
