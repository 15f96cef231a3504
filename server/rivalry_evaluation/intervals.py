"""Intervals of a mean over blocks, and the quantiles they are made with.

Blocks are independent and alike, matches of one block are neither, so everything is counted in blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from rivalry_evaluation import flips


class Interval(NamedTuple):
    """Bounds, the lower first."""

    low: float
    high: float


UNIT = Interval(0.0, 1.0)
EVEN: Final = 0.5
"""An even score: nobody is better."""


def quantile(alpha: float, blocks: int) -> float:
    """Student's t for a two-sided interval of level 1 - alpha from ``blocks`` blocks, two or more."""
    from scipy.special import stdtrit  # scipy.stats takes a second to import

    return float(stdtrit(blocks - 1, 1.0 - alpha / 2.0))


def of_mean(values: Sequence[float], error: float, alpha: float) -> Interval:
    """The interval of the mean of ``values`` in 0..1, one a block, whose bootstrap standard error is ``error``.

    - All values 0 or 1: Clopper and Pearson's (The use of confidence or fiducial limits illustrated in the case of the
      binomial, 1934), which holds at least as often as it says however few the blocks are.
    - All the same otherwise: what is left when a value that came every time has at least probability alpha ** (1/n).
    - Else the bootstrap's standard error times Student's t, within 0..1.  (With few blocks percentiles of a bootstrap
      are too narrow: Hesterberg, What teachers should know about the bootstrap, 2015.)  It leaves out an even score
      only where a test by flips does, too: else it ends there.
    """
    n = len(values)
    mean = sum(values) / n
    if n > 1 and all(value in (0.0, 1.0) for value in values):
        return exact(round(sum(values)), n, alpha)
    if len(set(values)) == 1:
        return _with_even(alike(mean, n, alpha), values, alpha)
    reach = quantile(alpha, n) * error
    return _with_even(Interval(max(0.0, mean - reach), min(1.0, mean + reach)), values, alpha)


def _with_even(found: Interval, values: Sequence[float], alpha: float) -> Interval:
    if found.low > EVEN and not flips.above(values, EVEN, alpha):
        return Interval(EVEN, found.high)
    if found.high < EVEN and not flips.above([-value for value in values], -EVEN, alpha):
        return Interval(found.low, EVEN)
    return found


def exact(won: int, n: int, alpha: float) -> Interval:
    """Clopper and Pearson's interval for the share of which ``won`` of n independent trials came."""
    from scipy.special import betaincinv

    low = float(betaincinv(won, n - won + 1, alpha / 2)) if won else 0.0
    high = float(betaincinv(won + 1, n - won, 1.0 - alpha / 2)) if won < n else 1.0
    return Interval(low, high)


def alike(value: float, n: int, alpha: float) -> Interval:
    """The means in 0..1 that are not ruled out by n blocks with the same value, and nothing but it."""
    least = alpha ** (1.0 / n)
    return Interval(least * value, least * value + (1.0 - least))
