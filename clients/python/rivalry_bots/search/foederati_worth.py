"""What a board of Foederati is worth in a playout: ``standing.Standing`` on states, a change at a time.

All numbers are thousandths of a point.  What clans, fleets and countries pay is kept by what it depends on, and a
change works out only what it changes.
"""

from __future__ import annotations

from typing import Final

from rivalry_bots import standing
from rivalry_engine.foederati import scoring
from rivalry_engine.foederati.maps import Map
from rivalry_engine.foederati.squares import BIT, COLUMN_MASKS, NEIGHBOURS, components, grown
from rivalry_engine.foederati.state import FoederatiState

POINT: Final = 1000
NOT_LAST: Final = ~COLUMN_MASKS[-1]
MOST: Final = 1 << 16
"""So many payments of a kind are kept; then all of them are forgotten."""
NONE: Final = -1


class Weights:
    """What is not in the rules: ``greedy``'s numbers, unless others are given by their names."""

    __slots__ = (
        "battle_most",
        "card",
        "defence",
        "gift",
        "move",
        "opening",
        "rivalry",
        "scorings",
        "side",
        "tribal",
    )

    def __init__(self, given: dict[str, int] | None = None) -> None:
        told = given or {}
        self.tribal: int = told.get("tribal", standing.TRIBAL)
        self.scorings: int = told.get("scorings", POINT * standing.SCORINGS)
        """Of scorings to come so many count at most, in thousandths."""
        self.side: int = told.get("side", standing.SIDE)
        self.opening: int = told.get("opening", standing.OPEN)
        self.gift: int = told.get("gift", standing.GIFT)
        self.rivalry: int = told.get("rivalry", POINT)
        """What a point of the others' mean takes away."""
        self.move: int = told.get("move", 250)
        """A move that adds less is left."""
        self.card: int = told.get("card", 300)
        """What a card is worth that a battle takes."""
        self.defence: int = told.get("defence", 150)
        """Of a thousand unknown cards so many fit a square that one has a shield at."""
        self.battle_most: int = told.get("battle_most", 4)
        """So many cards at most go into a battle."""


class Payments:
    """What clans, fleets and countries pay, for one match."""

    def __init__(self, board: Map, seats: int) -> None:
        self.board = board
        self.seats = seats
        self._clans: dict[tuple[tuple[int, ...], ...], list[int]] = {}
        self._tribes: dict[int, list[int]] = {}
        self._fleets: dict[int, list[int]] = {}

    def clans(self, sizes: list[tuple[int, ...]]) -> list[int]:
        """By seat, for the sizes of all clans, ascending."""
        key = tuple(sizes)
        found = self._clans.get(key)
        if found is None:
            if len(self._clans) >= MOST:
                self._clans.clear()
            found = self._clans[key] = scoring.clans(sizes, self.board.clan_points)
        return found

    def fleets(self, ships: int) -> list[int]:
        """By seat, for the numbers of ships, a byte for each seat."""
        found = self._fleets.get(ships)
        if found is None:
            board = self.board
            counts = [ships >> 8 * seat & 255 for seat in range(self.seats)]
            gains = scoring.placed(counts, board.maritime_points)
            found = [gain + board.per_ship * count for gain, count in zip(gains, counts, strict=True)]
            self._fleets[ships] = found
        return found

    def tribes(self, country: int, counts: int) -> list[int]:
        """By seat, for the shields in a country, a byte for each seat."""
        key = country << 40 | counts
        found = self._tribes.get(key)
        if found is None:
            board = self.board
            each = [counts >> 8 * seat & 255 for seat in range(self.seats)]
            found = scoring.placed(each, board.tribal[country])
            if len([count for count in each if count]) == 1:
                found = [gain + board.sole_bonus * (count > 0) for gain, count in zip(found, each, strict=True)]
            self._tribes[key] = found
        return found


