"""What things are worth in Ethnos to the seat that observes, in thousandths of a Glory.

Whole numbers throughout, so that every machine judges alike.  The prices were tuned by play; the rest is the rules.
"""

from __future__ import annotations

from typing import Final

from rivalry_engine.ethnos import scoring
from rivalry_engine.ethnos.cards import SKELETON, count
from rivalry_engine.ethnos.cards import size as size_of
from rivalry_engine.ethnos.data import (
    BAND_GLORY,
    COLOURS,
    DWARVES,
    ELVES,
    FAIRIES,
    GIANTS,
    HALFLINGS,
    HORDE_GLORY,
    MERFOLK,
    MINOTAURS,
    ORCS,
    RACCOONS,
    TROLLS,
    WINGFOLK,
    WIZARDS,
)
from rivalry_engine.ethnos.scoring import band_glory, paid
from rivalry_engine.ethnos.sight import EthnosObservation

GLORY: Final = 1000
LATER: Final = (1000, 700, 450)
"""How much of what an Age pays counts, by Ages from now: others answer, and answer longer the later it is."""
RIVALRY: Final = 400
"""How much a Glory of the others' average takes away."""
GIVEN_AWAY: Final = 250
"""A card that goes face up for the others to take."""
KEPT: Final = 900
"""A card that the Elves keep: most of a turn."""
DRAWN: Final = 800
"""A card that the Wizards draw, unchosen."""
TROLL: Final = 350
"""A point of a Troll token: it breaks ties."""
GIANT_HELD: Final = 600
"""How likely a new holder of the Giant token is to be its last, in thousandths."""


