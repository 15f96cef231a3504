"""Intervals of ranks: which places of the table are not ruled out for a bot.

After Mogstad, Romano, Shaikh and Wilhelm, Inference for ranks with applications to mobility across neighbourhoods and
academic achievement across countries (Review of Economic Studies 91, 2024): the differences of one bot to all others
get intervals that hold together, from the greatest of the studentised differences over the bootstrap's resamples.
Whoever is surely better pushes the best rank down, whoever is surely worse the worst rank up.  Each bot's interval
covers its true rank with probability 1 - alpha; all bots' together do so less often.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rivalry_evaluation.intervals import quantile
from rivalry_evaluation.terms import Array


class Ranks(NamedTuple):
    """From 1, the best first."""

    low: int
    high: int


def ranks(values: Array) -> list[int]:
    """By bot its rank, the greatest value first; equal values share one."""
    return [1 + int(np.sum(values > value)) for value in values]


def intervals(values: Array, resampled: Array, alpha: float, blocks: int, *, skewed: bool) -> list[Ranks]:
    """By bot the ranks that are not ruled out; ``resampled`` is resample by bot, from ``blocks`` blocks.

    Where the values are ``skewed`` percentiles decide, each at alpha by the number of the others (Bonferroni), and
    nobody is settled above another by fewer blocks than a sign test needs.
    """
    bots = len(values)
    if blocks < 2:
        return [Ranks(1, bots)] * bots
    of = _by_percentile if skewed else _by_error
    return [of(at, values, resampled, alpha, blocks) for at in range(bots)]


def _by_error(at: int, values: Array, resampled: Array, alpha: float, blocks: int) -> Ranks:
    others = np.arange(len(values)) != at
    if not others.any():
        return Ranks(1, 1)
    difference = values[others] - values[at]
    moved = resampled[:, others] - resampled[:, [at]]
    error = moved.std(axis=0)
    known = error > 0
    greatest = np.max(np.abs(moved - moved.mean(axis=0))[:, known] / error[known], axis=1, initial=0.0)
    few = quantile(alpha, blocks) / quantile(alpha, 1_000_000) * np.sqrt(blocks / (blocks - 1))
    reach = np.quantile(greatest, 1.0 - alpha) * error * few
    better = int(np.sum(known & (difference > reach)))
    worse = int(np.sum(known & (difference < -reach)))
    return Ranks(1 + better, len(values) - worse)


def _by_percentile(at: int, values: Array, resampled: Array, alpha: float, blocks: int) -> Ranks:
    others = np.arange(len(values)) != at
    moved = resampled[:, others] - resampled[:, [at]]
    rare = alpha / (2 * max(1, len(values) - 1))
    if 0.5**blocks > rare:
        return Ranks(1, len(values))
    better = int(np.sum((moved <= 0).mean(axis=0) < rare))
    worse = int(np.sum((moved >= 0).mean(axis=0) < rare))
    return Ranks(1 + better, len(values) - worse)
