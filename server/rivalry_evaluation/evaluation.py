"""From matches that count to standings, pairs, intervals and the words that say how they were made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum, log
from typing import Final

import numpy as np

from rivalry_engine.chance import seed_text
from rivalry_evaluation import bootstrap, copies, flips, meetings, pairs, plackett_luce, ranks, terms, utility
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
    "loss, drawn in each resample), 400 units for odds of 10 to 1, mean 0 over the bots, each as often as it has "
    "matches; the table is ordered by it. Intervals: standard errors of a bootstrap that draws whole blocks, times "
    "Student's t. For means: Clopper and Pearson's where every block is won or lost; where all blocks came to the "
    "same, what a value that did not come yet could make of the mean, and of the rating; and an even score is left out "
    "only where a test by sign flips leaves it out. Places: simultaneous differences of ratings (Mogstad et al. 2024), "
    "each borne out by sign flips of what the blocks say of the two (Hemerik et al. 2020), at the level by twice the "
    "number of others. Matches of a table that always went the same way are counted once."
)
METHOD_APART: Final = (
    " Here some only ever finished below some others, so intervals of ratings are percentiles of the resamples, with "
    "the ghost counted in blocks, and places come of percentiles at the level by twice the number of others, borne out "
    "in the same way."
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
    rated = plackett_luce.ratings(worth, gathered.matches)
    islands = meetings.islands(met, bots)
    resampled = _resampled(gathered, worth, utilities, weights, seed, apart=apart)
    borne = flips.borne(gathered, worth, islands)
    return Evaluation(
        bots=tuple(bots),
        standings=_standings(matches, bots, utilities, rated, resampled, alpha, borne),
        pairs=pairs.pairs(met, blocks, weights, alpha),
        matches=len(matches),
        blocks=len(blocks),
        copies=copied,
        alpha=alpha,
        resamples=resamples,
        seed=seed_text(seed),
        method=METHOD + METHOD_APART * apart,
        notes=_notes(matches, len(blocks), copied, apart=apart, islands=len(set(islands))),
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
    borne: ranks.Borne,
) -> tuple[Standing, ...]:
    shares = utility.block_shares(matches)
    seats = utility.by_seat(matches)
    rounded = np.array([rating(float(value)) for value in values])
    blocks = len({match.block for match in matches})
    places = ranks.ranks(rounded)
    whole = sum(len(set(match.bots)) for match in matches)
    bounds = ranks.intervals(values, resampled.ratings, alpha, blocks, skewed=resampled.apart, borne=borne)
    found = []
    for at, bot in enumerate(bots):
        own = [match for match in matches if bot in match.bots]
        seen = len({match.block for match in own})
        of_blocks = list(utilities.get(bot, {}).values())
        mean, within = _mean(of_blocks, float(resampled.utility_errors[at]), alpha)
        reached = _rating(float(values[at]), resampled, at, alpha, seen)
        if len(set(of_blocks)) == 1 and 0.0 < mean < 1.0:
            reached = _as_wide(reached, float(values[at]), mean, within, (whole - len(own)) / whole)
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


def _as_wide(found: Interval, value: float, mean: float, within: Interval, others: float) -> Interval:
    """At least as wide as the utility's interval: what a bot of a utility at its bounds would be rated among equals.

    ``others`` is their share in the mean of all ratings.
    """
    low, high = (others * plackett_luce.ELO * (log(bound / (1 - bound)) - log(mean / (1 - mean))) for bound in within)
    return Interval(min(found.low, value + low), max(found.high, value + high))


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


def _notes(matches: Sequence[Played], blocks: int, copied: int, *, apart: bool, islands: int) -> tuple[str, ...]:
    notes = []
    if blocks == 1:
        notes.append(
            f"one block: too few for any interval of a rating, and for settled places; {FEW} or more are enough"
        )
    elif blocks < FEW:
        notes.append(
            f"{blocks} blocks: too few for intervals to hold as often as they say, and for most places to be settled; "
            f"{FEW} or more are enough"
        )
    if copied:
        notes.append(
            f"{copied} matches went exactly as one before with the same seats, and are not counted again"
            if copied > 1
            else "one match went exactly as one before with the same seats, and is not counted again"
        )
    if islands > 1:
        notes.append(
            f"the bots fall into {islands} groups that never met, not through others either: ratings and places of "
            "bots of different groups say nothing about each other"
        )
    if apart and blocks >= FEW:
        notes.append("some only ever finished below some others: how far apart their ratings are is not known")
    if any(end != "normal" for match in matches for end in match.ends):
        notes.append(
            "who fell out of a match is last in it; the points, and so the share, are those of what played on for it"
        )
    return tuple(notes)