class Worth:
    """The prices of Bands and markers in one observation; kept for the decision."""

    def __init__(self, seen: EthnosObservation) -> None:
        self._seen = seen
        self._me = me = seen.me
        self._age = seen.board.age
        self._ages = seen.setup.ages
        self._trolls = [seat.troll_mask for seat in seen.seats]
        self._figures = figures = seen.setup.figures
        coins = seen.board.extra.coins
        self._coins = [0, *map(sum, coins)] if coins else [0] * (len(COLOURS) + 1)
        self._next_coin = next(iter(seen.board.coins_in_supply), 0)
        self._markers: list[int | None] = [0, *[None] * len(COLOURS)]
        self._must_outnumber = [0] + [
            sum(seat.markers_by_colour[colour - 1] for seat in seen.seats)
            if figures.outnumbers_all
            else me.markers_by_colour[colour - 1]
            for colour in COLOURS
        ]
        giants = [band for seat in seen.seats for band in seat.band_numbers if band >> 3 & 31 == GIANTS]
        self._largest_giant = max([size_of(band >> 8) for band in giants], default=0)
        self._troll_tokens = 126
        for held in self._trolls:
            self._troll_tokens &= ~held
        self._priced: dict[int, int] = {}

    def band(self, leader: int, size: int, skeletons: int, rest: int) -> int:
        """A Band of ``size`` cards, ``skeletons`` of them wild, that leaves ``rest`` cards in the hand."""
        key = leader | size << 8 | skeletons << 12
        price = self._priced.get(key)
        if price is None:
            price = self._priced[key] = self._laid_down(leader, size, skeletons)
        if leader >> 3 == ELVES:
            kept = min(size, rest)
            return price + KEPT * kept - GIVEN_AWAY * (rest - kept)
        return price - GIVEN_AWAY * rest

    def marker(self, colour: int) -> int:
        """One marker more in the Kingdom of a colour; 0 for none."""
        price = self._markers[colour]
        if price is None:
            standing = [seat.markers_by_colour[colour - 1] for seat in self._seen.seats]
            tokens = self._seen.setup.tokens_by_colour[colour - 1]
            price = self._markers[colour] = self._gain(standing, tokens, 1, rise=1, coins=self._coins[colour])
        return price

    def places_marker(self, leader: int, size: int) -> bool:
        """True if a Band may place its marker and does well to (E5.4)."""
        return self._own_marker(leader >> 3, leader & 7, size) > 0

    def advance(self, steps: int) -> int:
        """So many steps on the Merfolk board: its place, and the markers on the way."""
        start = self._me.merfolk
        space = min(start + steps, self._figures.edition.merfolk_last)
        passed = sum(1 for symbol in self._figures.merfolk_symbols if start < symbol <= space)
        boards = [seat.merfolk for seat in self._seen.seats]
        board = self._gain(boards, self._figures.merfolk_awards, space - start, rise=2)
        return board + passed * max(0, *[self.marker(colour) for colour in COLOURS]) if passed else board

    def _laid_down(self, leader: int, size: int, skeletons: int) -> int:
        tribe, colour = leader >> 3, leader & 7
        counted = size - skeletons + (tribe == DWARVES)
        price = GLORY * BAND_GLORY[min(counted, len(BAND_GLORY) - 1)] + self._own_marker(tribe, colour, size)
        if tribe == WIZARDS:
            price += DRAWN * size
        elif tribe == GIANTS and size > self._largest_giant:
            award = self._figures.giant_awards[self._age - 1]
            price += GLORY * self._figures.edition.giant_bonus + GIANT_HELD * award
        elif tribe == MERFOLK:
            price += self.advance(size)
        elif tribe == ORCS and not self._me.horde_mask >> colour & 1:
            markers = self._me.horde_mask.bit_count()
            price += GLORY * (HORDE_GLORY[markers + 1] - HORDE_GLORY[markers])
        elif tribe == TROLLS:
            price += TROLL * ((self._troll_tokens & ((2 << size) - 1)).bit_length() - 1)
        elif tribe == RACCOONS:
            price += self._coin(colour)
        elif tribe == FAIRIES:
            price += max(0, *[self.swap(leader, size, skeletons, band) for band in self._within(size)], 0)
        return price

    def swap(self, leader: int, size: int, skeletons: int, band: int) -> int:
        """An opponent's ``band`` for one's own that lies: what they score changes hands, and the other is played."""
        received = band >> 8
        wild = count(received, SKELETON)
        gained = self._laid_down(band & 255, size_of(received), wild)
        given = GLORY * BAND_GLORY[min(size - skeletons, len(BAND_GLORY) - 1)]
        taken = GLORY * band_glory(band & scoring.WITHOUT_SKELETONS)
        others = len(self._seen.seats) - 1
        return gained - given - RIVALRY * (given - taken) // GLORY // others

    def _within(self, size: int) -> list[int]:
        """The opponents' Bands that Fairies of ``size`` reach, others than Fairies."""
        return [
            band
            for seat in self._seen.seats
            if seat.seat != self._seen.seat
            for band in seat.band_numbers
            if size_of(band >> 8) <= size and band >> 3 & 31 != FAIRIES
        ]

    def _coin(self, colour: int) -> int:
        """The next coin on a region's slot: to whoever leads there (N3.4)."""
        standing = [seat.markers_by_colour[colour - 1] for seat in self._seen.seats]
        most = max(standing)
        mine = standing[self._seen.seat]
        if not most or mine < most:
            return -RIVALRY * self._next_coin // (len(standing) - 1) if most else 0
        return GLORY * self._next_coin // standing.count(most)

    def _own_marker(self, tribe: int, colour: int, size: int) -> int:
        if tribe == HALFLINGS or not self._me.supply:
            return 0
        reach = size + (tribe == MINOTAURS)
        if tribe == WINGFOLK:
            return max(0, *[self.marker(there) for there in COLOURS if reach > self._must_outnumber[there]], 0)
        return max(0, self.marker(colour)) if reach > self._must_outnumber[colour] else 0

    def _gain(self, standing: list[int], tokens: tuple[int, ...], more: int, *, rise: int, coins: int = 0) -> int:
        """What ``more`` here pay in this Age and later, seen as things stand and as if all others had ``rise`` more."""
        seat = self._seen.seat
        worth = 0
        for later, share in enumerate(LATER[: self._ages - self._age + 1]):
            trolls = self._trolls if not later else [0] * len(standing)
            for lift in (0, rise):
                before = [count + lift for count in standing]
                before[seat] = standing[seat]
                after = list(before)
                after[seat] += more
                age = self._age + later
                paying = 0 if later else coins
                now, then = (
                    self._lead(paid(there, trolls, tokens, age, coins=paying, is_duel=self._figures.is_duel))
                    for there in (before, after)
                )
                gained = then - now
                worth += share * gained // 2000
        return worth

    def _lead(self, glory: tuple[int, ...]) -> int:
        """What a payment is worth to this seat when the others' average counts against it."""
        own = glory[self._seen.seat]
        others = sum(glory) - own
        return GLORY * own - RIVALRY * others // (len(glory) - 1)
