"""A comparison that may stop at any time: a bet against every mean, and the means that no bet has refuted.

Scores of blocks are in 0..1, independent, with the same mean; nothing else is assumed of them.  Against each mean m a
gambler begins with capital 1 and bets on the next score lying above m, at odds that are fair if the mean is m; another
bets that it lies below.  If m is the mean, one's capital ever reaches 2 / alpha with probability alpha / 2 at most
(Ville 1939), so it may be looked at after every block.  What was refuted once stays so.  The means that are not refuted
are an interval, the confidence sequence.

This is the hedged capital process of Waudby-Smith and Ramdas, Estimating means of bounded random variables by betting
(JRSS B 86, 2024), with the bets of their section on a grid of Kelly's: each gambler splits the capital evenly over
BETS fractions of the greatest bet that cannot ruin, and leaves them.  It needs no tuning, and what it comes to after n
blocks does not depend on their order.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Verdict = Literal["a", "b", "undecided"]
BETS: Final = 20
GRID: Final = 1001
"""Means that are bet against: 0, 0.001, …, 1; 1/2 is one.  The interval's ends are widened to the next of them."""
EDGE: Final = 1e-9
"""In place of 0 and 1, against which no bet is fair."""


class Known(NamedTuple):
    """What is known of the mean: its estimate and the interval that held at every time until now."""

    estimate: float
    low: float
    high: float


class Betting:
    """The bets against all means of a grid, from the scores seen so far."""

    def __init__(self, alpha: float) -> None:
        """``alpha``: the probability with which the interval may ever miss the mean, and the verdict ever be wrong."""
        if not 0.0 < alpha < 1.0:
            raise ValueError(f"alpha {alpha}: expected a number between 0 and 1, such as 0.05")
        self.alpha = alpha
        self.scores: list[float] = []
        self._means = np.linspace(0.0, 1.0, GRID)
        self._up = np.zeros((BETS, GRID))
        self._down = np.zeros((BETS, GRID))
        self._low = 0
        self._high = GRID - 1

    def add(self, score: float) -> None:
        """Takes in the score of one more block; raises ValueError where it is not in 0..1."""
        if not 0.0 <= score <= 1.0:
            raise ValueError(f"score {score}: expected one in 0..1")
        self.scores.append(score)
        up, down = gains(score, np.clip(self._means, EDGE, 1.0 - EDGE))
        self._up += up
        self._down += down
        refuted = np.log(2.0 / self.alpha)
        above = np.nonzero(wealth(self._up) < refuted)[0]
        below = np.nonzero(wealth(self._down) < refuted)[0]
        self._low = max(self._low, int(above[0]) if above.size else GRID - 1)
        self._high = min(self._high, int(below[-1]) if below.size else 0)

    @property
    def known(self) -> Known:
        """The estimate (1/2 before the first block) and the interval."""
        estimate = float(np.mean(self.scores)) if self.scores else 0.5
        low = float(self._means[max(0, self._low - 1)])
        high = float(self._means[min(GRID - 1, self._high + 1)])
        return Known(estimate, low, high)

    @property
    def verdict(self) -> Verdict:
        """a if a mean of 1/2 or less is refuted, b if one of 1/2 or more is."""
        if self._low > GRID // 2:
            return "a"
        return "b" if self._high < GRID // 2 else "undecided"


def gains(scores: float | Array, means: Array) -> tuple[Array, Array]:
    """By bet and mean the logarithm of what a score multiplies the capitals with, of betting above and below.

    ``scores`` may have the shape of ``means``, which lie between 0 and 1.
    """
    fractions = (np.arange(BETS) + 0.5).reshape(-1, *(1,) * means.ndim) / BETS
    return np.log1p(fractions * (scores - means) / means), np.log1p(fractions * (means - scores) / (1.0 - means))


def wealth(logs: Array) -> Array:
    """The logarithm of a gambler's capital: the mean over the bets, of which ``logs`` are the logarithms."""
    most = logs.max(axis=0)
    whole: Array = most + np.log(np.mean(np.exp(logs - most), axis=0))
    return whole
