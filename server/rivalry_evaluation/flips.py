"""Sign flips: may a sum over blocks be as great as it is where each block might as well have gone the other way?

Where two bots are equal, and a block gives both the same seats and luck, what a block says for the one it could as well
have said for the other.  So its sign is a coin's, and the share of all ways to set the signs that make the sum at least
as great is an exact chance, however few the blocks are and whatever their values.  Where every block is won or lost it
is the sign test.  (Fisher, The Design of Experiments, 1935, section 21; for contributions to the score of a model:
Hemerik, Goeman and Finos, Robust testing in generalized linear models by sign flipping score contributions, Journal of
the Royal Statistical Society B 82, 2020.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Final

import numpy as np

from rivalry_evaluation.terms import Array, Terms

EXACT: Final = 13
"""Up to so many blocks all ways to set the signs are counted; with more, DRAWN of them and the one that came."""
DRAWN: Final = 20_000
MANY: Final = 100
"""With more blocks normal approximations are as good, and nothing is flipped."""
NOTHING: Final = 1e-9
"""A block that says less than this share of the most says nothing."""


def chance(values: Sequence[float] | Array) -> float:
    """The chance that the sum of ``values``, one a block, is as great as it is if each sign is a coin's."""
    given = np.asarray(values, dtype=np.float64)
    size = np.abs(given)
    said = size > NOTHING * size.max(initial=0.0)
    given, size = given[said], size[said]
    if not len(given):
        return 1.0
    reached = _signs(len(given)) @ size >= given.sum() - NOTHING * size.sum()
    if len(given) <= EXACT:
        return float(reached.mean())
    return (1 + int(reached.sum())) / (1 + DRAWN)


def above(values: Sequence[float], even: float, alpha: float) -> bool:
    """True if flips at ``alpha``, two-sided, leave no doubt that the mean of ``values`` is above ``even``."""
    return len(values) > MANY or chance([value - even for value in values]) <= alpha / 2


def contributions(terms: Terms, worth: Array, one: int, other: int) -> Array:
    """By block what it says for the one and against the other: what both were chosen, less what was to be expected if
    the two had the same worth, the mean of theirs, and all others theirs."""
    worths = np.exp(worth)
    worths[[one, other]] = np.exp((worth[one] + worth[other]) / 2)
    there = np.flatnonzero(terms.seats[:, one] + terms.seats[:, other])
    seats = terms.seats[there]
    expected = (seats[:, one] * worths[one] - seats[:, other] * worths[other]) / (seats @ worths)
    said: Array = terms.wins[:, one] - terms.wins[:, other] - terms.counts[:, there] @ expected
    return said


def borne(terms: Terms, worth: Array, islands: Sequence[int]) -> Callable[[int, int, float], bool]:
    """Whether blocks bear out, at a one-sided level, that one bot is better than another; never between ``islands``."""

    @cache
    def of(better: int, worse: int, rare: float) -> bool:
        if islands[better] != islands[worse]:
            return False
        if int(((terms.wins[:, better] > 0) | (terms.wins[:, worse] > 0)).sum()) > MANY:
            return True
        return chance(contributions(terms, worth, better, worse)) <= rare

    return of


@lru_cache(maxsize=64)
def _signs(blocks: int) -> Array:
    """Ways to set the signs: way by block."""
    if blocks <= EXACT:
        ways = np.arange(2**blocks)[:, None] >> np.arange(blocks) & 1
    else:
        ways = np.random.Generator(np.random.PCG64(blocks)).integers(0, 2, (DRAWN, blocks), dtype=np.int8)
    signs: Array = ways.astype(np.float64) * 2.0 - 1.0
    return signs
