"""What an evaluation says: a standing a bot, a pair of bots that met, and all of it together."""

from __future__ import annotations

from dataclasses import dataclass, field

SeatMean = tuple[int, float]
"""Matches from this seat, and the mean utility in them."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How one bot did.  Every `_low` and `_high` bounds an interval of the evaluation's level, 1 - alpha."""

    bot: str
    matches: int
    blocks: int
    utility: float
    """Mean over blocks of the normalised rank utility, 0..1: the share of the others at the table it ranks above."""
    utility_low: float
    utility_high: float
    share: float | None
    """Mean over blocks of the points of one of its seats / the table's sum, 0..1; what plays on for a bot that fell
    out makes its points.  None where a score was negative, or the scores of all its tables 0."""
    rating: float
    """Plackett-Luce log worth in Elo-like units: 400 / ln 10 a unit of log worth, mean 0 over the bots, each as often
    as it has matches."""
    rating_low: float
    rating_high: float
    rank: int
    """By rating, from 1; equals share one."""
    rank_low: int
    """The best rank that is not ruled out."""
    rank_high: int
    """The worst rank that is not ruled out."""
    faults: dict[str, int]
    """Ends other than normal, and how often."""
    by_seat: dict[int, SeatMean]
    """Seat: matches from it and mean utility in them."""

    def json(self) -> dict[str, object]:
        return {
            "bot": self.bot,
            "matches": self.matches,
            "blocks": self.blocks,
            "utility": self.utility,
            "utility_low": self.utility_low,
            "utility_high": self.utility_high,
            "share": self.share,
            "rating": self.rating,
            "rating_low": self.rating_low,
            "rating_high": self.rating_high,
            "rank": self.rank,
            "rank_low": self.rank_low,
            "rank_high": self.rank_high,
            "faults": dict(sorted(self.faults.items())),
            "by_seat": {str(seat): {"matches": n, "utility": mean} for seat, (n, mean) in sorted(self.by_seat.items())},
        }


@dataclass(frozen=True, slots=True)
class Pair:
    """Two bots that sat at one table: who ranked above the other, seat against seat."""

    a: str
    b: str
    blocks: int
    """Blocks in which they met."""
    wins: int
    """Comparisons of a seat of `a` with a seat of `b` in which `a` ranked above."""
    draws: int
    losses: int
    mean: float
    """Mean over blocks of the share of these comparisons won by `a`, draws half."""
    low: float
    high: float

    def json(self) -> dict[str, object]:
        return {
            "a": self.a,
            "b": self.b,
            "blocks": self.blocks,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "mean": self.mean,
            "low": self.low,
            "high": self.high,
        }


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Everything the matches say about the bots."""

    bots: tuple[str, ...]
    """In the order of their names."""
    standings: tuple[Standing, ...]
    """Best first."""
    pairs: tuple[Pair, ...]
    """By the names of `a`, then `b`; `a` before `b`."""
    matches: int
    """Matches that were counted."""
    blocks: int
    """Blocks with a match that was counted."""
    copies: int
    """Matches not counted again: same bots on the same seats with the same transcript as one that was."""
    alpha: float
    """One minus the level of every interval."""
    resamples: int
    """Bootstrap resamples behind the intervals of rating and rank."""
    seed: str
    """Of the bootstrap: 0x and hex."""
    method: str
    """In words: what was computed, and how."""
    notes: tuple[str, ...] = field(default=())
    """What a reader has to know about these very figures: too few blocks, bots that never met, and such."""

    def standing(self, bot: str) -> Standing:
        """The standing of `bot`.  Raises KeyError."""
        for standing in self.standings:
            if standing.bot == bot:
                return standing
        raise KeyError(bot)

    def pair(self, a: str, b: str) -> Pair | None:
        """The pair seen from `a`, or None when the two never met."""
        for pair in self.pairs:
            if (pair.a, pair.b) == (a, b):
                return pair
            if (pair.a, pair.b) == (b, a):
                return mirrored(pair)
        return None

    def json(self) -> dict[str, object]:
        return {
            "bots": list(self.bots),
            "standings": [standing.json() for standing in self.standings],
            "pairs": [pair.json() for pair in self.pairs],
            "matches": self.matches,
            "blocks": self.blocks,
            "copies": self.copies,
            "alpha": self.alpha,
            "resamples": self.resamples,
            "seed": self.seed,
            "method": self.method,
            "notes": list(self.notes),
        }


def mirrored(pair: Pair) -> Pair:
    """The same pair seen from the other bot."""
    return Pair(
        a=pair.b,
        b=pair.a,
        blocks=pair.blocks,
        wins=pair.losses,
        draws=pair.draws,
        losses=pair.wins,
        mean=1.0 - pair.mean,
        low=1.0 - pair.high,
        high=1.0 - pair.low,
    )
