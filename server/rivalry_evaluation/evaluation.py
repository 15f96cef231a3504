"""From matches that count to standings, pairs, intervals and the words that say how they were made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Final

import numpy as np

from rivalry_engine.chance import seed_text
from rivalry_evaluation import bootstrap, copies, meetings, pairs, plackett_luce, ranks, terms, utility
from rivalry_evaluation.intervals import UNIT, Interval, of_mean, quantile
from rivalry_evaluation.played import Played
from rivalry_evaluation.standing import Evaluation, Standing
from rivalry_evaluation.terms import Array
from rivalry_evaluation.written import rating, share

RESAMPLES: Final = 2000
SEED: Final = b"evaluation"
FEW: Final = 10
"""With fewer blocks intervals hold less often than they say: a note tells of it."""
METHOD: Final = (
    "Utility: the share of the others' seats at the table that a seat ranks above, ties half; mean over blocks of the "
    "mean in each. Rating: a Plackett-Luce fit with ties averaged over orders and a ghost opponent (half a win, half a "
    "loss), 400 units for odds of 10 to 1, mean 0; bots are ordered by it. Intervals: standard errors of a bootstrap "
    "that draws whole blocks, times Student's t; Wilson's where a block is won or lost. Ranks: simultaneous "
    "differences (Mogstad et al. 2024). Matches of a table that always went the same way are counted once."
)


@dataclass(frozen=True, slots=True)
class _Resampled:
    """What the bootstrap gives, by bot."""

    ratings: Array
    """Resample by bot."""
    rating_errors: Array
    utility_errors: Array
    apart: bool
    """True if the data are separated: ratings are then far from normal."""


def evaluate(
    played: Sequence[Played], *, alpha: float = 0.05, resamples: int = RESAMPLES, seed: bytes = SEED
) -> Evaluation:
    """What the matches say, whatever their order; intervals have level 1 - ``alpha``.

    Raises ValueError for a match that is there twice, an alpha outside 0..1 and fewer than 2 resamples.
    """
    if not 0.0 < alpha < 1.0:
        raise ValueError(f"alpha {alpha}: expected a number between 0 and 1, such as 0.05")
    if resamples < 2:
        raise ValueError(f"resamples {resamples}: expected 2 or more, such as {RESAMPLES}")
    matches, copied = copies.counted(played)
    bots = sorted({bot for match in matches for bot in match.bots})
    blocks = sorted({match.block for match in matches})
    if not matches:
        return Evaluation((), (), (), 0, 0, 0, alpha, resamples, seed_text(seed), METHOD, ("no match counts yet",))
    gathered = terms.terms(matches, bots, blocks)
    utilities = utility.block_utilities(matches)
    met = meetings.meetings(matches)
    apart = meetings.separated(met, bots)
    weights = bootstrap.draws(len(blocks), resamples, seed)
    worth = plackett_luce.fitted(gathered)
    resampled = _resampled(gathered, worth, utilities, weights, seed, apart=apart)
    return Evaluation(
        bots=tuple(bots),
        standings=_standings(matches, bots, utilities, plackett_luce.ratings(worth), resampled, alpha),
        pairs=pairs.pairs(met, blocks, weights, alpha),
        matches=len(matches),
        blocks=len(blocks),
        copies=copied,
        alpha=alpha,
        resamples=resamples,
        seed=seed_text(seed),
        method=METHOD,
        notes=_notes(len(blocks), copied, apart=apart),
    )


def _resampled(
    gathered: terms.Terms,
    worth: Array,
    utilities: Mapping[str, Mapping[str, float]],
    weights: Array,
    seed: bytes,
    *,
    apart: bool,
) -> _Resampled:
    values = bootstrap.table(utilities, gathered.bots, gathered.blocks)
    there = (gathered.wins > 0).sum(axis=0)
    ratings = bootstrap.ratings(gathered, worth, weights, seed, ghost_blocks=apart)
    means = bootstrap.means(weights, values)
    return _Resampled(
        ratings,
        bootstrap.errors(ratings, there),
        bootstrap.errors(means, (~np.isnan(values)).sum(axis=0)),
        apart,
    )


def _standings(
    matches: Sequence[Played],
    bots: Sequence[str],
    utilities: Mapping[str, Mapping[str, float]],
    values: Array,
    resampled: _Resampled,
    alpha: float,
) -> tuple[Standing, ...]:
    shares = utility.block_shares(matches)
    seats = utility.by_seat(matches)
    rounded = np.array([rating(float(value)) for value in values])
    blocks = len({match.block for match in matches})
    places = ranks.ranks(rounded)
    bounds = ranks.intervals(values, resampled.ratings, alpha, blocks, skewed=resampled.apart)
    found = []
    for at, bot in enumerate(bots):
        own = [match for match in matches if bot in match.bots]
        seen = len({match.block for match in own})
        mean, within = _mean(list(utilities.get(bot, {}).values()), float(resampled.utility_errors[at]), alpha)
        reached = _rating(float(values[at]), resampled, at, alpha, seen)
        found.append(
            Standing(
                bot=bot,
                matches=len(own),
                blocks=seen,
                utility=share(mean),
                utility_low=share(within.low),
                utility_high=share(within.high),
                share=share(_plain_mean(list(shares[bot].values()))) if shares.get(bot) else None,
                rating=float(rounded[at]),
                rating_low=rating(reached.low),
                rating_high=rating(reached.high),
                rank=places[at],
                rank_low=min(bounds[at].low, places[at]),
                rank_high=max(bounds[at].high, places[at]),
                faults=_faults(own, bot),
                by_seat={seat: (count, share(mean)) for seat, (count, mean) in seats.get(bot, {}).items()},
            )
        )
    return tuple(sorted(found, key=lambda standing: (standing.rank, -standing.utility, standing.bot)))


def _mean(values: Sequence[float], error: float, alpha: float) -> tuple[float, Interval]:
    """The mean over blocks and its interval; the middle and everything for a bot that met nobody."""
    if not values:
        return 0.5, UNIT
    return _plain_mean(values), of_mean(values, error, alpha)


def _rating(value: float, resampled: _Resampled, at: int, alpha: float, blocks: int) -> Interval:
    """The interval of a rating: by its standard error, or by percentiles where the data are separated."""
    if resampled.apart and blocks > 1:
        low, high = np.quantile(resampled.ratings[:, at], (alpha / 2, 1.0 - alpha / 2))
        return Interval(min(value, float(low)), max(value, float(high)))
    reach = quantile(alpha, max(blocks, 2)) * float(resampled.rating_errors[at])
    return Interval(value - reach, value + reach)


def _plain_mean(values: Sequence[float]) -> float:
    return fsum(values) / len(values)


def _faults(matches: Sequence[Played], bot: str) -> dict[str, int]:
    """Ends of its seats other than normal."""
    ends = Counter(
        end
        for match in matches
        for name, end in zip(match.bots, match.ends, strict=True)
        if name == bot and end != "normal"
    )
    return dict(sorted(ends.items()))


def _notes(blocks: int, copied: int, *, apart: bool) -> tuple[str, ...]:
    notes = []
    if blocks < FEW:
        notes.append(f"{blocks} block{'s' if blocks > 1 else ''}: too few for intervals to hold as often as they say")
    if copied:
        notes.append(f"{copied} matches went exactly as one before with the same seats, and are not counted again")
    if apart:
        notes.append(
            "some never finished level with or above some others, or never met them: how far apart their ratings are "
            "is not known, only that they are"
        )
    return tuple(notes)
