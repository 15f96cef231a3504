"""Intervals of ranks: which places of the table are not ruled out for a bot.

After Mogstad, Romano, Shaikh and Wilhelm, Inference for ranks with applications to mobility across neighbourhoods and
academic achievement across countries (Review of Economic Studies 91, 2024): the differences of one bot to all others
get intervals that hold together, from the greatest of the studentised differences over the bootstrap's resamples.
Whoever is surely better pushes the best rank down, whoever is surely worse the worst rank up.  Each bot's interval
covers its true rank with probability 1 - alpha; all bots' together do so less often.

That holds for many blocks.  With few, resamples know nothing of what did not come yet, so a difference counts only if
it is borne out in another way as well (`flips`), at alpha by the number of the others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np

from rivalry_evaluation.intervals import quantile
from rivalry_evaluation.terms import Array

Borne = Callable[[int, int, float], bool]
"""True if blocks bear out, at a one-sided level, that the first bot is better than the second."""
LEAST: Final = 1e-6
"""A difference whose standard error is less is none: rounding."""


class Ranks(NamedTuple):
    """From 1, the best first."""

    low: int
    high: int


def ranks(values: Array) -> list[int]:
    """By bot its rank, the greatest value first; equal values share one."""
    return [1 + int(np.sum(values > value)) for value in values]


def intervals(
    values: Array, resampled: Array, alpha: float, blocks: int, *, skewed: bool, borne: Borne = lambda *_: True
) -> list[Ranks]:
    """By bot the ranks that are not ruled out; ``resampled`` is resample by bot, from ``blocks`` blocks.

    Where the values are ``skewed`` percentiles decide, each at alpha by the number of the others (Bonferroni), and
    nobody is settled above another by fewer blocks than a sign test needs.
    """
    bots = len(values)
    if blocks < 2 or bots < 2:
        return [Ranks(1, bots)] * bots
    of = _by_percentile if skewed else _by_error
    return [_borne_out(at, of(at, values, resampled, alpha, blocks), alpha, borne) for at in range(bots)]


def _borne_out(at: int, apart: Array, alpha: float, borne: Borne) -> Ranks:
    """The ranks of a bot of which ``apart`` says who is better (1), worse (-1) or neither (0)."""
    rare = alpha / (2 * (len(apart) - 1))
    better = sum(borne(int(other), at, rare) for other in np.flatnonzero(apart > 0))
    worse = sum(borne(at, int(other), rare) for other in np.flatnonzero(apart < 0))
    return Ranks(1 + better, len(apart) - worse)


def _by_error(at: int, values: Array, resampled: Array, alpha: float, blocks: int) -> Array:
    difference = values - values[at]
    moved = resampled - resampled[:, [at]]
    error = moved.std(axis=0)
    known = error > LEAST
    greatest = np.max(np.abs(moved - moved.mean(axis=0))[:, known] / error[known], axis=1, initial=0.0)
    few = quantile(alpha, blocks) / quantile(alpha, 1_000_000) * np.sqrt(blocks / (blocks - 1))
    reach = np.quantile(greatest, 1.0 - alpha) * error * few
    apart: Array = np.sign(difference) * (known & (np.abs(difference) > reach))
    return apart


def _by_percentile(at: int, values: Array, resampled: Array, alpha: float, blocks: int) -> Array:
    moved = resampled - resampled[:, [at]]
    rare = alpha / (2 * (len(values) - 1))
    if 0.5**blocks > rare:
        return np.zeros(len(values))
    better = (moved <= LEAST).mean(axis=0) < rare
    worse = (moved >= -LEAST).mean(axis=0) < rare
    apart: Array = better.astype(np.float64) - worse
    return apart
