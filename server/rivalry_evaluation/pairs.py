"""Head to head: how two bots did at the tables where both sat, each block once."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from rivalry_evaluation import bootstrap
from rivalry_evaluation.intervals import of_mean
from rivalry_evaluation.meetings import Count, Meetings, together
from rivalry_evaluation.standing import Pair
from rivalry_evaluation.terms import Array
from rivalry_evaluation.written import share


def pairs(met: Meetings, blocks: list[str], weights: Array, alpha: float) -> tuple[Pair, ...]:
    """All pairs that met, by name, with the intervals of their means over blocks from the bootstrap's ``weights``."""
    values = bootstrap.table(_shares(met), [_name(pair) for pair in met], blocks)
    counts = (~np.isnan(values)).sum(axis=0)
    errors = bootstrap.errors(bootstrap.means(weights, values), counts) if len(met) else np.zeros(0)
    return tuple(_pair(pair, met[pair], float(error), alpha) for pair, error in zip(met, errors, strict=True))


def _pair(names: tuple[str, str], blocks: Mapping[str, Count], error: float, alpha: float) -> Pair:
    shares = [count.share for count in blocks.values()]
    whole = together(blocks)
    interval = of_mean(shares, error, alpha)
    return Pair(
        a=names[0],
        b=names[1],
        blocks=len(shares),
        wins=whole.wins,
        draws=whole.draws,
        losses=whole.losses,
        mean=share(sum(shares) / len(shares)),
        low=share(interval.low),
        high=share(interval.high),
    )


def _shares(met: Meetings) -> dict[str, dict[str, float]]:
    return {_name(pair): {block: count.share for block, count in blocks.items()} for pair, blocks in met.items()}


def _name(pair: tuple[str, str]) -> str:
    return "\0".join(pair)
