"""What a board of Foederati is worth to a seat: the next scorings, as if they came now, and what may grow.

All numbers are thousandths of a point.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rivalry_engine.foederati import scoring, squares
from rivalry_engine.foederati.sight import FoederatiObservation
from rivalry_engine.foederati.squares import BIT, NEIGHBOURS

POINT: Final = 1000
TRIBAL: Final = 450
"""How likely tribes are scored too, in thousandths: a red marker has to come."""
SCORINGS: Final = 3
"""So many scorings more are reckoned with, at most."""
SIDE: Final = 120
"""What two own shields side by side are worth: clans grow from them."""
OPEN: Final = 60
"""What a free square next to own shields is worth, for the cards that fit there."""
GIFT: Final = 350
"""How likely another founds a country with one free square left, in thousandths of its marker."""


class Standing:
    """The board of one observation, and what changes of it are worth to its seat."""

    def __init__(self, seen: FoederatiObservation) -> None:
        self.seat = seen.seat
        self.board = seen.setup.map
        self.shields = [player.shields_mask for player in seen.seats]
        self.free = seen.free_mask
        self.founded = seen.founded_mask
        left = self.board.track[len(seen.board.foundings) :]
        self.marker = left[0][0] * POINT if left else 0
        """What the next founding pays."""
        self.scorings = 1 if seen.board.end_trigger else min(SCORINGS, 1 + len(left))
        self._sizes = [self._clans(mask) for mask in self.shields]
        self.now = self._worth(self.shields, self._sizes)

    def placed(self, square: int) -> int:
        """What a shield of one's own on a free square adds."""
        return self._changed(add=BIT[square], remove=0) + self._founding(square, vacated=-1)

    def moved(self, origin: int, square: int) -> int:
        """What a move adds."""
        change = self._changed(add=BIT[square], remove=BIT[origin])
        return change + self._founding(square, vacated=origin)

    def taken(self, square: int, owner: int) -> int:
        """What it adds to beat a shield and to stand in its place."""
        shields = list(self.shields)
        shields[owner] &= ~BIT[square]
        shields[self.seat] |= BIT[square]
        sizes = list(self._sizes)
        sizes[owner] = self._clans(shields[owner])
        sizes[self.seat] = self._clans(shields[self.seat])
        return self._worth(shields, sizes) - self.now

    def _changed(self, *, add: int, remove: int) -> int:
        shields = list(self.shields)
        shields[self.seat] = shields[self.seat] & ~remove | add
        sizes = list(self._sizes)
        sizes[self.seat] = self._clans(shields[self.seat])
        return self._worth(shields, sizes) - self.now

    def _founding(self, square: int, *, vacated: int) -> int:
        """The marker of a country that is filled by it, or the risk that another fills it."""
        country = self.board.country_of[square]
        mask = self.board.country_masks[country] if country >= 0 else 0
        if not mask or mask & self.founded:
            return 0
        left = mask & self.free & ~BIT[square]
        if vacated >= 0:
            left |= mask & BIT[vacated]
        if not left:
            return self.marker
        return -self.marker * GIFT // 1000 if left.bit_count() == 1 else 0

    def _clans(self, mask: int) -> list[int]:
        least = self.board.clan_least
        return [size for group in squares.components(mask) if (size := group.bit_count()) >= least]

    def _worth(self, shields: Sequence[int], sizes: Sequence[Sequence[int]]) -> int:
        board, seat = self.board, self.seat
        clans = scoring.clans(sizes, board.clan_points)
        tribes = scoring.tribe_gains(board, shields)
        ships = [(mask & board.sea).bit_count() for mask in shields]
        fleets = scoring.placed(ships, board.maritime_points)
        gains = [
            POINT * (clans[each] + fleets[each] + board.per_ship * ships[each]) + TRIBAL * tribes[each]
            for each in range(len(shields))
        ]
        others = sum(gains) - gains[seat]
        own = shields[seat]
        sides = (own & own << 10).bit_count() + (own & (own & ~squares.COLUMN_MASKS[-1]) << 1).bit_count()
        opening = (squares.grown(own) & self.free & ~own).bit_count()
        return self.scorings * (gains[seat] - others // (len(shields) - 1)) + SIDE * sides + OPEN * opening


def battle_strengths(seen: FoederatiObservation, target: int, owner: int) -> tuple[int, int]:
    """The attacker's and the defender's shields that count for a battle, without cards (FO7)."""
    near = NEIGHBOURS[target]
    attack = (seen.me.shields_mask & near).bit_count()
    return attack, 1 + (seen.seats[owner].shields_mask & near).bit_count()