class Worth:
    """One board as it is to one seat, and what changes of it are worth to that seat."""

    def __init__(self, payments: Payments, weights: Weights, state: FoederatiState, seat: int) -> None:
        board = payments.board
        self._payments = payments
        self._weights = weights
        self._board = board
        self._seat = seat
        self._seats = payments.seats
        self._free = state.free
        self._founded = state.founded
        self._shields = state.shields
        self._masks: list[int] = [group.mask for group in state.groups[seat]]
        self._borders: list[int] = [group.border for group in state.groups[seat]]
        left = len(board.track) - len(state.foundings)
        self._marker = board.track[len(state.foundings)][0] * POINT if left else 0
        self._scorings = POINT if state.end_trigger else min(weights.scorings, POINT + POINT * left)
        least = board.clan_least
        self._sizes: list[tuple[int, ...]] = [
            tuple(sorted([size for group in own if (size := group.mask.bit_count()) >= least])) for own in state.groups
        ]
        self._ships = 0
        for each, mask in enumerate(state.shields):
            self._ships |= (mask & board.sea).bit_count() << 8 * each
        self._counts: list[int] = []
        self._tribes = 0
        for country, land in enumerate(board.country_masks):
            counts = 0
            for each, mask in enumerate(state.shields):
                counts |= (mask & land).bit_count() << 8 * each
            self._counts.append(counts)
            self._tribes += self._lead(payments.tribes(country, counts))
        own = state.shields[seat]
        self._rest = self._lead(payments.clans(self._sizes)) + self._lead(payments.fleets(self._ships))
        self.now = self._whole(self._rest, self._tribes, own, self._free)
        self._placed: dict[int, int] = {}

    def placed(self, square: int) -> int:
        """What a shield of one's own on a free square adds."""
        found = self._placed.get(square)
        if found is None:
            found = self._placed[square] = self._changed(square, NONE) + self._founding(square, NONE)
        return found

    def moved(self, origin: int, square: int) -> int:
        """What a move adds."""
        return self._changed(square, origin) + self._founding(square, origin)

    def taken(self, square: int, owner: int) -> int:
        """What it adds to beat a shield and to stand in its place."""
        board, seat = self._board, self._seat
        bit = BIT[square]
        left = components(self._shields[owner] & ~bit)
        least = board.clan_least
        sizes = self._sizes[:]
        sizes[owner] = tuple(sorted([size for group in left if (size := group.bit_count()) >= least]))
        sizes[seat] = self._joined(square, NONE)
        ships, tribes = self._ships, self._tribes
        country = board.country_of[square]
        if country < 0:
            ships += (1 << 8 * seat) - (1 << 8 * owner)
        else:
            counts = self._counts[country]
            after = counts + (1 << 8 * seat) - (1 << 8 * owner)
            payments = self._payments
            tribes += self._lead(payments.tribes(country, after)) - self._lead(payments.tribes(country, counts))
        rest = self._lead(self._payments.clans(sizes)) + self._lead(self._payments.fleets(ships))
        return self._whole(rest, tribes, self._shields[seat] | bit, self._free) - self.now

    def _changed(self, square: int, origin: int) -> int:
        board, seat = self._board, self._seat
        payments = self._payments
        sizes = self._sizes[:]
        sizes[seat] = self._joined(square, origin)
        ships, tribes = self._ships, self._tribes
        unit = 1 << 8 * seat
        country = board.country_of[square]
        home = board.country_of[origin] if origin >= 0 else -2
        own, free = self._shields[seat] | BIT[square], self._free & ~BIT[square]
        if origin >= 0:
            own &= ~BIT[origin]
            free |= BIT[origin]
        if home != country:
            if country < 0:
                ships += unit
            else:
                tribes += self._step(country, unit)
            if home == -1:
                ships -= unit
            elif home >= 0:
                tribes += self._step(home, -unit)
        rest = self._rest
        if sizes[seat] != self._sizes[seat] or ships != self._ships:
            rest = self._lead(payments.clans(sizes)) + self._lead(payments.fleets(ships))
        return self._whole(rest, tribes, own, free) - self.now

    def _step(self, country: int, unit: int) -> int:
        """What a shield more or less in a country changes."""
        counts = self._counts[country]
        payments = self._payments
        return self._lead(payments.tribes(country, counts + unit)) - self._lead(payments.tribes(country, counts))

    def _joined(self, square: int, origin: int) -> tuple[int, ...]:
        """The sizes of one's clans after a shield was put down, or came from ``origin``."""
        bit, least = BIT[square], self._board.clan_least
        joined = 1
        found: list[int] = []
        for mask, border in zip(self._masks, self._borders, strict=True):
            if origin >= 0 and mask >> origin & 1:
                rest = mask & ~BIT[origin]
                for part in components(rest):
                    if NEIGHBOURS[square] & part:
                        joined += part.bit_count()
                    elif part.bit_count() >= least:
                        found.append(part.bit_count())
            elif border & bit:
                joined += mask.bit_count()
            elif mask.bit_count() >= least:
                found.append(mask.bit_count())
        if joined >= least:
            found.append(joined)
        found.sort()
        return tuple(found)

    def _founding(self, square: int, vacated: int) -> int:
        """The marker of a country that is filled by it, or the risk that another fills it."""
        country = self._board.country_of[square]
        if country < 0 or self._founded >> country & 1:
            return 0
        mask = self._board.country_masks[country]
        left = mask & self._free & ~BIT[square]
        if vacated >= 0:
            left |= mask & BIT[vacated]
        if not left:
            return self._marker
        return -self._marker * self._weights.gift // POINT if not left & (left - 1) else 0

    def _lead(self, gains: list[int]) -> int:
        """What gains come to when the others' mean counts against one's own; times the number of others and 1000."""
        own = gains[self._seat]
        others = -own
        for gain in gains:
            others += gain
        return POINT * own * (self._seats - 1) - self._weights.rivalry * others

    def _whole(self, rest: int, tribes: int, own: int, free: int) -> int:
        weights = self._weights
        sides = (own & own << 10).bit_count() + (own & (own & NOT_LAST) << 1).bit_count()
        opening = (grown(own) & free & ~own).bit_count()
        lead = (rest + tribes * weights.tribal // POINT) // (self._seats - 1)
        return self._scorings * lead // POINT + weights.side * sides + weights.opening * opening


__all__ = ["Payments", "Weights", "Worth"]
