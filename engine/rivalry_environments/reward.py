"""What a match was worth to each seat, as one number."""

from __future__ import annotations

from collections.abc import Sequence

from rivalry_engine.error import RivalryError
from rivalry_engine.game import Game
from rivalry_environments.encoder import Encoder

KINDS = ("rank", "score")


def checked(kind: str) -> str:
    """``kind`` if it is one; raises RivalryError."""
    if kind not in KINDS:
        raise RivalryError(f"reward {kind!r}: expected one of {', '.join(KINDS)}")
    return kind


def final(kind: str, game: Game, scores: Sequence[int], ranks: Sequence[int]) -> list[float]:
    """The rewards of a match that is over, by seat.

    ``rank``: 1 for the first, -1 for the last, evenly spaced between them; seats that share a rank share what its
    places get, so that the sum is always 0.  ``score``: points.
    """
    if kind == "score":
        return [score / game.score_unit for score in scores]
    seats = len(ranks)
    if seats == 1:
        return [0.0]
    return [1 - 2 * (rank - 1 + (ranks.count(rank) - 1) / 2) / (seats - 1) for rank in ranks]


def bounds(kind: str, encoder: Encoder) -> tuple[float, float]:
    """The least and the greatest reward there can be."""
    if kind == "rank":
        return -1.0, 1.0
    least, most = encoder.scores
    return least / encoder.game.score_unit, most / encoder.game.score_unit
