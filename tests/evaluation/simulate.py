"""How often intervals miss and verdicts are wrong, on bots whose strengths are known: ``make simulation``.

Everything is drawn from numpy's PCG64 with the seed that is given, and goes through the parts that evaluate matches;
what they are given is put together in arrays, as ten thousand times takes long otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rivalry_evaluation import bootstrap, flips, plackett_luce, ranks
from rivalry_evaluation.intervals import Interval, of_mean, quantile
from rivalry_evaluation.sequential import BETS, gains, wealth
from rivalry_evaluation.sprt import Sprt, expected
from rivalry_evaluation.terms import Terms

Array = NDArray[np.float64]
Draw = Callable[[np.random.Generator, int], Array]
"""So many scores of blocks."""
BOTS: Final = 4
RESAMPLES: Final = 200


def coins(generator: np.random.Generator, many: int) -> Array:
    """Blocks that are won or lost."""
    return generator.integers(0, 2, many).astype(np.float64)


def pairs(generator: np.random.Generator, many: int) -> Array:
    """Blocks of two matches at tables of two: 0, 1/2 or 1."""
    return generator.binomial(2, 0.5, many) / 2


def splits(generator: np.random.Generator, many: int) -> Array:
    """Blocks of fourteen matches, some luck shared: close to 1/2."""
    shared = np.clip(0.5 + 0.1 * generator.standard_normal(many), 0.0, 1.0)
    return generator.binomial(14, shared) / 14


def skewed(generator: np.random.Generator, many: int) -> Array:
    """A bot that wins all in one block of ten and is a little worse in the others: the mean is 1/2."""
    return np.where(generator.random(many) < 0.1, 1.0, 4 / 9)


NULLS: Final[dict[str, Draw]] = {"coins": coins, "pairs": pairs, "splits": splits, "skewed": skewed}
"""Distributions of block scores with mean 1/2: none of the two is better."""


@dataclass(frozen=True, slots=True)
class Ends:
    """Of so many runs of a sequential test, how many ended with a, with b, and after how many blocks (the median)."""

    runs: int
    a: int
    b: int
    median: float


def betting(draw: Draw, *, runs: int, blocks: int, mean: float, alpha: float, seed: int) -> Ends:
    """How many runs refute the mean ``mean`` within ``blocks`` blocks, looked at after every one.

    a: it is more; b: it is less.  With the true mean these are the misses of the confidence sequence, and with 1/2 for
    two that are equal the wrong verdicts.
    """
    generator = np.random.default_rng(seed)
    up, down = np.zeros((BETS, runs)), np.zeros((BETS, runs))
    ended = np.zeros(runs, dtype=np.int8)
    after = np.full(runs, np.inf)
    against = np.full(runs, mean)
    for block in range(1, blocks + 1):
        above, below = gains(draw(generator, runs), against)
        up += above
        down += below
        for side, logs in ((1, up), (2, down)):
            now = (ended == 0) & (wealth(logs) >= np.log(2 / alpha))
            ended[now] = side
            after[now] = block
    return Ends(runs, int(np.sum(ended == 1)), int(np.sum(ended == 2)), float(np.median(after)))


def classical(elo: float, *, runs: int, blocks: int, test: Sprt, seed: int) -> Ends:
    """How many runs of Wald's test accept H1 (a) and H0 (b), on blocks of two matches between bots ``elo`` apart."""
    scores = np.random.default_rng(seed).binomial(2, expected(elo), (runs, blocks)) / 2
    n = np.arange(1, blocks + 1)
    mean = np.cumsum(scores, axis=1) / n
    variance = (0.25 + np.cumsum(scores**2, axis=1) - n * mean**2) / (n + 1)
    zero, one = expected(test.elo0), expected(test.elo1)
    ratios = n * (one - zero) * (2 * mean - zero - one) / (2 * variance)
    over = np.abs(ratios) >= test.bound
    at = np.where(over.any(axis=1), over.argmax(axis=1), blocks - 1)
    last = ratios[np.arange(runs), at]
    after = np.where(over.any(axis=1), at + 1.0, np.inf)
    return Ends(runs, int(np.sum(last >= test.bound)), int(np.sum(last <= -test.bound)), float(np.median(after)))


@dataclass(frozen=True, slots=True)
class Misses:
    """Of so many intervals of each kind, how many did not hold the truth."""

    runs: int
    utility: int
    rating: int
    pair: int
    rank: int
    """Bots that are equal to the best and were said not to be first."""


def dealt(generator: np.random.Generator, *, blocks: int, luck: float) -> NDArray[np.int64]:
    """Ranks by block, match and bot: four equal bots, four matches a block, as a Plackett-Luce model ranks.

    ``luck`` is what a block deals to a bot in all its matches, in log worth: the more, the more alike they are.
    """
    worths = np.exp(luck * generator.standard_normal((blocks, 1, BOTS)))
    times = generator.exponential(size=(blocks, BOTS, BOTS)) / worths
    return 1 + times.argsort(axis=2).argsort(axis=2)


def gathered(ranks: NDArray[np.int64]) -> Terms:
    """The terms of these matches, as ``terms`` gathers them."""
    kinds = [bots for many in range(1, BOTS + 1) for bots in combinations(range(BOTS), many)]
    seats = np.array([[float(bot in kind) for bot in range(BOTS)] for kind in kinds])
    left = np.stack([ranks > chosen for chosen in range(BOTS)], axis=2)  # block, match, choice, bot
    same = (left[:, :, :, None, :] == (seats > 0)[None, None, None]).all(axis=4)
    wins = np.full((len(ranks), BOTS), float(ranks.shape[1]))
    blocks = tuple(f"{block:04}" for block in range(len(ranks)))
    return Terms(tuple("abcd"), blocks, wins, seats, same.sum(axis=(1, 2)).astype(np.float64), wins.sum(axis=0))


def intervals(*, runs: int, blocks: int, luck: float, seed: int, alpha: float = 0.05) -> Misses:
    """Four equal bots evaluated ``runs`` times: one bot, and one pair, are looked at in each."""
    generator = np.random.default_rng(seed)
    utility = rating = pair = rank = 0
    many = np.full(BOTS + 1, blocks)
    for run in range(runs):
        label = f"{seed}/{run}".encode()
        found = dealt(generator, blocks=blocks, luck=luck)
        means = ((BOTS - found) / (BOTS - 1)).mean(axis=1)
        met = (found[:, :, 0] < found[:, :, 1]).mean(axis=1)
        values = np.column_stack([means, met])
        weights = bootstrap.draws(blocks, RESAMPLES, label)
        errors = bootstrap.errors(bootstrap.means(weights, values), many)
        whole = gathered(found)
        worth = plackett_luce.fitted(whole)
        again = bootstrap.ratings(whole, worth, weights, label, ghost_blocks=False)
        spread = bootstrap.errors(again, many[:BOTS])
        utility += _misses(of_mean(list(values[:, 0]), float(errors[0]), alpha))
        pair += _misses(of_mean(list(values[:, BOTS]), float(errors[BOTS]), alpha))
        rated = plackett_luce.ratings(worth, whole.matches)
        rating += abs(rated[0]) > quantile(alpha, blocks) * spread[0]
        borne = flips.borne(whole, worth, [0] * BOTS)
        rank += ranks.intervals(rated, again, alpha, blocks, skewed=False, borne=borne)[0].low > 1
    return Misses(runs, int(utility), int(rating), int(pair), int(rank))


def _misses(interval: Interval) -> bool:
    """True if the middle is outside."""
    return not interval.low <= 0.5 <= interval.high
