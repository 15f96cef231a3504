"""The classical sequential test: is the difference nearer to elo0 or to elo1?

Wald's sequential probability ratio test (Sequential tests of statistical hypotheses, 1945) on the scores of blocks,
with their variance estimated: the generalised test of Li, Liu and Ying (Generalized sequential probability ratio test
for separate families of hypotheses, 2014), in the normal approximation that developers of chess engines use on pairs of
games.  It often stops sooner than a test that holds for any distribution at any time; its error rates are approximate,
best when the difference is small and blocks are many, and the size of the difference has to be named beforehand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, log
from typing import Literal

from rivalry_evaluation.sequential import Verdict

Accepted = Literal["H0", "H1"]


def expected(elo: float) -> float:
    """The score of a bot that is stronger by ``elo``, in 0..1: the logistic curve."""
    return float(1.0 / (1.0 + 10.0 ** (-elo / 400.0)))


@dataclass(frozen=True, slots=True)
class Sprt:
    """H0, a is stronger by ``elo0``, against H1, it is by ``elo1``; both errors have probability ``alpha``."""

    elo0: float
    elo1: float
    alpha: float

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ValueError(f"{self.elo0:g},{self.elo1:g}: expected the smaller first, such as 0,10 or -10,10")
        if not 0.0 < self.alpha < 0.5:
            raise ValueError(f"alpha {self.alpha:g}: expected a number between 0 and 0.5, such as 0.05")

    @property
    def bound(self) -> float:
        """H1 is accepted when the log likelihood ratio reaches it, H0 when it reaches its negative."""
        return log((1.0 - self.alpha) / self.alpha)

    def ratio(self, scores: Sequence[float]) -> float:
        """The log likelihood ratio of H1 to H0 after ``scores`` of blocks, each in 0..1.

        The variance has a block's greatest, 1/4, as one more observation, so that it is never 0.
        """
        n = len(scores)
        if n == 0:
            return 0.0
        mean = fsum(scores) / n
        variance = (0.25 + fsum((score - mean) ** 2 for score in scores)) / (n + 1)
        zero, one = expected(self.elo0), expected(self.elo1)
        return n * (one - zero) * (2 * mean - zero - one) / (2 * variance)

    def accepted(self, scores: Sequence[float]) -> Accepted | None:
        """The hypothesis that is accepted after ``scores``, if one is."""
        ratio = self.ratio(scores)
        return "H1" if ratio >= self.bound else "H0" if ratio <= -self.bound else None

    def verdict(self, accepted: Accepted | None) -> Verdict:
        """Who is stronger, as far as the accepted hypothesis says it.

        H1 says "a" where equal bots are nearer to H0, H0 says "b" where they are nearer to H1; the test of 0 against 10
        that ends with H0 has not found that b is stronger.
        """
        middle = self.elo0 + self.elo1
        if accepted == "H1" and self.elo1 > 0 and middle >= 0:
            return "a"
        return "b" if accepted == "H0" and self.elo0 < 0 and middle <= 0 else "undecided"
