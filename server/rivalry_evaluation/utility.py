"""What a match is worth to a bot: the normalised rank utility, and the share of the points.

The rank utility of a seat is the share of the seats of *other* bots at its table that it ranks above, ties half (the
normalised Borda count); 0 is last, 1 is first, and at every size of a table 1/2 is the middle.  A bot that holds
several seats has the mean over them; it is not compared with itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import fsum

from rivalry_evaluation.played import Played


def seat_utilities(match: Played) -> list[float | None]:
    """By seat the share of the others it ranks above; None where no other bot is at the table."""
    found: list[float | None] = []
    for bot, rank in zip(match.bots, match.ranks, strict=True):
        others = [other for name, other in zip(match.bots, match.ranks, strict=True) if name != bot]
        found.append(_above(rank, others) / (2 * len(others)) if others else None)
    return found


def _above(rank: int, others: Iterable[int]) -> int:
    """Twice how many of ``others`` a rank is above, ties half."""
    return sum(2 if rank < other else 1 if rank == other else 0 for other in others)


def utilities(match: Played) -> dict[str, float]:
    """By bot its mean over its seats; empty where only one bot is at the table."""
    return _mean_by_bot(match, seat_utilities(match))


def shares(match: Played) -> dict[str, float]:
    """By bot the share of the table's points that one of its seats made; empty where no seat has points.

    Raises ValueError for a negative score, which has no share.
    """
    if min(match.scores) < 0:
        raise ValueError(f"match {match.match} has a negative score, of which there is no share")
    whole = sum(match.scores)
    return _mean_by_bot(match, [score / whole if whole else None for score in match.scores])


def _mean_by_bot(match: Played, by_seat: Sequence[float | None]) -> dict[str, float]:
    values: defaultdict[str, list[float]] = defaultdict(list)
    for bot, value in zip(match.bots, by_seat, strict=True):
        if value is not None:
            values[bot].append(value)
    return {bot: fsum(of_bot) / len(of_bot) for bot, of_bot in values.items()}


def block_means(matches: Iterable[tuple[str, dict[str, float]]]) -> dict[str, dict[str, float]]:
    """By bot, by block: the mean over the block's matches of what is given by match as (block, value by bot)."""
    values: defaultdict[str, defaultdict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for block, by_bot in matches:
        for bot, value in by_bot.items():
            values[bot][block].append(value)
    return {
        bot: {block: fsum(of_block) / len(of_block) for block, of_block in sorted(blocks.items())}
        for bot, blocks in sorted(values.items())
    }


def block_utilities(played: Sequence[Played]) -> dict[str, dict[str, float]]:
    """By bot, by block: its mean utility in the matches of the block."""
    return block_means((match.block, utilities(match)) for match in played)


def block_shares(played: Sequence[Played]) -> dict[str, dict[str, float]]:
    """By bot, by block: its mean share of the points; empty where any score is negative."""
    if any(min(match.scores) < 0 for match in played):
        return {}
    return block_means((match.block, shares(match)) for match in played)


def by_seat(played: Sequence[Played]) -> dict[str, dict[int, tuple[int, float]]]:
    """By bot, by seat: how many matches from it, and the mean utility in them."""
    values: defaultdict[str, defaultdict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for match in played:
        for seat, (bot, value) in enumerate(zip(match.bots, seat_utilities(match), strict=True)):
            if value is not None:
                values[bot][seat].append(value)
    return {
        bot: {seat: (len(found), fsum(found) / len(found)) for seat, found in sorted(seats.items())}
        for bot, seats in values.items()
    }
