"""What Bands and markers are worth in a playout of Ethnos: ``worth.Worth`` on states, kept between decisions.

Prices are in thousandths of a Glory.  What a seat's prices depend on are a few public numbers, a context; they change
when somebody plays a Band, so contexts are kept by these numbers, and what two Leaders have in common is a ``Kind``.
"""

from __future__ import annotations

from typing import Final

from rivalry_bots.plan import DRAWS, LARGEST, LUCK, TURN
from rivalry_bots.worth import DRAWN, GIANT_HELD, GIVEN_AWAY, GLORY, KEPT, LATER, RIVALRY, TROLL
from rivalry_engine.ethnos.cards import SKELETON_SHIFT
from rivalry_engine.ethnos.data import (
    BAND_GLORY,
    DWARVES,
    ELVES,
    FAIRIES,
    GIANTS,
    HALFLINGS,
    HAND_LIMIT,
    HORDE_GLORY,
    MERFOLK,
    MINOTAURS,
    ORCS,
    RACCOONS,
    TROLLS,
    WINGFOLK,
    WIZARDS,
)
from rivalry_engine.ethnos.edition import COINS, Figures
from rivalry_engine.ethnos.scoring import paid
from rivalry_engine.ethnos.state import EthnosState


class Weights:
    """What is not in the rules: ``greedy``'s numbers, unless others are given by their names."""

    __slots__ = (
        "drawn",
        "draws",
        "giant_held",
        "given_away",
        "kept",
        "largest",
        "later",
        "latest",
        "luck",
        "rise",
        "rivalry",
        "troll",
        "turn",
    )  # fmt: skip

    def __init__(self, given: dict[str, int] | None = None) -> None:
        told = given or {}
        self.turn: int = told.get("turn", TURN)
        self.luck: int = told.get("luck", LUCK)
        self.draws: int = told.get("draws", DRAWS)
        self.largest: int = told.get("largest", LARGEST)
        self.given_away: int = told.get("given_away", GIVEN_AWAY)
        self.kept: int = told.get("kept", KEPT)
        self.drawn: int = told.get("drawn", DRAWN)
        self.troll: int = told.get("troll", TROLL)
        self.giant_held: int = told.get("giant_held", GIANT_HELD)
        self.rivalry: int = told.get("rivalry", RIVALRY)
        self.later: int = told.get("later", LATER[1])
        self.latest: int = told.get("latest", LATER[2])
        self.rise: int = told.get("rise", 500)
        """How likely the others answer a marker with markers, in thousandths."""


SIZES: Final = HAND_LIMIT + 2
"""Bands are smaller than this."""
PAID: Final[list[int]] = [GLORY * BAND_GLORY[min(counted, 6)] for counted in range(SIZES + 1)]
"""What a Band pays by its cards that count."""
MOST: Final = 1 << 16
"""So many of each thing are kept; then all of them are forgotten."""


class Kind:
    """What all Bands of a Leader are worth; Leaders that are worth the same have one."""

    __slots__ = ("given_away", "keeps", "kept", "more", "number", "own")

    def __init__(self, number: int, tribe: int, own: list[int], weights: Weights) -> None:
        self.given_away = weights.given_away
        self.kept = weights.kept
        self.number = number
        self.own = own
        """By size, what the marker and the ability are worth."""
        self.more = 1 if tribe == DWARVES else 0
        """Cards that it counts beside its own."""
        self.keeps = tribe == ELVES

    def band(self, size: int, wild: int, rest: int) -> int:
        """A Band of ``size`` cards, ``wild`` of them Skeletons, that leaves ``rest`` cards in the hand."""
        price = PAID[size - wild + self.more] + self.own[size]
        if self.keeps:
            kept = size if size < rest else rest
            return price + self.kept * kept - self.given_away * (rest - kept)
        return price - self.given_away * rest


class Context:
    """What things are worth to one seat while everything that it depends on stays as it is."""

    __slots__ = ("kinds", "markers")

    def __init__(self) -> None:
        self.markers: list[int] = [0] * 7
        """By colour, what a marker more is worth; index 0 is none."""
        self.kinds: list[Kind | None] = [None] * 128
        """By Leader, once it was asked for."""


