"""Intervals of a mean over blocks, and the quantiles they are made with.

Blocks are independent and alike, matches of one block are neither, so everything is counted in blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist
from typing import NamedTuple


class Interval(NamedTuple):
    """Bounds, the lower first."""

    low: float
    high: float


UNIT = Interval(0.0, 1.0)


def quantile(alpha: float, blocks: int) -> float:
    """Student's t for a two-sided interval of level 1 - alpha from ``blocks`` blocks, two or more."""
    from scipy.special import stdtrit  # scipy.stats takes a second to import

    return float(stdtrit(blocks - 1, 1.0 - alpha / 2.0))


def of_mean(values: Sequence[float], error: float, alpha: float) -> Interval:
    """The interval of the mean of ``values`` in 0..1, one a block, whose bootstrap standard error is ``error``.

    - All values 0 or 1: Wilson's score interval (Wilson 1927; for small counts see Brown, Cai and DasGupta, Interval
      estimation for a binomial proportion, 2001).
    - All the same otherwise: what is left when a value that came every time has at least probability alpha ** (1/n).
    - Else the bootstrap's standard error times Student's t, within 0..1.  (With few blocks percentiles of a bootstrap
      are too narrow: Hesterberg, What teachers should know about the bootstrap, 2015.)
    """
    n = len(values)
    mean = sum(values) / n
    if n > 1 and all(value in (0.0, 1.0) for value in values):
        return wilson(mean, n, alpha)
    if len(set(values)) == 1:
        return alike(mean, n, alpha)
    reach = quantile(alpha, n) * error
    return Interval(max(0.0, mean - reach), min(1.0, mean + reach))


def wilson(share: float, n: int, alpha: float) -> Interval:
    """Wilson's score interval for a share of n independent trials."""
    z = NormalDist().inv_cdf(1.0 - alpha / 2.0)
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    reach = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return Interval(max(0.0, middle - reach), min(1.0, middle + reach))


def alike(value: float, n: int, alpha: float) -> Interval:
    """The means in 0..1 that are not ruled out by n blocks with the same value, and nothing but it."""
    least = alpha ** (1.0 / n)
    return Interval(least * value, least * value + (1.0 - least))
