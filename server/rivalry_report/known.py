"""Which intervals say anything: one that excludes nothing is shown to people as not known.

Programs get the bounds all the same, in JSON and CSV.
"""

from __future__ import annotations

from math import log10
from typing import TYPE_CHECKING

from rivalry_report import figures

if TYPE_CHECKING:
    from rivalry_evaluation.standing import Pair, Standing

POINTS = 400.0
"""So many points of a rating are odds of ten to one."""


def rating(standing: Standing) -> bool:
    """True if the interval of a rating excludes any that the bot's matches could have come to.

    Against a field of equals a bot that won all of its m matches is rated ``400 log10(2 m + 1)`` above it, and one that
    lost them so far below: beside the m wins there is the half win and half loss against the ghost, so that its odds
    are m + 1/2 to 1/2.  An interval that goes further on both sides would hold whatever had come out.  Two blocks
    often give such a one, since Student's t is 12.7 there.
    """
    most = POINTS * log10(2 * standing.matches + 1)
    return standing.blocks > 1 and not (standing.rating_low <= -most and standing.rating_high >= most)


def utility(standing: Standing) -> bool:
    """True if the interval of a utility is not all of 0 to 100 percent, as it is shown."""
    return standing.blocks > 1 and not _all(standing.utility_low, standing.utility_high)


def score(pair: Pair) -> bool:
    """The same of the score of a pair."""
    return pair.blocks > 1 and not _all(pair.low, pair.high)


def _all(low: float, high: float) -> bool:
    return figures.percent(low) == figures.percent(0.0) and figures.percent(high) == figures.percent(1.0)