class Prices:
    """The prices of one match."""

    def __init__(self, figures: Figures, weights: Weights) -> None:
        self._figures = figures
        self._weights = weights
        self._contexts: dict[tuple[int, ...], Context] = {}
        self._kinds: dict[tuple[int, ...], Kind] = {}
        self._gains: dict[tuple[int, ...], int] = {}

    def context(self, state: EthnosState, seat: int) -> Context:
        """The prices for ``seat`` as things stand."""
        key = (
            seat,
            state.age,
            state.hordes[seat],
            state.supply[seat] > 0,
            self._largest_giant(state) if GIANTS in state.tribes else 0,
            *state.merfolk,
            *state.trolls,
            *state.markers,
        )
        if state.extra.coins:
            key += (state.extra.coins_left, *[sum(coins) for coins in state.extra.coins])
        found = self._contexts.get(key)
        if found is None:
            if len(self._contexts) >= MOST:
                self._contexts.clear()
            found = self._contexts[key] = Context()
            for colour in range(1, 7):
                found.markers[colour] = self._marker(state, seat, colour)
        return found

    def kind(self, context: Context, state: EthnosState, seat: int, leader: int) -> Kind:
        """What the Bands of ``leader`` are worth."""
        found = context.kinds[leader]
        if found is None:
            tribe = leader >> 3
            own = [0] * SIZES
            for size in range(1, SIZES):
                own[size] = self._placed(context, state, seat, leader, size) + self._ability(
                    context, state, seat, leader, size
                )
            key = (tribe == DWARVES, tribe == ELVES, *own)
            found = self._kinds.get(key)
            if found is None:
                found = self._kinds[key] = Kind(len(self._kinds), tribe, own, self._weights)
            context.kinds[leader] = found
        return found

    def swap(self, context: Context, state: EthnosState, seat: int, band: int) -> int:
        """What it is worth to have ``band`` of another seat for the last one of one's own (E7)."""
        own, leader = state.bands[seat][-1], band & 255
        wild, given = _wild(band >> 8), (own >> 8) % 15 - _wild(own >> 8)
        received = (band >> 8) % 15
        kind = self.kind(context, state, seat, leader)
        lost, taken = PAID[given], PAID[received - wild + kind.more]
        return (
            taken
            + kind.own[received]
            - lost
            - self._weights.rivalry * (lost - taken) // GLORY // (self._figures.seats - 1)
        )

    def _placed(self, context: Context, state: EthnosState, seat: int, leader: int, size: int) -> int:
        """The best marker that a Band may place (E5.4)."""
        tribe, colour = leader >> 3, leader & 7
        if tribe == HALFLINGS or not state.supply[seat]:
            return 0
        reach = size + (tribe == MINOTAURS)
        best = 0
        for there in range(1, 7) if tribe == WINGFOLK else range(colour, colour + 1):
            if context.markers[there] > best and reach > self._must_outnumber(state, seat, there):
                best = context.markers[there]
        return best

    def _must_outnumber(self, state: EthnosState, seat: int, colour: int) -> int:
        if self._figures.outnumbers_all:
            return sum(state.markers[colour - 1 :: 6])
        return state.markers[6 * seat + colour - 1]

    def _ability(self, context: Context, state: EthnosState, seat: int, leader: int, size: int) -> int:
        """What the Leader's ability brings."""
        tribe, colour = leader >> 3, leader & 7
        if tribe == WIZARDS:
            return self._weights.drawn * size
        if tribe == GIANTS:
            return self._giant(state) if size > self._largest_giant(state) else 0
        if tribe == MERFOLK:
            return self._advance(context, state, seat, size)
        if tribe == ORCS and not state.hordes[seat] >> colour & 1:
            placed = state.hordes[seat].bit_count()
            return GLORY * (HORDE_GLORY[placed + 1] - HORDE_GLORY[placed])
        if tribe == TROLLS:
            free = 126
            for taken in state.trolls:
                free &= ~taken
            return self._weights.troll * ((free & ((2 << size) - 1)).bit_length() - 1)
        if tribe == RACCOONS:
            return self._coin(state, seat, colour)
        if tribe == FAIRIES:
            return self._fairy(context, state, seat, size)
        return 0

    def _fairy(self, context: Context, state: EthnosState, seat: int, size: int) -> int:
        """The best Band that Fairies can receive, as if their own paid nothing else."""
        best = 0
        for other, played in enumerate(state.bands):
            if other == seat:
                continue
            for band in played:
                if (band >> 8) % 15 <= size and band >> 3 & 31 != FAIRIES:
                    kind = self.kind(context, state, seat, band & 255)
                    whole = (band >> 8) % 15
                    wild = _wild(band >> 8)
                    best = max(best, PAID[whole - wild + kind.more] + kind.own[whole] - PAID[size])
        return best

    def _giant(self, state: EthnosState) -> int:
        return (
            GLORY * self._figures.edition.giant_bonus
            + self._weights.giant_held * self._figures.giant_awards[state.age - 1]
        )

    def _largest_giant(self, state: EthnosState) -> int:
        largest = 0
        for played in state.bands:
            for band in played:
                if band >> 3 & 31 == GIANTS and (band >> 8) % 15 > largest:
                    largest = (band >> 8) % 15
        return largest

    def _advance(self, context: Context, state: EthnosState, seat: int, steps: int) -> int:
        """So many steps on the Merfolk board: its place, and the markers on the way."""
        figures = self._figures
        start = state.merfolk[seat]
        space = min(start + steps, figures.edition.merfolk_last)
        passed = 0
        for symbol in figures.merfolk_symbols:
            passed += start < symbol <= space
        board = self._gain(state, seat, state.merfolk, figures.merfolk_awards, 0, space - start, 2, 0)
        return board + passed * max(context.markers)

    def _coin(self, state: EthnosState, seat: int, colour: int) -> int:
        """The next coin on a region's slot: to whoever leads there (N3.4)."""
        left = state.extra.coins_left
        coin = COINS[len(COINS) - left] if left else 0
        standing = state.markers[colour - 1 :: 6]
        most = max(standing)
        if not most:
            return 0
        if standing[seat] < most:
            return -self._weights.rivalry * coin // (len(standing) - 1)
        return GLORY * coin // standing.count(most)

    def _marker(self, state: EthnosState, seat: int, colour: int) -> int:
        coins = sum(state.extra.coins[colour - 1]) if state.extra.coins else 0
        standing = state.markers[colour - 1 :: 6]
        return self._gain(state, seat, standing, state.tokens[colour - 1], colour, 1, 1, coins)

    def _gain(
        self,
        state: EthnosState,
        seat: int,
        standing: list[int],
        tokens: tuple[int, ...],
        place: int,
        more: int,
        rise: int,
        coins: int,
    ) -> int:
        """What ``more`` pay at ``place`` in this Age and later, as things stand and if all others had ``rise`` more."""
        key = (seat, state.age, place, more, coins, *standing, *state.trolls)
        found = self._gains.get(key)
        if found is not None:
            return found
        if len(self._gains) >= MOST:
            self._gains.clear()
        worth = 0
        nobody = [0] * len(standing)
        weights = self._weights
        for later in range(self._figures.ages - state.age + 1):
            trolls = nobody if later else state.trolls
            counts = (GLORY, weights.later, weights.latest)[later]
            for lift in (0, rise):
                likely = weights.rise if lift else GLORY - weights.rise
                now = [count + lift for count in standing]
                now[seat] = standing[seat]
                gained = -self._lead(now, seat, trolls, tokens, state.age + later, 0 if later else coins)
                now[seat] += more
                gained += self._lead(now, seat, trolls, tokens, state.age + later, 0 if later else coins)
                worth += counts * likely * gained // (GLORY * GLORY)
        self._gains[key] = worth
        return worth

    def _lead(
        self, standing: list[int], seat: int, trolls: list[int], tokens: tuple[int, ...], age: int, coins: int
    ) -> int:
        glory = paid(standing, trolls, tokens, age, coins=coins, is_duel=self._figures.is_duel)
        own = glory[seat]
        return GLORY * own - self._weights.rivalry * (sum(glory) - own) // (len(glory) - 1)


def _wild(pack: int) -> int:
    """The Skeletons of a pack."""
    return pack >> SKELETON_SHIFT


__all__ = ["Context", "Kind", "Prices", "Weights"]
